// SPDX-License-Identifier: MIT
// One server uses a database: it holds an advisory lock for as long as its connection stands. When it opens the store
// it takes all worlds, by raising the epochs of their owner rows. A server that was paused, and whose connection and
// lock are gone, finds other epochs when it comes back, and writes nothing more.
//
// Or several nodes share it: each holds the same lock in shared mode, so none runs beside a server that has the
// database alone, and takes worlds one by one (nodes.c). Only the first makes or migrates the tables.
#include "store/postgres/engine.h"

#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/database/clock.h"
#include "store/database/sql.h"
#include "store/postgres/migration.h"
#include "store/postgres/owner.h"
#include "store/postgres/statement.h"
#include "store/store_state.h"

#define ANSWER_MS 10000u     // see store_options
#define IDLE_MS 30000u       // how long a server that stands still in a transaction may keep its locks
#define IDLE_SHARED_MS 1000u // the same, when other nodes may wait for the worlds of that transaction
#define UPTIME_MS 10000u     // between notes of the running time, and between measurements of the size
#define KEY "(1463128660, hashtext(current_schema()))"
#define LOCK_ALONE "SELECT pg_try_advisory_lock" KEY
#define LOCK_SHARED "SELECT pg_try_advisory_lock_shared" KEY
#define UNLOCK_ALONE "SELECT pg_advisory_unlock" KEY
#define LOCK_SWEEPS "SELECT CAST(pg_try_advisory_lock(1463128661, hashtext(current_schema())) AS INTEGER)"
#define SET_UPTIME "UPDATE uptime SET ran_ms=greatest(ran_ms, ?1)" // a server that was paused does not turn it back

#define LOCK_TRIES_START 100u // 5 s
#define LOCK_TRIES_AGAIN 20u  // 1 s, after a connection was lost: the store connects anew until it succeeds
#define LOCK_PAUSE_US 50000u
#define ROW_BYTES "200" // approximate size of a row beside its bytes, with its share of the indexes

// ---- opening --------------------------------------------------------------------------------------------------------

static enum result refuse(const struct store_connection *connection, struct fault *fault) {
    return fault_set(fault, RESULT_IO, "/store", "PostgreSQL cannot be used: %s", store_postgres_error(connection));
}

// `*locked` becomes whether the lock was acquired. Returns false when PostgreSQL did not answer.
static bool try_lock(const struct store_connection *connection, const char *text, bool *locked) {
    PGresult *result = store_postgres_run(connection, text);
    const bool asked = PQntuples(result) == 1;
    *locked = asked && PQgetvalue(result, 0, 0)[0] == 't';
    PQclear(result);
    return asked;
}

static enum result refuse_lock(const struct store *store, const struct store_connection *connection,
                               struct fault *fault) {
    const char *database = PQdb(store_postgres_handle(connection));
    if (store->backend[0] != '\0') {
        return fault_set(fault, RESULT_IO, "/store",
                         "PostgreSQL still holds the lock of the connection that was lost, or another server has taken "
                         "the database");
    }
    return fault_set(fault, RESULT_STATE, "/store",
                     store->shared
                         ? "a server without --node-url uses the database %s, which it has alone: stop it, or give it "
                           "--node-url, too"
                         : "another server uses the database %s: stop it, or give this one a database of its own",
                     database);
}

// PostgreSQL may not have noticed yet that a server was killed, or that a connection was lost; while it waits for a
// slow disk, it notices neither. So this waits some seconds for the lock. `*alone` becomes whether no other server uses
// the database; with `shared`, other nodes may.
static enum result lock_database(const struct store *store, const struct store_connection *connection, bool *alone,
                                 struct fault *fault) {
    const uint32_t most = store->backend[0] == '\0' ? LOCK_TRIES_START : LOCK_TRIES_AGAIN;
    bool asked = true, locked = false;
    *alone = false;
    for (uint32_t tries = 0; tries < most && asked && !locked; tries++) {
        if (tries > 0) {
            (void)usleep(LOCK_PAUSE_US);
        }
        asked = try_lock(connection, LOCK_ALONE, alone);
        locked = *alone;
        if (asked && store->shared) {
            asked = try_lock(connection, LOCK_SHARED, &locked);
        }
    }
    return !asked ? refuse(connection, fault) : locked ? RESULT_OK : refuse_lock(store, connection, fault);
}

