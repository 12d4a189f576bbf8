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

struct past {
    struct clerk_job job;
    struct world *world;
    struct store_query query;
    bool undo;     // what follows is to be found first
    bool redo;     // or is to be given again
    bool interval; // it is this one, and what lies `ahead` of `tick`; STORE_END: all of it
    uint64_t tick, from, to, ahead;
    uint64_t first, last;      // of the timeline; set when it was read
    uint32_t client;           // whose last change
    char key[WORLD_KEY_MAX];   // or of who goes by this key
    struct past_place *undone; // what the change consists of, newest first
    uint32_t undone_count;
    enum proto_method method; // of the first of them
    bool whole_scene;         // it was the beginning of a scene: what was before is the end of `query`

    enum result result;
    struct fault fault;
    struct store_history *history;
};

// Reads and hands itself to its world's travel.
void past_run(struct clerk_job *job);
void past_free(struct past *past); // NULL is allowed
bool past_is_undone(const struct past *past, const struct store_logged *logged);

#endif
