// SPDX-License-Identifier: MIT
// Prepared statements of SQLite: each is prepared once per connection, its parameters are bound by a format string, and
// SQLite's codes become faults.
#ifndef WEFT_STORE_DATABASE_SQL_H
#define WEFT_STORE_DATABASE_SQL_H

#include "store/store_state.h"

// Returns a statement with its parameters bound, to be stepped and then passed to store_done; NULL on failure, whose
// SQLite code is then in `code`. `text` is a string literal. `format` has a letter for each parameter: u (uint64_t),
// t (const char *, or NULL), b (struct store_bytes; NULL data is an empty blob).
struct sqlite3_stmt *store_query(struct store_connection *connection, int *code, const char *text, const char *format,
                                 ...) WEFT_MUST_USE;
// Ends a query that was stepped until `code`: SQLITE_DONE and SQLITE_ROW become SQLITE_OK.
int store_done(struct sqlite3_stmt *statement, int code) WEFT_MUST_USE;
// Runs a statement that returns no rows.
int store_execute(struct store_connection *connection, const char *text, const char *format, ...) WEFT_MUST_USE;
// Reads the first column of the first row. `found` is false when there is no row, or when the column is NULL.
int store_fetch(struct store_connection *connection, uint64_t *value, bool *found, const char *text, const char *format,
                ...) WEFT_MUST_USE;
uint64_t store_column(struct sqlite3_stmt *statement, int column);
struct store_bytes store_column_bytes(struct sqlite3_stmt *statement, int column);
void store_disconnect(struct store_connection *connection);
bool store_is_memory(int code); // whether this SQLite code means that memory has run out
// Turns an SQLite code into a fault: RESULT_MEMORY, RESULT_DAMAGED, else RESULT_IO. `action` says what failed, as in
// "reading a snapshot".
enum result store_sql_fault(struct fault *fault, struct sqlite3 *db, int code, const char *action);

#endif
