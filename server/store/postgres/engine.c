// SPDX-License-Identifier: MIT
// One server uses a database: it holds an advisory lock for as long as its connection stands. When it opens the store
// it takes all worlds, by raising the epochs of their owner rows. A server that was paused, and whose connection and
// lock are gone, finds other epochs when it comes back, and writes nothing more.
#include "store/postgres/engine.h"

#include <postgresql/libpq-fe.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/database/clock.h"
#include "store/database/sql.h"
#include "store/postgres/migration.h"
#include "store/postgres/statement.h"
#include "store/store_state.h"

#define UPTIME_MS 10000u // between notes of the running time, and between measurements of the size
#define LOCK "SELECT pg_try_advisory_lock(1463128660, hashtext(current_schema()))"
#define LOCK_TRIES 20u
#define LOCK_PAUSE_US 50000u
#define ROW_BYTES "200" // about what a row takes beside its bytes, with its share of the indexes

// ---- opening --------------------------------------------------------------------------------------------------------

// PostgreSQL may not have noticed yet that a server was killed, or that a connection was lost: waits a second for that.
static enum result lock_database(const struct store_connection *connection, struct fault *fault) {
    PGconn *handle = store_postgres_handle(connection);
    bool asked = true, locked = false;
    for (uint32_t tries = 0; tries < LOCK_TRIES && asked && !locked; tries++) {
        if (tries > 0) {
            (void)usleep(LOCK_PAUSE_US);
        }
        PGresult *result = PQexec(handle, LOCK);
        asked = PQresultStatus(result) == PGRES_TUPLES_OK;
        locked = asked && PQgetvalue(result, 0, 0)[0] == 't';
        PQclear(result);
    }
    if (!asked) {
        const char *why = PQerrorMessage(handle);
        return fault_set(fault, RESULT_IO, "/store", "PostgreSQL cannot be used: %.*s", (int)strcspn(why, "\n"), why);
    }
    return locked ? RESULT_OK
                  : fault_set(fault, RESULT_STATE, "/store",
                              "another server uses the database %s: stop it, or give this one a database of its own",
                              PQdb(handle));
}

static void set_durability(const struct store *store, const struct store_connection *connection) {
    if (store->durability != STORE_FULL) {
        PQclear(PQexec(store_postgres_handle(connection), "SET synchronous_commit=off"));
    }
}

static enum result open_connection(struct store *store, struct fault *fault) {
    struct store_connection connection = {0};
    enum result result = store_postgres_connect(store->address, &connection, fault);
    if (result != RESULT_OK) {
        return result;
    }
    set_durability(store, &connection);
    result = lock_database(&connection, fault);
    if (result == RESULT_OK) {
        result = store_postgres_migrate(&connection, fault);
    }
    if (result == RESULT_OK && !store_postgres_pipeline(&connection)) {
        result = fault_set(fault, RESULT_IO, "/store", "PostgreSQL's pipeline cannot be used");
    }
    if (result != RESULT_OK) {
        store_disconnect(&connection);
        return result;
    }
    store->connection = connection;
    return RESULT_OK;
}

static enum result open_store(struct store *store, const struct store_options *options, struct fault *fault) {
    uint64_t ran_ms = 0;
    bool found = false;
    store->address = strdup(options->address);
    if (store->address == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while opening the store");
    }
    enum result result = open_connection(store, fault);
    if (result != RESULT_OK) {
        return result;
    }
    char node[STORE_NAME_MAX + 1] = "";
    (void)gethostname(node, sizeof node - 1);
    int code = store_postgres_begin(&store->connection, false);
    if (code == STORE_SQL_OK) {
        code = store_execute(&store->connection,
                             "UPDATE owner SET epoch=epoch+1, node=?1, url=NULL, lease_until=NULL, since=now()", "t",
                             (const char *)node);
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
        const int code = store_execute(&store->connection, "UPDATE uptime SET ran_ms=?1", "u", store_uptime_ms(store));
        (void)code; // replies then live ten seconds longer
    }
    store_disconnect(&store->connection);
    free(store->address);
    store->address = NULL;
}

static enum result reopen(struct store *store, struct fault *fault) {
    store_disconnect(&store->connection);
    return open_connection(store, fault);
}

static enum result check(struct store *store, struct fault *fault) {
    return store_postgres_stands(&store->connection)
               ? RESULT_OK
               : fault_set(fault, RESULT_IO, "", "the connection to PostgreSQL was lost");
}

static enum result reader_begin(struct store *store, struct store_connection *reader, struct fault *fault) {
    enum result result = store_postgres_connect(store->address, reader, fault);
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

// ---- transactions, ownership ----------------------------------------------------------------------------------------

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

static int world_own(struct store *store, uint64_t world, uint64_t *epoch) {
    char node[STORE_NAME_MAX + 1] = "";
    (void)gethostname(node, sizeof node - 1);
    *epoch = 1;
    return store_execute(&store->connection, "INSERT INTO owner(world, epoch, node) VALUES(?1,1,?2)", "ut", world,
                         (const char *)node);
}

static int world_epoch(struct store *store, uint64_t world, uint64_t *epoch) {
    bool found = false;
    return store_fetch(&store->connection, epoch, &found, "SELECT epoch FROM owner WHERE world=?1", "u", world);
}

static int world_lock(struct store *store, uint64_t world, uint64_t epoch, bool *owned) {
    uint64_t present = 0;
    bool found = false;
    const int code = store_fetch(&store->connection, &present, &found,
                                 "SELECT epoch FROM owner WHERE world=?1 FOR SHARE", "u", world);
    *owned = code == STORE_SQL_OK && found && present == epoch;
    return code;
}

// ---- between commits ------------------------------------------------------------------------------------------------

static int tend(struct store *store) {
    const uint64_t now = store_monotonic_ms();
    if (store->checkpoint_ms != 0 && now < store->checkpoint_ms + UPTIME_MS) {
        return STORE_SQL_OK;
    }
    bool found = false;
    int code = store_execute(&store->connection, "UPDATE uptime SET ran_ms=?1", "u", store_uptime_ms(store));
    if (code == STORE_SQL_OK) {
        code = store_fetch(&store->connection, &store->database_bytes, &found,
                           "SELECT pg_database_size(current_database())", "");
    }
    store->checkpoint_ms = now;
    return code;
}

// PostgreSQL's autovacuum does that by itself.
static int reclaim(struct store *store, bool *more) {
    (void)store;
    *more = false;
    return STORE_SQL_OK;
}

// What the rows take, not the files: these do not shrink when rows are deleted. Snapshots, which take the most, are
// counted; other rows by PostgreSQL's statistics.
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
    .name = "PostgreSQL",
    .open = open_store,
    .close = close_store,
    .reopen = reopen,
    .check = check,
    .reader_begin = reader_begin,
    .reader_end = reader_end,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .world_own = world_own,
    .world_epoch = world_epoch,
    .world_lock = world_lock,
    .tend = tend,
    .reclaim = reclaim,
    .used_bytes = used_bytes,
    .file_bytes = file_bytes,
    .probe = "INSERT INTO probe VALUES(1, convert_to(repeat('x', CAST(?1 AS INTEGER)), 'UTF8'))"
             " ON CONFLICT(probe) DO UPDATE SET bytes=excluded.bytes",
};
