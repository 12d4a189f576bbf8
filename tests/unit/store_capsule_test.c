// SPDX-License-Identifier: MIT
// Capsules: a packed history is unpacked to the byte, also one through forks; a capsule that was changed anywhere is
// refused or unpacks to the same; a capsule with other tables, or one that is cut short, is refused.
#include <sqlite3.h>

#include "store/capsule/capsule_pack.h"
#include "store/capsule/capsule_unpack.h"
#include "store_fixture.h"

static const struct store_capsule_meta meta = {
    .version = "1.2.3", .world = "main", .tick_hz = 59.94, .made_ms = 1234567, .settings = {"{\"a\":1}", 7}};

// A history that begins with a snapshot of the second timeline and goes on in a third one.
static struct store_history *make_history(struct fixture *fixture, bool from_empty) {
    fixture_init(fixture);
    fixture_open(fixture);
    fixture_create_world(fixture, "main");
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(fixture_append(fixture, 9), RESULT_OK);
        assert_int_equal(fixture_mark(fixture), RESULT_OK);
    }
    if (!from_empty) {
        assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_FORK, 100, 1, 12), RESULT_OK);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(fixture_append(fixture, 20), RESULT_OK);
            assert_int_equal(fixture_mark(fixture), RESULT_OK);
        }
        assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_FORK, 150, 2, 2), RESULT_OK);
        assert_int_equal(fixture_append(fixture, 10), RESULT_OK);
        assert_int_equal(fixture_mark(fixture), RESULT_OK);
    }
    fixture_wait(fixture);
    const struct store_query query = {.world = fixture->world, .tick = STORE_END, .before_tick = from_empty ? 0 : 149};
    struct store_history *history = NULL;
    struct fault fault = {.message = ""};
    if (store_read(fixture->store, &query, &history, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
    assert_int_equal(history->from_empty, from_empty);
    return history;
}

static bool same_bytes(struct store_bytes a, struct store_bytes b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// Compares a history that was unpacked with the packed one; only timeline numbers may differ.
static bool same_capsule(const struct store_capsule *capsule, const struct store_history *packed) {
    const struct store_history *history = capsule->history;
    bool same = strcmp(capsule->meta.version, meta.version) == 0 && strcmp(capsule->meta.world, meta.world) == 0 &&
                capsule->meta.tick_hz == meta.tick_hz && capsule->meta.made_ms == meta.made_ms &&
                same_bytes(capsule->meta.settings, meta.settings) && history->from_empty == packed->from_empty &&
                history->snapshot.tick == packed->snapshot.tick && history->snapshot.hash == packed->snapshot.hash &&
                history->snapshot.version == packed->snapshot.version &&
                same_bytes(history->snapshot.state, packed->snapshot.state) &&
                same_bytes(history->snapshot.extra, packed->snapshot.extra) && history->tick == packed->tick &&
                history->entry_count == packed->entry_count && history->hash_count == packed->hash_count;
    for (uint32_t i = 0; same && i < history->entry_count; i++) {
        const struct store_entry *a = &history->entries[i].entry, *b = &packed->entries[i].entry;
        same = a->sequence == i + 1 && a->tick == b->tick && a->kind == b->kind && a->client == b->client &&
               a->session == NULL && a->request == NULL && same_bytes(a->record, b->record);
    }
    for (uint32_t i = 0; same && i < history->hash_count; i++) {
        same = history->hashes[i].tick == packed->hashes[i].tick && history->hashes[i].hash == packed->hashes[i].hash;
    }
    return same;
}

static void pack(const struct store_history *history, unsigned char **bytes, size_t *size) {
    struct fault fault = {.message = ""};
    if (store_capsule_pack(&meta, history, bytes, size, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
}

static void what_is_packed_is_unpacked(void **state) {
    (void)state;
    for (int from_empty = 0; from_empty < 2; from_empty++) {
        struct fixture fixture;
        struct store_history *history = make_history(&fixture, from_empty != 0);
        unsigned char *bytes = NULL;
        size_t size = 0;
        struct store_capsule *capsule = NULL;
        struct fault fault = {.message = ""};
        pack(history, &bytes, &size);
        if (store_capsule_unpack(bytes, size, &capsule, &fault) != RESULT_OK) {
            fail_msg("%s", fault.message);
        }
        assert_true(same_capsule(capsule, history));
        if (from_empty == 0) { // hash 2 follows two commands of the second timeline, the last hash all three
            assert_int_equal(history->snapshot.tick, 100);
            assert_int_equal(capsule->history->entry_count, 3);
            assert_int_equal(capsule->history->hashes[capsule->history->hash_count - 1].sequence, 3);
            assert_int_equal(capsule->history->hashes[1].sequence, 1);
        }
        store_capsule_free(capsule);
        free(bytes);
        store_history_free(history);
        fixture_free(&fixture);
    }
}

static void check_changed(const unsigned char *bytes, size_t size, const struct store_history *history,
                          uint32_t counts[2]) {
    struct store_capsule *capsule = NULL;
    struct fault fault = {.message = ""};
    enum result result = store_capsule_unpack(bytes, size, &capsule, &fault);
    if (result == RESULT_OK) {
        assert_true(same_capsule(capsule, history));
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
    struct fixture fixture;
    struct store_history *history = make_history(&fixture, false);
    unsigned char *bytes = NULL, *copy = NULL;
    size_t size = 0;
    uint64_t random = 5;
    uint32_t counts[2] = {0};
    pack(history, &bytes, &size);
    copy = malloc(size);
    assert_non_null(copy);
    for (int round = 0; round < 3000; round++) {
        memcpy(copy, bytes, size);
        for (uint64_t change = 1 + fixture_random(&random) % 3; change > 0; change--) {
            // half of the changes hit the heads of pages, which hold SQLite's own numbers
            const size_t page = fixture_random(&random) % (size / 4096) * 4096;
            const size_t at = round % 2 == 0 ? fixture_random(&random) % size : page + fixture_random(&random) % 128;
            copy[at] = (unsigned char)fixture_random(&random);
        }
        check_changed(copy, size, history, counts);
    }
    print_message("%u refused, %u the same\n", counts[1], counts[0]);
    assert_true(counts[1] > 1000);
    for (size_t length = 0; length < size; length += 777) {
        struct store_capsule *capsule = NULL;
        assert_int_not_equal(store_capsule_unpack(bytes, length, &capsule, NULL), RESULT_OK);
    }
    free(copy);
    free(bytes);
    store_history_free(history);
    fixture_free(&fixture);
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
        {"DELETE FROM entry WHERE sequence=2", RESULT_DAMAGED, "command 2, after tick 101, is missing"},
        {"DELETE FROM entry WHERE sequence=3", RESULT_DAMAGED, "its last commands are missing"},
        {"UPDATE entry SET tick=tick+1 WHERE sequence=3", RESULT_DAMAGED, "command 3"},
        {"DELETE FROM hash WHERE tick=160", RESULT_DAMAGED, "hashes are missing"},
        {"UPDATE hash SET hash=0", RESULT_DAMAGED, "a hash does not have its checksum"},
        {"DELETE FROM snapshot", RESULT_DAMAGED, "a snapshot is missing"},
        {"UPDATE snapshot SET state_size=1099511627776", RESULT_DAMAGED, "checksum"},
        {"DELETE FROM meta WHERE name='world'", RESULT_DAMAGED, "meta table is not complete"},
        {"UPDATE meta SET value=zeroblob(9) WHERE name='world'", RESULT_DAMAGED, "meta table is not complete"},
        {"UPDATE meta SET value='x' WHERE name='version'", RESULT_DAMAGED, "meta table does not have its checksum"},
        {"UPDATE meta SET value='nan' WHERE name='tick_hz'", RESULT_DAMAGED, "checksum"},
        {"PRAGMA user_version=3", RESULT_INVALID, "format 3"},
        {"PRAGMA user_version=1", RESULT_DAMAGED, "meta table does not have its checksum"},
        {"UPDATE meta SET value=2 WHERE name='physics'", RESULT_DAMAGED, "physics versions contradict"},
        {"UPDATE meta SET value=7 WHERE name='newest_physics'", RESULT_DAMAGED, "checksum"},
        {"PRAGMA application_id=2", RESULT_INVALID, "no capsule"},
        {"CREATE TABLE more(x)", RESULT_INVALID, "no capsule"},
        {"CREATE TRIGGER t AFTER DELETE ON hash BEGIN SELECT 1; END", RESULT_INVALID, "no capsule"},
        {"DROP TABLE hash; CREATE VIEW hash AS SELECT 1 tick, 1 sequence, 1 hash, 1 checksum", RESULT_INVALID,
         "no capsule"},
        {"DROP TABLE hash", RESULT_INVALID, "no capsule"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct fixture fixture;
        struct store_history *history = make_history(&fixture, false);
        unsigned char *bytes = NULL;
        size_t size = 0;
        struct store_capsule *capsule = NULL;
        struct fault fault = {.message = ""};
        pack(history, &bytes, &size);
        change(&bytes, &size, changes[i].sql);
        assert_int_equal(store_capsule_unpack(bytes, size, &capsule, &fault), changes[i].result);
        if (strstr(fault.message, changes[i].message) == NULL) {
            fail_msg("\"%s\" is not in \"%s\"", changes[i].message, fault.message);
        }
        free(bytes);
        store_history_free(history);
        fixture_free(&fixture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_is_unpacked),
        cmocka_unit_test(a_changed_capsule_is_refused_or_the_same),
        cmocka_unit_test(what_is_missing_or_hidden_in_a_capsule_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
