// SPDX-License-Identifier: MIT
// A store for tests: in a directory of its own, with a listener that remembers settled writes. All data that a test
// writes is a function of its number, so that what is read can be checked.
#ifndef WEFT_TESTS_STORE_FIXTURE_H
#define WEFT_TESTS_STORE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/store.h"

#define FIXTURE_TICKETS_MAX 4096u

struct fixture {
    char directory[64];
    char address[256]; // of a schema of its own in PostgreSQL; empty: SQLite
    struct store *store;
    uint64_t world;
    uint32_t timeline;
    uint64_t sequence, tick, tickets; // written so far
    struct store_options options;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum result settled[FIXTURE_TICKETS_MAX]; // by ticket, from 1
    bool told[FIXTURE_TICKETS_MAX];
    uint64_t last_ticket, told_count, health_changes, compactions;
    bool out_of_order, well;
    struct fault reason;
};

static inline void fixture_settled(void *user, uint64_t world, uint64_t ticket, enum result result,
                                   const struct fault *fault) {
    struct fixture *fixture = user;
    (void)world;
    pthread_mutex_lock(&fixture->mutex);
    fixture->out_of_order = fixture->out_of_order || ticket <= fixture->last_ticket;
    fixture->last_ticket = ticket;
    fixture->settled[ticket] = result;
    fixture->told[ticket] = true;
    fixture->told_count++;
    if (fault != NULL) {
        fixture->reason = *fault;
    }
    pthread_cond_broadcast(&fixture->changed);
    pthread_mutex_unlock(&fixture->mutex);
}

static inline void fixture_health(void *user, bool well, const struct fault *fault) {
    struct fixture *fixture = user;
    pthread_mutex_lock(&fixture->mutex);
    fixture->well = well;
    fixture->health_changes++;
    if (fault != NULL) {
        fixture->reason = *fault;
    }
    pthread_cond_broadcast(&fixture->changed);
    pthread_mutex_unlock(&fixture->mutex);
}

static inline void fixture_compacted(void *user, uint64_t world, uint32_t timeline, uint64_t tick) {
    struct fixture *fixture = user;
    (void)world;
    (void)timeline;
    (void)tick;
    pthread_mutex_lock(&fixture->mutex);
    fixture->compactions++;
    pthread_mutex_unlock(&fixture->mutex);
}

static inline int fixture_unlink(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline void fixture_remove_directory(const char *directory) {
    (void)nftw(directory, fixture_unlink, 8, FTW_DEPTH | FTW_PHYS);
}

// Whether the tests run on PostgreSQL, of which TEST_POSTGRES is the address (tests/support/postgres.sh).
static inline bool fixture_on_postgres(void) {
    return getenv("TEST_POSTGRES") != NULL;
}

// Runs a statement on the database of the fixture, beside the store.
static inline void fixture_run_on_postgres(const char *address, const char *sql) {
    PGconn *handle = PQconnectdb(address);
    PGresult *result = PQexec(handle, sql);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        fail_msg("%s: %s", sql, PQerrorMessage(handle));
    }
    PQclear(result);
    PQfinish(handle);
}

