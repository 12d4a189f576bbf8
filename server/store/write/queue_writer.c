// SPDX-License-Identifier: MIT
#include "store/write/queue_writer.h"

#include <assert.h>
#include <stdlib.h>

#include "store/database/clock.h"
#include "store/database/engine.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/store_state.h"
#include "store/write/claim.h"
#include "store/write/world_log.h"
#include "store/write/write_queue.h"

static const char *take_text(const unsigned char **at, uint32_t length) {
    if (length == STORE_NO_TEXT) {
        return NULL;
    }
    const char *text = (const char *)*at;
    *at += (size_t)length + 1;
    return text;
}

// Unpacks a queued entry.
static struct store_entry unpack(const struct store_write_entry *head) {
    const unsigned char *at = (const unsigned char *)(head + 1);
    struct store_entry entry = {
        .tick = head->tick, .sequence = head->sequence, .kind = head->kind, .client = head->client};
    entry.session = take_text(&at, head->session_length);
    entry.request = take_text(&at, head->request_length);
    entry.reply = take_text(&at, head->reply_length);
    entry.reply_length = entry.reply == NULL ? 0 : head->reply_length;
    entry.record = (struct store_bytes){at, head->record_length};
    return entry;
}

static int write_reply(struct store *store, uint64_t world, const struct store_entry *entry) {
    const struct store_bytes bytes = {entry->reply, entry->reply_length};
    int code = store_execute(&store->connection,
                             "INSERT INTO reply(world, session, request, saved_ms, bytes)"
                             " VALUES(?1,?2,?3,?4,?5) ON CONFLICT DO NOTHING",
                             "uttub", world, entry->session, entry->request, store_uptime_ms(store), bytes);
    if (code != STORE_SQL_OK) {
        return code;
    }
    return store_execute(
        &store->connection,
        "DELETE FROM reply WHERE world=?1 AND session=?2 AND reply<="
        "(SELECT reply FROM reply WHERE world=?1 AND session=?2 ORDER BY reply DESC LIMIT 1 OFFSET ?3)",
        "utu", world, entry->session, (uint64_t)STORE_REPLIES_MAX);
}

static int write_entry(struct store *store, const struct store_write *write, const struct store_entry *entry) {
    if (entry->sequence > 0) {
        const struct store_logged logged = {.timeline = write->timeline, .entry = *entry, .saved_ms = write->saved_ms};
        int code = store_execute(&store->connection, "INSERT INTO entry VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
                                 "uuuuuuttubu", write->world, (uint64_t)write->timeline, entry->sequence, entry->tick,
                                 (uint64_t)entry->kind, (uint64_t)entry->client, entry->session, entry->request,
                                 write->saved_ms, entry->record, store_entry_checksum(write->world, &logged));
        if (code != STORE_SQL_OK) {
            return code;
        }
    }
    return entry->reply == NULL ? STORE_SQL_OK : write_reply(store, write->world, entry);
}

static int write_hash(struct store *store, uint64_t world, const struct store_hash *hash) {
    return store_execute(&store->connection,
                         "INSERT INTO hash VALUES(?1,?2,?3,?4,?5,?6) ON CONFLICT(world, timeline, tick, sequence)"
                         " DO UPDATE SET hash=excluded.hash, checksum=excluded.checksum",
                         "uuuuuu", world, (uint64_t)hash->timeline, hash->tick, hash->sequence, hash->hash,
                         store_hash_checksum(world, hash));
}

static int write_snapshot(struct store *store, uint64_t world, const struct store_packed *packed) {
    const struct store_snapshot *head = &packed->head;
    const struct store_hash hash = {head->timeline, head->tick, head->sequence, head->hash};
    int code = store_execute(&store->connection,
                             "INSERT INTO snapshot(world, timeline, tick, sequence, hash, version, saved_ms,"
                             " state_size, extra_size, checksum, bytes) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
                             "uuuuuuuuuub", world, (uint64_t)head->timeline, head->tick, head->sequence, head->hash,
                             (uint64_t)head->version, head->saved_ms, packed->state_size, packed->extra_size,
                             store_snapshot_checksum(world, packed), packed->bytes);
    return code == STORE_SQL_OK ? write_hash(store, world, &hash) : code;
}

