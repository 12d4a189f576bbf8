// SPDX-License-Identifier: MIT
#include "store/postgres/statement.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/database/clock.h"
#include "store/database/sql.h"
#include "store/store_state.h"

#define OLDEST_SERVER 120000
#define PENDING_MAX 4096u // statements sent without reading their results
#define TEXT_MAX 2000
#define ERROR_MAX 300
#define FAILED 1 // the code of all errors without one of their own
#define STATE_UNIQUE "23505"
#define STATE_MEMORY "53200"
#define STATE_FULL "53100"
#define STATE_CORRUPTED "XX00"
#define STATE_LOCKED "55P03"

enum { TYPE_BYTEA = 17, TYPE_INT8 = 20, TYPE_TEXT = 25 }; // object identifiers that PostgreSQL never changes

struct store_postgres {
    PGconn *handle;
    uint32_t answer_ms; // how long to wait for an answer
    uint32_t pending;   // statements sent whose results were not read
    bool broken;        // lost, or silent for too long: nothing more is sent, and `error` stays as it is
    bool in_transaction;
    bool warned;
    char state[6], error[ERROR_MAX]; // of the first error since the last query or commit
    char tag[32];                    // of the last statement
    uint32_t names;                  // given to prepared statements
    uint32_t names_of[STORE_STATEMENTS_MAX + 1];
};

// ---- errors ---------------------------------------------------------------------------------------------------------

static void note_error(struct store_postgres *postgres, const char *state, const char *message) {
    if (postgres->error[0] == '\0') {
        snprintf(postgres->state, sizeof postgres->state, "%s", state != NULL ? state : "");
        snprintf(postgres->error, sizeof postgres->error, "%.*s", (int)strcspn(message, "\n"), message);
        if (postgres->error[0] == '\0') {
            snprintf(postgres->error, sizeof postgres->error, "the connection was lost");
        }
    }
}

static int note_lost(struct store_postgres *postgres) {
    if (!postgres->broken) {
        note_error(postgres, "", PQerrorMessage(postgres->handle));
    }
    postgres->broken = true;
    postgres->pending = 0;
    return FAILED;
}

static void on_notice(void *user, const PGresult *result) {
    struct store_postgres *postgres = user;
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    postgres->warned = postgres->warned || (severity != NULL && strcmp(severity, "WARNING") == 0);
}

static int code_of(const struct store_postgres *postgres) {
    return postgres->error[0] == '\0'                   ? STORE_SQL_OK
           : strcmp(postgres->state, STATE_UNIQUE) == 0 ? STORE_SQL_TAKEN
                                                        : FAILED;
}

static enum result explain(struct fault *fault, const struct store_connection *connection, int code,
                           const char *action) {
    const struct store_postgres *postgres = connection->postgres;
    (void)code;
    if (postgres == NULL) {
        return fault_set(fault, RESULT_IO, "", "%s failed: there is no connection to PostgreSQL", action);
    }
    if (strncmp(postgres->state, STATE_CORRUPTED, strlen(STATE_CORRUPTED)) == 0) {
        return fault_set(fault, RESULT_DAMAGED, "", "%s failed: PostgreSQL's data are damaged: %s", action,
                         postgres->error);
    }
    return fault_set(fault, RESULT_IO, "", "%s failed: PostgreSQL: %s", action,
                     strcmp(postgres->state, STATE_FULL) == 0 ? "no room is left on its disk" : postgres->error);
}

// ---- the pipeline ---------------------------------------------------------------------------------------------------

// Reads the bytes that have arrived; twice, since TLS may hold back bytes that did not fit the first time.
static bool take_input(PGconn *handle) {
    return PQconsumeInput(handle) == 1 && (PQsslInUse(handle) == 0 || PQconsumeInput(handle) == 1);
}

