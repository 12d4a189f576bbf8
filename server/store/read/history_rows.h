// SPDX-License-Identifier: MIT
// Memory of a struct store_history.
#ifndef WEFT_STORE_READ_HISTORY_ROWS_H
#define WEFT_STORE_READ_HISTORY_ROWS_H

#include "store/types.h"

// Add an entry or a hash. The entry's record then belongs to the history, also on failure. Errors: RESULT_MEMORY.
enum result store_history_add(struct store_history *history, struct store_logged *take,
                              struct fault *fault) WEFT_MUST_USE;
enum result store_history_add_hash(struct store_history *history, const struct store_hash *hash,
                                   struct fault *fault) WEFT_MUST_USE;
void store_history_free(struct store_history *history); // NULL is allowed

#endif
