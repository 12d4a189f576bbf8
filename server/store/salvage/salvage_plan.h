// SPDX-License-Identifier: MIT
// The part of one world in a damaged store that can be reached. salvage_plan.c finds it, and salvage.c writes it.
#ifndef WEFT_STORE_SALVAGE_SALVAGE_PLAN_H
#define WEFT_STORE_SALVAGE_SALVAGE_PLAN_H

#include "store/state.h"
#include "store/types.h"

// A snapshot that is intact, by its row; where in the plan it stands: after so many of its entries.
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
    bool from_empty; // else it begins with `base`
    struct plan_snapshot base;
    struct store_history *entries; // the way, in order
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
