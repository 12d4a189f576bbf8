// SPDX-License-Identifier: MIT
#include "store/database/sql.h"

#include <assert.h>
#include <stdarg.h>

#include "store/store_state.h"

// The statement of this text, prepared or not.
static struct store_rows *find(struct store_connection *connection, const char *text) {
    struct store_rows *rows = NULL;
    for (uint32_t i = 0; i < connection->cached_count && rows == NULL; i++) {
        rows = connection->cached[i].text == text ? &connection->cached[i] : NULL;
    }
    if (rows == NULL) {
        assert(connection->cached_count < STORE_STATEMENTS_MAX);
        rows = &connection->cached[connection->cached_count++];
        *rows = (struct store_rows){.text = text, .number = connection->cached_count};
    }
    rows->connection = connection; // a connection may have been moved since
    return rows;
}

static uint32_t take_values(struct store_value *values, const char *format, va_list *given) {
    uint32_t count = 0;
    for (; format[count] != '\0'; count++) {
        assert(count < STORE_SQL_PARAMETERS_MAX);
        values[count] = (struct store_value){.type = format[count]};
        if (format[count] == 'u') {
            values[count].number = va_arg(*given, uint64_t);
        } else if (format[count] == 't') {
            values[count].text = va_arg(*given, const char *);
        } else {
            assert(format[count] == 'b');
            values[count].bytes = va_arg(*given, struct store_bytes);
        }
    }
    return count;
}

struct store_rows *store_query(struct store_connection *connection, int *code, const char *text, const char *format,
                               ...) {
    struct store_value values[STORE_SQL_PARAMETERS_MAX];
    va_list given;
    va_start(given, format);
    const uint32_t count = take_values(values, format, &given);
    va_end(given);
    struct store_rows *rows = find(connection, text);
    *code = connection->sql->start(rows, values, count);
    return *code == STORE_SQL_OK ? rows : NULL;
}

int store_step(struct store_rows *rows) {
    return rows->connection->sql->step(rows);
}

int store_done(struct store_rows *rows, int code) {
    return rows->connection->sql->done(rows, code);
}

int store_execute(struct store_connection *connection, const char *text, const char *format, ...) {
    struct store_value values[STORE_SQL_PARAMETERS_MAX];
    va_list given;
    va_start(given, format);
    const uint32_t count = take_values(values, format, &given);
    va_end(given);
    return connection->sql->execute(find(connection, text), values, count, NULL);
}

int store_execute_count(struct store_connection *connection, uint64_t *changed, const char *text, const char *format,
                        ...) {
    struct store_value values[STORE_SQL_PARAMETERS_MAX];
    va_list given;
    va_start(given, format);
    const uint32_t count = take_values(values, format, &given);
    va_end(given);
    *changed = 0;
    return connection->sql->execute(find(connection, text), values, count, changed);
}

int store_fetch(struct store_connection *connection, uint64_t *value, bool *found, const char *text, const char *format,
                ...) {
    struct store_value values[STORE_SQL_PARAMETERS_MAX];
    va_list given;
    va_start(given, format);
    const uint32_t count = take_values(values, format, &given);
    va_end(given);
    struct store_rows *rows = find(connection, text);
    int code = connection->sql->start(rows, values, count);
    if (code != STORE_SQL_OK) {
        return code;
    }
    code = store_step(rows);
    *found = code == STORE_SQL_ROW && !connection->sql->is_null(rows, 0);
    *value = *found ? store_column(rows, 0) : 0;
    return store_done(rows, code);
}

uint64_t store_column(const struct store_rows *rows, int column) {
    return rows->connection->sql->column(rows, column);
}

struct store_bytes store_column_bytes(const struct store_rows *rows, int column) {
    return rows->connection->sql->column_bytes(rows, column);
}

const char *store_column_text(const struct store_rows *rows, int column) {
    return rows->connection->sql->column_text(rows, column);
}

bool store_out_of_memory(const struct store_rows *rows) {
    return rows->connection->sql->out_of_memory(rows);
}

void store_disconnect(struct store_connection *connection) {
    if (connection->sql != NULL) {
        connection->sql->disconnect(connection);
    }
    *connection = (struct store_connection){0};
}

bool store_is_memory(int code) {
    return code == STORE_SQL_MEMORY;
}

enum result store_sql_fault(struct fault *fault, const struct store_connection *connection, int code,
                            const char *action) {
    if (store_is_memory(code)) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while %s", action);
    }
    return connection->sql->explain(fault, connection, code, action);
}
