// SPDX-License-Identifier: MIT
// Numbers of worlds are a store's own, and are part of each row's checksum: the copy has checksums of its own. So the
// hash that is compared is of the rows as they would be in world 0. Snapshots and replies keep their order, not their
// row numbers. Rows that maintenance is to delete are not copied.
#include "store/copy/store_copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "store/database/clock.h"
#include "store/database/engine.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/store.h"
#include "store/store_state.h"
#include "store/write/catalog.h"
#include "store/write/thread.h"

#define PAGE 1000u        // entries that are read at a time
#define REPORT_ROWS 5000u // between two reports

struct copy {
    struct store *to;
    struct store_connection *reader; // of the store that is read
    struct store_connection *writer; // NULL: the rows are only read, and hashed
    uint64_t world, new_world;       // in the store that is read, and in the other one
    struct store_copy_progress progress;
    void (*report)(void *user, const struct store_copy_progress *progress);
    void *user;
    struct hash64 hash;
    struct fault *fault;
};

static enum result read_fault(const struct copy *copy, int code) {
    return store_sql_fault(copy->fault, copy->reader, code, "reading the store");
}

static enum result write_fault(const struct copy *copy, int code) {
    return code == STORE_SQL_OK ? RESULT_OK : store_sql_fault(copy->fault, copy->writer, code, "writing the copy");
}

static enum result damaged(const struct copy *copy, const char *what, uint64_t number, uint32_t timeline) {
    return fault_set(copy->fault, RESULT_DAMAGED, "",
                     "%s: %s %llu of timeline %u does not have its checksum: weftctl salvage recovers what is intact",
                     copy->progress.name, what, (unsigned long long)number, timeline);
}

static void count(struct copy *copy, uint64_t checksum, size_t bytes) {
    hash64_update_u64(&copy->hash, checksum);
    copy->progress.bytes += bytes;
    if (++copy->progress.rows % REPORT_ROWS == 0 && copy->writer != NULL) {
        copy->report(copy->user, &copy->progress);
    }
}

// ---- timelines and entries ------------------------------------------------------------------------------------------

