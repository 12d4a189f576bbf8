// SPDX-License-Identifier: MIT
// SQLite's statements.
#ifndef WEFT_STORE_SQLITE_STATEMENT_H
#define WEFT_STORE_SQLITE_STATEMENT_H

#include "store/store_state.h"

// A connection of an open database, which store_disconnect closes. NULL is allowed.
struct store_connection store_sqlite_connection(struct sqlite3 *db);
// Turns an SQLite code into a fault, as store_sql_fault does.
enum result store_sqlite_fault(struct fault *fault, struct sqlite3 *db, int code, const char *action);

#endif