// Runs a query of one number on the database of the fixture, beside the store. On SQLite it is 0 where it is NULL.
static inline uint64_t fixture_count(const struct fixture *fixture, const char *sql) {
    char path[128];
    uint64_t count = 0;
    if (fixture_on_postgres()) {
        PGconn *handle = PQconnectdb(fixture->address);
        PGresult *result = PQexec(handle, sql);
        if (PQntuples(result) != 1) {
            fail_msg("%s: %s", sql, PQerrorMessage(handle));
        }
        count = strtoull(PQgetvalue(result, 0, 0), NULL, 10);
        PQclear(result);
        PQfinish(handle);
        return count;
    }
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    snprintf(path, sizeof path, "%s/weft.db", fixture->directory);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    count = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

// Waits until the number that a query returns is at least `least` and at most `most`.
static inline void fixture_wait_count(const struct fixture *fixture, const char *sql, uint64_t least, uint64_t most) {
    uint64_t count = 0;
    for (int i = 0; i < 300; i++) {
        count = fixture_count(fixture, sql);
        if (count >= least && count <= most) {
            return;
        }
        usleep(50000);
    }
    fail_msg("%s is %llu, not %llu to %llu", sql, (unsigned long long)count, (unsigned long long)least,
             (unsigned long long)most);
}

// Runs the test program again with a PostgreSQL of its own, unless it has one.
static inline void fixture_start_postgres(char **arguments) {
    if (!fixture_on_postgres()) {
        execl("tests/support/postgres.sh", "postgres.sh", arguments[0], (char *)NULL);
        perror("tests/support/postgres.sh");
        exit(1);
    }
}

// Makes a schema for the fixture, and returns the address that leads there; NULL when the tests run on SQLite.
static inline const char *fixture_make_schema(struct fixture *fixture) {
    static unsigned made;
    const char *address = getenv("TEST_POSTGRES");
    char sql[64];
    if (address == NULL) {
        return NULL;
    }
    snprintf(sql, sizeof sql, "CREATE SCHEMA test_%d_%u", (int)getpid(), ++made);
    fixture_run_on_postgres(address, sql);
    snprintf(fixture->address, sizeof fixture->address, "%.160s&options=-csearch_path%%3Dtest_%d_%u", address,
             (int)getpid(), made);
    return fixture->address;
}

static inline void fixture_init(struct fixture *fixture) {
    memset(fixture, 0, sizeof *fixture);
    const char *folder = getenv("TMPDIR");
    snprintf(fixture->directory, sizeof fixture->directory, "%.40s/weft-store-XXXXXX",
             folder != NULL ? folder : "/tmp");
    assert_non_null(mkdtemp(fixture->directory));
    pthread_mutex_init(&fixture->mutex, NULL);
    pthread_cond_init(&fixture->changed, NULL);
    fixture->well = true;
    fixture->options = (struct store_options){
        .directory = fixture->directory,
        .address = fixture_make_schema(fixture),
        .durability = STORE_NORMAL,
        .probe_ms = 5,
        .listener = {fixture, fixture_settled, fixture_health, fixture_compacted},
    };
}

static inline void fixture_open(struct fixture *fixture) {
    struct fault fault = {.message = ""};
    if (store_open(&fixture->options, &fixture->store, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
}

static inline void fixture_close(struct fixture *fixture) {
    store_close(fixture->store);
    fixture->store = NULL;
}

static inline void fixture_free(struct fixture *fixture) {
    fixture_close(fixture);
    fixture_remove_directory(fixture->directory);
    pthread_cond_destroy(&fixture->changed);
    pthread_mutex_destroy(&fixture->mutex);
}

// Waits until all tickets so far are settled.
static inline void fixture_wait(struct fixture *fixture) {
    pthread_mutex_lock(&fixture->mutex);
    while (fixture->told_count < fixture->tickets) {
        pthread_cond_wait(&fixture->changed, &fixture->mutex);
    }
    pthread_mutex_unlock(&fixture->mutex);
}

static inline void fixture_wait_health(struct fixture *fixture, bool well) {
    pthread_mutex_lock(&fixture->mutex);
    while (fixture->well != well) {
        pthread_cond_wait(&fixture->changed, &fixture->mutex);
    }
    pthread_mutex_unlock(&fixture->mutex);
}

// ---- what is written
// -------------------------------------------------------------------------------------------------------------------

static inline uint64_t fixture_random(uint64_t *state) { // splitmix64
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The record of an entry: bytes that no other entry has.
static inline size_t fixture_record(uint32_t timeline, uint64_t sequence, unsigned char out[256]) {
    uint64_t state = (uint64_t)timeline << 32 | sequence;
    const size_t size = fixture_random(&state) % 200;
    for (size_t i = 0; i < size; i++) {
        out[i] = (unsigned char)fixture_random(&state);
    }
    return size;
}

static inline void fixture_check_entry(const struct store_logged *logged) {
    unsigned char record[256];
    const size_t size = fixture_record(logged->timeline, logged->entry.sequence, record);
    assert_int_equal(logged->entry.record.size, size);
    assert_memory_equal(logged->entry.record.data, record, size);
}

// Makes the history of a world: a snapshot, then so many entries, 5 ticks apart.
static inline void fixture_check_history(const struct store_history *history, uint64_t entries) {
    assert_int_equal(history->tick, entries * 5);
    const uint64_t first = history->from_empty ? 1 : history->snapshot.sequence + 1;
    assert_int_equal(history->entry_count, entries + 1 - first);
    for (uint32_t i = 0; i < history->entry_count; i++) {
        assert_int_equal(history->entries[i].entry.sequence, first + i);
        fixture_check_entry(&history->entries[i]);
    }
}

static inline void fixture_create_world(struct fixture *fixture, const char *name) {
    struct store_world given = {0};
    struct fault fault = {.message = ""};
    strncpy(given.name, name, STORE_NAME_MAX);
    given.settings = (struct store_bytes){"settings", 8};
    if (store_world_create(fixture->store, &given, &fixture->world, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
    fixture->timeline = 0;
}

// The state of a moment: 64 KiB that no other moment has, so that a flipped bit is likely to hit it.
#define FIXTURE_STATE 65536u
static inline struct store_snapshot fixture_snapshot(uint32_t timeline, uint64_t tick, uint64_t sequence,
                                                     unsigned char *state) {
    uint64_t random = (uint64_t)timeline << 48 ^ tick << 20 ^ sequence;
    for (size_t i = 0; i < FIXTURE_STATE; i++) {
        state[i] = (unsigned char)(fixture_random(&random) & 15);
    }
    return (struct store_snapshot){
        .timeline = timeline,
        .tick = tick,
        .sequence = sequence,
        .hash = tick * 31 + sequence,
        .version = 7,
        .state = {state, FIXTURE_STATE},
        .extra = {"extra", 5},
    };
}

static inline void fixture_check_snapshot(const struct store_snapshot *snapshot) {
    static unsigned char state[FIXTURE_STATE]; // the tests write on one thread
    const struct store_snapshot expected =
        fixture_snapshot(snapshot->timeline, snapshot->tick, snapshot->sequence, state);
    assert_int_equal(snapshot->state.size, FIXTURE_STATE);
    assert_memory_equal(snapshot->state.data, state, FIXTURE_STATE);
    assert_int_equal(snapshot->extra.size, 5);
    assert_memory_equal(snapshot->extra.data, "extra", 5);
    assert_true(snapshot->hash == expected.hash && snapshot->version == 7);
}

// Begins the next timeline and resets the fixture's counters.
static inline enum result fixture_begin(struct fixture *fixture, enum store_origin origin, uint64_t tick,
                                        uint32_t parent, uint64_t parent_sequence) {
    static unsigned char state[FIXTURE_STATE]; // the tests write on one thread
    const struct store_beginning beginning = {fixture->timeline + 1, tick, origin, parent, parent_sequence, 1};
    const struct store_snapshot snapshot = fixture_snapshot(beginning.timeline, tick, 0, state);
    struct fault fault = {.message = ""};
    const enum result result =
        store_begin(fixture->store, fixture->world, &beginning, origin == STORE_ORIGIN_EMPTY ? NULL : &snapshot,
                    fixture->tickets + 1, &fault);
    if (result == RESULT_OK) {
        fixture->tickets++;
        fixture->timeline++;
        fixture->sequence = 0;
        fixture->tick = tick;
    }
    return result;
}

// Appends an entry that the next tick sees, then lets `ticks` ticks pass.
static inline enum result fixture_append(struct fixture *fixture, uint64_t ticks) {
    unsigned char record[256];
    const size_t size = fixture_record(fixture->timeline, fixture->sequence + 1, record);
    const struct store_entry entry = {
        .tick = fixture->tick + 1, .sequence = fixture->sequence + 1, .kind = 3, .client = 9, .record = {record, size}};
    struct fault fault = {.message = ""};
    const enum result result = store_append(fixture->store, fixture->world, &entry, 1, fixture->tickets + 1, &fault);
    if (result == RESULT_OK) {
        fixture->tickets++;
        fixture->sequence++;
        fixture->tick += ticks;
    }
    return result;
}

static inline enum result fixture_mark(struct fixture *fixture) {
    struct fault fault = {.message = ""};
    const enum result result = store_append_hash(fixture->store, fixture->world, fixture->tick, fixture->tick * 31,
                                                 fixture->tickets + 1, &fault);
    fixture->tickets += result == RESULT_OK ? 1 : 0;
    return result;
}

static inline enum result fixture_save(struct fixture *fixture) {
    static unsigned char state[FIXTURE_STATE]; // the tests write on one thread
    const struct store_snapshot snapshot = fixture_snapshot(fixture->timeline, fixture->tick, fixture->sequence, state);
    struct fault fault = {.message = ""};
    const enum result result = store_save(fixture->store, fixture->world, &snapshot, fixture->tickets + 1, &fault);
    fixture->tickets += result == RESULT_OK ? 1 : 0;
    return result;
}

// Reads the history up to a tick (STORE_END: to the end) and checks every byte.
static inline struct store_history *fixture_read(struct fixture *fixture, uint32_t timeline, uint64_t tick) {
    const struct store_query query = {.world = fixture->world, .timeline = timeline, .tick = tick};
    struct store_history *history = NULL;
    struct fault fault = {.message = ""};
    if (store_read(fixture->store, &query, &history, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
    if (!history->from_empty) {
        fixture_check_snapshot(&history->snapshot);
    }
    for (uint32_t i = 0; i < history->entry_count; i++) {
        fixture_check_entry(&history->entries[i]);
    }
    return history;
}

#endif