// Waits until PQgetResult would return at once. libpq itself would wait for ever for a server that neither answers nor
// closes. Returns false when the connection is lost, or when for `answer_ms` no byte went either way.
static bool await(struct store_postgres *postgres) {
    PGconn *handle = postgres->handle;
    uint64_t until_ms = store_monotonic_ms() + postgres->answer_ms;
    while (PQisBusy(handle) == 1) {
        const int unsent = PQflush(handle);
        struct pollfd socket = {.fd = PQsocket(handle), .events = unsent == 1 ? POLLIN | POLLOUT : POLLIN};
        const uint64_t now_ms = store_monotonic_ms();
        const int ready =
            unsent < 0 || socket.fd < 0 ? -1 : poll(&socket, 1, now_ms < until_ms ? (int)(until_ms - now_ms) : 0);
        if (ready == 0) {
            char silence[64];
            snprintf(silence, sizeof silence, "no answer for %.1f s", postgres->answer_ms / 1e3);
            note_error(postgres, "", silence);
            postgres->broken = true;
            return false;
        }
        if ((ready < 0 && (unsent < 0 || socket.fd < 0 || errno != EINTR)) || (ready > 0 && !take_input(handle))) {
            return false;
        }
        until_ms = ready > 0 ? store_monotonic_ms() + postgres->answer_ms : until_ms;
    }
    return true;
}

static void note_result(struct store_postgres *postgres, const PGresult *result) {
    if (PQresultStatus(result) == PGRES_FATAL_ERROR) {
        const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
        note_error(postgres, PQresultErrorField(result, PG_DIAG_SQLSTATE),
                   message != NULL ? message : PQresultErrorMessage(result));
    }
    snprintf(postgres->tag, sizeof postgres->tag, "%s", PQcmdStatus((PGresult *)result));
}

// Reads the results of all statements that were sent: one round trip. The result of the last one is left in `last`,
// unless that is NULL.
static int read_results(struct store_connection *connection, PGresult **last) {
    struct store_postgres *postgres = connection->postgres;
    if (postgres->broken) {
        return FAILED;
    }
    postgres->error[0] = postgres->state[0] = '\0';
    connection->round_trips++;
    if (PQpipelineSync(postgres->handle) != 1) {
        return note_lost(postgres);
    }
    while (postgres->pending > 0) {
        PGresult *result = await(postgres) ? PQgetResult(postgres->handle) : NULL;
        const ExecStatusType status = PQresultStatus(result);
        if (result == NULL || PQstatus(postgres->handle) != CONNECTION_OK) {
            PQclear(result);
            return note_lost(postgres);
        }
        note_result(postgres, result);
        postgres->pending--;
        if (postgres->pending == 0 && last != NULL && status != PGRES_FATAL_ERROR && status != PGRES_PIPELINE_ABORTED) {
            *last = result;
        } else {
            PQclear(result);
        }
        PGresult *end = await(postgres) ? PQgetResult(postgres->handle) : NULL; // of a statement's results: NULL
        if (end != NULL || postgres->broken) {
            PQclear(end);
            return note_lost(postgres);
        }
    }
    PGresult *sync = await(postgres) ? PQgetResult(postgres->handle) : NULL;
    const bool synced = PQresultStatus(sync) == PGRES_PIPELINE_SYNC;
    PQclear(sync);
    return synced ? code_of(postgres) : note_lost(postgres);
}

// Translates the text for PostgreSQL: $1 for ?1, and no INDEXED BY.
static void translate(const char *text, char out[TEXT_MAX]) {
    static const char hint[] = " INDEXED BY ";
    size_t length = 0;
    while (*text != '\0') {
        if (strncmp(text, hint, sizeof hint - 1) == 0) {
            text += sizeof hint - 1;
            text += strcspn(text, " ");
        } else {
            assert(length + 1 < TEXT_MAX);
            out[length] = *text;
            if (*text == '?') {
                out[length] = '$';
            }
            length++;
            text++;
        }
    }
    out[length] = '\0';
}

static bool send_prepare(struct store_rows *rows, const struct store_value *values, uint32_t count) {
    struct store_postgres *postgres = rows->connection->postgres;
    char text[TEXT_MAX], name[16];
    Oid types[STORE_SQL_PARAMETERS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        types[i] = values[i].type == 'u' ? TYPE_INT8 : values[i].type == 't' ? TYPE_TEXT : TYPE_BYTEA;
    }
    translate(rows->text, text);
    postgres->names_of[rows->number] = ++postgres->names;
    snprintf(name, sizeof name, "s%u", postgres->names);
    rows->prepared = PQsendPrepare(postgres->handle, name, text, (int)count, types) == 1;
    postgres->pending += rows->prepared ? 1 : 0;
    return rows->prepared;
}

