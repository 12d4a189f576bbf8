// SPDX-License-Identifier: MIT
// Capsules of formats 1 and 2: one that was changed anywhere is refused or unpacks to the same; one with other tables,
// or that is cut short, is refused.
#include <sqlite3.h>

#include "store/capsule/capsule_unpack.h"
#include "store_fixture.h"

#include "read_file.h"

#define CAPSULE "tests/capsules/physics-2/history.capsule"

static struct store_capsule *unpack(const unsigned char *bytes, size_t size) {
    struct store_capsule *capsule = NULL;
    struct fault fault = {.message = ""};
    if (store_capsule_unpack(bytes, size, &capsule, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
    return capsule;
}

static bool same_bytes(struct store_bytes a, struct store_bytes b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool same_capsule(const struct store_capsule *one, const struct store_capsule *other) {
    const struct store_history *a = one->history, *b = other->history;
    bool same = strcmp(one->meta.version, other->meta.version) == 0 &&
                strcmp(one->meta.world, other->meta.world) == 0 && one->meta.tick_hz == other->meta.tick_hz &&
                one->meta.made_ms == other->meta.made_ms && same_bytes(one->meta.settings, other->meta.settings) &&
                a->from_empty == b->from_empty && a->snapshot.tick == b->snapshot.tick &&
                a->snapshot.hash == b->snapshot.hash && a->snapshot.version == b->snapshot.version &&
                same_bytes(a->snapshot.state, b->snapshot.state) && same_bytes(a->snapshot.extra, b->snapshot.extra) &&
                a->tick == b->tick && a->physics == b->physics && a->entry_count == b->entry_count &&
                a->hash_count == b->hash_count;
    for (uint32_t i = 0; same && i < a->entry_count; i++) {
        const struct store_entry *x = &a->entries[i].entry, *y = &b->entries[i].entry;
        same = x->sequence == y->sequence && x->tick == y->tick && x->kind == y->kind && x->client == y->client &&
               x->session == NULL && x->request == NULL && same_bytes(x->record, y->record);
    }
    for (uint32_t i = 0; same && i < a->hash_count; i++) {
        same = a->hashes[i].tick == b->hashes[i].tick && a->hashes[i].sequence == b->hashes[i].sequence &&
               a->hashes[i].hash == b->hashes[i].hash;
    }
    return same;
}

static void a_capsule_is_unpacked(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = read_file(CAPSULE, &size);
    struct store_capsule *capsule = unpack(bytes, size);
    const struct store_history *history = capsule->history;
    assert_true(history->entry_count > 3 && history->hash_count > 3 && history->tick > 100);
    assert_int_equal(history->physics, 2);
    for (uint32_t i = 0; i < history->entry_count; i++) {
        assert_int_equal(history->entries[i].entry.sequence, i + 1);
        assert_true(history->entries[i].entry.record.size > 0);
    }
    assert_int_equal(history->hashes[history->hash_count - 1].sequence, history->entry_count);
    store_capsule_free(capsule);
    free(bytes);
}

static void check_changed(const unsigned char *bytes, size_t size, const struct store_capsule *original,
                          uint32_t counts[2]) {
    struct store_capsule *capsule = NULL;
    struct fault fault = {.message = ""};
    enum result result = store_capsule_unpack(bytes, size, &capsule, &fault);
    if (result == RESULT_OK) {
        assert_true(same_capsule(capsule, original));
        store_capsule_free(capsule);
        counts[0]++;
        return;
    }
    if (result != RESULT_DAMAGED && result != RESULT_INVALID) {
        fail_msg("%d: %s", (int)result, fault.message);
    }
    assert_true(strlen(fault.message) > 0);
    counts[1]++;
}

static void a_changed_capsule_is_refused_or_the_same(void **state) {
    (void)state;
    size_t size = 0;
    unsigned char *bytes = read_file(CAPSULE, &size), *copy = malloc(size);
    struct store_capsule *original = unpack(bytes, size);
    uint64_t random = 5;
    uint32_t counts[2] = {0};
    assert_non_null(copy);
    for (int round = 0; round < 3000; round++) {
        memcpy(copy, bytes, size);
        for (uint64_t change = 1 + fixture_random(&random) % 3; change > 0; change--) {
            // half of the changes hit the heads of pages, which hold SQLite's own numbers
            const size_t page = fixture_random(&random) % (size / 4096) * 4096;
            const size_t at = round % 2 == 0 ? fixture_random(&random) % size : page + fixture_random(&random) % 128;
            copy[at] = (unsigned char)fixture_random(&random);
        }
        check_changed(copy, size, original, counts);
    }
    print_message("%u refused, %u the same\n", counts[1], counts[0]);
    assert_true(counts[1] > 1000);
    uint32_t shortened[2] = {0};
    for (size_t length = 0; length < size; length += 777) {
        check_changed(bytes, length, original, shortened);
    }
    assert_true(shortened[0] <= 4096 / 777); // the end of the last page may be unused
    store_capsule_free(original);
    free(copy);
    free(bytes);
}

// Runs a statement on a capsule and returns the new bytes.
static void change(unsigned char **bytes, size_t *size, const char *sql) {
    sqlite3 *db = NULL;
    sqlite3_int64 length = 0;
    unsigned char *buffer = sqlite3_malloc64(*size);
    assert_non_null(buffer);
    memcpy(buffer, *bytes, *size);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_deserialize(db, "main", buffer, (sqlite3_int64)*size, (sqlite3_int64)*size,
                                         SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    unsigned char *serialized = sqlite3_serialize(db, "main", &length, 0);
    assert_non_null(serialized);
    free(*bytes);
    *bytes = malloc((size_t)length);
    assert_non_null(*bytes);
    memcpy(*bytes, serialized, (size_t)length);
    *size = (size_t)length;
    sqlite3_free(serialized);
    sqlite3_close(db);
}

static void what_is_missing_or_hidden_in_a_capsule_is_reported(void **state) {
    (void)state;
    static const struct {
        const char *sql;
        enum result result;
        const char *message;
    } changes[] = {
        {"DELETE FROM entry WHERE sequence=2", RESULT_DAMAGED, "command 2, after tick"},
        {"DELETE FROM entry WHERE sequence=(SELECT max(sequence) FROM entry)", RESULT_DAMAGED,
         "its last commands are missing"},
        {"UPDATE entry SET tick=tick+1 WHERE sequence=3", RESULT_DAMAGED, "command 3"},
        {"DELETE FROM hash WHERE tick=(SELECT max(tick) FROM hash)", RESULT_DAMAGED, "hashes are missing"},
        {"UPDATE hash SET hash=0", RESULT_DAMAGED, "a hash does not have its checksum"},
        {"DELETE FROM snapshot", RESULT_DAMAGED, "a snapshot is missing"},
        {"UPDATE snapshot SET state_size=1099511627776", RESULT_DAMAGED, "checksum"},
        {"DELETE FROM meta WHERE name='world'", RESULT_DAMAGED, "meta table is not complete"},
        {"UPDATE meta SET value=zeroblob(9) WHERE name='world'", RESULT_DAMAGED, "meta table is not complete"},
        {"UPDATE meta SET value='x' WHERE name='version'", RESULT_DAMAGED, "meta table does not have its checksum"},
        {"UPDATE meta SET value='nan' WHERE name='tick_hz'", RESULT_DAMAGED, "checksum"},
        {"PRAGMA user_version=3", RESULT_INVALID, "format 3"},
        {"PRAGMA user_version=1", RESULT_DAMAGED, "meta table does not have its checksum"},
        {"UPDATE meta SET value=3 WHERE name='physics'", RESULT_DAMAGED, "physics versions contradict"},
        {"UPDATE meta SET value=7 WHERE name='newest_physics'", RESULT_DAMAGED, "checksum"},
        {"PRAGMA application_id=2", RESULT_INVALID, "not a Weft capsule"},
        {"CREATE TABLE more(x)", RESULT_INVALID, "not a Weft capsule"},
        {"CREATE TRIGGER t AFTER DELETE ON hash BEGIN SELECT 1; END", RESULT_INVALID, "not a Weft capsule"},
        {"DROP TABLE hash; CREATE VIEW hash AS SELECT 1 tick, 1 sequence, 1 hash, 1 checksum", RESULT_INVALID,
         "not a Weft capsule"},
        {"DROP TABLE hash", RESULT_INVALID, "not a Weft capsule"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        size_t size = 0;
        unsigned char *bytes = read_file(CAPSULE, &size);
        struct store_capsule *capsule = NULL;
        struct fault fault = {.message = ""};
        change(&bytes, &size, changes[i].sql);
        const enum result result = store_capsule_unpack(bytes, size, &capsule, &fault);
        if (result != changes[i].result || strstr(fault.message, changes[i].message) == NULL) {
            fail_msg("%s: %d, \"%s\" is not in \"%s\"", changes[i].sql, (int)result, changes[i].message, fault.message);
        }
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capsule_is_unpacked),
        cmocka_unit_test(a_changed_capsule_is_refused_or_the_same),
        cmocka_unit_test(what_is_missing_or_hidden_in_a_capsule_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
