// SPDX-License-Identifier: MIT
// Statements of SQL, the same for both engines: each is prepared once per connection, its parameters are bound by a
// format string, and the engine's errors become faults.
//
// The texts use the SQL that SQLite and PostgreSQL have in common. Parameters are ?1, ?2 …; postgres/statement.c
// translates them, and leaves out INDEXED BY, which names an index for SQLite.
#ifndef WEFT_STORE_DATABASE_SQL_H
#define WEFT_STORE_DATABASE_SQL_H

#include "store/store_state.h"

// Codes. Others are an engine's own; store_sql_fault explains them. The numbers are SQLite's.
#define STORE_SQL_OK 0
#define STORE_SQL_MEMORY 7   // memory has run out
#define STORE_SQL_ROW 100    // a step found a row
#define STORE_SQL_DONE 101   // a step found no more rows
#define STORE_SQL_TAKEN 2067 // a value that must be unique exists already
#define STORE_SQL_PARAMETERS_MAX 16u

// The value of a parameter.
struct store_value {
    char type; // u, t or b, as in the format of store_query
    uint64_t number;
    const char *text; // NULL: SQL's NULL
    struct store_bytes bytes;
};

// The functions of an engine for statements.
struct store_sql {
    // Prepares the statement if it is not prepared yet, and binds its parameters.
    int (*start)(struct store_rows *rows, const struct store_value *values, uint32_t count);
    int (*step)(struct store_rows *rows);
    int (*done)(struct store_rows *rows, int code);
    // Runs a statement without rows. If `changed` is NULL the engine may run it later, but before any other statement
    // and before the transaction's commit, which then fails if the statement failed.
    int (*execute)(struct store_rows *rows, const struct store_value *values, uint32_t count, uint64_t *changed);
    uint64_t (*column)(const struct store_rows *rows, int column);
    struct store_bytes (*column_bytes)(const struct store_rows *rows, int column);
    const char *(*column_text)(const struct store_rows *rows, int column);
    bool (*is_null)(const struct store_rows *rows, int column);
    bool (*out_of_memory)(const struct store_rows *rows); // while reading columns
    enum result (*explain)(struct fault *fault, const struct store_connection *connection, int code,
                           const char *action);
    void (*disconnect)(struct store_connection *connection); // and frees the statements
};

// Returns a statement with its parameters bound, to be stepped and then passed to store_done; NULL on failure, whose
// code is then in `code`. `text` is a string literal. `format` has a letter for each parameter: u (uint64_t),
// t (const char *, or NULL), b (struct store_bytes; NULL data is an empty blob).
struct store_rows *store_query(struct store_connection *connection, int *code, const char *text, const char *format,
                               ...) WEFT_MUST_USE;
int store_step(struct store_rows *rows) WEFT_MUST_USE;
// Ends a query that was stepped until `code`: STORE_SQL_DONE and STORE_SQL_ROW become STORE_SQL_OK.
int store_done(struct store_rows *rows, int code) WEFT_MUST_USE;
// Runs a statement that returns no rows. Within a transaction it may run, and fail, only with the next query or the
// commit.
int store_execute(struct store_connection *connection, const char *text, const char *format, ...) WEFT_MUST_USE;
// The same at once; `changed` becomes the number of rows.
int store_execute_count(struct store_connection *connection, uint64_t *changed, const char *text, const char *format,
                        ...) WEFT_MUST_USE;
// Reads the first column of the first row. `found` is false when there is no row, or when the column is NULL.
int store_fetch(struct store_connection *connection, uint64_t *value, bool *found, const char *text, const char *format,
                ...) WEFT_MUST_USE;
uint64_t store_column(const struct store_rows *rows, int column);
// Both are valid until the next step.
struct store_bytes store_column_bytes(const struct store_rows *rows, int column);
const char *store_column_text(const struct store_rows *rows, int column); // NULL: SQL's NULL, or out of memory
bool store_out_of_memory(const struct store_rows *rows);                  // while columns were read
void store_disconnect(struct store_connection *connection);
bool store_is_memory(int code); // whether this code means that memory has run out
// Turns a code into a fault: RESULT_MEMORY, RESULT_DAMAGED, else RESULT_IO. `action` names the failed action, as in
// "reading a snapshot".
enum result store_sql_fault(struct fault *fault, const struct store_connection *connection, int code,
                            const char *action);

#endif
