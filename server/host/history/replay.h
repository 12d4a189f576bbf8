// SPDX-License-Identifier: MIT
// Brings a world to a moment of its past: a snapshot, then the commands since, each before the step that saw it. The
// states are compared with the hashes that were logged.
//
// A history that an older physics version computed (sim.h) is begun from its snapshot and computed again with the
// present version. From there on no hash is compared, and commands that are refused now are left out. Both are counted
// and logged. A history of a newer physics version is refused.
//
// A replay runs a slice at a time, so that other worlds on the same worker need not wait. Meanwhile clients get no
// events of it.
#ifndef WEFT_HOST_HISTORY_REPLAY_H
#define WEFT_HOST_HISTORY_REPLAY_H

#include "host/world/world_state.h"
#include "store/store.h"

struct replay {
    const struct store_history *past;
    uint64_t until_tick;
    bool short_of_commands; // that were given after its step
    // Each command has to succeed as it did, and each hash to be met, unless it is to become another history,
    // `altered`. All three may be NULL. `before` says whether the entry is applied at all, `after` hears of those that
    // were and are not refused now, `refused` of those that are.
    bool altered;
    bool (*before)(void *context, const struct store_logged *logged);
    void (*after)(void *context, const struct store_logged *logged);
    void (*refused)(void *context, const struct store_logged *logged);
    void *context;

    uint32_t next_entry, next_hash;
    uint32_t timeline; // of the last entry that was applied, and its sequence number
    uint64_t sequence;
    uint32_t dropped;   // commands that are refused now, because of those that were not applied, or of other physics
    bool older;         // an older physics version computed the beginning of the way
    uint32_t unchecked; // hashes that were not compared because of it
};

// Brings back the snapshot. Errors: RESULT_INVALID, RESULT_DAMAGED, RESULT_LIMIT, RESULT_MEMORY; then the world is
// unusable until another is brought back.
enum result replay_begin(struct engine_world *world, struct replay *replay, struct fault *fault) WEFT_MUST_USE;
// The ticks of the way that were computed again so far; physics 0: none.
struct world_recomputed replay_recomputed(const struct engine_world *world, const struct replay *replay);
// The member `recomputed`, unless there is nothing to tell, into an open object. From any thread.
void describe_recomputed(const struct world_recomputed *recomputed, struct json_writer *out);
// The members `physics` and, of a world that was recomputed when it was opened, `recomputed`. From any thread.
void describe_physics(const struct world *world, struct json_writer *out);
// Goes on until it is `done`, or the deadline. Errors as replay_begin: the fault says at which tick.
enum result replay_advance(struct engine_world *world, struct replay *replay, uint64_t deadline_ns, bool *done,
                           struct fault *fault) WEFT_MUST_USE;

#endif
