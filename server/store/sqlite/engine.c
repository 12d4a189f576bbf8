// SPDX-License-Identifier: MIT
#include "store/sqlite/engine.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/database/clock.h"
#include "store/database/sql.h"
#include "store/sqlite/connect.h"
#include "store/sqlite/directory.h"
#include "store/sqlite/file_copy.h"
#include "store/sqlite/files.h"
#include "store/sqlite/integrity.h"
#include "store/sqlite/transaction.h"
#include "store/sqlite/watermark.h"
#include "store/store_state.h"

#define CHECKPOINT_MS 10000u // between checkpoints at most, if anything was written
#define IDLE_AFTER_MS 1000u  // without a commit
#define VACUUM_PAGES_MIN 256u

// ---- opening --------------------------------------------------------------------------------------------------------

// Only the owner may read the database, since it holds the commands and session keys of people. SQLite gives the files
// beside the database the same access rights.
static enum result make_database(struct store *store, struct fault *fault) {
    return store_make_file(store->path)
               ? RESULT_OK
               : fault_set(fault, RESULT_IO, "/data", "cannot write to %s: %s", store->path, strerror(errno));
}

static enum result open_store(struct store *store, const struct store_options *options, struct fault *fault) {
    static enum result (*const steps[])(struct store * store, struct fault * fault) = {
        store_check_integrity, make_database, store_connect, store_remember_database, store_watermark_open,
    };
    store->in_memory = strcmp(options->directory, ":memory:") == 0;
    if (store->in_memory) {
        return store_connect(store, fault);
    }
    enum result result = store_lock_directory(store, options->directory, fault);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == RESULT_OK; i++) {
        result = steps[i](store, fault);
    }
    return result == RESULT_OK && store->durability != STORE_OFF ? store_sync_directory(options->directory, fault)
                                                                 : result;
}

static void close_store(struct store *store) {
    store_disconnect(&store->connection);
    store_watermark_close(store);
    if (store->lock_file >= 0) {
        close(store->lock_file);
    }
}

// A store in memory has nothing to reopen.
static enum result reopen(struct store *store, struct fault *fault) {
    enum result result = store_check_database(store, fault);
    if (result == RESULT_OK && !store->in_memory) {
        store_disconnect(&store->connection);
        result = store_connect(store, fault);
    }
    if (result == RESULT_OK && store->watermark.state == STORE_WATERMARK_READ &&
        store->commits < store->watermark.commits) {
        result =
            fault_set(fault, RESULT_DAMAGED, "", "%s lacks commits that were acknowledged: it has %llu of %llu",
                      store->path, (unsigned long long)store->commits, (unsigned long long)store->watermark.commits);
    }
    return result;
}

// ---- ownership: the lock of the directory is enough -----------------------------------------------------------------

static int claim(struct store *store, struct store_claim *claims, uint32_t count) {
    int code = STORE_SQL_OK;
    for (uint32_t i = 0; i < count && code == STORE_SQL_OK; i++) {
        struct store_claim *at = &claims[i];
        at->owned = true;
        if (at->timeline != 0) {
            code = store_timeline_fetch(&store->connection, at->world, at->timeline, &at->row, &at->found, &at->intact);
        }
    }
    return code;
}

static int keep_owner(struct store *store, uint64_t world) {
    (void)store;
    (void)world;
    return STORE_SQL_OK;
}

static int adopt(struct store *store, uint64_t world, uint64_t epoch) {
    (void)epoch;
    return keep_owner(store, world);
}

static uint64_t no_epoch(const struct store *store, uint64_t world) {
    (void)store;
    (void)world;
    return 0;
}

// ---- free pages, checkpoints, sizes ---------------------------------------------------------------------------------

// Returns free pages to the file system when there are many.
static int vacuum_some(struct store *store, bool *more) {
    uint64_t pages = 0, free_pages = 0;
    bool found = false;
    struct store_connection *connection = &store->connection;
    int code = store_fetch(connection, &pages, &found, "PRAGMA page_count", "");
    if (code == STORE_SQL_OK) {
        code = store_fetch(connection, &free_pages, &found, "PRAGMA freelist_count", "");
    }
    *more = code == STORE_SQL_OK && free_pages > VACUUM_PAGES_MIN && free_pages * 4 > pages;
    return *more ? sqlite3_exec(connection->db, "PRAGMA incremental_vacuum(64)", NULL, NULL, NULL) : code;
}

// Copies the write-ahead log into the database when the log is long, when some time has passed, or when nothing was
// written for a while; in the last case it also empties the log. A commit that is in the database can no longer be lost
// through one wrong bit in the log.
static int checkpoint(struct store *store) {
    const uint64_t now = store_monotonic_ms();
    const bool idle = now >= store->commit_ms + IDLE_AFTER_MS;
    if (store->wal_pages == 0 ||
        (store->wal_pages < STORE_CHECKPOINT_PAGES && !idle && now < store->checkpoint_ms + CHECKPOINT_MS)) {
        return STORE_SQL_OK;
    }
    const int mode = idle && !store->in_memory ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;
    store->wal_pages = 0;
    store->checkpoint_ms = now;
    (void)sqlite3_busy_timeout(store->connection.db, 0); // do not wait for other connections
    int code = sqlite3_wal_checkpoint_v2(store->connection.db, NULL, mode, NULL, NULL);
    (void)sqlite3_busy_timeout(store->connection.db, STORE_BUSY_MS);
    store_watermark_sync(store);
    return code == SQLITE_BUSY ? SQLITE_OK : code; // another connection reads: the next call tries again
}

static int used_bytes(struct store *store, uint64_t *bytes) {
    uint64_t pages = 0, free_pages = 0, page = 0;
    bool found = false;
    struct store_connection *connection = &store->connection;
    int code = store_fetch(connection, &pages, &found, "PRAGMA page_count", "");
    if (code == SQLITE_OK) {
        code = store_fetch(connection, &free_pages, &found, "PRAGMA freelist_count", "");
    }
    if (code == SQLITE_OK) {
        code = store_fetch(connection, &page, &found, "PRAGMA page_size", "");
    }
    *bytes = (pages - free_pages) * page;
    return code;
}

static uint64_t size_of(const char *path, const char *suffix) {
    char name[STORE_PATH_MAX + 8];
    struct stat status;
    snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static uint64_t file_bytes(struct store *store) {
    return store->in_memory ? (uint64_t)sqlite3_memory_used() : size_of(store->path, "") + size_of(store->path, "-wal");
}

const struct store_engine store_sqlite_engine = {
    .keeper = "the disk",
    .open = open_store,
    .close = close_store,
    .reopen = reopen,
    .check = store_check_files,
    .reader_begin = store_reader_begin,
    .reader_end = store_reader_end,
    .begin = store_sqlite_begin,
    .commit = store_sqlite_commit,
    .rollback = store_sqlite_rollback,
    .claim = claim,
    .world_own = keep_owner,
    .world_disown = keep_owner,
    .world_adopt = adopt,
    .world_epoch = no_epoch,
    .tend = checkpoint,
    .reclaim = vacuum_some,
    .used_bytes = used_bytes,
    .file_bytes = file_bytes,
    .probe = "INSERT OR REPLACE INTO probe VALUES(1, randomblob(?1))",
};
