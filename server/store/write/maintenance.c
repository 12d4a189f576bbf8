// SPDX-License-Identifier: MIT
#include "store/write/maintenance.h"

#include "store/database/clock.h"
#include "store/database/engine.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/store_state.h"
#include "store/write/claim.h"
#include "store/write/compact.h"

#define SWEEP_ROWS 200u    // deleted at a time
#define SWEEP_SNAPSHOTS 2u // deleted at a time
#define MORE_MS 5u         // until the next piece of work, if there is one
#define IDLE_MS 1000u
#define RETRY_MS 10000u     // after an error
#define COMPACTION_FAILED 1 // a code
#define COMPACTION_MS 2000u // between looks for history to compact

// A row of the table `sweep`: rows of a world that are to be deleted.
struct sweep {
    uint64_t sweep, world, timeline, sequence, tick, snapshot;
};

static int next_sweep(struct store_connection *connection, uint64_t after, struct sweep *sweep, bool *found) {
    int code = STORE_SQL_OK;
    struct store_rows *statement =
        store_query(connection, &code,
                    "SELECT sweep, world, timeline, sequence, tick, snapshot FROM sweep WHERE sweep>?1"
                    " ORDER BY sweep LIMIT 1",
                    "u", after);
    if (statement == NULL) {
        return code;
    }
    code = store_step(statement);
    *found = code == STORE_SQL_ROW;
    if (*found) {
        *sweep = (struct sweep){store_column(statement, 0), store_column(statement, 1), store_column(statement, 2),
                                store_column(statement, 3), store_column(statement, 4), store_column(statement, 5)};
    }
    return store_done(statement, code);
}

static int sweep_log(struct store_connection *connection, const struct sweep *sweep, uint64_t *deleted) {
    return store_execute_count(
        connection, deleted,
        "DELETE FROM entry WHERE (world, timeline, sequence) IN (SELECT world, timeline, sequence"
        " FROM entry WHERE world=?1 AND (timeline, sequence)<=(?2,?3)"
        " ORDER BY world, timeline, sequence LIMIT ?4)",
        "uuuu", sweep->world, sweep->timeline, sweep->sequence, (uint64_t)SWEEP_ROWS);
}

static int sweep_rest(struct store_connection *connection, const struct sweep *sweep, uint64_t *deleted) {
    uint64_t hashes = 0, snapshots = 0, replies = 0;
    int code =
        store_execute_count(connection, &hashes,
                            "DELETE FROM hash WHERE (world, timeline, tick) IN (SELECT world, timeline, tick FROM hash"
                            " WHERE world=?1 AND (timeline, tick)<(?2,?3) ORDER BY world, timeline, tick LIMIT ?4)",
                            "uuuu", sweep->world, sweep->timeline, sweep->tick, (uint64_t)SWEEP_ROWS);
    if (code == STORE_SQL_OK) {
        code =
            store_execute_count(connection, &snapshots,
                                "DELETE FROM snapshot WHERE snapshot IN (SELECT snapshot FROM snapshot WHERE world=?1"
                                " AND snapshot<?2 ORDER BY snapshot LIMIT ?3)",
                                "uuu", sweep->world, sweep->snapshot, (uint64_t)SWEEP_SNAPSHOTS);
    }
    if (code == STORE_SQL_OK && sweep->snapshot == (uint64_t)INT64_MAX) {
        code = store_execute_count(connection, &replies,
                                   "DELETE FROM reply WHERE reply IN (SELECT reply FROM reply WHERE world=?1 LIMIT ?2)",
                                   "uu", sweep->world, (uint64_t)SWEEP_ROWS);
    }
    *deleted = hashes + snapshots + replies;
    return code;
}

// Begins a transaction that deletes rows of a world that are due, and claims the world in it; rolled back unless the
// world is owned. In a shared database one node, which has the lock of the sweeps, deletes rows of all worlds: an owner
// has committed that they are due, or they are of yesterday, and that stays true under any owner.
static int begin_deletion(struct store *store, uint64_t world, bool *owned) {
    struct store_claim claim = {0};
    int code = store_begin_transaction(store);
    if (store->shared) {
        *owned = code == STORE_SQL_OK;
        return code;
    }
    if (code == STORE_SQL_OK) {
        code = store_claim_world(store, world, 0, &claim);
    }
    *owned = code == STORE_SQL_OK && claim.owned;
    if (!*owned) {
        store_rollback(store);
    }
    return code;
}