// Makes or migrates the tables if this server is alone with them, and lets other nodes in.
static enum result prepare_tables(const struct store *store, const struct store_connection *connection, bool alone,
                                  struct fault *fault) {
    enum result result =
        alone ? store_postgres_migrate(connection, fault) : store_postgres_check_schema(connection, fault);
    bool unlocked = false;
    if (result == RESULT_OK && store->shared && alone && !try_lock(connection, UNLOCK_ALONE, &unlocked)) {
        result = refuse(connection, fault);
    }
    return result;
}

// Ends PostgreSQL's process of the former connection, if there still is one: after a network was cut, it may hold the
// lock for hours. A transaction that it has not committed by then is lost.
static enum result end_former_backend(const struct store *store, const struct store_connection *connection,
                                      struct fault *fault) {
    char text[256];
    if (store->backend[0] == '\0') {
        return RESULT_OK;
    }
    snprintf(text, sizeof text,
             "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
             " WHERE pid<>pg_backend_pid() AND pid||' '||extract(epoch FROM backend_start)='%s'",
             store->backend);
    PGresult *result = store_postgres_run(connection, text);
    const bool done = result != NULL;
    PQclear(result);
    return done ? RESULT_OK : refuse(connection, fault);
}

// Settings of the writing connection. PostgreSQL is to notice within half a minute that this machine is gone, and that
// this process stands still in a transaction, since other servers may wait for its locks.
static enum result prepare_connection(struct store *store, const struct store_connection *connection,
                                      struct fault *fault) {
    char text[400];
    snprintf(text, sizeof text,
             "SET tcp_keepalives_idle=10; SET tcp_keepalives_interval=5; SET tcp_keepalives_count=4;"
             " SET idle_in_transaction_session_timeout=%u;%s"
             " SELECT pid||' '||extract(epoch FROM backend_start) FROM pg_stat_activity WHERE pid=pg_backend_pid()",
             store->shared ? IDLE_SHARED_MS : IDLE_MS,
             store->durability == STORE_FULL ? "" : " SET synchronous_commit=off;");
    PGresult *result = store_postgres_run(connection, text);
    const bool done = PQntuples(result) == 1;
    if (done) {
        snprintf(store->backend, sizeof store->backend, "%s", PQgetvalue(result, 0, 0));
    }
    PQclear(result);
    return done ? RESULT_OK : refuse(connection, fault);
}

static enum result open_connection(struct store *store, struct fault *fault) {
    struct store_connection connection = {0};
    enum result result = store_postgres_connect(store->address, store->answer_ms, &connection, fault);
    if (result != RESULT_OK) {
        return result;
    }
    bool alone = false;
    result = end_former_backend(store, &connection, fault);
    if (result == RESULT_OK) {
        result = lock_database(store, &connection, &alone, fault);
    }
    if (result == RESULT_OK) {
        result = prepare_connection(store, &connection, fault);
    }
    if (result == RESULT_OK) {
        result = prepare_tables(store, &connection, alone, fault);
    }
    if (result == RESULT_OK && !store_postgres_pipeline(&connection)) {
        result = fault_set(fault, RESULT_IO, "/store", "PostgreSQL's pipeline cannot be used");
    }
    if (result != RESULT_OK) {
        store_disconnect(&connection);
        return result;
    }
    store->connection = connection;
    store->sweeps = !store->shared; // the lock of the sweeps went with the former connection
    return RESULT_OK;
}

static enum result open_store(struct store *store, const struct store_options *options, struct fault *fault) {
    uint64_t ran_ms = 0;
    bool found = false;
    store->answer_ms = options->answer_ms > 0 ? options->answer_ms : ANSWER_MS;
    store->address = strdup(options->address);
    if (store->address == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while opening the store");
    }
    store->shared = options->shared;
    enum result result = open_connection(store, fault);
    if (result != RESULT_OK) {
        return result;
    }
    int code = store_postgres_begin(&store->connection, false);
    if (code == STORE_SQL_OK && !store->shared) {
        code = store_owner_take_all(store);
    }
    if (code == STORE_SQL_OK) {
        code = store_fetch(&store->connection, &ran_ms, &found, "SELECT ran_ms FROM uptime", "");
    }
    if (code == STORE_SQL_OK) {
        code = store_postgres_commit(&store->connection);
    }
    store_clock_start(store, ran_ms);
    return code == STORE_SQL_OK ? RESULT_OK : store_sql_fault(fault, &store->connection, code, "opening the store");
}

