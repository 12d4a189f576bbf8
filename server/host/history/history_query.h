// SPDX-License-Identifier: MIT
// Reads from the store the snapshot and the entries that bring a world back. This is done on the job thread,
// because it touches the disk.
#ifndef WEFT_HOST_HISTORY_HISTORY_QUERY_H
#define WEFT_HOST_HISTORY_HISTORY_QUERY_H

#include "base/job_thread.h"
#include "host/history/seek.h"

// An entry of the log.
struct log_place {
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

// The commands that are lost when a change is taken back or given again. The moves and the end of a grab count with its
// start.
struct lost {
    struct lost_row rows[LOST_ROWS_MAX]; // of clients other than the one that asks
    uint32_t row_count;
    uint32_t of_others; // all commands of other clients, also those for which there was no row
    uint32_t entries;   // of the log, of all clients
};

struct history_query {
    struct thread_job job;
    struct world *world;
    _Atomic(struct history_query *) *arrived; // where it is put when it was read
    struct store_query range;
    bool undo;             // the change to be taken back is looked for first
    bool scene;            // with `undo`: that change is the last reset or scene, of any client
    bool redo;             // the change in `undone` is to be given again
    uint32_t current;      // redo: the timeline that goes on
    uint64_t end_sequence; // undo and redo: the last entry of `query.timeline` that is read
    bool interval;         // reads `ahead` ticks from `tick` on (STORE_END: up to `to`), within ticks `from` to `to`
    uint64_t tick, from, to, ahead;
    uint64_t first, last;     // of the timeline; set when it was read
    uint32_t client;          // undo: the client whose last change is looked for
    char key[WORLD_KEY_MAX];  // or the key of its session
    struct log_place *undone; // the entries of the change, newest first
    uint32_t undone_count;
    struct log_place *sorted; // the same by timeline and sequence, for history_query_is_undone
    enum proto_method method; // of the first of them
    bool whole_scene;         // it was the beginning of a scene: `query` then ends before the scene
    uint32_t scene_timeline;  // that the scene began
    struct lost lost;         // of a whole scene: the commands after it

    enum result result;
    struct fault fault;
    struct store_history *history;
};

// Whether the entry is of the client that asks.
bool history_query_is_own(const struct history_query *past, const struct store_entry *entry);
// Notes an entry that is lost, as far as it is a command. RESULT_INVALID, RESULT_MEMORY: it cannot be read.
enum result history_query_note_lost(const struct history_query *past, struct lost *lost,
                                    const struct store_logged *logged) WEFT_MUST_USE;
// Reads, puts itself where it is to arrive, and wakes its world.
void history_query_run(struct thread_job *job);
void history_query_free(struct history_query *past); // NULL is allowed
bool history_query_is_undone(const struct history_query *past, const struct store_logged *logged);

#endif
