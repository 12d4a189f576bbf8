// SPDX-License-Identifier: MIT
// The tables in PostgreSQL: those of SQLite, and `owner`, which names the server that may write to a world.
#ifndef WEFT_STORE_POSTGRES_MIGRATION_H
#define WEFT_STORE_POSTGRES_MIGRATION_H

#include "store/store_state.h"

// Makes the tables, or brings those of an older schema up to date. The connection is not in pipeline mode yet, and no
// other server uses the database. Errors: RESULT_INVALID (tables of another program, or of a newer Weft), RESULT_IO.
enum result store_postgres_migrate(const struct store_connection *connection, struct fault *fault) WEFT_MUST_USE;
// Whether the tables are those of this version, without a change to them. Errors: those above; RESULT_STATE (they are
// older, and other servers use them).
enum result store_postgres_check_schema(const struct store_connection *connection, struct fault *fault) WEFT_MUST_USE;

#endif
