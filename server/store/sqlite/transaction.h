// SPDX-License-Identifier: MIT
// SQLite's transactions. As those of struct store_engine.
#ifndef WEFT_STORE_SQLITE_TRANSACTION_H
#define WEFT_STORE_SQLITE_TRANSACTION_H

#include "store/store_state.h"

int store_sqlite_begin(struct store *store);
int store_sqlite_commit(struct store *store); // also counts the commit in the database and raises the watermark
void store_sqlite_rollback(struct store *store);

#endif
