// SPDX-License-Identifier: MIT
// Compaction: keeps the history within its budget.
#ifndef WEFT_STORE_WRITE_COMPACT_H
#define WEFT_STORE_WRITE_COMPACT_H

#include "store/store_state.h"

// The history of `world` now begins with a snapshot of this moment.
struct store_compaction {
    bool happened;
    uint64_t world;
    uint32_t timeline;
    uint64_t tick;
};

// Shortens the history of one world, if one is over the budget. Runs on the store's thread, with the connection locked.
// Errors: RESULT_IO, RESULT_MEMORY; a damaged world keeps all it has.
enum result store_compact(struct store *store, struct store_compaction *compaction, struct fault *fault) WEFT_MUST_USE;

#endif
