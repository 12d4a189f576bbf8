// SPDX-License-Identifier: MIT
// The bytes are opened read-only, in memory, with SQLite's defences on. The schema must be that of a capsule to the
// letter. What the rows hold is bounded by the size of the file, so that pages which are counted twice cannot make much
// of little.
#include "store/capsule/capsule_unpack.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "store/capsule/capsule_format.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/read/history_rows.h"
#include "store/sqlite/statement.h"
#include "store/store_state.h"

#define FILE_LEAST 512u // bytes of the smallest SQLite file

struct unpacking {
    struct store_connection capsule;
    struct store_capsule *made;
    struct store_capsule_head head;
    uint64_t bytes_left; // how much the remaining rows may hold
    struct fault *fault;
};

static enum result damaged(const struct unpacking *unpacking, const char *what) {
    return fault_set(unpacking->fault, RESULT_DAMAGED, "", "the capsule is damaged: %s", what);
}

static enum result no_capsule(struct fault *fault) {
    return fault_set(fault, RESULT_INVALID, "", "this is not a Weft capsule");
}

static enum result sql_fault(const struct unpacking *unpacking, int code) {
    return store_is_memory(code)
               ? fault_set(unpacking->fault, RESULT_MEMORY, "", "out of memory for a capsule")
               : fault_set(unpacking->fault, RESULT_DAMAGED, "", "the capsule is damaged: %s", sqlite3_errstr(code));
}

static enum result count_bytes(struct unpacking *unpacking, uint64_t size) {
    if (size > unpacking->bytes_left) {
        return damaged(unpacking, "its rows hold more than the file");
    }
    unpacking->bytes_left -= size;
    return RESULT_OK;
}

// ---- what kind of file it is ----------------------------------------------------------------------------------------

static enum result check_schema(struct unpacking *unpacking) {
    int code = SQLITE_OK;
    struct store_rows *statement =
        store_query(&unpacking->capsule, &code, "SELECT type, sql FROM sqlite_schema ORDER BY rowid", "");
    if (statement == NULL) {
        return store_is_memory(code) ? sql_fault(unpacking, code) : no_capsule(unpacking->fault);
    }
    size_t tables = 0;
    bool ours = true;
    while (ours && (code = store_step(statement)) == SQLITE_ROW) {
        const char *type = store_column_text(statement, 0);
        const char *sql = store_column_text(statement, 1);
        ours = tables < CAPSULE_TABLES_MAX && type != NULL && sql != NULL && strcmp(type, "table") == 0 &&
               strcmp(sql, store_capsule_tables[tables]) == 0;
        tables++;
    }
    code = store_done(statement, code);
    if (code != SQLITE_OK && (code & 0xFF) != SQLITE_NOTADB) {
        return sql_fault(unpacking, code);
    }
    return ours && code == SQLITE_OK && tables == CAPSULE_TABLES_MAX ? RESULT_OK : no_capsule(unpacking->fault);
}

static enum result check_kind(struct unpacking *unpacking) {
    uint64_t id = 0, format = 0;
    bool found = false;
    int code = store_fetch(&unpacking->capsule, &id, &found, "PRAGMA application_id", "");
    if (code == SQLITE_OK) {
        code = store_fetch(&unpacking->capsule, &format, &found, "PRAGMA user_version", "");
    }
    if (store_is_memory(code)) {
        return sql_fault(unpacking, code);
    }
    if (code != SQLITE_OK || id != CAPSULE_APPLICATION_ID) {
        return no_capsule(unpacking->fault);
    }
    if (format < 1 || format > STORE_CAPSULE_FORMAT) {
        return fault_set(unpacking->fault, RESULT_INVALID, "",
                         "the capsule has format %llu, this version reads formats 1 to %u", (unsigned long long)format,
                         STORE_CAPSULE_FORMAT);
    }
    unpacking->head.format = format;
    return check_schema(unpacking);
}