// Whether rows are due that another node has to delete.
static int wait_for_sweeps(struct store *store, bool *wait) {
    struct sweep sweep = {0};
    return next_sweep(&store->connection, 0, &sweep, wait);
}

// Deletes a few rows of the oldest sweep of an own world; when none is left, the sweep itself.
static int sweep_some(struct store *store, bool *more, uint64_t *entries) {
    struct store_connection *connection = &store->connection;
    struct sweep sweep = {0};
    uint64_t others = 0;
    bool owned = false;
    int code = next_sweep(connection, 0, &sweep, more);
    while (code == STORE_SQL_OK && *more) {
        code = begin_deletion(store, sweep.world, &owned);
        if (code != STORE_SQL_OK || owned) {
            break;
        }
        code = next_sweep(connection, sweep.sweep, &sweep, more);
    }
    if (code != STORE_SQL_OK || !*more) {
        return code;
    }
    code = sweep_log(connection, &sweep, entries);
    if (code == STORE_SQL_OK) {
        code = sweep_rest(connection, &sweep, &others);
    }
    if (code == STORE_SQL_OK && *entries + others == 0) {
        code = store_execute(connection, "DELETE FROM sweep WHERE sweep=?1", "u", sweep.sweep);
        if (code == STORE_SQL_OK && sweep.snapshot == (uint64_t)INT64_MAX) {
            code = store->engine->world_disown(store, sweep.world);
        }
    }
    return code == STORE_SQL_OK ? store_commit_transaction(store) : code;
}

// ---- replies -------------------------------------------------------------------------------

// The first reply after another one, of any world.
static int next_reply(struct store_connection *connection, uint64_t after, uint64_t old, uint64_t *reply,
                      uint64_t *world, bool *found) {
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_query(
        connection, &code, "SELECT reply, world, saved_ms<?2 FROM reply WHERE reply>?1 ORDER BY reply LIMIT 1", "uu",
        after, old);
    if (rows == NULL) {
        return code;
    }
    code = store_step(rows);
    *found = code == STORE_SQL_ROW && store_column(rows, 2) != 0;
    if (*found) {
        *reply = store_column(rows, 0);
        *world = store_column(rows, 1);
    }
    return store_done(rows, code);
}

// Deletes old replies of one world. Replies of worlds that other servers own are passed over.
static int trim_replies(struct store *store) {
    const uint64_t now = store_uptime_ms(store);
    struct store_connection *connection = &store->connection;
    uint64_t oldest = 0, world = 0;
    bool found = false, owned = false;
    if (now < STORE_REPLY_AGE_MS) {
        return STORE_SQL_OK;
    }
    const uint64_t old = now - STORE_REPLY_AGE_MS;
    int code = next_reply(connection, store->reply_passed, old, &oldest, &world, &found);
    if (code != STORE_SQL_OK || !found) {
        store->reply_passed = 0;
        return code;
    }
    code = begin_deletion(store, world, &owned);
    if (code != STORE_SQL_OK || !owned) {
        store->reply_passed = oldest;
        return code;
    }
    code = store_execute(connection, "DELETE FROM reply WHERE world=?1 AND reply>=?2 AND reply<?3 AND saved_ms<?4",
                         "uuuu", world, oldest, oldest + SWEEP_ROWS, old);
    return code == STORE_SQL_OK ? store_commit_transaction(store) : code;
}

uint32_t store_maintain(struct store *store, struct store_compaction *compaction, uint64_t *entries) {
    struct fault fault;
    bool more = false, wait = false; // the budget of bytes counts rows that are due as long as they are there
    int code = store->engine->tend(store);
    if (code == STORE_SQL_OK) {
        code = store->sweeps ? sweep_some(store, &more, entries) : wait_for_sweeps(store, &wait);
    }
    if (code == STORE_SQL_OK && store->sweeps && !more) {
        code = trim_replies(store);
    }
    if (code == STORE_SQL_OK && !more) {
        code = store->engine->reclaim(store, &more);
    }
    const uint64_t now = store_monotonic_ms();
    if (code == STORE_SQL_OK && !more && !wait && now >= store->next_compaction_ms) {
        code = store_compact(store, compaction, &fault) == RESULT_OK ? STORE_SQL_OK : COMPACTION_FAILED;
        more = compaction->happened && store->sweeps; // more can be compacted once these rows are deleted
        store->next_compaction_ms = more ? now : now + COMPACTION_MS;
    }
    if (code != STORE_SQL_OK) {
        store_rollback(store);
        return RETRY_MS; // a failing database is noticed by the next commit
    }
    return more ? MORE_MS : IDLE_MS;
}
