// SPDX-License-Identifier: MIT
// Connections to PostgreSQL, and their statements. A connection is in pipeline mode: a statement that returns no rows
// is sent, and its result is awaited only with the next query or the commit, so a transaction waits twice, however many
// statements it has.
#ifndef WEFT_STORE_POSTGRES_STATEMENT_H
#define WEFT_STORE_POSTGRES_STATEMENT_H

#include "store/store_state.h"

struct pg_conn;
struct pg_result;

// Connects, not yet in pipeline mode. A connection on which for `answer_ms` nothing is sent or received, though an
// answer is awaited, counts as lost. Errors: RESULT_INVALID (the address is malformed, the server too old, the
// database not in UTF-8), RESULT_IO (any other refusal), RESULT_MEMORY.
enum result store_postgres_connect(const char *address, uint32_t answer_ms, struct store_connection *connection,
                                   struct fault *fault) WEFT_MUST_USE;
// Runs statements before the pipeline is entered, and returns the result of the last one, which the caller clears; NULL
// when a statement or the connection failed.
struct pg_result *store_postgres_run(const struct store_connection *connection, const char *text) WEFT_MUST_USE;
// The same with parameters, which are texts and stand as $1 in a single statement.
struct pg_result *store_postgres_ask(const struct store_connection *connection, const char *text,
                                     const char *const *values, uint32_t count) WEFT_MUST_USE;
bool store_postgres_was_locked(const struct store_connection *connection);       // the last failure: a lock timeout
const char *store_postgres_error(const struct store_connection *connection);     // the reason of the last failure
bool store_postgres_pipeline(struct store_connection *connection) WEFT_MUST_USE; // enters pipeline mode
struct pg_conn *store_postgres_handle(const struct store_connection *connection);
// Whether the connection stands, as far as can be seen without waiting.
bool store_postgres_stands(const struct store_connection *connection);

// Transactions. The commit fails if a statement before it failed, or if the server warns: then it may not have waited
// for its standby.
int store_postgres_begin(struct store_connection *connection, bool reads_only);
int store_postgres_commit(struct store_connection *connection);
void store_postgres_rollback(struct store_connection *connection);

#endif