static enum result open_bytes(struct unpacking *unpacking, const void *bytes, size_t size) {
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL);
    unpacking->capsule = store_sqlite_connection(db);
    if (code == SQLITE_OK) {
        sqlite3_limit(db, SQLITE_LIMIT_LENGTH, (int)STORE_BYTES_MAX);
        code = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        code = code == SQLITE_OK ? sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) : code;
        code = code == SQLITE_OK ? sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL) : code;
        code = code == SQLITE_OK ? sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL) : code;
        // SQLite does not write to the bytes, though its parameter is not const.
        code = code == SQLITE_OK ? sqlite3_deserialize(db, "main", (unsigned char *)bytes, (sqlite3_int64)size,
                                                       (sqlite3_int64)size, SQLITE_DESERIALIZE_READONLY)
                                 : code;
        code = code == SQLITE_OK ? sqlite3_exec(db, "PRAGMA cell_size_check=ON", NULL, NULL, NULL) : code;
    }
    // The bytes have not been read yet, so only a lack of memory can have caused a failure.
    return code == SQLITE_OK ? RESULT_OK : sql_fault(unpacking, SQLITE_NOMEM);
}

// ---- meta -----------------------------------------------------------------------------------------------------------

static struct store_rows *find_meta(struct unpacking *unpacking, const char *name, int *code) {
    struct store_rows *statement =
        store_query(&unpacking->capsule, code, "SELECT value FROM meta WHERE name=?1", "t", name);
    *code = statement == NULL ? *code : store_step(statement);
    return statement;
}

static enum result end_meta(const struct unpacking *unpacking, struct store_rows *statement, int code, bool taken) {
    const bool missing = code == SQLITE_DONE;
    code = statement == NULL ? code : store_done(statement, code);
    if (code != SQLITE_OK) {
        return sql_fault(unpacking, code);
    }
    return taken && !missing ? RESULT_OK : damaged(unpacking, "its meta table is not complete");
}

static enum result read_number(struct unpacking *unpacking, const char *name, uint64_t *value) {
    int code = SQLITE_OK;
    struct store_rows *statement = find_meta(unpacking, name, &code);
    const bool taken = code == SQLITE_ROW && sqlite3_column_type(statement->statement, 0) == SQLITE_INTEGER;
    *value = taken ? store_column(statement, 0) : 0;
    return end_meta(unpacking, statement, code, taken);
}

static enum result read_text(struct unpacking *unpacking, const char *name, char out[STORE_CAPSULE_TEXT_MAX + 1]) {
    int code = SQLITE_OK;
    struct store_rows *statement = find_meta(unpacking, name, &code);
    const struct store_bytes text = code == SQLITE_ROW ? store_column_bytes(statement, 0) : (struct store_bytes){0};
    const bool taken = code == SQLITE_ROW && sqlite3_column_type(statement->statement, 0) == SQLITE_TEXT &&
                       text.size <= STORE_CAPSULE_TEXT_MAX &&
                       (text.size == 0 || memchr(text.data, 0, text.size) == NULL);
    if (taken && text.size > 0) {
        memcpy(out, text.data, text.size);
        out[text.size] = '\0';
    }
    return end_meta(unpacking, statement, code, taken);
}

static enum result read_settings(struct unpacking *unpacking) {
    int code = SQLITE_OK;
    struct store_rows *statement = find_meta(unpacking, "settings", &code);
    const struct store_bytes bytes = code == SQLITE_ROW ? store_column_bytes(statement, 0) : (struct store_bytes){0};
    const bool taken = code == SQLITE_ROW && sqlite3_column_type(statement->statement, 0) == SQLITE_BLOB;
    enum result result = taken ? count_bytes(unpacking, bytes.size) : RESULT_OK;
    char *copy = taken && result == RESULT_OK ? malloc(bytes.size + 1) : NULL;
    if (copy != NULL && bytes.size > 0) {
        memcpy(copy, bytes.data, bytes.size);
    }
    unpacking->made->meta.settings = (struct store_bytes){copy, copy == NULL ? 0 : bytes.size};
    unpacking->head.meta.settings = unpacking->made->meta.settings;
    const enum result ended = end_meta(unpacking, statement, code, taken);
    if (result == RESULT_OK && ended == RESULT_OK && copy == NULL) {
        return fault_set(unpacking->fault, RESULT_MEMORY, "", "out of memory for a capsule");
    }
    return result == RESULT_OK ? ended : result;
}

