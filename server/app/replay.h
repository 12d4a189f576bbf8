// SPDX-License-Identifier: MIT
// Bringing a world to a moment of its past: a snapshot, then the commands since, each before the step that saw it. What
// comes out is compared with the hashes that were logged.
//
// A slice at a time, so that who shares the worker is not kept waiting; nobody is told of what happens meanwhile.
#ifndef WEFT_APP_REPLAY_H
#define WEFT_APP_REPLAY_H

#include "app/world.h"
#include "store/store.h"

struct replay {
    const struct store_history *past;
    uint64_t until_tick;
    bool short_of_commands; // that were given after its step
    // Each command has to succeed as it did, and each hash to be met, unless it is to become another history,
    // `altered`. Both may be NULL. `before` says whether the entry is applied at all, `after` hears of those that were
    // and are not refused now.
    bool altered;
    bool (*before)(void *context, const struct store_logged *logged);
    void (*after)(void *context, const struct store_logged *logged);
    void *context;

    uint32_t next_entry, next_hash;
    uint32_t timeline; // of the last entry that was applied, and its sequence number
    uint64_t sequence;
    uint32_t dropped; // commands that are refused now, because of those that were not applied
};

// Brings back the snapshot. Errors: RESULT_INVALID, RESULT_DAMAGED, RESULT_LIMIT, RESULT_MEMORY; then the world is
// unusable until another is brought back.
enum result replay_begin(struct world *world, struct replay *replay, struct fault *fault) WEFT_MUST_USE;
// Goes on until it is `done`, or the deadline. Errors as replay_begin: the fault says at which tick.
enum result replay_advance(struct world *world, struct replay *replay, uint64_t deadline_ns, bool *done,
                           struct fault *fault) WEFT_MUST_USE;

#endif
