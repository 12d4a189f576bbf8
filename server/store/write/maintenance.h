// SPDX-License-Identifier: MIT
// Maintenance between commits: checkpoints, compaction, deletion of rows, return of free pages.
#ifndef WEFT_STORE_WRITE_MAINTENANCE_H
#define WEFT_STORE_WRITE_MAINTENANCE_H

#include "store/write/compact.h"

// Does one small piece of work. Runs on the store's thread, with the connection locked. Returns the milliseconds until
// the next piece is due. `entries` is the number of entries that were deleted.
uint32_t store_maintain(struct store *store, struct store_compaction *compaction, uint64_t *entries);

#endif
