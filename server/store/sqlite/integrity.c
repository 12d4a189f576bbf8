// SPDX-License-Identifier: MIT
// The check changes nothing. A damaged store is not opened: SQLite would leave out the frames of its log that it cannot
// verify, and then overwrite them.
//
// There are three witnesses. The watermark says how many commits were acknowledged. The row `commits` says how many the
// database has, together with the part of the write-ahead log that SQLite accepts. And the log itself may hold intact
// commits behind frames that cannot be verified. A power cut may leave one such commit, that of the last,
// unacknowledged transaction, because a disk writes sectors in any order: that is no damage if the watermark agrees.
#include "store/sqlite/integrity.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "store/database/sql.h"
#include "store/sqlite/file_copy.h"
#include "store/sqlite/statement.h"
#include "store/sqlite/wal.h"
#include "store/sqlite/watermark.h"
#include "store/store_state.h"

struct check {
    struct store *store;
    char wal_path[STORE_PATH_MAX + 8];
    uint64_t database_bytes;
    bool database_there;
    struct store_wal wal;
    bool counted; // the database has the row `commits`
    uint64_t commits;
    struct fault *fault;
};

typedef unsigned long long ull;

// ---- looking -------------------------------------------------------------------------------------------------------

// Reads the count in the database, with a connection that does not write.
static enum result count_commits(struct check *check) {
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(check->store->path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    }
    struct store_connection reader = store_sqlite_connection(db);
    uint64_t has = 0;
    bool found = false;
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA trusted_schema=OFF; PRAGMA query_only=ON", NULL,
                            NULL, NULL);
    }
    if (code == SQLITE_OK) {
        code = store_fetch(&reader, &has, &found, "SELECT count(*) FROM sqlite_schema WHERE name='commits'", "");
    }
    if (code == SQLITE_OK && has > 0) {
        code = store_fetch(&reader, &check->commits, &check->counted, "SELECT count FROM commits", "");
    }
    const enum result result = code == SQLITE_OK || (code & 0xFF) == SQLITE_NOTADB
                                   ? RESULT_OK // a file that is not a database is reported when the store is opened
                                   : store_sqlite_fault(check->fault, db, code, "opening the store");
    store_disconnect(&reader);
    return result;
}

// ---- evidence ------------------------------------------------------------------------------------------------------

static bool copy_file(const char *from, const char *to) {
    FILE *in = fopen(from, "rbe");
    FILE *out = in != NULL ? store_create_copy(to) : NULL;
    const bool copied =
        out != NULL && store_copy_bytes(in, out) && ferror(in) == 0 && fflush(out) == 0 && fsync(fileno(out)) == 0;
    if (in != NULL) {
        (void)fclose(in);
    }
    return (out == NULL || fclose(out) == 0) && copied;
}

static uint64_t hash_file(const char *path) {
    static const size_t block = 1u << 16;
    struct hash64 hash;
    hash64_init(&hash, 0);
    FILE *file = fopen(path, "rbe");
    char *bytes = malloc(block);
    for (size_t size = block; file != NULL && bytes != NULL && size == block;) {
        size = fread(bytes, 1, block, file);
        hash64_update(&hash, bytes, size);
    }
    free(bytes);
    if (file != NULL) {
        (void)fclose(file);
    }
    return hash64_digest(&hash);
}

// Keeps a copy of the log. Its name contains the hash of the log, so a server that is started again and again makes
// one.
static void keep_copy(const struct check *check) {
    char copy[STORE_PATH_MAX + 48];
    if (check->wal.bytes == 0) {
        return;
    }
    snprintf(copy, sizeof copy, "%s.damaged-%016llx", check->wal_path, (ull)hash_file(check->wal_path));
    if (access(copy, F_OK) == 0 || copy_file(check->wal_path, copy)) {
        log_error("store", "a copy of the write-ahead log was kept: %s", copy);
    } else {
        log_error("store", "no copy of the write-ahead log could be kept as %s: %s", copy, strerror(errno));
    }
}

// ---- judging -------------------------------------------------------------------------------------------------------

// Whether a power cut may have taken commits: the machine has been restarted since, and the durability was below full.
static bool may_be_power_cut(const struct check *check) {
    const struct store *store = check->store;
    return store->watermark.state == STORE_WATERMARK_READ && store->watermark.durability != STORE_FULL &&
           store->watermark.boot[0] != '\0' && store->boot[0] != '\0' &&
           strcmp(store->watermark.boot, store->boot) != 0;
}

