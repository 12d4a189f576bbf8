// SPDX-License-Identifier: MIT
// Upkeep: history on a budget. What lies before a snapshot that is old enough (or, over the budget of bytes, before the
// oldest one that has anything before it) is folded into it: in one transaction history is said to begin there and
// what is to go is noted in `sweep`; then it goes a few rows at a time, between two commits, also after a restart. The
// snapshot is read and checked before anything is let go for it.
#include <sqlite3.h>
#include <stdlib.h>

#include "base/log.h"
#include "store/store_internal.h"

#define SWEEP_ROWS 200u    // at a time
#define SWEEP_SNAPSHOTS 2u // at a time
#define VACUUM_PAGES_MIN 256u
#define BUSY_MS 5u // until the next piece, when there is one
#define IDLE_MS 1000u
#define RETRY_MS 10000u // after an error
#define PLAN_MS 2000u   // how often it is looked for what to fold

// ---- sweeping
// ------------------------------------------------------------------------------------------------------------------

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

// A few rows of the oldest sweep, or the end of it.
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

// ---- where history may begin
// ---------------------------------------------------------------------------------------------------

struct base {
    uint64_t snapshot, world, tick, sequence, saved_ms;
    uint32_t timeline;
};

// The first of a world's snapshots, in the order of `text`, of up to the last but one.
static int find_base(struct store_connection *connection, const char *text, uint64_t world, uint64_t bound,
                     struct base *base, bool *found) {
    int code = SQLITE_OK;
    sqlite3_stmt *statement = store_query(connection, &code, text, "uu", world, bound);
    if (statement == NULL) {
        return code;
    }
    code = sqlite3_step(statement);
    *found = code == SQLITE_ROW;
    if (*found) {
        *base = (struct base){.snapshot = store_column(statement, 0),
                              .world = world,
                              .timeline = (uint32_t)store_column(statement, 1),
                              .tick = store_column(statement, 2),
                              .sequence = store_column(statement, 3),
                              .saved_ms = store_column(statement, 4)};
    }
    return store_done(statement, code);
}

#define BEFORE_THE_NEWEST                                                                                              \
    " snapshot<=(SELECT snapshot FROM snapshot WHERE world=?1 ORDER BY snapshot DESC LIMIT 1 OFFSET 1)"
#define COLUMNS "SELECT snapshot, timeline, tick, sequence, saved_ms FROM snapshot WHERE world=?1 AND"

// Whether there is any history before this snapshot that its world could do without.
static enum result has_past(struct store_connection *connection, const struct base *base, bool *past,
                            struct fault *fault) {
    struct store_timeline_row row = {0};
    uint64_t older = 0;
    bool found = false;
    enum result result = store_timeline_load(connection, base->world, base->timeline, &row, fault);
    if (result != RESULT_OK) {
        return result;
    }
    int code = store_fetch(connection, &older, &found, "SELECT 1 FROM timeline WHERE world=?1 AND timeline<?2 LIMIT 1",
                           "uu", base->world, (uint64_t)base->timeline);
    if (code != SQLITE_OK) {
        return store_sql_fault(fault, connection->db, code, "reading the timelines");
    }
    const uint64_t first_tick = row.folded ? row.folded_tick : row.began_tick;
    const uint64_t first_sequence = row.folded ? row.folded_sequence : 0;
    *past = found || base->tick > first_tick || base->sequence > first_sequence;
    return RESULT_OK;
}

// The newest snapshot that is older than the budget.
static enum result base_by_age(struct store *store, uint64_t world, struct base *base, bool *found,
                               struct fault *fault) {
    const uint64_t now = store_steady_ms(store), age = store->budget.age_ms;
    *found = false;
    if (age == 0 || age > now) {
        return RESULT_OK;
    }
    int code =
        find_base(&store->connection, COLUMNS BEFORE_THE_NEWEST " AND saved_ms<=?2 ORDER BY snapshot DESC LIMIT 1",
                  world, now - age, base, found);
    if (code != SQLITE_OK) {
        return store_sql_fault(fault, store->connection.db, code, "looking for old history");
    }
    return *found ? has_past(&store->connection, base, found, fault) : RESULT_OK;
}

