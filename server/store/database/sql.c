// SPDX-License-Identifier: MIT
#include "store/database/sql.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

#include "store/store_state.h"

static sqlite3_stmt *prepare(struct store_connection *connection, int *code, const char *text) {
    for (uint32_t i = 0; i < connection->cached_count; i++) {
        if (connection->cached[i].text == text) {
            return connection->cached[i].statement;
        }
    }
    assert(connection->cached_count < STORE_STATEMENTS_MAX);
    sqlite3_stmt *statement = NULL;
    *code = sqlite3_prepare_v3(connection->db, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    if (*code != SQLITE_OK) {
        return NULL;
    }
    connection->cached[connection->cached_count].text = text;
    connection->cached[connection->cached_count].statement = statement;
    connection->cached_count++;
    return statement;
}

static int bind_one(sqlite3_stmt *statement, int index, char letter, va_list *values) {
    if (letter == 'u') {
        return sqlite3_bind_int64(statement, index, (sqlite3_int64)va_arg(*values, uint64_t));
    }
    if (letter == 't') {
        return sqlite3_bind_text(statement, index, va_arg(*values, const char *), -1, SQLITE_STATIC);
    }
    assert(letter == 'b');
    const struct store_bytes bytes = va_arg(*values, struct store_bytes);
    return bytes.size == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                           : sqlite3_bind_blob64(statement, index, bytes.data, bytes.size, SQLITE_STATIC);
}

static sqlite3_stmt *query(struct store_connection *connection, int *code, const char *text, const char *format,
                           va_list *values) {
    sqlite3_stmt *statement = prepare(connection, code, text);
    if (statement == NULL) {
        return NULL;
    }
    *code = SQLITE_OK;
    for (int i = 0; format[i] != '\0' && *code == SQLITE_OK; i++) {
        *code = bind_one(statement, i + 1, format[i], values);
    }
    if (*code != SQLITE_OK) {
        sqlite3_clear_bindings(statement);
        return NULL;
    }
    return statement;
}

sqlite3_stmt *store_query(struct store_connection *connection, int *code, const char *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    sqlite3_stmt *statement = query(connection, code, text, format, &values);
    va_end(values);
    return statement;
}

int store_done(sqlite3_stmt *statement, int code) {
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

int store_execute(struct store_connection *connection, const char *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int code = SQLITE_OK;
    sqlite3_stmt *statement = query(connection, &code, text, format, &values);
    if (statement != NULL) {
        code = store_done(statement, sqlite3_step(statement));
    }
    va_end(values);
    return code;
}

int store_fetch(struct store_connection *connection, uint64_t *value, bool *found, const char *text, const char *format,
                ...) {
    va_list values;
    va_start(values, format);
    int code = SQLITE_OK;
    sqlite3_stmt *statement = query(connection, &code, text, format, &values);
    if (statement != NULL) {
        code = sqlite3_step(statement);
        *found = code == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL;
        *value = *found ? store_column(statement, 0) : 0;
        code = store_done(statement, code);
    }
    va_end(values);
    return code;
}

uint64_t store_column(sqlite3_stmt *statement, int column) {
    return (uint64_t)sqlite3_column_int64(statement, column);
}

struct store_bytes store_column_bytes(sqlite3_stmt *statement, int column) {
    const void *data = sqlite3_column_blob(statement, column); // must come before sqlite3_column_bytes
    return (struct store_bytes){data, (size_t)sqlite3_column_bytes(statement, column)};
}

void store_disconnect(struct store_connection *connection) {
    for (uint32_t i = 0; i < connection->cached_count; i++) {
        sqlite3_finalize(connection->cached[i].statement);
    }
    sqlite3_close(connection->db);
    *connection = (struct store_connection){0};
}

bool store_is_memory(int code) {
    return (code & 0xFF) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM;
}

enum result store_sql_fault(struct fault *fault, sqlite3 *db, int code, const char *what) {
    const int primary = code & 0xFF;
    if (store_is_memory(code)) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while %s", what);
    }
    if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB) {
        return fault_set(fault, RESULT_DAMAGED, "", "%s failed: the store's file is damaged: %s", what,
                         sqlite3_errstr(code));
    }
    const int system = db != NULL && primary != SQLITE_FULL ? sqlite3_system_errno(db) : 0;
    const char *reason = primary == SQLITE_FULL ? "no room is left on the disk" : sqlite3_errstr(code);
    if (system != 0) {
        char text[128];
        return fault_set(fault, RESULT_IO, "", "%s failed: %s (%s)", what, reason,
                         strerror_r(system, text, sizeof text));
    }
    return fault_set(fault, RESULT_IO, "", "%s failed: %s", what, reason);
}
