// SPDX-License-Identifier: MIT
// A capsule is made as a small database in memory, with rows like the store's own, and then taken as bytes.
#include "store/capsule/capsule_pack.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/capsule/capsule_format.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/store_state.h"

// ---- rows -----------------------------------------------------------------------------------------------------------

static int write_number(struct store_connection *capsule, const char *name, uint64_t value) {
    return store_execute(capsule, "INSERT INTO meta VALUES(?1,?2)", "tu", name, value);
}

static int write_text(struct store_connection *capsule, const char *name, const char *value) {
    return store_execute(capsule, "INSERT INTO meta VALUES(?1,?2)", "tt", name, value);
}

static int write_head(struct store_connection *capsule, const struct store_capsule_head *head) {
    char tick_hz[32];
    snprintf(tick_hz, sizeof tick_hz, "%.17g", head->meta.tick_hz);
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"format", head->format},
        {"made_ms", head->meta.made_ms},
        {"from_empty", head->from_empty ? 1 : 0},
        {"tick", head->tick},
        {"entries", head->entries},
        {"hashes", head->hashes},
        {"physics", head->physics},
        {"newest_physics", head->newest_physics},
        {"checksum", store_capsule_checksum(head)},
    };
    int code = write_text(capsule, "version", head->meta.version);
    if (code == SQLITE_OK) {
        code = write_text(capsule, "world", head->meta.world);
    }
    if (code == SQLITE_OK) {
        code = write_text(capsule, "tick_hz", tick_hz); // as text it is read as the same number everywhere
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && code == SQLITE_OK; i++) {
        code = write_number(capsule, numbers[i].name, numbers[i].value);
    }
    return code == SQLITE_OK
               ? store_execute(capsule, "INSERT INTO meta VALUES('settings',?1)", "b", head->meta.settings)
               : code;
}

static int write_snapshot(struct store_connection *capsule, const struct store_packed *packed) {
    const struct store_snapshot *head = &packed->head;
    return store_execute(capsule, "INSERT INTO snapshot VALUES(1,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)", "uuuuuuuuuub",
                         (uint64_t)CAPSULE_WORLD, (uint64_t)head->timeline, head->tick, head->sequence, head->hash,
                         (uint64_t)head->version, head->saved_ms, packed->state_size, packed->extra_size,
                         store_snapshot_checksum(CAPSULE_WORLD, packed), packed->bytes);
}

// Leaves session keys and request ids out, since a capsule may go to anybody; the client is a number.
static int write_entry(struct store_connection *capsule, const struct store_logged *from, uint64_t sequence) {
    struct store_logged logged = *from;
    logged.timeline = CAPSULE_TIMELINE;
    logged.entry.sequence = sequence;
    logged.entry.session = logged.entry.request = NULL;
    return store_execute(capsule, "INSERT INTO entry VALUES(?1,?2,?3,?4,?5,?6,?7)", "uuuuubu", sequence,
                         logged.entry.tick, (uint64_t)logged.entry.kind, (uint64_t)logged.entry.client, logged.saved_ms,
                         logged.entry.record, store_entry_checksum(CAPSULE_WORLD, &logged));
}

static int write_entries(struct store_connection *capsule, const struct store_history *history) {
    int code = SQLITE_OK;
    for (uint32_t i = 0; i < history->entry_count && code == SQLITE_OK; i++) {
        code = write_entry(capsule, &history->entries[i], (uint64_t)i + 1);
    }
    return code;
}

static bool is_up_to(const struct store_logged *logged, const struct store_hash *hash) {
    return logged->timeline < hash->timeline ||
           (logged->timeline == hash->timeline && logged->entry.sequence <= hash->sequence);
}

