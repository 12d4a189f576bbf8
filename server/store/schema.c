// SPDX-License-Identifier: MIT
// The file: its tables, how an older one becomes a newer one, and the connections to it.
//
// `application_id` says that it is a store, `user_version` which schema it has. Each schema is made from the one before
// by one migration, in one transaction; migration 0 makes the first from an empty file.
#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "store/store_internal.h"

#define APPLICATION_ID 0x57454654 // "WEFT"

// world      the worlds; numbers are never used again
// timeline   of a world; `folded` when its beginning is gone and it begins with a snapshot of folded_sequence;
// `physics`
//            is the version of the arithmetic that computed it
// entry      what was applied; checksum as store_entry_checksum
// snapshot   rows rise in the order they were made; bytes are one frame of zstd: state_size bytes, then extra_size
// hash       of the state at a tick
// reply      the first reply to a request of a session; rows rise in the order they were made; saved_ms is `ran_ms`
// then sweep      of a world, to be deleted bit by bit: entries up to (timeline, sequence), hashes before (timeline,
// tick),
//            snapshots before that row; its replies too if that is INT64_MAX, for then the world is gone
// probe      what a failing disk is tried with
// commits    how many there were, in one row: see mark.c; and how long servers have run with this store
static const char *const migrations[STORE_SCHEMA] = {
    "CREATE TABLE world(world INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,"
    " created_ms INTEGER NOT NULL, parent INTEGER NOT NULL, parent_timeline INTEGER NOT NULL,"
    " parent_tick INTEGER NOT NULL, settings BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT;"
    "CREATE TABLE timeline(world INTEGER NOT NULL, timeline INTEGER NOT NULL, origin INTEGER NOT NULL,"
    " parent_timeline INTEGER NOT NULL, parent_sequence INTEGER NOT NULL, began_tick INTEGER NOT NULL,"
    " began_ms INTEGER NOT NULL, last_sequence INTEGER NOT NULL, last_tick INTEGER NOT NULL,"
    " folded INTEGER NOT NULL, folded_sequence INTEGER NOT NULL, folded_tick INTEGER NOT NULL,"
    " checksum INTEGER NOT NULL, PRIMARY KEY(world, timeline)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE entry(world INTEGER NOT NULL, timeline INTEGER NOT NULL, sequence INTEGER NOT NULL,"
    " tick INTEGER NOT NULL, kind INTEGER NOT NULL, client INTEGER NOT NULL, session TEXT, request TEXT,"
    " saved_ms INTEGER NOT NULL, record BLOB NOT NULL, checksum INTEGER NOT NULL,"
    " PRIMARY KEY(world, timeline, sequence)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE snapshot(snapshot INTEGER PRIMARY KEY, world INTEGER NOT NULL, timeline INTEGER NOT NULL,"
    " tick INTEGER NOT NULL, sequence INTEGER NOT NULL, hash INTEGER NOT NULL, version INTEGER NOT NULL,"
    " saved_ms INTEGER NOT NULL, state_size INTEGER NOT NULL, extra_size INTEGER NOT NULL,"
    " checksum INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;"
    "CREATE INDEX snapshot_by_world ON snapshot(world, snapshot, timeline, tick, sequence, saved_ms);"
    "CREATE TABLE hash(world INTEGER NOT NULL, timeline INTEGER NOT NULL, tick INTEGER NOT NULL,"
    " sequence INTEGER NOT NULL, hash INTEGER NOT NULL, checksum INTEGER NOT NULL,"
    " PRIMARY KEY(world, timeline, tick, sequence)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE reply(reply INTEGER PRIMARY KEY, world INTEGER NOT NULL, session TEXT NOT NULL,"
    " request TEXT NOT NULL, saved_ms INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX reply_by_request ON reply(world, session, request);"
    "CREATE INDEX reply_by_session ON reply(world, session, reply);"
    "CREATE TABLE sweep(sweep INTEGER PRIMARY KEY, world INTEGER NOT NULL, timeline INTEGER NOT NULL,"
    " sequence INTEGER NOT NULL, tick INTEGER NOT NULL, snapshot INTEGER NOT NULL) STRICT;"
    "CREATE TABLE probe(probe INTEGER PRIMARY KEY, bytes BLOB) STRICT;",
    // The timelines from before this column were computed by physics version 1.
    "ALTER TABLE timeline ADD COLUMN physics INTEGER NOT NULL DEFAULT 1;"
    "CREATE TABLE commits(one INTEGER PRIMARY KEY CHECK(one=1), count INTEGER NOT NULL) STRICT;"
    "INSERT INTO commits VALUES(1, 0);",
    // Replies grow old by the time that servers ran, not by the clock on the wall.
    "ALTER TABLE commits ADD COLUMN ran_ms INTEGER NOT NULL DEFAULT 0; UPDATE reply SET saved_ms=0;",
};

