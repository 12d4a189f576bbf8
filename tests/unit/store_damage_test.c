// SPDX-License-Identifier: MIT
// A store whose file was changed at random: reading returns what was written, or an error that says so; it never
// crashes and never returns anything else.
#include "store_fixture.h"

#define ENTRIES 60

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void make_store(struct fixture *fixture) {
    fixture_init(fixture);
    fixture->options.durability = STORE_OFF;
    fixture_open(fixture);
    fixture_create_world(fixture, "main");
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < ENTRIES; i++) {
        assert_int_equal(fixture_append(fixture, 5), RESULT_OK);
        assert_int_equal(fixture_mark(fixture), RESULT_OK);
        if (i == 50) {
            assert_int_equal(fixture_save(fixture), RESULT_OK);
        }
    }
    fixture_close(fixture);
}

static void check_history(const struct store_history *history) {
    fixture_check_history(history, ENTRIES);
    for (uint32_t i = 0; i < history->hash_count; i++) {
        const struct store_hash *hash = &history->hashes[i];
        assert_true(hash->hash == hash->tick * 31 || hash->hash == hash->tick * 31 + hash->sequence);
    }
    if (!history->from_empty) {
        fixture_check_snapshot(&history->snapshot);
    }
}

// Reads the worlds, the history from the nearest snapshot, and the whole history; all of it must be right.
static enum result look(struct fixture *fixture, struct fault *fault) {
    struct store_world *worlds = NULL;
    uint32_t count = 0;
    enum result result = store_world_list(fixture->store, &worlds, &count, fault);
    if (result != RESULT_OK) {
        return result;
    }
    for (uint64_t before_tick = 0; before_tick < 2 && count == 1 && result == RESULT_OK; before_tick++) {
        struct store_history *history = NULL;
        const struct store_query query = {.world = worlds[0].world, .tick = STORE_END, .before_tick = before_tick};
        assert_string_equal(worlds[0].name, "main");
        assert_memory_equal(worlds[0].settings.data, "settings", 8);
        result = store_read(fixture->store, &query, &history, fault);
        if (result == RESULT_OK) {
            check_history(history);
            store_history_free(history);
        }
    }
    store_worlds_free(worlds, count);
    return count == 1 ? result : fault_set(fault, RESULT_NOT_FOUND, "", "the world is gone"); // its row may be damaged
}

static void a_changed_file_is_read_right_or_reported(void **state) {
    (void)state;
    static struct fixture fixture;
    char path[128];
    size_t size = 0;
    uint64_t random = 3;
    uint32_t right = 0, reported = 0;
    make_store(&fixture);
    snprintf(path, sizeof path, "%s/weft.db", fixture.directory);
    unsigned char *bytes = read_file(path, &size), *changed = malloc(size);
    assert_non_null(changed);
    for (int round = 0; round < 400; round++) {
        struct fault fault = {.message = ""};
        memcpy(changed, bytes, size);
        for (uint64_t change = 1 + fixture_random(&random) % 4; change > 0; change--) {
            const size_t page = fixture_random(&random) % (size / 4096) * 4096;
            const size_t at = round % 2 == 0 ? fixture_random(&random) % size : page + fixture_random(&random) % 200;
            changed[at] = (unsigned char)(changed[at] ^ 1u << fixture_random(&random) % 8);
        }
        write_file(path, changed, size);
        enum result result = store_open(&fixture.options, &fixture.store, &fault);
        if (result == RESULT_OK) {
            result = look(&fixture, &fault);
        }
        fixture_close(&fixture);
        right += result == RESULT_OK ? 1 : 0;
        reported += result != RESULT_OK ? 1 : 0;
        assert_true(result == RESULT_OK || strlen(fault.message) > 0);
        if (result != RESULT_OK && result != RESULT_DAMAGED && result != RESULT_INVALID && result != RESULT_IO &&
            result != RESULT_NOT_FOUND) {
            fail_msg("%d: %s", (int)result, fault.message);
        }
    }
    print_message("%u read right, %u reported\n", right, reported);
    assert_true(right > 50 && reported > 50);
    free(changed);
    free(bytes);
    fixture_free(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_file_is_read_right_or_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