static enum result copy_entry(struct copy *copy, const struct store_rows *rows, uint64_t *sequence) {
    struct store_logged logged = {0};
    uint64_t checksum = 0;
    enum result result = store_entry_copy(rows, &logged, &checksum, copy->fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_entry *entry = &logged.entry;
    *sequence = entry->sequence;
    if (checksum != store_entry_checksum(copy->world, &logged)) {
        result = damaged(copy, "command", entry->sequence, logged.timeline);
    } else if (copy->writer != NULL) {
        result = write_fault(
            copy, store_execute(copy->writer, "INSERT INTO entry VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
                                "uuuuuuttubu", copy->new_world, (uint64_t)logged.timeline, entry->sequence, entry->tick,
                                (uint64_t)entry->kind, (uint64_t)entry->client, entry->session, entry->request,
                                logged.saved_ms, entry->record, store_entry_checksum(copy->new_world, &logged)));
    }
    count(copy, store_entry_checksum(0, &logged), entry->record.size);
    free((void *)entry->record.data);
    return result;
}

static enum result copy_page(struct copy *copy, uint32_t timeline, uint64_t *sequence, uint32_t *found) {
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_query(copy->reader, &code,
                                          "SELECT timeline, sequence, tick, kind, client, session, request, saved_ms,"
                                          " record, checksum FROM entry WHERE world=?1 AND timeline=?2 AND sequence>?3"
                                          " ORDER BY sequence LIMIT ?4",
                                          "uuuu", copy->world, (uint64_t)timeline, *sequence, (uint64_t)PAGE);
    if (rows == NULL) {
        return read_fault(copy, code);
    }
    enum result result = RESULT_OK;
    *found = 0;
    while (result == RESULT_OK && (code = store_step(rows)) == STORE_SQL_ROW) {
        result = copy_entry(copy, rows, sequence);
        ++*found;
    }
    code = store_done(rows, code);
    return result == RESULT_OK && code != STORE_SQL_OK ? read_fault(copy, code) : result;
}

static enum result copy_timeline(struct copy *copy, uint32_t timeline) {
    struct store_timeline_row row = {0};
    enum result result = store_timeline_load(copy->reader, copy->world, timeline, &row, copy->fault);
    uint64_t sequence = row.compacted ? row.compacted_sequence : 0;
    for (uint32_t found = PAGE; result == RESULT_OK && found == PAGE;) {
        result = copy_page(copy, timeline, &sequence, &found);
    }
    if (result == RESULT_OK && sequence < row.last_sequence) {
        return fault_set(copy->fault, RESULT_DAMAGED, "",
                         "%s: command %llu of timeline %u is missing: weftctl salvage recovers what is intact",
                         copy->progress.name, (unsigned long long)sequence + 1, timeline);
    }
    row.world = copy->new_world;
    if (result == RESULT_OK && copy->writer != NULL) {
        result = write_fault(copy, store_timeline_save(copy->writer, &row));
    }
    count(copy, row.last_sequence ^ row.last_tick << 20 ^ (uint64_t)timeline << 48, 0);
    return result;
}

static enum result copy_timelines(struct copy *copy) {
    uint64_t timeline = 0;
    bool found = true;
    enum result result = RESULT_OK;
    while (result == RESULT_OK && found) {
        const int code = store_fetch(copy->reader, &timeline, &found,
                                     "SELECT min(timeline) FROM timeline WHERE world=?1 AND timeline>?2", "uu",
                                     copy->world, timeline);
        result = code != STORE_SQL_OK ? read_fault(copy, code)
                 : found              ? copy_timeline(copy, (uint32_t)timeline)
                                      : RESULT_OK;
    }
    return result;
}

// ---- snapshots, hashes, replies -------------------------------------------------------------------------------------

static enum result copy_snapshot(struct copy *copy, uint64_t number) {
    struct store_packed packed = {0};
    uint64_t checksum = 0;
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_snapshot_query(copy->reader, number, &packed, &checksum, &code);
    if (rows == NULL) {
        return read_fault(copy, code);
    }
    const struct store_snapshot *head = &packed.head;
    enum result result = RESULT_OK;
    if (code != STORE_SQL_ROW) {
        code = store_done(rows, code);
        return code != STORE_SQL_OK ? read_fault(copy, code) : damaged(copy, "the snapshot in row", number, 0);
    }
    if (checksum != store_snapshot_checksum(copy->world, &packed)) {
        result = damaged(copy, "the snapshot of tick", head->tick, head->timeline);
    } else if (copy->writer != NULL) {
        result = write_fault(
            copy, store_execute(copy->writer,
                                "INSERT INTO snapshot(world, timeline, tick, sequence, hash, version, saved_ms,"
                                " state_size, extra_size, checksum, bytes) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
                                "uuuuuuuuuub", copy->new_world, (uint64_t)head->timeline, head->tick, head->sequence,
                                head->hash, (uint64_t)head->version, head->saved_ms, packed.state_size,
                                packed.extra_size, store_snapshot_checksum(copy->new_world, &packed), packed.bytes));
    }
    count(copy, store_snapshot_checksum(0, &packed), packed.bytes.size);
    code = store_done(rows, code);
    return result == RESULT_OK && code != STORE_SQL_OK ? read_fault(copy, code) : result;
}

static enum result copy_snapshots(struct copy *copy) {
    uint64_t number = 0;
    bool found = true;
    enum result result = RESULT_OK;
    while (result == RESULT_OK && found) {
        const int code = store_fetch(copy->reader, &number, &found,
                                     "SELECT min(snapshot) FROM snapshot WHERE world=?1 AND snapshot>?2 AND snapshot>="
                                     "coalesce((SELECT max(snapshot) FROM sweep WHERE world=?1), 0)",
                                     "uu", copy->world, number);
        result = code != STORE_SQL_OK ? read_fault(copy, code) : found ? copy_snapshot(copy, number) : RESULT_OK;
    }
    return result;
}

static enum result copy_hash(struct copy *copy, const struct store_rows *rows) {
    const struct store_hash hash = {(uint32_t)store_column(rows, 0), store_column(rows, 1), store_column(rows, 2),
                                    store_column(rows, 3)};
    if (store_column(rows, 4) != store_hash_checksum(copy->world, &hash)) {
        return damaged(copy, "the hash of tick", hash.tick, hash.timeline);
    }
    count(copy, store_hash_checksum(0, &hash), 0);
    return copy->writer == NULL
               ? RESULT_OK
               : write_fault(copy, store_execute(copy->writer, "INSERT INTO hash VALUES(?1,?2,?3,?4,?5,?6)", "uuuuuu",
                                                 copy->new_world, (uint64_t)hash.timeline, hash.tick, hash.sequence,
                                                 hash.hash, store_hash_checksum(copy->new_world, &hash)));
}

static enum result copy_reply(struct copy *copy, const struct store_rows *rows) {
    const char *session = store_column_text(rows, 0), *request = store_column_text(rows, 1);
    const struct store_bytes bytes = store_column_bytes(rows, 2);
    if (session == NULL || request == NULL) {
        return fault_set(copy->fault, RESULT_MEMORY, "", "out of memory for a reply");
    }
    count(copy, hash64_of(bytes.data, bytes.size, hash64_of(request, strlen(request), 0)), bytes.size);
    return copy->writer == NULL
               ? RESULT_OK
               : write_fault(copy, store_execute(copy->writer,
                                                 "INSERT INTO reply(world, session, request, saved_ms, bytes)"
                                                 " VALUES(?1,?2,?3,?4,?5)",
                                                 "uttub", copy->new_world, session, request, store_uptime_ms(copy->to),
                                                 bytes));
}

static enum result copy_each(struct copy *copy, const char *text,
                             enum result (*one)(struct copy *copy, const struct store_rows *rows)) {
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_query(copy->reader, &code, text, "u", copy->world);
    if (rows == NULL) {
        return read_fault(copy, code);
    }
    enum result result = RESULT_OK;
    while (result == RESULT_OK && (code = store_step(rows)) == STORE_SQL_ROW) {
        result = one(copy, rows);
    }
    code = store_done(rows, code);
    return result == RESULT_OK && code != STORE_SQL_OK ? read_fault(copy, code) : result;
}

// Reads all rows of a world, hashes them, and writes them if there is a writer.
static enum result copy_rows(struct copy *copy) {
    hash64_init(&copy->hash, 0);
    copy->progress.rows = copy->progress.bytes = 0;
    enum result result = copy_timelines(copy);
    if (result == RESULT_OK) {
        result = copy_snapshots(copy);
    }
    if (result == RESULT_OK) {
        result = copy_each(copy,
                           "SELECT timeline, tick, sequence, hash, checksum FROM hash WHERE world=?1"
                           " ORDER BY timeline, tick, sequence",
                           copy_hash);
    }
    if (result == RESULT_OK) {
        result = copy_each(copy, "SELECT session, request, bytes FROM reply WHERE world=?1 ORDER BY reply", copy_reply);
    }
    return result;
}

// ---- worlds ---------------------------------------------------------------------------------------------------------

struct world_copy {
    struct copy copy;
    struct store *from;
    const struct store_world *original;
    uint64_t hash;
};

// Reads the copy again, in the transaction that has written it, and compares its hash.
static enum result verify(const struct copy *written, const char *name, uint64_t hash) {
    struct copy check = *written;
    check.writer = NULL;
    check.reader = written->writer;
    check.world = written->new_world;
    const enum result result = copy_rows(&check);
    return result == RESULT_OK && hash64_digest(&check.hash) != hash
               ? fault_set(check.fault, RESULT_DAMAGED, "", "%s: the copy differs from the original, and was discarded",
                           name)
               : result;
}

// Runs on the thread of the store that is written.
static enum result write_world(struct store *to, void *argument, struct fault *fault) {
    struct world_copy *world = argument;
    const struct store_world *given = world->original;
    struct copy *copy = &world->copy;
    bool made = false;
    copy->writer = &to->connection;
    copy->fault = fault;
    int code = store_begin_transaction(to);
    if (code == STORE_SQL_OK) {
        code = store_fetch(copy->writer, &copy->new_world, &made,
                           "INSERT INTO world(name, created_ms, parent, parent_timeline, parent_tick, settings,"
                           " checksum) VALUES(?1,?2,?3,?4,?5,?6,?7) RETURNING world",
                           "tuuuubu", given->name, given->created_ms, given->parent, (uint64_t)given->parent_timeline,
                           given->parent_tick, given->settings, store_world_checksum(given));
    }
    if (code == STORE_SQL_OK) {
        code = to->engine->world_own(to, copy->new_world);
    }
    enum result result = write_fault(copy, code);
    if (result == RESULT_OK) {
        result = copy_rows(copy);
    }
    if (result == RESULT_OK) {
        world->hash = hash64_digest(&copy->hash);
        result = verify(copy, given->name, world->hash);
    }
    if (result != RESULT_OK) {
        store_rollback(to);
        return result;
    }
    return store_end_transaction(to, STORE_SQL_OK, "writing the copy", fault);
}

static enum result count_rows(struct copy *copy) {
    static const char *const texts[] = {
        "SELECT count(*) FROM entry WHERE world=?1", "SELECT count(*) FROM hash WHERE world=?1",
        "SELECT count(*) FROM snapshot WHERE world=?1", "SELECT count(*) FROM reply WHERE world=?1",
        "SELECT count(*) FROM timeline WHERE world=?1"};
    int code = STORE_SQL_OK;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && code == STORE_SQL_OK; i++) {
        uint64_t rows = 0;
        bool found = false;
        code = store_fetch(copy->reader, &rows, &found, texts[i], "u", copy->world);
        copy->progress.rows_total += rows;
    }
    return code == STORE_SQL_OK ? RESULT_OK : read_fault(copy, code);
}