// The oldest snapshot that has anything before it.
static enum result base_by_bytes(struct store *store, uint64_t world, struct base *base, bool *found,
                                 struct fault *fault) {
    uint64_t after = 0;
    for (;;) {
        int code = find_base(&store->connection, COLUMNS BEFORE_THE_NEWEST " AND snapshot>?2 ORDER BY snapshot LIMIT 1",
                             world, after, base, found);
        if (code != SQLITE_OK) {
            return store_sql_fault(fault, store->connection.db, code, "looking for old history");
        }
        if (!*found) {
            return RESULT_OK;
        }
        after = base->snapshot;
        enum result result = has_past(&store->connection, base, found, fault);
        if (result != RESULT_OK || *found) {
            return result;
        }
    }
}

static enum result over_bytes(struct store *store, bool *over, struct fault *fault) {
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
    *over = store->budget.bytes > 0 && (pages - free_pages) * page > store->budget.bytes;
    if (code == SQLITE_OK) {
        pthread_mutex_lock(&store->mutex);
        store->figures.history_bytes = (pages - free_pages) * page;
        pthread_mutex_unlock(&store->mutex);
    }
    return code == SQLITE_OK ? RESULT_OK : store_sql_fault(fault, connection->db, code, "measuring the store");
}

// ---- folding
// -------------------------------------------------------------------------------------------------------------------

static enum result fold(struct store *store, const struct base *base, struct store_fold *fold, struct fault *fault) {
    struct store_connection *connection = &store->connection;
    struct store_snapshot snapshot = {0};
    struct store_timeline_row row = {0};
    enum result result = store_snapshot_load(connection, base->snapshot, &snapshot, fault);
    if (result == RESULT_OK) {
        free((void *)snapshot.state.data);
        result = store_timeline_load(connection, base->world, base->timeline, &row, fault);
    }
    if (result != RESULT_OK) {
        return result; // history stays as long as it is
    }
    row.folded = true;
    row.folded_sequence = base->sequence;
    row.folded_tick = base->tick;
    int code = store_begin_transaction(store);
    if (code == SQLITE_OK) {
        code = store_execute(connection, "DELETE FROM timeline WHERE world=?1 AND timeline<?2", "uu", base->world,
                             (uint64_t)base->timeline);
    }
    if (code == SQLITE_OK) {
        code = store_timeline_keep(connection, &row);
    }
    if (code == SQLITE_OK) {
        code = store_execute(
            connection, "INSERT INTO sweep(world, timeline, sequence, tick, snapshot) VALUES(?1,?2,?3,?4,?5)", "uuuuu",
            base->world, (uint64_t)base->timeline, base->sequence, base->tick, base->snapshot);
    }
    if (code == SQLITE_OK) {
        code = store_commit_transaction(store);
    }
    if (code != SQLITE_OK) {
        return store_sql_fault(fault, connection->db, code, "folding history");
    }
    *fold = (struct store_fold){.happened = true, .world = base->world, .timeline = base->timeline, .tick = base->tick};
    return RESULT_OK;
}

// The numbers of all worlds; `worlds` has room for STORE_WORLDS_MAX.
static uint32_t copy_worlds(struct store *store, uint64_t *worlds) {
    pthread_mutex_lock(&store->mutex);
    const uint32_t count = store->log_count;
    for (uint32_t i = 0; i < count; i++) {
        worlds[i] = store->logs[i].world;
    }
    pthread_mutex_unlock(&store->mutex);
    return count;
}

