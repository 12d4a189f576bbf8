// SPDX-License-Identifier: MIT
// Reading from the store what a world is to be brought back by: on the clerk's thread, for it touches the disk.
#ifndef WEFT_APP_PAST_H
#define WEFT_APP_PAST_H

#include "app/clerk.h"
#include "app/travel.h"

// An entry of the log.
struct past_place {
    uint32_t timeline;
    uint64_t sequence, tick;
};

// Commands of one client that are lost, of one method and about one object.
struct lost_row {
    uint32_t client;
    enum proto_method method;
    uint32_t object; // 0: about none
    uint32_t count;
    uint64_t tick; // of the first
};

#define LOST_ROWS_MAX 64u

// What is lost when a change is taken back or given again. The moves and the end of a hand count with its start.
struct lost {
    struct lost_row rows[LOST_ROWS_MAX]; // of others than the one who asks
    uint32_t row_count;
    uint32_t of_others; // commands of others in all, those included for which there was no row
    uint32_t entries;   // of the log, whoever gave them
};

struct past {
    struct clerk_job job;
    struct world *world;
    _Atomic(struct past *) *arrived; // where it is put when it was read
    struct store_query query;
    bool undo;             // what follows is to be found first
    bool scene;            // and it is the last reset or scene, whoever asked for it
    bool redo;             // or is to be given again
    uint32_t current;      // redo: the timeline that goes on
    uint64_t end_sequence; // undo and redo: the last entry of `query.timeline` that is read
    bool interval;         // it is this one, and what lies `ahead` of `tick`; STORE_END: all of it
    uint64_t tick, from, to, ahead;
    uint64_t first, last;      // of the timeline; set when it was read
    uint32_t client;           // whose last change
    char key[WORLD_KEY_MAX];   // or of who goes by this key
    struct past_place *undone; // what the change consists of, newest first
    uint32_t undone_count;
    struct past_place *sorted; // the same by timeline and sequence, for past_is_undone
    enum proto_method method;  // of the first of them
    bool whole_scene;          // it was the beginning of a scene: what was before is the end of `query`
    uint32_t scene_timeline;   // that the scene began
    struct lost lost;          // of a whole scene: what came after it

    enum result result;
    struct fault fault;
    struct store_history *history;
};

// Whether the entry is of the client who asks.
bool past_is_own(const struct past *past, const struct store_entry *entry);
// Notes an entry that is lost, as far as it is a command. RESULT_INVALID, RESULT_MEMORY: it cannot be read.
enum result past_note_lost(const struct past *past, struct lost *lost, const struct store_logged *logged) WEFT_MUST_USE;
// Reads, puts itself where it is to arrive, and wakes its world.
void past_run(struct clerk_job *job);
void past_free(struct past *past); // NULL is allowed
// Leaves out entries that were logged after the request: a rework is given those as they come (rework.h).
void past_cut_end(struct past *past);
bool past_is_undone(const struct past *past, const struct store_logged *logged);

#endif
