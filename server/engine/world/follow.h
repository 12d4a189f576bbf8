// SPDX-License-Identifier: MIT
// Reads the messages of a world that is followed in lockstep (engine/world/lockstep.h), and applies their records. They
// may come from anybody.
#ifndef WEFT_ENGINE_WORLD_FOLLOW_H
#define WEFT_ENGINE_WORLD_FOLLOW_H

#include "base/bytes.h"
#include "engine/world/tick_record.h"

// A message of type 6 as it was read; its bytes stay where they are.
struct followed_ticks {
    uint32_t generation;
    uint64_t tick; // after which the records are applied
    uint32_t steps;
    bool has_hash;
    uint64_t hash; // after the steps
    struct bytes_reader records;
};
// Errors: RESULT_DAMAGED.
enum result follow_read_ticks(const void *bytes, size_t length, struct followed_ticks *ticks,
                              struct fault *fault) WEFT_MUST_USE;
// Applies its records. Errors: those of engine_apply_record.
enum result follow_apply_records(struct engine_world *world, const struct followed_ticks *ticks,
                                 struct fault *fault) WEFT_MUST_USE;
// The snapshot in a message of type 5; free the bytes. Errors: RESULT_DAMAGED, RESULT_INVALID (it is deflated),
// RESULT_MEMORY.
enum result follow_read_snapshot(const void *bytes, size_t length, uint32_t *generation, struct bytes *snapshot,
                                 struct fault *fault) WEFT_MUST_USE;

#endif