static int read_pragma(sqlite3 *db, const char *text, int *value) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, text, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        *value = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    }
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int migrate_by_one(sqlite3 *db, int version) {
    char tail[128];
    snprintf(tail, sizeof tail, "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT", APPLICATION_ID,
             version + 1);
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, migrations[version], NULL, NULL, NULL);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, tail, NULL, NULL, NULL);
    }
    if (code != SQLITE_OK && sqlite3_get_autocommit(db) == 0) {
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}

int store_migrate_copy(sqlite3 *db) {
    int version = 0;
    int code = read_pragma(db, "PRAGMA user_version", &version);
    for (; code == SQLITE_OK && version >= 1 && version < (int)STORE_SCHEMA; version++) {
        code = migrate_by_one(db, version);
    }
    return code;
}

// Whose file it is; nothing is written before this has been seen.
static enum result identify(struct store *store, sqlite3 *db, int *version, struct fault *fault) {
    int id = 0, tables = 0;
    int code = read_pragma(db, "PRAGMA application_id", &id);
    if (code == SQLITE_OK) {
        code = read_pragma(db, "PRAGMA user_version", version);
    }
    if (code == SQLITE_OK) {
        code = read_pragma(db, "SELECT count(*) FROM sqlite_schema", &tables);
    }
    if ((code & 0xFF) == SQLITE_NOTADB || (code == SQLITE_OK && id != APPLICATION_ID && tables > 0)) {
        return fault_set(fault, RESULT_INVALID, "/data", "%s is not a store of Weft", store->path);
    }
    if (code != SQLITE_OK) {
        return store_sql_fault(fault, db, code, "opening the store");
    }
    if (*version > (int)STORE_SCHEMA || *version < 0) {
        return fault_set(fault, RESULT_INVALID, "/data",
                         "%s was written by a newer Weft: it has schema %d, this version reads up to %u", store->path,
                         *version, STORE_SCHEMA);
    }
    return RESULT_OK;
}

static int set_wal(sqlite3 *db, bool *set) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, "PRAGMA journal_mode=WAL", -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        const char *mode = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        *set = mode != NULL && strcmp(mode, "wal") == 0;
    }
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? SQLITE_OK : code;
}

static enum result set_up(struct store *store, sqlite3 *db, struct fault *fault) {
    static const char *const synchronous[STORE_DURABILITY_COUNT] = {
        [STORE_FULL] = "PRAGMA synchronous=FULL",
        [STORE_NORMAL] = "PRAGMA synchronous=NORMAL",
        [STORE_OFF] = "PRAGMA synchronous=OFF",
    };
    bool wal = store->in_memory;
    // Extra, until the file has a write-ahead log: should the journal of that change come back after a power cut, it
    // would take back everything. The vacuum counts in an empty file only.
    const char *first = store->durability == STORE_OFF ? synchronous[STORE_OFF] : "PRAGMA synchronous=EXTRA";
    int code = sqlite3_exec(db, first, NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, "PRAGMA auto_vacuum=INCREMENTAL", NULL, NULL, NULL);
    }
    if (code == SQLITE_OK && !store->in_memory) {
        code = set_wal(db, &wal);
    }
    if (code == SQLITE_OK && !wal) {
        return fault_set(fault, RESULT_IO, "/data", "%s: its file system cannot hold a write-ahead log", store->path);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, synchronous[store->durability], NULL, NULL, NULL);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db,
                            "PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=67108864;"
                            "PRAGMA cell_size_check=ON; PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY",
                            NULL, NULL, NULL);
    }
    return code == SQLITE_OK ? RESULT_OK : store_sql_fault(fault, db, code, "opening the store");
}

static int note_wal(void *user, sqlite3 *db, const char *name, int pages) {
    (void)db;
    (void)name;
    ((struct store *)user)->wal_pages = pages;
    return SQLITE_OK;
}