// Writes the hashes with the sequence numbers of the capsule. Timeline numbers rise along a history, and so do sequence
// numbers in each timeline.
static int write_hashes(struct store_connection *capsule, const struct store_history *history) {
    int code = SQLITE_OK;
    uint32_t applied = 0;
    for (uint32_t i = 0; i < history->hash_count && code == SQLITE_OK; i++) {
        const struct store_hash *from = &history->hashes[i];
        while (applied < history->entry_count && is_up_to(&history->entries[applied], from)) {
            applied++;
        }
        const struct store_hash hash = {CAPSULE_TIMELINE, from->tick, applied, from->hash};
        code = store_execute(capsule, "INSERT OR REPLACE INTO hash VALUES(?1,?2,?3,?4)", "uuuu", hash.tick,
                             hash.sequence, hash.hash, store_hash_checksum(CAPSULE_WORLD, &hash));
    }
    return code;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

static int make_tables(struct store_connection *capsule) {
    char pragmas[96];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id=%d; PRAGMA user_version=%u; BEGIN", CAPSULE_APPLICATION_ID,
             STORE_CAPSULE_FORMAT);
    int code = sqlite3_exec(capsule->db, pragmas, NULL, NULL, NULL);
    for (size_t i = 0; i < CAPSULE_TABLES_MAX && code == SQLITE_OK; i++) {
        code = sqlite3_exec(capsule->db, store_capsule_tables[i], NULL, NULL, NULL);
    }
    return code;
}

static int write_all(struct store_connection *capsule, const struct store_capsule_meta *meta,
                     const struct store_history *history, const struct store_packed *packed) {
    struct store_capsule_head head = {.meta = *meta,
                                      .from_empty = history->from_empty,
                                      .tick = history->tick,
                                      .entries = history->entry_count,
                                      .format = STORE_CAPSULE_FORMAT,
                                      .physics = history->physics,
                                      .newest_physics = history->newest_physics};
    int code = make_tables(capsule);
    if (code == SQLITE_OK && !history->from_empty) {
        code = write_snapshot(capsule, packed);
    }
    if (code == SQLITE_OK) {
        code = write_entries(capsule, history);
    }
    if (code == SQLITE_OK) {
        code = write_hashes(capsule, history);
    }
    bool found = false;
    if (code == SQLITE_OK) {
        code = store_fetch(capsule, &head.hashes, &found, "SELECT count(*) FROM hash", "");
    }
    if (code == SQLITE_OK) {
        code = write_head(capsule, &head);
    }
    return code == SQLITE_OK ? store_execute(capsule, "COMMIT", "") : code;
}

static enum result take_bytes(struct store_connection *capsule, unsigned char **bytes, size_t *size,
                              struct fault *fault) {
    sqlite3_int64 length = 0;
    unsigned char *serialized = sqlite3_serialize(capsule->db, "main", &length, 0);
    unsigned char *copy = serialized == NULL ? NULL : malloc((size_t)length);
    enum result result = copy == NULL ? fault_set(fault, RESULT_MEMORY, "", "out of memory for a capsule") : RESULT_OK;
    if (copy != NULL && (uint64_t)length > STORE_CAPSULE_MAX) {
        result = fault_set(fault, RESULT_LIMIT, "", "a capsule may have at most %u bytes, this one would have %lld",
                           STORE_CAPSULE_MAX, (long long)length);
    }
    if (copy != NULL && result == RESULT_OK) {
        memcpy(copy, serialized, (size_t)length);
        *bytes = copy;
        *size = (size_t)length;
        copy = NULL;
    }
    free(copy);
    sqlite3_free(serialized);
    return result;
}

enum result store_capsule_pack(const struct store_capsule_meta *meta, const struct store_history *history,
                               unsigned char **bytes, size_t *size, struct fault *fault) {
    struct store_connection capsule = {0};
    struct store_packed packed = {0};
    enum result result = history->from_empty ? RESULT_OK : store_snapshot_pack(&history->snapshot, &packed, fault);
    if (result != RESULT_OK) {
        return result;
    }
    packed.head.timeline = CAPSULE_TIMELINE;
    packed.head.sequence = 0;
    int code = sqlite3_open_v2(":memory:", &capsule.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (code == SQLITE_OK) {
        code = write_all(&capsule, meta, history, &packed);
    }
    result = code == SQLITE_OK ? take_bytes(&capsule, bytes, size, fault)
                               : store_sql_fault(fault, capsule.db, code, "making a capsule");
    free((void *)packed.bytes.data);
    store_disconnect(&capsule);
    return result;
}
