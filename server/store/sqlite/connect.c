// SPDX-License-Identifier: MIT
#include "store/sqlite/connect.h"

#include <sqlite3.h>
#include <string.h>

#include "store/database/clock.h"
#include "store/database/sql.h"
#include "store/sqlite/migration.h"
#include "store/sqlite/statement.h"
#include "store/store_state.h"

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
    // EXTRA until the file has a write-ahead log: after a power cut, a journal left over from the change to that mode
    // would roll everything back. auto_vacuum takes effect only while the file is empty.
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
    return code == SQLITE_OK ? RESULT_OK : store_sqlite_fault(fault, db, code, "opening the store");
}

static int on_wal(void *user, sqlite3 *db, const char *name, int pages) {
    (void)db;
    (void)name;
    ((struct store *)user)->wal_pages = pages;
    return SQLITE_OK;
}

// SQLite's page cache gets memory of its own, for all connections. On the heap its blocks of 4 KB, held for as long as
// the process runs, would keep whole pages from being returned to the system. Pages that do not fit here go to the
// heap.
#define CACHED_PAGES 640u                // the writing connection's cache of 2 MB, and some pages for a reader
#define CACHED_PAGE_BYTES (4096u + 384u) // a page and SQLite's header

static void reserve_page_cache(void) {
    static uint64_t place[CACHED_PAGES * CACHED_PAGE_BYTES / sizeof(uint64_t)];
    int header = 0;
    if (sqlite3_config(SQLITE_CONFIG_PCACHE_HDRSZ, &header) == SQLITE_OK &&
        4096u + (unsigned)header <= CACHED_PAGE_BYTES) {
        (void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, place, (int)CACHED_PAGE_BYTES, (int)CACHED_PAGES);
    } // else SQLite is in use already, or its headers are larger: all pages come from the heap
}

static enum result open_database(struct store *store, int flags, sqlite3 **db, struct fault *fault) {
    static pthread_once_t reserved = PTHREAD_ONCE_INIT;
    const char *path = store->in_memory ? ":memory:" : store->path;
    (void)pthread_once(&reserved, reserve_page_cache);
    int code = sqlite3_open_v2(path, db, flags | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_busy_timeout(*db, STORE_BUSY_MS);
    }
    return code == SQLITE_OK ? RESULT_OK : store_sqlite_fault(fault, *db, code, "opening the store");
}

static enum result read_count(struct store *store, struct fault *fault) {
    bool found = false;
    int code = store_fetch(&store->connection, &store->commits, &found, "SELECT count FROM commits", "");
    if (code == SQLITE_OK && found && store->opened_us == 0) {
        uint64_t uptime_before_ms = 0;
        code = store_fetch(&store->connection, &uptime_before_ms, &found, "SELECT ran_ms FROM commits", "");
        store_clock_start(store, uptime_before_ms);
    }
    enum result result =
        code != SQLITE_OK ? store_sqlite_fault(fault, store->connection.db, code, "opening the store")
        : found           ? RESULT_OK
                : fault_set(fault, RESULT_DAMAGED, "/data", "%s does not say how many commits it has", store->path);
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
        result = store_schema_identify(store->path, db, &version, fault);
    }
    if (result == RESULT_OK) {
        result = set_up(store, db, fault);
    }
    if (result == RESULT_OK) {
        const int code = store_schema_migrate(db, version);
        result = code == SQLITE_OK ? RESULT_OK : store_sqlite_fault(fault, db, code, "making the store's tables");
    }
    if (result != RESULT_OK) {
        sqlite3_close(db);
        return result;
    }
    sqlite3_wal_hook(db, on_wal, store);
    store->connection = store_sqlite_connection(db);
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
        result = code == SQLITE_OK ? RESULT_OK : store_sqlite_fault(fault, db, code, "reading the store");
    }
    if (result != RESULT_OK) {
        sqlite3_close(db);
        return result;
    }
    *reader = store_sqlite_connection(db);
    return RESULT_OK;
}

void store_reader_end(struct store *store, struct store_connection *reader) {
    if (store->in_memory) {
        store->connection = *reader; // with the statements prepared meanwhile
        pthread_mutex_unlock(&store->connection_mutex);
        return;
    }
    store_disconnect(reader);
}