static enum result damaged(const struct check *check, const char *what) {
    keep_copy(check);
    return fault_set(check->fault, RESULT_DAMAGED, "/data",
                     "%s is damaged: %s. It was not changed. weftctl salvage recovers the intact part",
                     check->store->path, what);
}

static enum result judge_empty(const struct check *check) {
    char what[200];
    const char *how = check->database_there ? "it is empty" : "it is gone";
    if (check->wal.bytes > 0) {
        snprintf(what, sizeof what, "%s, but its write-ahead log is there with %llu bytes", how, (ull)check->wal.bytes);
        return damaged(check, what);
    }
    if (check->store->watermark.state == STORE_WATERMARK_READ) {
        snprintf(what, sizeof what, "%s, but %s says that %llu commits were acknowledged", how, STORE_WATERMARK_FILE,
                 (ull)check->store->watermark.commits);
        return damaged(check, what);
    }
    if (check->store->watermark.state == STORE_WATERMARK_UNREADABLE) {
        snprintf(what, sizeof what, "%s, but there is a %s, which cannot be read", how, STORE_WATERMARK_FILE);
        return damaged(check, what);
    }
    return RESULT_OK; // a new store
}

static enum result judge_log(const struct check *check) {
    const struct store_watermark *mark = &check->store->watermark;
    const uint64_t behind = check->wal.commits_behind;
    if (!check->counted && behind < 2 && mark->state == STORE_WATERMARK_UNREADABLE) {
        return damaged(check, "it counts no commits, but there is a " STORE_WATERMARK_FILE ", which cannot be read");
    }
    // A database without a count is older than the watermark. If there is a watermark all the same, the write-ahead log
    // with the migration that added the count is gone.
    const bool marked = mark->state == STORE_WATERMARK_READ;
    const uint64_t missing = marked && mark->commits > check->commits ? mark->commits - check->commits : 0;
    if (missing == 0 && (behind == 0 || (behind == 1 && marked))) {
        return RESULT_OK;
    }
    char what[240], where[64] = "its header";
    if (check->wal.first_bad > 0) {
        snprintf(where, sizeof where, "frame %llu of %llu", (ull)check->wal.first_bad, (ull)check->wal.frames);
    }
    if (behind > 0) {
        snprintf(what, sizeof what,
                 "%s of its write-ahead log was changed, and %llu intact commits lie behind that, which would be lost",
                 where, (ull)behind);
    } else {
        snprintf(what, sizeof what, "%llu acknowledged commits are missing: it has %llu, and %s says %llu",
                 (ull)missing, (ull)check->commits, STORE_WATERMARK_FILE, (ull)mark->commits);
    }
    if (may_be_power_cut(check)) {
        log_warn("store",
                 "%s: %s; the machine was restarted since, and with --durability normal or off a power cut "
                 "may take the last commits",
                 check->store->path, what);
        keep_copy(check);
        return RESULT_OK;
    }
    return damaged(check, what);
}

static void warn_of_watermark(const struct check *check) {
    const enum store_watermark_state state = check->store->watermark.state;
    if (check->counted && state != STORE_WATERMARK_READ) {
        log_warn("store", "%s %s: it cannot be checked whether the last commits are all there",
                 check->store->watermark_path, state == STORE_WATERMARK_ABSENT ? "is missing" : "cannot be read");
    }
}

enum result store_check_integrity(struct store *store, struct fault *fault) {
    struct check check = {.store = store, .fault = fault};
    struct stat status;
    snprintf(check.wal_path, sizeof check.wal_path, "%s-wal", store->path);
    store_boot_name(store->boot);
    store->watermark = store_watermark_read(store->watermark_path);
    check.database_there = stat(store->path, &status) == 0;
    check.database_bytes = check.database_there ? (uint64_t)status.st_size : 0;
    enum result result = store_wal_look(check.wal_path, store_page_size(store->path), &check.wal, fault);
    if (result != RESULT_OK || check.database_bytes == 0) {
        return result == RESULT_OK ? judge_empty(&check) : result;
    }
    if (check.wal.commits_behind < 2) { // otherwise the log alone shows damage
        result = count_commits(&check);
    }
    if (result == RESULT_OK) {
        result = judge_log(&check);
    } else if (result == RESULT_DAMAGED) {
        keep_copy(&check);
    }
    if (result == RESULT_OK) {
        warn_of_watermark(&check);
    }
    return result;
}