static enum result copy_world(struct world_copy *world, struct fault *fault) {
    struct copy *copy = &world->copy;
    struct store_connection reader = {0};
    enum result result = world->from->engine->reader_begin(world->from, &reader, fault);
    if (result != RESULT_OK) {
        return result;
    }
    copy->reader = &reader;
    copy->fault = fault;
    result = count_rows(copy);
    if (result == RESULT_OK) {
        struct store_job job = {.run = write_world, .argument = world, .fault = fault};
        result = store_run_job(copy->to, &job);
    }
    world->from->engine->reader_end(world->from, &reader);
    copy->reader = NULL;
    if (result == RESULT_OK) {
        copy->progress.hash = world->hash;
        copy->report(copy->user, &copy->progress);
    }
    return result;
}

// Refuses worlds that cannot be copied, before any world is copied.
static enum result check_worlds(const struct store_world *worlds, uint32_t count_from, const struct store_world *there,
                                uint32_t count_to, struct fault *fault) {
    for (uint32_t i = 0; i < count_from; i++) {
        if (worlds[i].damaged) {
            return fault_set(fault, RESULT_DAMAGED, "", "%s is damaged: %s: weftctl salvage recovers what is intact",
                             worlds[i].name, worlds[i].why.message);
        }
        for (uint32_t j = 0; j < count_to; j++) {
            if (strcmp(worlds[i].name, there[j].name) == 0) {
                return fault_set(fault, RESULT_STATE, "", "there is a world \"%s\" already in the store to copy to",
                                 worlds[i].name);
            }
        }
    }
    return count_from + count_to <= STORE_WORLDS_MAX
               ? RESULT_OK
               : fault_set(fault, RESULT_LIMIT, "", "a store may have %u worlds, these would be %u", STORE_WORLDS_MAX,
                           count_from + count_to);
}

