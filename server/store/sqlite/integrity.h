// SPDX-License-Identifier: MIT
// Checks before a store is opened whether every acknowledged commit is there.
#ifndef WEFT_STORE_SQLITE_INTEGRITY_H
#define WEFT_STORE_SQLITE_INTEGRITY_H

#include "store/store_state.h"

// Changes nothing; keeps a copy of a damaged write-ahead log. Also reads `store->watermark` and `store->boot`. Errors:
// RESULT_DAMAGED, RESULT_IO, RESULT_MEMORY.
enum result store_check_integrity(struct store *store, struct fault *fault) WEFT_MUST_USE;

#endif