// Notes that a tick was done.
static void reach(struct store_timeline_row *row, uint64_t tick) {
    row->last_tick = tick > row->last_tick ? tick : row->last_tick;
}

static int write_entries(struct store *store, const struct store_write *write, struct store_timeline_row *row) {
    const unsigned char *at = (const unsigned char *)(write + 1);
    int code = STORE_SQL_OK;
    for (uint32_t i = 0; i < write->count && code == STORE_SQL_OK; i++) {
        const struct store_write_entry *head = (const struct store_write_entry *)(const void *)at;
        const struct store_entry entry = unpack(head);
        code = write_entry(store, write, &entry);
        if (entry.sequence > 0) {
            row->last_sequence = entry.sequence;
            reach(row, entry.tick - 1); // the entry was applied after that tick
        }
        at += head->size;
    }
    return code;
}

static int write_content(struct store *store, const struct store_write *write, struct store_timeline_row *row) {
    if (write->kind == STORE_WRITE_APPEND) {
        return write_entries(store, write, row);
    }
    if (write->kind == STORE_WRITE_HASH) {
        const struct store_hash hash = {write->timeline, write->tick, write->sequence, write->hash};
        reach(row, write->tick);
        return write_hash(store, write->world, &hash);
    }
    if (write->snapshot == NULL) {
        return STORE_SQL_OK; // STORE_WRITE_BEGIN with STORE_ORIGIN_EMPTY
    }
    reach(row, write->snapshot->head.tick);
    return write_snapshot(store, write->world, write->snapshot);
}

static struct store_timeline_row begin_row(const struct store_write *write) {
    const struct store_beginning *beginning = &write->beginning;
    return (struct store_timeline_row){
        .world = write->world,
        .timeline = write->timeline,
        .origin = beginning->origin,
        .parent_timeline = beginning->origin == STORE_ORIGIN_FORK ? beginning->parent_timeline : 0,
        .parent_sequence = beginning->origin == STORE_ORIGIN_FORK ? beginning->parent_sequence : 0,
        .began_tick = beginning->tick,
        .began_ms = write->saved_ms,
        .last_tick = beginning->tick,
        .physics = beginning->physics,
    };
}

static enum result write_one(struct store *store, const struct store_write *write, struct store_claim *claim,
                             struct fault *fault) {
    if (write->kind == STORE_WRITE_BEGIN) {
        claim->row = begin_row(write);
        claim->found = claim->intact = true;
    }
    if (!claim->intact) {
        return fault_set(fault, RESULT_DAMAGED, "",
                         claim->found ? "the row of timeline %u is damaged" : "timeline %u is missing",
                         write->timeline);
    }
    const int code = write_content(store, write, &claim->row);
    claim->changed = true;
    return code == STORE_SQL_OK ? RESULT_OK : store_sql_fault(fault, &store->connection, code, "writing to the store");
}

// ---- claims ---------------------------------------------------------------------------------------------------------

// The claims of the writes, each world and timeline once.
struct claims {
    struct store_claim *list;
    uint32_t count, capacity;
};

static int by_place(const void *a, const void *b) {
    const struct store_claim *first = a, *second = b;
    return first->world != second->world ? (first->world > second->world) - (first->world < second->world)
                                         : (first->timeline > second->timeline) - (first->timeline < second->timeline);
}

// Returns false when memory runs out.
static bool add_claim(struct claims *claims, const struct store_write *write) {
    const struct store_claim claim = {.world = write->world, .timeline = write->timeline};
    if (claims->count > 0 && by_place(&claims->list[claims->count - 1], &claim) == 0) {
        return true;
    }
    if (claims->count == claims->capacity) {
        const uint32_t capacity = claims->capacity == 0 ? 16 : 2 * claims->capacity;
        struct store_claim *list = realloc(claims->list, capacity * sizeof *list);
        if (list == NULL) {
            return false;
        }
        claims->list = list;
        claims->capacity = capacity;
    }
    claims->list[claims->count++] = claim;
    return true;
}