static bool send(struct store_rows *rows, const struct store_value *values, uint32_t count) {
    struct store_postgres *postgres = rows->connection->postgres;
    unsigned char numbers[STORE_SQL_PARAMETERS_MAX][8];
    const char *data[STORE_SQL_PARAMETERS_MAX];
    int lengths[STORE_SQL_PARAMETERS_MAX], formats[STORE_SQL_PARAMETERS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        const struct store_value *value = &values[i];
        formats[i] = value->type != 't';
        data[i] = value->type == 't'      ? value->text
                  : value->type == 'u'    ? (const char *)numbers[i]
                  : value->bytes.size > 0 ? value->bytes.data
                                          : "";
        lengths[i] = value->type == 'u' ? 8 : (int)value->bytes.size;
        for (int at = 0; at < 8; at++) {
            numbers[i][at] = (unsigned char)(value->number >> (56 - 8 * at));
        }
    }
    if (!rows->prepared && !send_prepare(rows, values, count)) {
        return false;
    }
    char name[16];
    snprintf(name, sizeof name, "s%u", postgres->names_of[rows->number]);
    const bool sent = PQsendQueryPrepared(postgres->handle, name, (int)count, data, lengths, formats, 1) == 1;
    postgres->pending += sent ? 1 : 0;
    return sent;
}

// After an error it is not known which statements were prepared: all are prepared anew, by new names.
static int forget_statements(struct store_connection *connection, int code) {
    for (uint32_t i = 0; i < connection->cached_count && code != STORE_SQL_OK; i++) {
        connection->cached[i].prepared = false;
    }
    return code;
}

// ---- statements -----------------------------------------------------------------------------------------------------

static int start(struct store_rows *rows, const struct store_value *values, uint32_t count) {
    struct store_postgres *postgres = rows->connection->postgres;
    PGresult *result = NULL;
    PQclear(rows->statement);
    rows->statement = NULL;
    int code = postgres->broken            ? FAILED
               : send(rows, values, count) ? read_results(rows->connection, &result)
                                           : note_lost(postgres);
    if (code != STORE_SQL_OK) {
        PQclear(result);
        return forget_statements(rows->connection, code);
    }
    rows->statement = result;
    rows->row = -1;
    return STORE_SQL_OK;
}

static int step(struct store_rows *rows) {
    rows->row++;
    return rows->row < PQntuples(rows->statement) ? STORE_SQL_ROW : STORE_SQL_DONE;
}

static int done(struct store_rows *rows, int code) {
    PQclear(rows->statement);
    rows->statement = NULL;
    return code == STORE_SQL_DONE || code == STORE_SQL_ROW ? STORE_SQL_OK : code;
}

static int execute(struct store_rows *rows, const struct store_value *values, uint32_t count, uint64_t *changed) {
    struct store_postgres *postgres = rows->connection->postgres;
    if (changed == NULL && postgres->in_transaction && !postgres->broken && postgres->pending < PENDING_MAX) {
        return send(rows, values, count) ? STORE_SQL_OK : forget_statements(rows->connection, note_lost(postgres));
    }
    int code = start(rows, values, count);
    if (code == STORE_SQL_OK) {
        if (changed != NULL) {
            *changed = strtoull(PQcmdTuples(rows->statement), NULL, 10);
        }
        code = done(rows, STORE_SQL_DONE);
    }
    return code;
}

