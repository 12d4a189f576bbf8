// SPDX-License-Identifier: MIT
// Rows and their checksums. A checksum is the XXH64 of all the row holds, in the order below, numbers as eight
// little-endian bytes, texts and bytes after their length. SQLite has none of its own: a bit that flips on the disk
// would otherwise go into the world unseen.
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "store/store_internal.h"

#define COMPRESSION_LEVEL 1 // positions hardly shrink further

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

// ---- timelines
// -----------------------------------------------------------------------------------------------------------------

static uint64_t timeline_checksum(const struct store_timeline_row *row) {
    const uint64_t numbers[] = {row->world,           row->timeline,   row->origin,          row->parent_timeline,
                                row->parent_sequence, row->began_tick, row->began_ms,        row->last_sequence,
                                row->last_tick,       row->folded,     row->folded_sequence, row->folded_tick};
    struct hash64 hash;
    hash64_init(&hash, 4);
    add_numbers(&hash, numbers, sizeof numbers / sizeof numbers[0]);
    if (row->physics != 1) { // rows of schema 1 had no such column
        hash64_update_u64(&hash, row->physics);
    }
    return hash64_digest(&hash);
}

static struct store_timeline_row read_timeline(sqlite3_stmt *statement, uint64_t *checksum) {
    *checksum = store_column(statement, 12);
    return (struct store_timeline_row){
        .world = store_column(statement, 0),
        .timeline = (uint32_t)store_column(statement, 1),
        .origin = (enum store_origin)store_column(statement, 2),
        .parent_timeline = (uint32_t)store_column(statement, 3),
        .parent_sequence = store_column(statement, 4),
        .began_tick = store_column(statement, 5),
        .began_ms = store_column(statement, 6),
        .last_sequence = store_column(statement, 7),
        .last_tick = store_column(statement, 8),
        .folded = store_column(statement, 9) != 0,
        .folded_sequence = store_column(statement, 10),
        .folded_tick = store_column(statement, 11),
        .physics = (uint32_t)store_column(statement, 13),
    };
}

enum result store_timeline_load(struct store_connection *connection, uint64_t world, uint32_t timeline,
                                struct store_timeline_row *row, struct fault *fault) {
    int code = SQLITE_OK;
    sqlite3_stmt *statement =
        store_query(connection, &code,
                    "SELECT world, timeline, origin, parent_timeline, parent_sequence, began_tick, began_ms,"
                    " last_sequence, last_tick, folded, folded_sequence, folded_tick, checksum, physics FROM timeline"
                    " WHERE world=?1 AND (timeline=?2 OR ?2=0) ORDER BY timeline DESC LIMIT 1",
                    "uu", world, (uint64_t)timeline);
    uint64_t checksum = 0;
    struct store_timeline_row read = {0};
    bool found = false;
    if (statement != NULL) {
        code = sqlite3_step(statement);
        found = code == SQLITE_ROW;
        if (found) {
            read = read_timeline(statement, &checksum);
        }
        code = store_done(statement, code);
    }
    if (code != SQLITE_OK) {
        return store_sql_fault(fault, connection->db, code, "reading a timeline");
    }
    if (!found) {
        return fault_set(fault, RESULT_NOT_FOUND, "/timeline", "the history has no timeline %u", timeline);
    }
    if (checksum != timeline_checksum(&read) || read.origin >= STORE_ORIGIN_COUNT) {
        return fault_set(fault, RESULT_DAMAGED, "", "the row of timeline %u is damaged", read.timeline);
    }
    *row = read;
    return RESULT_OK;
}

int store_timeline_keep(struct store_connection *connection, const struct store_timeline_row *row) {
    return store_execute(
        connection, "INSERT OR REPLACE INTO timeline VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)",
        "uuuuuuuuuuuuuu", row->world, (uint64_t)row->timeline, (uint64_t)row->origin, (uint64_t)row->parent_timeline,
        row->parent_sequence, row->began_tick, row->began_ms, row->last_sequence, row->last_tick, (uint64_t)row->folded,
        row->folded_sequence, row->folded_tick, timeline_checksum(row), (uint64_t)row->physics);
}

// ---- snapshots
// -----------------------------------------------------------------------------------------------------------------

