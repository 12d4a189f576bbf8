// SPDX-License-Identifier: MIT
// Transactions of the writing connection. Each commit is counted, in the database and in the watermark.
#ifndef WEFT_STORE_DATABASE_TRANSACTION_H
#define WEFT_STORE_DATABASE_TRANSACTION_H

#include "store/store_state.h"

// Return SQLite codes.
int store_begin_transaction(struct store *store) WEFT_MUST_USE;
int store_commit_transaction(struct store *store) WEFT_MUST_USE; // the commit may be acknowledged after this
void store_rollback(struct store *store);
// Commits if `code` is SQLITE_OK; otherwise, or if that fails, rolls back. `action` as in store_sql_fault. Errors:
// RESULT_IO, RESULT_MEMORY.
enum result store_end_transaction(struct store *store, int code, const char *action, struct fault *fault) WEFT_MUST_USE;

#endif