static uint64_t column_number(const struct store_rows *rows, int column) {
    const unsigned char *bytes = (const unsigned char *)PQgetvalue(rows->statement, rows->row, column);
    const int length = PQgetlength(rows->statement, rows->row, column);
    uint64_t number = length > 0 && length < 8 && bytes[0] >= 0x80 ? UINT64_MAX : 0; // the sign
    for (int i = 0; i < length && i < 8; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

static struct store_bytes column_bytes(const struct store_rows *rows, int column) {
    return (struct store_bytes){PQgetvalue(rows->statement, rows->row, column),
                                (size_t)PQgetlength(rows->statement, rows->row, column)};
}

static bool is_null(const struct store_rows *rows, int column) {
    return PQgetisnull(rows->statement, rows->row, column) == 1;
}

static const char *column_text(const struct store_rows *rows, int column) {
    return is_null(rows, column) ? NULL : PQgetvalue(rows->statement, rows->row, column);
}

static bool out_of_memory(const struct store_rows *rows) {
    return rows->statement == NULL;
}

static void disconnect(struct store_connection *connection) {
    for (uint32_t i = 0; i < connection->cached_count; i++) {
        PQclear(connection->cached[i].statement);
    }
    if (connection->postgres != NULL) {
        PQfinish(connection->postgres->handle);
        free(connection->postgres);
    }
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

// ---- transactions ---------------------------------------------------------------------------------------------------

int store_postgres_begin(struct store_connection *connection, bool reads_only) {
    struct store_postgres *postgres = connection->postgres;
    if (postgres == NULL) {
        return FAILED;
    }
    postgres->in_transaction = true;
    return reads_only ? store_execute(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "")
                      : store_execute(connection, "BEGIN ISOLATION LEVEL READ COMMITTED", "");
}

int store_postgres_commit(struct store_connection *connection) {
    struct store_postgres *postgres = connection->postgres;
    uint64_t changed = 0;
    postgres->warned = false;
    int code = store_execute_count(connection, &changed, "COMMIT", "");
    if (code == STORE_SQL_OK && (postgres->warned || strcmp(postgres->tag, "COMMIT") != 0)) {
        note_error(postgres, "", "the commit was not confirmed by the standby, or not made");
        code = FAILED;
    }
    postgres->in_transaction = postgres->in_transaction && code != STORE_SQL_OK;
    return code;
}

void store_postgres_rollback(struct store_connection *connection) {
    struct store_postgres *postgres = connection->postgres;
    if (postgres == NULL || !postgres->in_transaction) {
        return;
    }
    char state[sizeof postgres->state], error[sizeof postgres->error]; // the caller may still report them
    memcpy(state, postgres->state, sizeof state);
    memcpy(error, postgres->error, sizeof error);
    if (!postgres->broken && PQstatus(postgres->handle) == CONNECTION_OK) {
        (void)read_results(connection, NULL);
        uint64_t changed = 0;
        const int code = store_execute_count(connection, &changed, "ROLLBACK", "");
        (void)code; // a lost connection has rolled back
    }
    postgres->in_transaction = false;
    memcpy(postgres->state, state, sizeof state);
    memcpy(postgres->error, error, sizeof error);
}

// ---- connecting -----------------------------------------------------------------------------------------------------

// libpq notices a port that is no number only while it connects.
static bool has_numbers_as_ports(const PQconninfoOption *parsed) {
    for (const PQconninfoOption *option = parsed; option != NULL && option->keyword != NULL; option++) {
        if (strcmp(option->keyword, "port") == 0 && option->val != NULL &&
            strspn(option->val, "0123456789,") != strlen(option->val)) {
            return false;
        }
    }
    return true;
}

static enum result check_address(const char *address, struct fault *fault) {
    char *why = NULL;
    PQconninfoOption *parsed = PQconninfoParse(address, &why);
    enum result result = RESULT_OK;
    if (parsed == NULL && (why == NULL || strstr(why, "out of memory") != NULL)) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory while connecting to PostgreSQL");
    } else if (parsed == NULL || !has_numbers_as_ports(parsed)) {
        // Not the address itself, which may hold a password.
        result = fault_set(fault, RESULT_INVALID, "/store",
                           "the address must be postgres://USER:PASSWORD@HOST:PORT/DATABASE?NAME=VALUE, where only "
                           "postgres:// is required: %.*s",
                           why == NULL || strchr(why, '@') != NULL ? 12 : (int)strcspn(why, "\n"),
                           why == NULL || strchr(why, '@') != NULL ? "it is no such" : why);
    }
    PQfreemem(why);
    PQconninfoFree(parsed);
    return result;
}

static enum result check_server(PGconn *handle, struct fault *fault) {
    const char *encoding = PQparameterStatus(handle, "server_encoding");
    if (PQserverVersion(handle) < OLDEST_SERVER) {
        return fault_set(fault, RESULT_INVALID, "/store", "PostgreSQL must be version %d or newer, this one is %d",
                         OLDEST_SERVER / 10000, PQserverVersion(handle) / 10000);
    }
    if (encoding == NULL) { // each server reports its encoding
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while connecting to PostgreSQL");
    }
    if (strcmp(encoding, "UTF8") != 0) {
        return fault_set(fault, RESULT_INVALID, "/store",
                         "the database must have the encoding UTF8, not %s: createdb --encoding=UTF8 "
                         "--template=template0 NAME makes one",
                         encoding);
    }
    return RESULT_OK;
}

enum result store_postgres_connect(const char *address, uint32_t answer_ms, struct store_connection *connection,
                                   struct fault *fault) {
    // The address can override the values before it.
    const char *const names[] = {"connect_timeout", "tcp_user_timeout", "application_name",
                                 "dbname",          "client_encoding",  NULL};
    const char *const values[] = {"5", "10000", "weftd", address, "UTF8", NULL};
    enum result result = check_address(address, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct store_postgres *postgres = calloc(1, sizeof *postgres);
    PGconn *handle = postgres != NULL ? PQconnectdbParams(names, values, 1) : NULL;
    if (handle == NULL) {
        free(postgres);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while connecting to PostgreSQL");
    }
    postgres->handle = handle;
    postgres->answer_ms = answer_ms;
    if (PQstatus(handle) != CONNECTION_OK || PQsetnonblocking(handle, 1) != 0) {
        const char *why = PQerrorMessage(handle);
        result = fault_set(fault, RESULT_IO, "/store", "PostgreSQL cannot be used: %.*s", (int)strcspn(why, "\n"), why);
    } else {
        result = check_server(handle, fault);
    }
    if (result != RESULT_OK) {
        PQfinish(handle);
        free(postgres);
        return result;
    }
    (void)PQsetNoticeReceiver(handle, on_notice, postgres);
    *connection = (struct store_connection){.sql = &statements, .postgres = postgres};
    return RESULT_OK;
}

// Reads the results outside of a pipeline. `sent`: whether anything was sent.
static PGresult *read_last(struct store_postgres *postgres, bool sent) {
    PGresult *last = NULL;
    if (!sent) {
        (void)note_lost(postgres);
        return NULL;
    }
    for (;;) {
        PGresult *result = await(postgres) ? PQgetResult(postgres->handle) : NULL;
        if (result == NULL) {
            break;
        }
        note_result(postgres, result);
        PQclear(last);
        last = result;
    }
    if (postgres->broken || PQstatus(postgres->handle) != CONNECTION_OK) {
        (void)note_lost(postgres);
    }
    if (postgres->error[0] != '\0') {
        PQclear(last);
        return NULL;
    }
    return last;
}

PGresult *store_postgres_run(const struct store_connection *connection, const char *text) {
    return store_postgres_ask(connection, text, NULL, 0);
}

PGresult *store_postgres_ask(const struct store_connection *connection, const char *text, const char *const *values,
                             uint32_t count) {
    struct store_postgres *postgres = connection->postgres;
    if (postgres->broken) {
        return NULL;
    }
    postgres->error[0] = postgres->state[0] = '\0';
    return read_last(
        postgres, count == 0 ? PQsendQuery(postgres->handle, text) == 1
                             : PQsendQueryParams(postgres->handle, text, (int)count, NULL, values, NULL, NULL, 0) == 1);
}

bool store_postgres_was_locked(const struct store_connection *connection) {
    return connection->postgres != NULL && strcmp(connection->postgres->state, STATE_LOCKED) == 0;
}

const char *store_postgres_error(const struct store_connection *connection) {
    const struct store_postgres *postgres = connection->postgres;
    return postgres == NULL             ? "there is no connection"
           : postgres->error[0] != '\0' ? postgres->error
                                        : "the connection was lost";
}

bool store_postgres_pipeline(struct store_connection *connection) {
    return PQenterPipelineMode(connection->postgres->handle) == 1;
}

struct pg_conn *store_postgres_handle(const struct store_connection *connection) {
    return connection->postgres->handle;
}

bool store_postgres_stands(const struct store_connection *connection) {
    struct store_postgres *postgres = connection->postgres;
    if (postgres != NULL && !postgres->broken &&
        (PQconsumeInput(postgres->handle) != 1 || PQstatus(postgres->handle) != CONNECTION_OK)) {
        postgres->error[0] = postgres->state[0] = '\0';
        (void)note_lost(postgres);
    }
    return postgres != NULL && !postgres->broken;
}
