// SPDX-License-Identifier: MIT
// Capsules of worlds: a piece of a history as one file (host/history/capsule_file.h), made of what the store has or of
// the present, and replayed to the bit wherever it came from. On the job thread, or in a tool: it takes its time.
#ifndef WEFT_HOST_HISTORY_CAPSULE_H
#define WEFT_HOST_HISTORY_CAPSULE_H

#include "host/history/replay.h"
#include "store/capsule/capsule_format.h"

struct snapshot_job;

// What a capsule is wanted of: the present state, or ticks `from` to `to` of a timeline.
struct capsule_request {
    struct world *world;
    const struct snapshot_job *now; // NULL: of the history
    uint32_t timeline;
    uint64_t from, to; // STORE_END: the last there is
};
// Errors: those of store_read and capsule_pack. Free the bytes with free().
enum result capsule_make(const struct capsule_request *request, unsigned char **bytes, size_t *size,
                         struct fault *fault) WEFT_MUST_USE;

// What replaying one found.
struct capsule_report {
    char world[STORE_CAPSULE_TEXT_MAX + 1], version[STORE_CAPSULE_TEXT_MAX + 1];
    double tick_hz;
    uint64_t first_tick, last_tick, equal_until; // equal up to this tick, as far as its hashes tell
    uint32_t commands, hashes;
    uint32_t physics, newest_physics; // the versions that computed its beginning and its end
    uint32_t present_physics;         // the version of this program
    uint32_t unchecked;               // hashes that were not compared, because an older physics version made them
    uint32_t left_out;                // commands of an older physics version that are refused now
    uint64_t hash;                    // of the last tick, as it is computed here
};
// Only looks into it.
enum result capsule_look(const void *bytes, size_t size, struct capsule_report *report,
                         struct fault *fault) WEFT_MUST_USE;
// Replays it in a world of its own, on this thread. A capsule of an older physics version is computed again with the
// present version; this verifies nothing, and `physics` is then below `present_physics`. Errors: RESULT_DAMAGED (the
// fault names the tick at which the hashes differ, or the damage of the file), RESULT_INVALID, RESULT_LIMIT,
// RESULT_MEMORY. `report` is filled as far as the replay came.
enum result capsule_replay(const void *bytes, size_t size, struct capsule_report *report,
                           struct fault *fault) WEFT_MUST_USE;

#endif