// The part of the history that is never folded may be more than the budget allows. Logs once when that begins, and once
// when it ends.
static void tell_budget(struct store *store, bool over) {
    pthread_mutex_lock(&store->mutex);
    const bool was_over = store->figures.over_budget;
    const uint64_t bytes = store->figures.history_bytes;
    store->figures.over_budget = over;
    pthread_mutex_unlock(&store->mutex);
    if (over && !was_over) {
        log_warn("store",
                 "the history takes %.1f MB, and --history allows %.1f MB: the two newest snapshots of each "
                 "world, and the commands after them, always stay",
                 (double)bytes / 1e6, (double)store->budget.bytes / 1e6);
    } else if (was_over && !over) {
        log_info("store", "the history takes %.1f MB, no more than --history allows", (double)bytes / 1e6);
    }
}

// Folds one world, if one is over a budget. A world that is damaged keeps all it has.
static enum result fold_one(struct store *store, struct store_fold *folded, struct fault *fault) {
    uint64_t worlds[STORE_WORLDS_MAX];
    const uint32_t count = copy_worlds(store, worlds);
    struct base best = {0}, base = {0};
    bool found = false, over = false;
    enum result result = over_bytes(store, &over, fault);
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        result = base_by_age(store, worlds[i], &base, &found, fault);
        if (result == RESULT_OK && found && fold(store, &base, folded, fault) == RESULT_OK) {
            return RESULT_OK;
        }
        store_rollback(store);
        if (result == RESULT_OK && over) {
            result = base_by_bytes(store, worlds[i], &base, &found, fault);
            best = result == RESULT_OK && found && (best.world == 0 || base.saved_ms < best.saved_ms) ? base : best;
        }
        result = result == RESULT_DAMAGED ? RESULT_OK : result;
    }
    if (result == RESULT_OK && (!over || best.world == 0)) {
        tell_budget(store, over);
    }
    return result == RESULT_OK && best.world != 0 ? fold(store, &best, folded, fault) : result;
}

// ---- the rest
// ------------------------------------------------------------------------------------------------------------------

static int trim_replies(struct store *store) {
    const uint64_t now = store_ran_ms(store);
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

// Gives free pages back to the file system when they are many.
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

// Copies the write-ahead log into the database when the log is long, when some time has passed, and when nothing is
// written for a while; in the last case the log is emptied as well. A commit that is in the database can no longer be
// lost by one wrong bit in the log.
static int checkpoint(struct store *store) {
    const uint64_t now = store_monotonic_us() / 1000;
    const bool idle = now >= store->commit_ms + STORE_IDLE_MS;
    if (store->wal_pages == 0 ||
        (store->wal_pages < STORE_CHECKPOINT_PAGES && !idle && now < store->checkpoint_ms + STORE_CHECKPOINT_MS)) {
        return SQLITE_OK;
    }
    const int mode = idle && !store->in_memory ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;
    store->wal_pages = 0;
    store->checkpoint_ms = now;
    (void)sqlite3_busy_timeout(store->connection.db, 0); // waits for no other connection
    int code = sqlite3_wal_checkpoint_v2(store->connection.db, NULL, mode, NULL, NULL);
    (void)sqlite3_busy_timeout(store->connection.db, STORE_BUSY_MS);
    store_mark_sync(store);
    return code == SQLITE_BUSY ? SQLITE_OK : code; // another connection reads: the next call tries again
}

uint32_t store_upkeep(struct store *store, struct store_fold *folded) {
    struct fault fault;
    bool more = false;
    int code = checkpoint(store);
    if (code == SQLITE_OK) {
        code = sweep_some(store, &more, &folded->entries);
    }
    if (code == SQLITE_OK && !more) {
        code = trim_replies(store);
    }
    if (code == SQLITE_OK && !more) {
        code = vacuum_some(store, &more);
    }
    const uint64_t now = store_monotonic_us() / 1000;
    if (code == SQLITE_OK && !more && now >= store->next_fold_ms) {
        code = fold_one(store, folded, &fault) == RESULT_OK ? SQLITE_OK : SQLITE_ERROR;
        more = folded->happened; // there may be more to fold, once this is swept
        store->next_fold_ms = more ? now : now + PLAN_MS;
    }
    if (code != SQLITE_OK) {
        store_rollback(store);
        return RETRY_MS; // whether the disk is well, commits tell
    }
    return more ? BUSY_MS : IDLE_MS;
}
