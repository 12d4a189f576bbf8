// SPDX-License-Identifier: MIT
// Over the budget of age, the history before the newest snapshot of that age is deleted; over the budget of bytes, the
// history before the oldest snapshot that has any. First one transaction records in the timeline that the history
// begins there, and in the table `sweep` what is to be deleted; then maintenance deletes a few rows at a time, also
// after a restart. The snapshot is read and checked before anything is deleted because of it.
#include "store/write/compact.h"

#include <stdlib.h>

#include "base/log.h"
#include "store/database/clock.h"
#include "store/database/engine.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/store_state.h"
#include "store/write/claim.h"
#include "store/write/world_log.h"

// A snapshot that a history could begin with.
struct base {
    uint64_t snapshot, world, tick, sequence, saved_ms;
    uint32_t timeline;
};

// Runs a query that selects one snapshot of a world, out of those up to the last but one.
static int find_base(struct store_connection *connection, const char *text, uint64_t world, uint64_t bound,
                     struct base *base, bool *found) {
    int code = STORE_SQL_OK;
    struct store_rows *statement = store_query(connection, &code, text, "uu", world, bound);
    if (statement == NULL) {
        return code;
    }
    code = store_step(statement);
    *found = code == STORE_SQL_ROW;
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

// Whether there is any history before this snapshot.
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
    if (code != STORE_SQL_OK) {
        return store_sql_fault(fault, connection, code, "reading the timelines");
    }
    const uint64_t first_tick = row.compacted ? row.compacted_tick : row.began_tick;
    const uint64_t first_sequence = row.compacted ? row.compacted_sequence : 0;
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
    if (code != STORE_SQL_OK) {
        return store_sql_fault(fault, &store->connection, code, "looking for old history");
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
        if (code != STORE_SQL_OK) {
            return store_sql_fault(fault, &store->connection, code, "looking for old history");
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

// Measures the history, and compares it with the budget.
static enum result over_bytes(struct store *store, bool *over, struct fault *fault) {
    uint64_t bytes = 0;
    const int code = store->engine->used_bytes(store, &bytes);
    *over = store->budget.bytes > 0 && bytes > store->budget.bytes;
    if (code == STORE_SQL_OK) {
        pthread_mutex_lock(&store->mutex);
        store->figures.history_bytes = bytes;
        pthread_mutex_unlock(&store->mutex);
    }
    return code == STORE_SQL_OK ? RESULT_OK : store_sql_fault(fault, &store->connection, code, "measuring the store");
}

// Makes the history of a world begin with this snapshot, in a transaction that has claimed its timeline.
static int record_beginning(struct store *store, const struct base *base, struct store_timeline_row *row) {
    struct store_connection *connection = &store->connection;
    row->compacted = true;
    row->compacted_sequence = base->sequence;
    row->compacted_tick = base->tick;
    int code = store_execute(connection, "DELETE FROM timeline WHERE world=?1 AND timeline<?2", "uu", base->world,
                             (uint64_t)base->timeline);
    if (code == STORE_SQL_OK) {
        code = store_timeline_save(connection, row);
    }
    if (code == STORE_SQL_OK) {
        code = store_execute(
            connection, "INSERT INTO sweep(world, timeline, sequence, tick, snapshot) VALUES(?1,?2,?3,?4,?5)", "uuuuu",
            base->world, (uint64_t)base->timeline, base->sequence, base->tick, base->snapshot);
    }
    return code == STORE_SQL_OK ? store_commit_transaction(store) : code;
}

// The same, as a whole. On failure the history stays as it is, and the caller rolls back.
static enum result begin_history_at(struct store *store, const struct base *base, struct store_compaction *compaction,
                                    struct fault *fault) {
    struct store_snapshot snapshot = {0};
    struct store_claim claim = {0};
    enum result result = store_snapshot_load(&store->connection, base->snapshot, &snapshot, fault);
    if (result != RESULT_OK) {
        return result;
    }
    free((void *)snapshot.state.data);
    int code = store_begin_transaction(store);
    if (code == STORE_SQL_OK) {
        code = store_claim_world(store, base->world, base->timeline, &claim);
    }
    if (code == STORE_SQL_OK && !claim.owned) {
        return store_claim_lost(store, base->world, fault);
    }
    if (code == STORE_SQL_OK && !claim.intact) {
        return fault_set(fault, RESULT_DAMAGED, "", "the row of timeline %u is damaged", base->timeline);
    }
    if (code == STORE_SQL_OK) {
        code = record_beginning(store, base, &claim.row);
    }
    if (code != STORE_SQL_OK) {
        return store_sql_fault(fault, &store->connection, code, "compacting history");
    }
    *compaction = (struct store_compaction){
        .happened = true, .world = base->world, .timeline = base->timeline, .tick = base->tick};
    return RESULT_OK;
}

static bool is_here(struct store *store, uint64_t world) {
    pthread_mutex_lock(&store->mutex);
    const struct store_log *log = store_log_find(store, world);
    const bool here = log != NULL && !log->taken;
    pthread_mutex_unlock(&store->mutex);
    return here;
}

// The worlds of this server, except worlds that another server has taken, that have a snapshot saved up to `bound`, not
// their newest, with history before it: one query for all, since few worlds have one. The rows are not checked here.
// `worlds` has room for STORE_WORLDS_MAX.
static int list_candidates(struct store *store, uint64_t bound, uint64_t *worlds, uint32_t *count) {
    int code = STORE_SQL_OK;
    struct store_rows *rows =
        store_query(&store->connection, &code,
                    "SELECT DISTINCT s.world FROM snapshot s JOIN timeline t ON t.world=s.world AND"
                    " t.timeline<=s.timeline WHERE s.saved_ms<=?1"
                    " AND s.snapshot<(SELECT max(n.snapshot) FROM snapshot n WHERE n.world=s.world)"
                    " AND (t.timeline<s.timeline"
                    " OR s.tick>CASE WHEN t.folded<>0 THEN t.folded_tick ELSE t.began_tick END"
                    " OR s.sequence>CASE WHEN t.folded<>0 THEN t.folded_sequence ELSE 0 END) ORDER BY s.world",
                    "u", bound);
    if (rows == NULL) {
        return code;
    }
    while ((code = store_step(rows)) == STORE_SQL_ROW) {
        const uint64_t world = store_column(rows, 0);
        if (*count < STORE_WORLDS_MAX && is_here(store, world)) {
            worlds[(*count)++] = world;
        }
    }
    return store_done(rows, code);
}

static enum result find_candidates(struct store *store, bool over, uint64_t *worlds, uint32_t *count,
                                   struct fault *fault) {
    const uint64_t now = store_steady_ms(store), age = store->budget.age_ms;
    *count = 0;
    if (!over && (age == 0 || age > now)) {
        return RESULT_OK;
    }
    const int code = list_candidates(store, over ? (uint64_t)INT64_MAX : now - age, worlds, count);
    return code == STORE_SQL_OK ? RESULT_OK
                                : store_sql_fault(fault, &store->connection, code, "looking for old history");
}

// The part of the history that is never deleted may exceed the budget. Logs once when that begins, and once when it
// ends.
static void note_budget(struct store *store, bool over) {
    pthread_mutex_lock(&store->mutex);
    const bool was_over = store->figures.over_budget;
    const uint64_t bytes = store->figures.history_bytes;
    store->figures.over_budget = over;
    pthread_mutex_unlock(&store->mutex);
    if (over && !was_over) {
        log_warn("store",
                 "the history takes %.1f MB, and --history allows %.1f MB: the two newest snapshots of each "
                 "world, and the commands after them, are never deleted",
                 (double)bytes / 1e6, (double)store->budget.bytes / 1e6);
    } else if (was_over && !over) {
        log_info("store", "the history takes %.1f MB, which --history allows", (double)bytes / 1e6);
    }
}

enum result store_compact(struct store *store, struct store_compaction *compaction, struct fault *fault) {
    uint64_t worlds[STORE_WORLDS_MAX];
    uint32_t count = 0;
    struct base best = {0}, base = {0};
    bool found = false, over = false;
    enum result result = over_bytes(store, &over, fault);
    if (result == RESULT_OK) {
        result = find_candidates(store, over, worlds, &count, fault);
    }
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        result = base_by_age(store, worlds[i], &base, &found, fault);
        if (result == RESULT_OK && found && begin_history_at(store, &base, compaction, fault) == RESULT_OK) {
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
        note_budget(store, over);
    }
    return result == RESULT_OK && best.world != 0 ? begin_history_at(store, &best, compaction, fault) : result;
}
