// SPDX-License-Identifier: MIT
// Transactions of the writing connection.
#ifndef WEFT_STORE_DATABASE_TRANSACTION_H
#define WEFT_STORE_DATABASE_TRANSACTION_H

#include "store/store_state.h"

// Return codes of database/sql.h.
int store_begin_transaction(struct store *store) WEFT_MUST_USE;
int store_commit_transaction(struct store *store) WEFT_MUST_USE; // the commit may be acknowledged after this
void store_rollback(struct store *store);
// Commits if `code` is STORE_SQL_OK; otherwise, or if that fails, rolls back. `action` as in store_sql_fault. Errors:
// RESULT_IO, RESULT_MEMORY.
enum result store_end_transaction(struct store *store, int code, const char *action, struct fault *fault) WEFT_MUST_USE;

#endif