static enum result copy_all(struct store *from, struct store *to,
                            void (*report)(void *user, const struct store_copy_progress *progress), void *user,
                            struct fault *fault) {
    struct store_world *worlds = NULL, *there = NULL;
    uint32_t count_from = 0, count_to = 0;
    enum result result = store_world_list(from, &worlds, &count_from, fault);
    if (result == RESULT_OK) {
        result = store_world_list(to, &there, &count_to, fault);
    }
    if (result == RESULT_OK) {
        result = check_worlds(worlds, count_from, there, count_to, fault);
    }
    uint64_t *numbers = calloc((size_t)count_from + 1, sizeof *numbers);
    if (result == RESULT_OK && numbers == NULL) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory for the worlds");
    }
    for (uint32_t i = 0; numbers != NULL && i < count_from && result == RESULT_OK; i++) {
        uint64_t parent = 0; // has a lower number, so it was copied before
        for (uint32_t j = 0; j < i; j++) {
            parent = worlds[j].world == worlds[i].parent ? numbers[j] : parent;
        }
        struct store_world original = worlds[i];
        original.parent = parent;
        struct world_copy world = {.copy = {.to = to,
                                            .world = worlds[i].world,
                                            .progress = {.name = original.name},
                                            .report = report,
                                            .user = user},
                                   .from = from,
                                   .original = &original};
        result = copy_world(&world, fault);
        numbers[i] = world.copy.new_world;
    }
    free(numbers);
    store_worlds_free(worlds, count_from);
    store_worlds_free(there, count_to);
    return result;
}

enum result store_copy(const struct store_options *from, const struct store_options *to,
                       void (*report)(void *user, const struct store_copy_progress *progress), void *user,
                       struct fault *fault) {
    struct store *source = NULL, *target = NULL;
    enum result result = store_open(from, &source, fault);
    if (result != RESULT_OK) {
        return result;
    }
    result = store_open(to, &target, fault);
    if (result == RESULT_OK) {
        result = copy_all(source, target, report, user, fault);
        store_close(target);
    }
    store_close(source);
    return result;
}