// SQLite's page cache has a place of its own, for all connections: its blocks of 4 KB, taken and left for as long as
// the process runs, would keep the heap's pages from ever being free as a whole. What does not fit comes from the heap.
#define CACHED_PAGES 640u                // what the writing connection keeps, 2 MB, and some of a reader
#define CACHED_PAGE_BYTES (4096u + 384u) // with SQLite's header, whose size it tells

static void reserve_page_cache(void) {
    static uint64_t place[CACHED_PAGES * CACHED_PAGE_BYTES / sizeof(uint64_t)];
    int header = 0;
    if (sqlite3_config(SQLITE_CONFIG_PCACHE_HDRSZ, &header) == SQLITE_OK &&
        4096u + (unsigned)header <= CACHED_PAGE_BYTES) {
        (void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, place, (int)CACHED_PAGE_BYTES, (int)CACHED_PAGES);
    } // else SQLite is in use already, or of a kind with larger headers: pages come from the heap
}

static enum result open_database(struct store *store, int flags, sqlite3 **db, struct fault *fault) {
    static pthread_once_t reserved = PTHREAD_ONCE_INIT;
    const char *path = store->in_memory ? ":memory:" : store->path;
    (void)pthread_once(&reserved, reserve_page_cache);
    int code = sqlite3_open_v2(path, db, flags | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_busy_timeout(*db, STORE_BUSY_MS);
    }
    return code == SQLITE_OK ? RESULT_OK : store_sql_fault(fault, *db, code, "opening the store");
}

static enum result read_count(struct store *store, struct fault *fault) {
    bool found = false;
    int code = store_fetch(&store->connection, &store->commits, &found, "SELECT count FROM commits", "");
    if (code == SQLITE_OK && found && store->opened_us == 0) {
        code = store_fetch(&store->connection, &store->ran_before_ms, &found, "SELECT ran_ms FROM commits", "");
        store->opened_us = store_monotonic_us();
        store->opened_ms = store_clock_ms();
    }
    enum result result = code != SQLITE_OK ? store_sql_fault(fault, store->connection.db, code, "opening the store")
                         : found           ? RESULT_OK
                                           : fault_set(fault, RESULT_DAMAGED, "/data",
                                                       "%s does not say how many commits "
                                                                 "it has",
                                                       store->path);
    if (result != RESULT_OK) {
        store_disconnect(&store->connection);
    }
    return result;
}

enum result store_connect(struct store *store, struct fault *fault) {
    sqlite3 *db = NULL;
    int version = 0;
    enum result result = open_database(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &db, fault);
    if (result == RESULT_OK) {
        result = identify(store, db, &version, fault);
    }
    if (result == RESULT_OK) {
        result = set_up(store, db, fault);
    }
    for (; result == RESULT_OK && version < (int)STORE_SCHEMA; version++) {
        int code = migrate_by_one(db, version);
        if (code != SQLITE_OK) {
            result = store_sql_fault(fault, db, code, "making the store's tables");
        }
    }
    if (result != RESULT_OK) {
        sqlite3_close(db);
        return result;
    }
    sqlite3_wal_hook(db, note_wal, store);
    store->connection = (struct store_connection){.db = db};
    return read_count(store, fault);
}

enum result store_reader_begin(struct store *store, struct store_connection *reader, struct fault *fault) {
    if (store->in_memory) {
        pthread_mutex_lock(&store->connection_mutex);
        *reader = store->connection;
        return RESULT_OK;
    }
    sqlite3 *db = NULL;
    enum result result = open_database(store, SQLITE_OPEN_READONLY, &db, fault);
    if (result == RESULT_OK) {
        int code = sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA trusted_schema=OFF; BEGIN", NULL, NULL, NULL);
        result = code == SQLITE_OK ? RESULT_OK : store_sql_fault(fault, db, code, "reading the store");
    }
    if (result != RESULT_OK) {
        sqlite3_close(db);
        return result;
    }
    *reader = (struct store_connection){.db = db};
    return RESULT_OK;
}

void store_reader_end(struct store *store, struct store_connection *reader) {
    if (store->in_memory) {
        store->connection = *reader; // with the statements that were prepared meanwhile
        pthread_mutex_unlock(&store->connection_mutex);
        return;
    }
    store_disconnect(reader);
}
