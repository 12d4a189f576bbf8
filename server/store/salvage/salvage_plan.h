// SPDX-License-Identifier: MIT
// Finds the part of one world in a damaged store that can be reached: from an intact snapshot, or from an empty world,
// over entries of which none is missing.
#ifndef WEFT_STORE_SALVAGE_SALVAGE_PLAN_H
#define WEFT_STORE_SALVAGE_SALVAGE_PLAN_H

#include "store/store_state.h"
#include "store/types.h"

// An intact snapshot; `row` is its row number. It stands in the plan after `after` of the plan's entries.
struct plan_snapshot {
    uint64_t row, sequence;
    uint64_t after;
};

struct plan_hash {
    struct store_hash hash;
    uint64_t after;
};

struct plan {
    bool reached;
    bool from_empty; // otherwise the plan begins with `base`
    struct plan_snapshot base;
    struct store_history *entries; // in order
    struct plan_snapshot *snapshots;
    uint32_t snapshot_count;
    struct plan_hash *hashes;
    uint32_t hash_count;
    uint32_t physics; // 0: unknown
    bool whole;
    uint64_t lost_commands, damaged_rows;
};

// Errors: RESULT_MEMORY. Free with plan_free.
enum result plan_make(struct store_connection *source, uint64_t world, struct plan *plan,
                      struct fault *fault) WEFT_MUST_USE;
void plan_free(struct plan *plan);

#endif