static void close_store(struct store *store) {
    if (store->connection.sql != NULL) {
        const int code = store_execute(&store->connection, SET_UPTIME, "u", store_uptime_ms(store));
        (void)code; // replies then live ten seconds longer
    }
    store_disconnect(&store->connection);
    free(store->address);
    store->address = NULL;
    free(store->owned);
    store->owned = NULL;
}

static enum result reopen(struct store *store, struct fault *fault) {
    store_disconnect(&store->connection);
    return open_connection(store, fault);
}

static enum result check(struct store *store, struct fault *fault) {
    return store_postgres_stands(&store->connection) ? RESULT_OK
                                                     : fault_set(fault, RESULT_IO, "", "PostgreSQL cannot be used: %s",
                                                                 store_postgres_error(&store->connection));
}

static enum result reader_begin(struct store *store, struct store_connection *reader, struct fault *fault) {
    enum result result = store_postgres_connect(store->address, store->answer_ms, reader, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (!store_postgres_pipeline(reader) || store_postgres_begin(reader, true) != STORE_SQL_OK) {
        result = fault_set(fault, RESULT_IO, "", "reading the store failed: PostgreSQL's pipeline cannot be used");
        store_disconnect(reader);
    }
    return result;
}

static void reader_end(struct store *store, struct store_connection *reader) {
    (void)store;
    store_disconnect(reader);
}

// ---- transactions ---------------------------------------------------------------------------------------------------

static int begin(struct store *store) {
    return store_postgres_begin(&store->connection, false);
}

static int commit(struct store *store) {
    const int code = store_postgres_commit(&store->connection);
    if (code == STORE_SQL_OK) {
        store->commits++;
        store->commit_ms = store_monotonic_ms();
    }
    return code;
}

static void rollback(struct store *store) {
    store_postgres_rollback(&store->connection);
}

// ---- between commits ------------------------------------------------------------------------------------------------

static int tend(struct store *store) {
    const uint64_t now = store_monotonic_ms();
    if (!store->sweeps) { // one node deletes rows that are due: for two at once, rows would seem to be gone
        uint64_t got = 0;
        bool answered = false;
        const int asked = store_fetch(&store->connection, &got, &answered, LOCK_SWEEPS, "");
        if (asked != STORE_SQL_OK) {
            return asked;
        }
        store->sweeps = got != 0;
    }
    if (store->checkpoint_ms != 0 && now < store->checkpoint_ms + UPTIME_MS) {
        return STORE_SQL_OK;
    }
    bool found = false;
    int code = store_execute(&store->connection, SET_UPTIME, "u", store_uptime_ms(store));
    if (code == STORE_SQL_OK) {
        code = store_fetch(&store->connection, &store->database_bytes, &found,
                           "SELECT pg_database_size(current_database())", "");
    }
    store->checkpoint_ms = now;
    return code;
}

// There is nothing to do: PostgreSQL's autovacuum reclaims room by itself.
static int reclaim(struct store *store, bool *more) {
    (void)store;
    *more = false;
    return STORE_SQL_OK;
}

// The size of the rows, not of the files, which do not shrink when rows are deleted. Snapshots, which take the most,
// are counted; other rows by PostgreSQL's statistics.
static int used_bytes(struct store *store, uint64_t *bytes) {
    bool found = false;
    return store_fetch(&store->connection, bytes, &found,
                       "SELECT CAST((SELECT coalesce(sum(octet_length(bytes)), 0) FROM snapshot) + " ROW_BYTES
                       " * (SELECT coalesce(sum(n_live_tup), 0) FROM pg_stat_user_tables"
                       " WHERE schemaname=current_schema()) AS BIGINT)",
                       "");
}

static uint64_t file_bytes(struct store *store) {
    return store->database_bytes;
}

const struct store_engine store_postgres_engine = {
    .keeper = "PostgreSQL",
    .open = open_store,
    .close = close_store,
    .reopen = reopen,
    .check = check,
    .reader_begin = reader_begin,
    .reader_end = reader_end,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .claim = store_owner_claim,
    .world_own = store_owner_add,
    .world_disown = store_owner_remove,
    .world_adopt = store_owner_adopt,
    .world_epoch = store_owner_epoch,
    .tend = tend,
    .reclaim = reclaim,
    .used_bytes = used_bytes,
    .file_bytes = file_bytes,
    .probe = "INSERT INTO probe VALUES(1, convert_to(repeat('x', CAST(?1 AS INTEGER)), 'UTF8'))"
             " ON CONFLICT(probe) DO UPDATE SET bytes=excluded.bytes",
};