static enum result read_physics(struct unpacking *unpacking) {
    struct store_capsule_head *head = &unpacking->head;
    head->physics = head->newest_physics = 1;
    if (head->format < 2) {
        return RESULT_OK;
    }
    enum result result = read_number(unpacking, "physics", &head->physics);
    if (result == RESULT_OK) {
        result = read_number(unpacking, "newest_physics", &head->newest_physics);
    }
    if (result == RESULT_OK &&
        (head->physics < 1 || head->physics > head->newest_physics || head->newest_physics > UINT32_MAX)) {
        return damaged(unpacking, "its physics versions contradict one another");
    }
    return result;
}

static enum result read_head(struct unpacking *unpacking) {
    struct store_capsule_head *head = &unpacking->head;
    char tick_hz[STORE_CAPSULE_TEXT_MAX + 1] = "", *end = tick_hz;
    uint64_t from_empty = 0, checksum = 0;
    const struct {
        const char *name;
        uint64_t *value;
    } numbers[] = {
        {"made_ms", &head->meta.made_ms}, {"from_empty", &from_empty}, {"tick", &head->tick},
        {"entries", &head->entries},      {"hashes", &head->hashes},   {"checksum", &checksum},
    };
    enum result result = read_text(unpacking, "version", head->meta.version);
    if (result == RESULT_OK) {
        result = read_text(unpacking, "world", head->meta.world);
    }
    if (result == RESULT_OK) {
        result = read_text(unpacking, "tick_hz", tick_hz);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && result == RESULT_OK; i++) {
        result = read_number(unpacking, numbers[i].name, numbers[i].value);
    }
    if (result == RESULT_OK) {
        result = read_physics(unpacking);
    }
    if (result == RESULT_OK) {
        result = read_settings(unpacking);
    }
    if (result != RESULT_OK) {
        return result;
    }
    head->meta.tick_hz = strtod(tick_hz, &end);
    head->from_empty = from_empty != 0;
    if (end == tick_hz || *end != '\0' || !isfinite(head->meta.tick_hz) || checksum != store_capsule_checksum(head)) {
        return damaged(unpacking, "its meta table does not have its checksum");
    }
    unpacking->made->meta = head->meta;
    return RESULT_OK;
}

// ---- snapshot, entries, hashes --------------------------------------------------------------------------------------

static enum result read_snapshot(struct unpacking *unpacking) {
    struct store_snapshot *snapshot = &unpacking->made->history->snapshot;
    struct fault why = {0};
    if (unpacking->head.from_empty) {
        return RESULT_OK;
    }
    enum result result = store_snapshot_load(&unpacking->capsule, 1, snapshot, &why);
    if (result == RESULT_MEMORY) {
        return sql_fault(unpacking, SQLITE_NOMEM);
    }
    if (result != RESULT_OK) {
        return damaged(unpacking, why.message);
    }
    return snapshot->timeline == CAPSULE_TIMELINE && snapshot->sequence == 0
               ? RESULT_OK
               : damaged(unpacking, "its snapshot is of another moment");
}