static void sort_claims(struct claims *claims) {
    uint32_t kept = 0;
    if (claims->count > 0) {
        qsort(claims->list, claims->count, sizeof *claims->list, by_place);
    }
    for (uint32_t i = 0; i < claims->count; i++) {
        if (kept == 0 || by_place(&claims->list[kept - 1], &claims->list[i]) != 0) {
            claims->list[kept++] = claims->list[i];
        }
    }
    claims->count = kept;
}

// Claims all worlds and fetches all timelines of the writes together: over a network each query costs a round trip.
// Sets the result of writes whose world was removed meanwhile.
static enum result claim_all(struct store *store, const struct store_queue *writes, struct claims *claims,
                             struct fault *fault) {
    bool complete = true;
    for (struct store_write *write = NULL; complete && (write = store_queue_next(writes, write)) != NULL;) {
        write->result = store_world_check(store, write->world, NULL);
        complete = write->result != RESULT_OK || add_claim(claims, write);
    }
    if (!complete) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for the store's queue");
    }
    sort_claims(claims);
    const int code = claims->count > 0 ? store->engine->claim(store, claims->list, claims->count) : STORE_SQL_OK;
    return code == STORE_SQL_OK ? RESULT_OK : store_sql_fault(fault, &store->connection, code, "writing to the store");
}

static enum result write_claimed(struct store *store, const struct store_queue *writes, struct claims *claims,
                                 struct fault *fault) {
    enum result result = RESULT_OK;
    for (struct store_write *write = NULL; result == RESULT_OK && (write = store_queue_next(writes, write)) != NULL;) {
        if (write->result != RESULT_OK) {
            continue;
        }
        const struct store_claim key = {.world = write->world, .timeline = write->timeline};
        assert(claims->list != NULL); // the list has a claim for each of these writes
        struct store_claim *claim = bsearch(&key, claims->list, claims->count, sizeof key, by_place);
        assert(claim != NULL);
        if (claim->owned) {
            result = write_one(store, write, claim, fault);
        } else {
            write->result = store_claim_lost(store, write->world, NULL);
        }
    }
    for (uint32_t i = 0; i < claims->count && result == RESULT_OK; i++) {
        if (claims->list[i].changed) {
            const int code = store_timeline_save(&store->connection, &claims->list[i].row);
            result = code == STORE_SQL_OK ? RESULT_OK
                                          : store_sql_fault(fault, &store->connection, code, "writing to the store");
        }
    }
    return result;
}

static enum result write_all(struct store *store, const struct store_queue *writes, struct fault *fault) {
    struct claims claims = {0};
    enum result result = claim_all(store, writes, &claims, fault);
    if (result == RESULT_OK) {
        result = write_claimed(store, writes, &claims, fault);
    }
    free(claims.list);
    return result;
}

// Runs before the transaction, since it may take seconds: PostgreSQL ends a transaction that stands still for so long.
static enum result compress_snapshots(const struct store_queue *writes, struct fault *fault) {
    for (struct store_write *write = NULL; (write = store_queue_next(writes, write)) != NULL;) {
        if (write->snapshot != NULL && !store_snapshot_compress(write->snapshot)) {
            return fault_set(fault, RESULT_MEMORY, "", "out of memory for a snapshot");
        }
    }
    return RESULT_OK;
}

enum result store_write_queue(struct store *store, const struct store_queue *writes, struct fault *fault) {
    enum result result = compress_snapshots(writes, fault);
    if (result != RESULT_OK) {
        return result;
    }
    int code = store_begin_transaction(store);
    if (code == STORE_SQL_OK) {
        result = write_all(store, writes, fault);
    }
    if (code == STORE_SQL_OK && result == RESULT_OK) {
        code = store_commit_transaction(store);
    }
    if (code != STORE_SQL_OK) {
        result = store_sql_fault(fault, &store->connection, code, "writing to the store");
    }
    if (result != RESULT_OK) {
        store_rollback(store);
    }
    return result;
}
