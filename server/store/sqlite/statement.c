// SPDX-License-Identifier: MIT
#include "store/sqlite/statement.h"

#include <sqlite3.h>
#include <string.h>

#include "store/database/sql.h"
#include "store/store_state.h"

_Static_assert(SQLITE_OK == STORE_SQL_OK && SQLITE_NOMEM == STORE_SQL_MEMORY && SQLITE_ROW == STORE_SQL_ROW &&
                   SQLITE_DONE == STORE_SQL_DONE && SQLITE_CONSTRAINT_UNIQUE == STORE_SQL_TAKEN,
               "SQLite's codes are those of database/sql.h");

static int plain(int code) {
    return code == SQLITE_IOERR_NOMEM || (code & 0xFF) == SQLITE_NOMEM ? STORE_SQL_MEMORY : code;
}

static int bind_one(sqlite3_stmt *statement, int index, const struct store_value *value) {
    if (value->type == 'u') {
        return sqlite3_bind_int64(statement, index, (sqlite3_int64)value->number);
    }
    if (value->type == 't') {
        return sqlite3_bind_text(statement, index, value->text, -1, SQLITE_STATIC);
    }
    return value->bytes.size == 0
               ? sqlite3_bind_zeroblob(statement, index, 0)
               : sqlite3_bind_blob64(statement, index, value->bytes.data, value->bytes.size, SQLITE_STATIC);
}

static int start(struct store_rows *rows, const struct store_value *values, uint32_t count) {
    int code = SQLITE_OK;
    if (rows->statement == NULL) {
        sqlite3_stmt *statement = NULL;
        code = sqlite3_prepare_v3(rows->connection->db, rows->text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
        if (code != SQLITE_OK) {
            return plain(code);
        }
        rows->statement = statement;
    }
    for (uint32_t i = 0; i < count && code == SQLITE_OK; i++) {
        code = bind_one(rows->statement, (int)i + 1, &values[i]);
    }
    if (code != SQLITE_OK) {
        sqlite3_clear_bindings(rows->statement);
    }
    return plain(code);
}

static int step(struct store_rows *rows) {
    return plain(sqlite3_step(rows->statement));
}

static int done(struct store_rows *rows, int code) {
    sqlite3_reset(rows->statement);
    sqlite3_clear_bindings(rows->statement);
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

static int execute(struct store_rows *rows, const struct store_value *values, uint32_t count, uint64_t *changed) {
    int code = start(rows, values, count);
    if (code == SQLITE_OK) {
        code = done(rows, step(rows));
        if (code == SQLITE_OK && changed != NULL) {
            *changed = (uint64_t)sqlite3_changes(rows->connection->db);
        }
    }
    return code;
}

static uint64_t column_number(const struct store_rows *rows, int column) {
    return (uint64_t)sqlite3_column_int64(rows->statement, column);
}

static struct store_bytes column_bytes(const struct store_rows *rows, int column) {
    const void *data = sqlite3_column_blob(rows->statement, column); // must come before sqlite3_column_bytes
    return (struct store_bytes){data, (size_t)sqlite3_column_bytes(rows->statement, column)};
}

static const char *column_text(const struct store_rows *rows, int column) {
    return (const char *)sqlite3_column_text(rows->statement, column);
}

static bool is_null(const struct store_rows *rows, int column) {
    return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

static bool out_of_memory(const struct store_rows *rows) {
    return sqlite3_errcode(rows->connection->db) == SQLITE_NOMEM;
}

static enum result explain(struct fault *fault, const struct store_connection *connection, int code,
                           const char *action) {
    return store_sqlite_fault(fault, connection->db, code, action);
}

static void disconnect(struct store_connection *connection) {
    for (uint32_t i = 0; i < connection->cached_count; i++) {
        sqlite3_finalize(connection->cached[i].statement);
    }
    sqlite3_close(connection->db);
}

static const struct store_sql statements = {
    .start = start,
    .step = step,
    .done = done,
    .execute = execute,
    .column = column_number,
    .column_bytes = column_bytes,
    .column_text = column_text,
    .is_null = is_null,
    .out_of_memory = out_of_memory,
    .explain = explain,
    .disconnect = disconnect,
};

struct store_connection store_sqlite_connection(sqlite3 *db) {
    return (struct store_connection){.sql = &statements, .db = db};
}

enum result store_sqlite_fault(struct fault *fault, sqlite3 *db, int code, const char *action) {
    const int primary = code & 0xFF;
    if (plain(code) == STORE_SQL_MEMORY) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while %s", action);
    }
    if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB) {
        return fault_set(fault, RESULT_DAMAGED, "", "%s failed: the store's file is damaged: %s", action,
                         sqlite3_errstr(code));
    }
    const int system = db != NULL && primary != SQLITE_FULL ? sqlite3_system_errno(db) : 0;
    const char *reason = primary == SQLITE_FULL ? "no room is left on the disk" : sqlite3_errstr(code);
    if (system != 0) {
        char text[128];
        return fault_set(fault, RESULT_IO, "", "%s failed: %s (%s)", action, reason,
                         strerror_r(system, text, sizeof text));
    }
    return fault_set(fault, RESULT_IO, "", "%s failed: %s", action, reason);
}
