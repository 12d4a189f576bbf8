// SPDX-License-Identifier: MIT
// A checksum is the XXH64 of all that the row holds, in the order below: numbers as eight little-endian bytes, texts
// and bytes after their length. SQLite has no checksums of its own: a bit that flips on the disk would otherwise enter
// the world unseen.
#include "store/database/row.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "store/database/sql.h"
#include "store/store_state.h"

static void add_bytes(struct hash64 *hash, const void *data, size_t size) {
    hash64_update_u64(hash, size);
    hash64_update(hash, data, size);
}

static void add_text(struct hash64 *hash, const char *text) {
    if (text == NULL) {
        hash64_update_u64(hash, UINT64_MAX);
    } else {
        add_bytes(hash, text, strlen(text));
    }
}

static void add_numbers(struct hash64 *hash, const uint64_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hash64_update_u64(hash, numbers[i]);
    }
}

uint64_t store_entry_checksum(uint64_t world, const struct store_logged *logged) {
    const struct store_entry *entry = &logged->entry;
    const uint64_t numbers[] = {world,       logged->timeline, entry->sequence, entry->tick,
                                entry->kind, entry->client,    logged->saved_ms};
    struct hash64 hash;
    hash64_init(&hash, 1);
    add_numbers(&hash, numbers, sizeof numbers / sizeof numbers[0]);
    add_text(&hash, entry->session);
    add_text(&hash, entry->request);
    add_bytes(&hash, entry->record.data, entry->record.size);
    return hash64_digest(&hash);
}

uint64_t store_snapshot_checksum(uint64_t world, const struct store_packed *packed) {
    const struct store_snapshot *head = &packed->head;
    const uint64_t numbers[] = {world,         head->timeline, head->tick,         head->sequence,    head->hash,
                                head->version, head->saved_ms, packed->state_size, packed->extra_size};
    struct hash64 hash;
    hash64_init(&hash, 2);
    add_numbers(&hash, numbers, sizeof numbers / sizeof numbers[0]);
    add_bytes(&hash, packed->bytes.data, packed->bytes.size);
    return hash64_digest(&hash);
}

uint64_t store_hash_checksum(uint64_t world, const struct store_hash *row) {
    const uint64_t numbers[] = {world, row->timeline, row->tick, row->sequence, row->hash};
    struct hash64 hash;
    hash64_init(&hash, 3);
    add_numbers(&hash, numbers, sizeof numbers / sizeof numbers[0]);
    return hash64_digest(&hash);
}

uint64_t store_world_checksum(const struct store_world *world) {
    const uint64_t numbers[] = {world->created_ms, world->parent, world->parent_timeline, world->parent_tick};
    struct hash64 hash;
    hash64_init(&hash, 6);
    add_numbers(&hash, numbers, sizeof numbers / sizeof numbers[0]);
    add_text(&hash, world->name);
    add_bytes(&hash, world->settings.data, world->settings.size);
    return hash64_digest(&hash);
}

// ---- timelines ------------------------------------------------------------------------------------------------------

static uint64_t timeline_checksum(const struct store_timeline_row *row) {
    const uint64_t numbers[] = {row->world,           row->timeline,           row->origin,
                                row->parent_timeline, row->parent_sequence,    row->began_tick,
                                row->began_ms,        row->last_sequence,      row->last_tick,
                                row->compacted,       row->compacted_sequence, row->compacted_tick};
    struct hash64 hash;
    hash64_init(&hash, 4);
    add_numbers(&hash, numbers, sizeof numbers / sizeof numbers[0]);
    if (row->physics != 1) { // rows of schema 1 have no such column
        hash64_update_u64(&hash, row->physics);
    }
    return hash64_digest(&hash);
}

bool store_timeline_read(const struct store_rows *rows, struct store_timeline_row *row) {
    *row = (struct store_timeline_row){
        .world = store_column(rows, 0),
        .timeline = (uint32_t)store_column(rows, 1),
        .origin = (enum store_origin)store_column(rows, 2),
        .parent_timeline = (uint32_t)store_column(rows, 3),
        .parent_sequence = store_column(rows, 4),
        .began_tick = store_column(rows, 5),
        .began_ms = store_column(rows, 6),
        .last_sequence = store_column(rows, 7),
        .last_tick = store_column(rows, 8),
        .compacted = store_column(rows, 9) != 0,
        .compacted_sequence = store_column(rows, 10),
        .compacted_tick = store_column(rows, 11),
        .physics = (uint32_t)store_column(rows, 13),
    };
    return store_column(rows, 12) == timeline_checksum(row) && row->origin < STORE_ORIGIN_COUNT;
}