static size_t compress(void *to, size_t capacity, const struct store_snapshot *snapshot) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL) {
        return 0;
    }
    ZSTD_outBuffer out = {to, capacity, 0};
    ZSTD_inBuffer state = {snapshot->state.data, snapshot->state.size, 0};
    ZSTD_inBuffer extra = {snapshot->extra.data, snapshot->extra.size, 0};
    size_t left = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
    if (!ZSTD_isError(left)) {
        left = ZSTD_CCtx_setPledgedSrcSize(context, state.size + extra.size);
    }
    while (!ZSTD_isError(left) && state.pos < state.size) {
        left = ZSTD_compressStream2(context, &out, &state, ZSTD_e_continue);
    }
    if (!ZSTD_isError(left)) {
        left = ZSTD_compressStream2(context, &out, &extra, ZSTD_e_end);
    }
    ZSTD_freeCCtx(context);
    return left == 0 ? out.pos : 0; // the buffer is large enough, so nothing is left but for want of memory
}

static enum result check_size(const struct store_snapshot *snapshot, struct fault *fault) {
    return snapshot->state.size > STORE_BYTES_MAX || snapshot->extra.size > STORE_BYTES_MAX - snapshot->state.size
               ? fault_set(fault, RESULT_LIMIT, "", "a snapshot may have at most %u bytes", STORE_BYTES_MAX)
               : RESULT_OK;
}

static void take_bytes(struct store_packed *packed, const struct store_snapshot *snapshot, const unsigned char *bytes,
                       size_t size) {
    *packed = (struct store_packed){
        .head = *snapshot,
        .state_size = snapshot->state.size,
        .extra_size = snapshot->extra.size,
    };
    packed->bytes.data = bytes;
    packed->bytes.size = size;
    packed->head.saved_ms = store_clock_ms();
    packed->head.state = packed->head.extra = (struct store_bytes){0};
}

// NULL: memory is out.
static unsigned char *compress_all(const struct store_snapshot *snapshot, size_t *size) {
    const size_t capacity = ZSTD_compressBound(snapshot->state.size + snapshot->extra.size);
    unsigned char *roomy = malloc(capacity);
    *size = roomy == NULL ? 0 : compress(roomy, capacity, snapshot);
    unsigned char *bytes = *size == 0 ? NULL : malloc(*size); // it may wait for a while: it takes no more than it needs
    if (bytes != NULL) {
        memcpy(bytes, roomy, *size);
    }
    free(roomy);
    return bytes;
}

static enum result out_of_memory(struct fault *fault) {
    return fault_set(fault, RESULT_MEMORY, "", "out of memory for a snapshot");
}

enum result store_snapshot_pack(const struct store_snapshot *snapshot, struct store_packed *packed,
                                struct fault *fault) {
    enum result result = check_size(snapshot, fault);
    if (result != RESULT_OK) {
        return result;
    }
    size_t size = 0;
    unsigned char *bytes = compress_all(snapshot, &size);
    if (bytes == NULL) {
        return out_of_memory(fault);
    }
    take_bytes(packed, snapshot, bytes, size);
    return RESULT_OK;
}

