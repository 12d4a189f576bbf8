// SPDX-License-Identifier: MIT
#include "store/write/maintenance.h"

#include <sqlite3.h>

#include "store/database/clock.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/database/watermark.h"
#include "store/store_state.h"
#include "store/write/compact.h"

#define CHECKPOINT_MS 10000u // between checkpoints at most, if anything was written
#define IDLE_AFTER_MS 1000u  // without a commit
#define SWEEP_ROWS 200u      // deleted at a time
#define SWEEP_SNAPSHOTS 2u   // deleted at a time
#define VACUUM_PAGES_MIN 256u
#define MORE_MS 5u // until the next piece of work, if there is one
#define IDLE_MS 1000u
#define RETRY_MS 10000u     // after an error
#define COMPACTION_MS 2000u // between looks for history to compact

// A row of the table `sweep`: rows of a world that are to be deleted.
struct sweep {
    uint64_t sweep, world, timeline, sequence, tick, snapshot;
};

static int first_sweep(struct store_connection *connection, struct sweep *sweep, bool *found) {
    int code = SQLITE_OK;
    sqlite3_stmt *statement =
        store_query(connection, &code,
                    "SELECT sweep, world, timeline, sequence, tick, snapshot FROM sweep ORDER BY sweep LIMIT 1", "");
    if (statement == NULL) {
        return code;
    }
    code = sqlite3_step(statement);
    *found = code == SQLITE_ROW;
    if (*found) {
        *sweep = (struct sweep){store_column(statement, 0), store_column(statement, 1), store_column(statement, 2),
                                store_column(statement, 3), store_column(statement, 4), store_column(statement, 5)};
    }
    return store_done(statement, code);
}

static int sweep_log(struct store_connection *connection, const struct sweep *sweep, uint64_t *deleted) {
    int code = store_execute(connection,
                             "DELETE FROM entry WHERE (world, timeline, sequence) IN (SELECT world, timeline, sequence"
                             " FROM entry WHERE world=?1 AND (timeline, sequence)<=(?2,?3)"
                             " ORDER BY world, timeline, sequence LIMIT ?4)",
                             "uuuu", sweep->world, sweep->timeline, sweep->sequence, (uint64_t)SWEEP_ROWS);
    *deleted = code == SQLITE_OK ? (uint64_t)sqlite3_changes(connection->db) : 0;
    return code;
}

static int sweep_rest(struct store_connection *connection, const struct sweep *sweep, uint64_t *deleted) {
    int code = store_execute(connection,
                             "DELETE FROM hash WHERE (world, timeline, tick) IN (SELECT world, timeline, tick FROM hash"
                             " WHERE world=?1 AND (timeline, tick)<(?2,?3) ORDER BY world, timeline, tick LIMIT ?4)",
                             "uuuu", sweep->world, sweep->timeline, sweep->tick, (uint64_t)SWEEP_ROWS);
    if (code == SQLITE_OK) {
        *deleted += (uint64_t)sqlite3_changes(connection->db);
        code = store_execute(connection,
                             "DELETE FROM snapshot WHERE snapshot IN (SELECT snapshot FROM snapshot WHERE world=?1"
                             " AND snapshot<?2 ORDER BY snapshot LIMIT ?3)",
                             "uuu", sweep->world, sweep->snapshot, (uint64_t)SWEEP_SNAPSHOTS);
    }
    if (code == SQLITE_OK) {
        *deleted += (uint64_t)sqlite3_changes(connection->db);
        if (sweep->snapshot != (uint64_t)INT64_MAX) {
            return code;
        }
        code = store_execute(connection,
                             "DELETE FROM reply WHERE reply IN (SELECT reply FROM reply WHERE world=?1 LIMIT ?2)", "uu",
                             sweep->world, (uint64_t)SWEEP_ROWS);
        *deleted += code == SQLITE_OK ? (uint64_t)sqlite3_changes(connection->db) : 0;
    }
    return code;
}

// Deletes a few rows of the oldest sweep; when none is left, the sweep itself.
static int sweep_some(struct store *store, bool *more, uint64_t *entries) {
    struct store_connection *connection = &store->connection;
    struct sweep sweep = {0};
    uint64_t others = 0;
    int code = first_sweep(connection, &sweep, more);
    if (code != SQLITE_OK || !*more) {
        return code;
    }
    code = store_begin_transaction(store);
    if (code == SQLITE_OK) {
        code = sweep_log(connection, &sweep, entries);
    }
    if (code == SQLITE_OK) {
        code = sweep_rest(connection, &sweep, &others);
    }
    if (code == SQLITE_OK && *entries + others == 0) {
        code = store_execute(connection, "DELETE FROM sweep WHERE sweep=?1", "u", sweep.sweep);
    }
    return code == SQLITE_OK ? store_commit_transaction(store) : code;
}

// ---- replies, free pages, checkpoints -------------------------------------------------------------------------------

static int trim_replies(struct store *store) {
    const uint64_t now = store_uptime_ms(store);
    uint64_t oldest = 0;
    bool found = false;
    struct store_connection *connection = &store->connection;
    int code = store_fetch(connection, &oldest, &found, "SELECT reply FROM reply ORDER BY reply LIMIT 1", "");
    if (code != SQLITE_OK || !found || now < STORE_REPLY_AGE_MS) {
        return code;
    }
    uint64_t old = 0;
    code = store_fetch(connection, &old, &found, "SELECT 1 FROM reply WHERE reply=?1 AND saved_ms<?2", "uu", oldest,
                       now - STORE_REPLY_AGE_MS);
    if (code != SQLITE_OK || !found) {
        return code;
    }
    return store_execute(connection, "DELETE FROM reply WHERE reply<?1 AND saved_ms<?2", "uu", oldest + SWEEP_ROWS,
                         now - STORE_REPLY_AGE_MS);
}

// Returns free pages to the file system when there are many.
static int vacuum_some(struct store *store, bool *more) {
    uint64_t pages = 0, free_pages = 0;
    bool found = false;
    struct store_connection *connection = &store->connection;
    int code = store_fetch(connection, &pages, &found, "PRAGMA page_count", "");
    if (code == SQLITE_OK) {
        code = store_fetch(connection, &free_pages, &found, "PRAGMA freelist_count", "");
    }
    *more = code == SQLITE_OK && free_pages > VACUUM_PAGES_MIN && free_pages * 4 > pages;
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
        return SQLITE_OK;
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

uint32_t store_maintain(struct store *store, struct store_compaction *compaction, uint64_t *entries) {
    struct fault fault;
    bool more = false;
    int code = checkpoint(store);
    if (code == SQLITE_OK) {
        code = sweep_some(store, &more, entries);
    }
    if (code == SQLITE_OK && !more) {
        code = trim_replies(store);
    }
    if (code == SQLITE_OK && !more) {
        code = vacuum_some(store, &more);
    }
    const uint64_t now = store_monotonic_ms();
    if (code == SQLITE_OK && !more && now >= store->next_compaction_ms) {
        code = store_compact(store, compaction, &fault) == RESULT_OK ? SQLITE_OK : SQLITE_ERROR;
        more = compaction->happened; // more can be compacted once these rows are deleted
        store->next_compaction_ms = more ? now : now + COMPACTION_MS;
    }
    if (code != SQLITE_OK) {
        store_rollback(store);
        return RETRY_MS; // a failing disk is noticed by the next commit
    }
    return more ? MORE_MS : IDLE_MS;
}