static enum result add_entry(struct unpacking *unpacking, struct store_rows *statement, uint64_t *tick) {
    struct store_history *history = unpacking->made->history;
    struct store_logged logged = {0};
    uint64_t checksum = 0;
    enum result result = count_bytes(unpacking, (uint64_t)sqlite3_column_bytes(statement->statement, 8));
    if (result == RESULT_OK) {
        result = store_entry_copy(statement, &logged, &checksum, unpacking->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    if (logged.entry.sequence != (uint64_t)history->entry_count + 1 || logged.entry.tick < *tick ||
        logged.entry.tick == 0 || checksum != store_entry_checksum(CAPSULE_WORLD, &logged)) {
        free((void *)logged.entry.record.data);
        return fault_set(unpacking->fault, RESULT_DAMAGED, "",
                         "the capsule is damaged: command %u, after tick %llu, is missing or changed",
                         history->entry_count + 1, (unsigned long long)*tick);
    }
    *tick = logged.entry.tick;
    return store_history_add(history, &logged, unpacking->fault);
}

static enum result read_entries(struct unpacking *unpacking) {
    int code = SQLITE_OK;
    struct store_rows *statement =
        store_query(&unpacking->capsule, &code,
                    "SELECT 1, sequence, tick, kind, client, NULL, NULL, saved_ms, record, checksum FROM entry"
                    " ORDER BY sequence",
                    "");
    if (statement == NULL) {
        return sql_fault(unpacking, code);
    }
    uint64_t tick = unpacking->made->history->snapshot.tick;
    enum result result = RESULT_OK;
    while (result == RESULT_OK && (code = store_step(statement)) == SQLITE_ROW) {
        result = add_entry(unpacking, statement, &tick);
    }
    code = store_done(statement, code);
    if (result == RESULT_OK && code != SQLITE_OK) {
        return sql_fault(unpacking, code);
    }
    if (result == RESULT_OK && unpacking->made->history->entry_count != unpacking->head.entries) {
        return damaged(unpacking, "its last commands are missing");
    }
    return result;
}

static enum result read_hashes(struct unpacking *unpacking) {
    struct store_history *history = unpacking->made->history;
    int code = SQLITE_OK;
    struct store_rows *statement = store_query(
        &unpacking->capsule, &code, "SELECT tick, sequence, hash, checksum FROM hash ORDER BY tick, sequence", "");
    if (statement == NULL) {
        return sql_fault(unpacking, code);
    }
    struct store_hash before = {0};
    enum result result = RESULT_OK;
    while (result == RESULT_OK && (code = store_step(statement)) == SQLITE_ROW) {
        const struct store_hash hash = {CAPSULE_TIMELINE, store_column(statement, 0), store_column(statement, 1),
                                        store_column(statement, 2)};
        const bool intact = store_column(statement, 3) == store_hash_checksum(CAPSULE_WORLD, &hash) &&
                            hash.tick >= before.tick && hash.sequence >= before.sequence;
        result = intact ? store_history_add_hash(history, &hash, unpacking->fault)
                        : damaged(unpacking, "a hash does not have its checksum");
        before = hash;
    }
    code = store_done(statement, code);
    if (result == RESULT_OK && code != SQLITE_OK) {
        return sql_fault(unpacking, code);
    }
    if (result == RESULT_OK && history->hash_count != unpacking->head.hashes) {
        return damaged(unpacking, "hashes are missing");
    }
    return result;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

static enum result unpack(struct unpacking *unpacking, const void *bytes, size_t size) {
    static enum result (*const steps[])(struct unpacking *) = {check_kind, read_head, read_snapshot, read_entries,
                                                               read_hashes};
    enum result result = open_bytes(unpacking, bytes, size);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == RESULT_OK; i++) {
        result = steps[i](unpacking);
    }
    return result;
}

void store_capsule_free(struct store_capsule *capsule) {
    if (capsule != NULL) {
        store_history_free(capsule->history);
        free((void *)capsule->meta.settings.data);
        free(capsule);
    }
}

enum result store_capsule_unpack(const void *bytes, size_t size, struct store_capsule **capsule, struct fault *fault) {
    if (size > STORE_CAPSULE_MAX) {
        return fault_set(fault, RESULT_LIMIT, "", "a capsule may have at most %u bytes, got %zu", STORE_CAPSULE_MAX,
                         size);
    }
    if (size < FILE_LEAST) {
        return no_capsule(fault);
    }
    struct unpacking unpacking = {.made = calloc(1, sizeof **capsule), .bytes_left = size, .fault = fault};
    struct store_history *history = calloc(1, sizeof *history);
    if (unpacking.made == NULL || history == NULL) {
        free(unpacking.made);
        free(history);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for a capsule");
    }
    unpacking.made->history = history;
    enum result result = unpack(&unpacking, bytes, size);
    store_disconnect(&unpacking.capsule);
    if (result != RESULT_OK) {
        store_capsule_free(unpacking.made);
        return result;
    }
    history->from_empty = unpacking.head.from_empty;
    history->tick = unpacking.head.tick;
    history->physics = (uint32_t)unpacking.head.physics;
    history->newest_physics = (uint32_t)unpacking.head.newest_physics;
    *capsule = unpacking.made;
    return RESULT_OK;
}