enum result store_snapshot_copy(const struct store_snapshot *snapshot, struct store_packed *packed,
                                struct fault *fault) {
    enum result result = check_size(snapshot, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const size_t size = snapshot->state.size + snapshot->extra.size;
    unsigned char *bytes = malloc(size + 1);
    if (bytes == NULL) {
        return out_of_memory(fault);
    }
    if (snapshot->state.size > 0) {
        memcpy(bytes, snapshot->state.data, snapshot->state.size);
    }
    if (snapshot->extra.size > 0) {
        memcpy(bytes + snapshot->state.size, snapshot->extra.data, snapshot->extra.size);
    }
    take_bytes(packed, snapshot, bytes, size);
    packed->raw = true;
    return RESULT_OK;
}

bool store_snapshot_compress(struct store_packed *packed) {
    if (!packed->raw) {
        return true;
    }
    const struct store_snapshot whole = {.state = packed->bytes};
    size_t size = 0;
    unsigned char *bytes = compress_all(&whole, &size);
    if (bytes == NULL) {
        return false;
    }
    free((void *)packed->bytes.data);
    packed->bytes.data = bytes;
    packed->bytes.size = size;
    packed->raw = false;
    return true;
}

enum result store_snapshot_unpack(const struct store_packed *packed, struct store_snapshot *snapshot,
                                  struct fault *fault) {
    const uint64_t size = packed->state_size + packed->extra_size;
    if (packed->state_size > STORE_BYTES_MAX || packed->extra_size > STORE_BYTES_MAX || size > STORE_BYTES_MAX ||
        ZSTD_getFrameContentSize(packed->bytes.data, packed->bytes.size) != size) {
        return fault_set(fault, RESULT_DAMAGED, "", "the sizes of the snapshot of tick %llu contradict one another",
                         (unsigned long long)packed->head.tick);
    }
    unsigned char *bytes = malloc(size > 0 ? size : 1);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (bytes == NULL || context == NULL) {
        free(bytes);
        ZSTD_freeDCtx(context);
        return out_of_memory(fault);
    }
    const size_t read = ZSTD_decompressDCtx(context, bytes, size, packed->bytes.data, packed->bytes.size);
    ZSTD_freeDCtx(context);
    if (read != size) {
        free(bytes);
        return fault_set(fault, RESULT_DAMAGED, "", "the snapshot of tick %llu cannot be decompressed",
                         (unsigned long long)packed->head.tick);
    }
    *snapshot = packed->head;
    snapshot->state = (struct store_bytes){bytes, (size_t)packed->state_size};
    snapshot->extra = (struct store_bytes){bytes + packed->state_size, (size_t)packed->extra_size};
    return RESULT_OK;
}

static enum result read_snapshot(struct store_connection *connection, sqlite3_stmt *statement,
                                 struct store_snapshot *snapshot, struct fault *fault) {
    const uint64_t world = store_column(statement, 0), checksum = store_column(statement, 9);
    const struct store_packed packed = {
        .head = {.timeline = (uint32_t)store_column(statement, 1),
                 .tick = store_column(statement, 2),
                 .sequence = store_column(statement, 3),
                 .hash = store_column(statement, 4),
                 .version = (uint32_t)store_column(statement, 5),
                 .saved_ms = store_column(statement, 6)},
        .state_size = store_column(statement, 7),
        .extra_size = store_column(statement, 8),
        .bytes = store_column_bytes(statement, 10),
    };
    if (packed.bytes.data == NULL && sqlite3_errcode(connection->db) == SQLITE_NOMEM) {
        return out_of_memory(fault);
    }
    if (checksum != store_snapshot_checksum(world, &packed)) {
        return fault_set(fault, RESULT_DAMAGED, "", "the snapshot of tick %llu does not have its checksum",
                         (unsigned long long)packed.head.tick);
    }
    return store_snapshot_unpack(&packed, snapshot, fault);
}

enum result store_snapshot_load(struct store_connection *connection, uint64_t number, struct store_snapshot *snapshot,
                                struct fault *fault) {
    int code = SQLITE_OK;
    sqlite3_stmt *statement =
        store_query(connection, &code,
                    "SELECT world, timeline, tick, sequence, hash, version, saved_ms, state_size, extra_size, checksum,"
                    " bytes FROM snapshot WHERE snapshot=?1",
                    "u", number);
    if (statement == NULL) {
        return store_sql_fault(fault, connection->db, code, "reading a snapshot");
    }
    code = sqlite3_step(statement);
    const enum result result = code == SQLITE_ROW ? read_snapshot(connection, statement, snapshot, fault)
                                                  : fault_set(fault, RESULT_DAMAGED, "", "a snapshot is missing");
    code = store_done(statement, code);
    return code == SQLITE_OK ? result : store_sql_fault(fault, connection->db, code, "reading a snapshot");
}

// ---- entries
// -------------------------------------------------------------------------------------------------------------------

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

enum result store_entry_copy(sqlite3_stmt *statement, struct store_logged *logged, uint64_t *checksum,
                             struct fault *fault) {
    const char *session = (const char *)sqlite3_column_text(statement, 5);
    const char *request = (const char *)sqlite3_column_text(statement, 6);
    const struct store_bytes record = store_column_bytes(statement, 8);
    const bool complete = sqlite3_errcode(sqlite3_db_handle(statement)) != SQLITE_NOMEM;
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