int store_timeline_fetch(struct store_connection *connection, uint64_t world, uint32_t timeline,
                         struct store_timeline_row *row, bool *found, bool *intact) {
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_query(connection, &code,
                                          "SELECT " STORE_TIMELINE_COLUMNS " FROM timeline"
                                          " WHERE world=?1 AND (timeline=?2 OR ?2=0) ORDER BY timeline DESC LIMIT 1",
                                          "uu", world, (uint64_t)timeline);
    *found = *intact = false;
    if (rows == NULL) {
        return code;
    }
    code = store_step(rows);
    *found = code == STORE_SQL_ROW;
    *intact = *found && store_timeline_read(rows, row);
    return store_done(rows, code);
}

enum result store_timeline_load(struct store_connection *connection, uint64_t world, uint32_t timeline,
                                struct store_timeline_row *row, struct fault *fault) {
    struct store_timeline_row read = {0};
    bool found = false, intact = false;
    const int code = store_timeline_fetch(connection, world, timeline, &read, &found, &intact);
    if (code != STORE_SQL_OK) {
        return store_sql_fault(fault, connection, code, "reading a timeline");
    }
    if (!found) {
        return fault_set(fault, RESULT_NOT_FOUND, "/timeline", "the history has no timeline %u", timeline);
    }
    if (!intact) {
        return fault_set(fault, RESULT_DAMAGED, "", "the row of timeline %u is damaged", read.timeline);
    }
    *row = read;
    return RESULT_OK;
}

int store_timeline_save(struct store_connection *connection, const struct store_timeline_row *row) {
    return store_execute(connection,
                         "INSERT INTO timeline(" STORE_TIMELINE_COLUMNS ")"
                         " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14) ON CONFLICT(world, timeline)"
                         " DO UPDATE SET origin=excluded.origin, parent_timeline=excluded.parent_timeline,"
                         " parent_sequence=excluded.parent_sequence, began_tick=excluded.began_tick,"
                         " began_ms=excluded.began_ms, last_sequence=excluded.last_sequence,"
                         " last_tick=excluded.last_tick, folded=excluded.folded,"
                         " folded_sequence=excluded.folded_sequence, folded_tick=excluded.folded_tick,"
                         " checksum=excluded.checksum, physics=excluded.physics",
                         "uuuuuuuuuuuuuu", row->world, (uint64_t)row->timeline, (uint64_t)row->origin,
                         (uint64_t)row->parent_timeline, row->parent_sequence, row->began_tick, row->began_ms,
                         row->last_sequence, row->last_tick, (uint64_t)row->compacted, row->compacted_sequence,
                         row->compacted_tick, timeline_checksum(row), (uint64_t)row->physics);
}

// ---- entries --------------------------------------------------------------------------------------------------------

static size_t text_size(const char *text) {
    return text == NULL ? 0 : strlen(text) + 1;
}

static char *copy_text(char **to, const char *text) {
    const size_t size = text_size(text);
    if (size == 0) {
        return NULL;
    }
    char *copy = memcpy(*to, text, size);
    *to += size;
    return copy;
}

enum result store_entry_copy(const struct store_rows *statement, struct store_logged *logged, uint64_t *checksum,
                             struct fault *fault) {
    const char *session = store_column_text(statement, 5);
    const char *request = store_column_text(statement, 6);
    const struct store_bytes record = store_column_bytes(statement, 8);
    const bool complete = !store_out_of_memory(statement);
    char *copy = malloc(record.size + text_size(session) + text_size(request) + 1);
    if (copy == NULL || !complete) {
        free(copy);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for the history");
    }
    *logged = (struct store_logged){
        .timeline = (uint32_t)store_column(statement, 0),
        .entry = {.sequence = store_column(statement, 1),
                  .tick = store_column(statement, 2),
                  .kind = (uint32_t)store_column(statement, 3),
                  .client = (uint32_t)store_column(statement, 4),
                  .record = {copy, record.size}},
        .saved_ms = store_column(statement, 7),
    };
    if (record.size > 0) {
        memcpy(copy, record.data, record.size);
    }
    char *texts = copy + record.size;
    logged->entry.session = copy_text(&texts, session);
    logged->entry.request = copy_text(&texts, request);
    *checksum = store_column(statement, 9);
    return RESULT_OK;
}
