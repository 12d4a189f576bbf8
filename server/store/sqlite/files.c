// SPDX-License-Identifier: MIT
#include "store/sqlite/files.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "store/database/sql.h"
#include "store/sqlite/connect.h"
#include "store/sqlite/statement.h"
#include "store/sqlite/watermark.h"
#include "store/store_state.h"

enum result store_check_kinds(const char *directory, const char *pointer, struct fault *fault) {
    static const char *const names[] = {STORE_FILE, STORE_FILE "-wal", STORE_FILE "-shm", STORE_WATERMARK_FILE,
                                        "weft.lock"};
    char path[STORE_PATH_MAX + 16];
    struct stat status;
    for (size_t at = 0; at < sizeof names / sizeof names[0]; at++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[at]);
        if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
            return fault_set(fault, RESULT_IO, pointer, "%s is not a regular file: remove it or choose another folder",
                             path);
        }
    }
    return RESULT_OK;
}

enum result store_remember_database(struct store *store, struct fault *fault) {
    struct stat status;
    if (stat(store->path, &status) != 0) {
        return fault_set(fault, RESULT_IO, "/data", "cannot access %s: %s", store->path, strerror(errno));
    }
    store->device = status.st_dev;
    store->inode = status.st_ino;
    return RESULT_OK;
}

enum result store_check_database(const struct store *store, struct fault *fault) {
    struct stat status;
    if (store->in_memory || store->inode == 0 ||
        (stat(store->path, &status) == 0 && status.st_ino == store->inode && status.st_dev == store->device)) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_IO, "", "%s was deleted or replaced while the server runs: put it back, or restart",
                     store->path);
}

static bool has_log(const struct store *store) {
    char name[STORE_PATH_MAX + 8];
    snprintf(name, sizeof name, "%s-wal", store->path);
    return store->in_memory || access(name, F_OK) == 0;
}

// Only the write-ahead log was deleted: copies it from the still open file into the database, and begins a new log.
static enum result rescue_log(struct store *store, struct fault *fault) {
    log_warn("store", "%s-wal was deleted while the server runs: its commits go into the database", store->path);
    int code = sqlite3_wal_checkpoint_v2(store->connection.db, NULL, SQLITE_CHECKPOINT_FULL, NULL, NULL);
    if (code != SQLITE_OK) {
        return store_sqlite_fault(fault, store->connection.db, code, "rescuing the deleted write-ahead log");
    }
    store_disconnect(&store->connection);
    store->wal_pages = 0;
    return store_connect(store, fault);
}

enum result store_check_files(struct store *store, struct fault *fault) {
    enum result result = store_check_database(store, fault);
    if (result == RESULT_OK && store->watermark_file != NULL && access(store->watermark_path, F_OK) != 0) {
        log_warn("store", "%s was deleted while the server runs: it is made again", store->watermark_path);
        store_watermark_close(store);
        result = store_watermark_open(store, fault);
    }
    return result == RESULT_OK && !has_log(store) ? rescue_log(store, fault) : result;
}
