// SPDX-License-Identifier: MIT
// A store whose server was killed, and whose files were then changed, cut, emptied or deleted: either every
// acknowledged write is there, or the store reports that something is missing. A log with the end that an interrupted
// write leaves is not damaged: it opens.
#include "store_fixture.h"

#include <dirent.h>
#include <sys/stat.h>

#define ENTRIES 40u
#define TRIALS 420

enum { DATABASE, LOG, MARK, FILES };
static const char *const names[FILES] = {"weft.db", "weft.db-wal", "weft.mark"};

struct bytes {
    unsigned char *data;
    size_t size;
    bool there;
};

// The files that a killed server leaves.
struct image {
    struct bytes files[FILES];
};

static void path_of(const struct fixture *fixture, int file, char path[128]) {
    snprintf(path, 128, "%s/%s", fixture->directory, names[file]);
}

static struct bytes read_file(const char *path) {
    struct bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        assert_int_equal(fseek(file, 0, SEEK_END), 0);
        bytes.size = (size_t)ftell(file);
        rewind(file);
        bytes.data = malloc(bytes.size + 1);
        assert_non_null(bytes.data);
        assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
        bytes.there = true;
        fclose(file);
    }
    return bytes;
}

static struct image take_image(const struct fixture *fixture) {
    struct image image;
    for (int i = 0; i < FILES; i++) {
        char path[128];
        path_of(fixture, i, path);
        image.files[i] = read_file(path);
    }
    return image;
}

static struct image copy_image(const struct image *image) {
    struct image copy = *image;
    for (int i = 0; i < FILES; i++) {
        copy.files[i].data = malloc(image->files[i].size + 1);
        assert_non_null(copy.files[i].data);
        memcpy(copy.files[i].data, image->files[i].data != NULL ? image->files[i].data : (void *)"",
               image->files[i].size);
    }
    return copy;
}

static void free_image(struct image *image) {
    for (int i = 0; i < FILES; i++) {
        free(image->files[i].data);
    }
}

// Writes the files into an empty folder.
static void put_image(const struct fixture *fixture, const struct image *image) {
    for (int i = 0; i < FILES; i++) {
        char path[128];
        path_of(fixture, i, path);
        if (image->files[i].there) {
            FILE *file = fopen(path, "wb");
            assert_non_null(file);
            assert_int_equal(fwrite(image->files[i].data, 1, image->files[i].size, file), image->files[i].size);
            assert_int_equal(fclose(file), 0);
        }
    }
}

// Makes two worlds; every write is acknowledged, one commit after the other. `long_log`: so much is written that the
// log is checkpointed and begun anew meanwhile.
static void write_store(struct fixture *fixture, bool long_log) {
    fixture->options.durability = STORE_OFF; // the process is killed, not the power cut
    fixture_open(fixture);
    fixture_create_world(fixture, "other");
    fixture_create_world(fixture, "main");
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (unsigned i = 0; i < ENTRIES; i++) {
        assert_int_equal(fixture_append(fixture, 5), RESULT_OK);
        fixture_wait(fixture);
        assert_int_equal(fixture_mark(fixture), RESULT_OK);
        fixture_wait(fixture);
        for (int j = 0; j < (long_log ? 4 : 0); j++) {
            assert_int_equal(fixture_save(fixture), RESULT_OK);
            fixture_wait(fixture);
        }
    }
}

// Opens the store and reads everything. On RESULT_OK all of it is what was written; otherwise `fault` says why not.
static enum result look(struct fixture *fixture, struct fault *fault) {
    struct store_world *worlds = NULL;
    uint32_t count = 0;
    enum result result = store_open(&fixture->options, &fixture->store, fault);
    if (result != RESULT_OK) {
        return result;
    }
    result = store_world_list(fixture->store, &worlds, &count, fault);
    if (result == RESULT_OK) {
        assert_int_equal(count, 2); // no world is missing without a report
        assert_string_equal(worlds[0].name, "other");
        assert_string_equal(worlds[1].name, "main");
        assert_int_equal(worlds[1].timeline, 1);
        for (uint64_t before_tick = 0; before_tick < 2 && result == RESULT_OK; before_tick++) {
            struct store_history *history = NULL;
            const struct store_query query = {.world = worlds[1].world, .tick = STORE_END, .before_tick = before_tick};
            result = store_read(fixture->store, &query, &history, fault);
            if (result == RESULT_OK) {
                fixture_check_history(history, ENTRIES);
                store_history_free(history);
            }
        }
        store_worlds_free(worlds, count);
    }
    fixture_close(fixture);
    return result;
}

static bool has_copy(const struct fixture *fixture) {
    DIR *folder = opendir(fixture->directory);
    bool found = false;
    assert_non_null(folder);
    for (struct dirent *entry = NULL; (entry = readdir(folder)) != NULL;) {
        found = found || strstr(entry->d_name, "weft.db-wal.damaged-") != NULL;
    }
    closedir(folder);
    return found;
}

static size_t pick(uint64_t *random, size_t size) {
    return size == 0 ? 0 : fixture_random(random) % size;
}

static void flip(struct bytes *bytes, uint64_t *random) {
    if (bytes->size > 0) {
        const size_t at = pick(random, bytes->size);
        bytes->data[at] = (unsigned char)(bytes->data[at] ^ 1u << fixture_random(random) % 8);
    }
}

static void zero_some(struct bytes *bytes, uint64_t *random) {
    const size_t at = pick(random, bytes->size), most = bytes->size - at;
    memset(bytes->data + at, 0, pick(random, 2) == 0 ? most : pick(random, most < 5000 ? most + 1 : 5000));
}

static const char *const damages[] = {
    "a bit of the log",
    "a bit of the database",
    "a bit of the mark",
    "the log cut",
    "the log deleted",
    "zeros in the log",
    "all of the log zero",
    "the log empty",
    "zeros in the database",
    "the database empty",
    "the database deleted",
    "the database cut",
    "a bit of the log and no mark",
    "a header of a frame",
};
#define DAMAGES (sizeof damages / sizeof damages[0])

static void damage(struct image *image, size_t kind, uint64_t *random) {
    struct bytes *log = &image->files[LOG], *database = &image->files[DATABASE];
    const size_t frame = log->size > 32 ? 32 + pick(random, (log->size - 32) / 4120) * 4120 : 0;
    switch (kind) {
    case 0:
        flip(log, random);
        break;
    case 1:
        flip(database, random);
        break;
    case 2:
        flip(&image->files[MARK], random);
        break;
    case 3:
        log->size = pick(random, log->size + 1);
        break;
    case 4:
        log->there = false;
        break;
    case 5:
        zero_some(log, random);
        break;
    case 6:
        memset(log->data, 0, log->size);
        break;
    case 7:
        log->size = 0;
        break;
    case 8:
        zero_some(database, random);
        break;
    case 9:
        database->size = 0;
        break;
    case 10:
        database->there = false;
        break;
    case 11:
        database->size = pick(random, database->size);
        break;
    case 12:
        flip(log, random);
        image->files[MARK].there = false;
        break;
    default:
        if (frame > 0) {
            log->data[frame + pick(random, 24)] ^= 4;
        }
        break;
    }
}

static void try_damage(bool long_log, bool closed, uint32_t right[DAMAGES], uint32_t reported[DAMAGES]) {
    static struct fixture made;
    uint64_t random = 11 + (long_log ? 1u : 0u) + (closed ? 2u : 0u);
    fixture_init(&made);
    write_store(&made, long_log);
    if (closed) {
        fixture_close(&made); // everything is in the database, and there is no log
    }
    struct image image = take_image(&made); // otherwise the files as a kill leaves them: the server is running
    fixture_free(&made);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        static struct fixture fixture;
        struct fault fault = {.message = ""};
        const size_t kind = trial % DAMAGES;
        struct image changed = copy_image(&image);
        fixture_init(&fixture);
        damage(&changed, kind, &random);
        put_image(&fixture, &changed);
        const enum result result = look(&fixture, &fault);
        right[kind] += result == RESULT_OK ? 1 : 0;
        reported[kind] += result != RESULT_OK ? 1 : 0;
        assert_true(result == RESULT_OK || fault.message[0] != '\0');
        if (result != RESULT_OK && (kind == 0 || kind == 3) && changed.files[LOG].size > 0) {
            assert_int_equal(result, RESULT_DAMAGED);
            assert_true(has_copy(&fixture));
        }
        free_image(&changed);
        fixture_free(&fixture);
    }
    free_image(&image);
}

static void damage_is_never_a_silent_loss(void **state) {
    (void)state;
    uint32_t right[DAMAGES] = {0}, reported[DAMAGES] = {0};
    try_damage(false, false, right, reported);
    try_damage(true, false, right, reported);
    try_damage(false, true, right, reported);
    for (size_t i = 0; i < DAMAGES; i++) {
        print_message("%-30s %3u times all there, %3u times reported\n", damages[i], right[i], reported[i]);
    }
    print_message("store: %d trials of damage, 0 silent losses\n", 3 * TRIALS);
    assert_true(reported[0] > 20 && reported[3] > 20 && right[2] > 20);
    assert_int_equal(right[9] + right[10], 0); // the database empty or deleted
}

// ---- ends that an interrupted write leaves -------------------------------------------------------------------------

static uint64_t commits_of(struct image *image) {
    return image->files[LOG].size;
}

// Puts the files into a folder of its own and reads the store, which must have `entries` entries.
static enum result reads(const struct image *image, uint64_t *entries, struct fault *fault) {
    static struct fixture fixture;
    fixture_init(&fixture);
    fixture.options.durability = STORE_FULL;
    put_image(&fixture, image);
    struct store_timeline *timelines = NULL;
    uint32_t count = 0;
    enum result result = store_open(&fixture.options, &fixture.store, fault);
    if (result == RESULT_OK) {
        fixture.world = 1;
        result = store_list_timelines(fixture.store, 1, &timelines, &count, fault);
        *entries = result == RESULT_OK && count > 0 ? timelines[0].last_sequence : 0;
        free(timelines);
        if (result == RESULT_OK) {
            struct store_history *history = fixture_read(&fixture, 1, STORE_END);
            assert_int_equal(history->entry_count, *entries);
            store_history_free(history);
        }
    }
    fixture_free(&fixture);
    return result;
}

static void an_end_that_an_interrupted_write_leaves_opens_without_complaint(void **state) {
    (void)state;
    static struct fixture made;
    uint64_t random = 5, entries = 0;
    struct fault fault = {.message = ""};
    fixture_init(&made);
    made.options.durability = STORE_FULL;
    fixture_open(&made);
    fixture_create_world(&made, "main");
    assert_int_equal(fixture_begin(&made, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(fixture_append(&made, 1), RESULT_OK);
        fixture_wait(&made);
    }
    struct image before = take_image(&made);
    assert_int_equal(fixture_append(&made, 1), RESULT_OK);
    fixture_wait(&made);
    struct image after = take_image(&made);
    fixture_free(&made);
    assert_true(commits_of(&after) > commits_of(&before));
    // The commit was not acknowledged: the watermark is that of the commit before.
    free(after.files[MARK].data);
    after.files[MARK] = before.files[MARK];
    for (int trial = 0; trial < 200; trial++) {
        struct image torn = copy_image(&after);
        const size_t from = before.files[LOG].size, added = torn.files[LOG].size - from;
        if (trial % 2 == 0) { // cut off anywhere in the commit
            torn.files[LOG].size = from + pick(&random, added);
        } else { // any of its sectors did not reach the disk
            for (size_t at = from / 512 * 512; at < torn.files[LOG].size; at += 512) {
                const size_t begin = at < from ? from : at, end = at + 512;
                if (pick(&random, 3) == 0) {
                    memset(torn.files[LOG].data + begin, 0,
                           (end < torn.files[LOG].size ? end : torn.files[LOG].size) - begin);
                }
            }
        }
        if (reads(&torn, &entries, &fault) != RESULT_OK) {
            fail_msg("trial %d: %s", trial, fault.message);
        }
        assert_in_range(entries, 10, 11);
        free_image(&torn);
    }
    after.files[MARK] = (struct bytes){0};
    free_image(&after);
    free_image(&before);
}

static void the_last_acknowledged_commit_is_not_taken_for_an_interrupted_one(void **state) {
    (void)state;
    static struct fixture made;
    uint64_t entries = 0;
    struct fault fault = {.message = ""};
    fixture_init(&made);
    fixture_open(&made);
    fixture_create_world(&made, "main");
    assert_int_equal(fixture_begin(&made, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    size_t from = 0;
    for (int i = 0; i < 10; i++) {
        struct image image = take_image(&made);
        from = image.files[LOG].size;
        free_image(&image);
        assert_int_equal(fixture_append(&made, 1), RESULT_OK);
        fixture_wait(&made);
    }
    struct image whole = take_image(&made);
    fixture_free(&made);
    for (size_t at = from; at < whole.files[LOG].size; at += 337) {
        struct image changed = copy_image(&whole);
        changed.files[LOG].data[at] ^= 16;
        assert_int_equal(reads(&changed, &entries, &fault), RESULT_DAMAGED);
        assert_non_null(strstr(fault.message, "damaged"));
        free_image(&changed);
    }
    assert_int_equal(reads(&whole, &entries, &fault), RESULT_OK);
    assert_int_equal(entries, 10);
    free_image(&whole);
}

static void the_log_is_emptied_into_the_database_when_nothing_is_written(void **state) {
    (void)state;
    static struct fixture fixture;
    struct stat status = {.st_size = 1};
    char path[128];
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    fixture_wait(&fixture);
    path_of(&fixture, LOG, path);
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size > 0);
    for (int i = 0; i < 200 && status.st_size > 0; i++) {
        usleep(50000);
        assert_int_equal(stat(path, &status), 0);
    }
    assert_int_equal(status.st_size, 0);
    struct image image = take_image(&fixture);
    image.files[LOG].there = false; // nothing is lost with it
    uint64_t entries = 0;
    struct fault fault = {.message = ""};
    assert_int_equal(reads(&image, &entries, &fault), RESULT_OK);
    assert_int_equal(entries, 1);
    free_image(&image);
    fixture_free(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_never_a_silent_loss),
        cmocka_unit_test(an_end_that_an_interrupted_write_leaves_opens_without_complaint),
        cmocka_unit_test(the_last_acknowledged_commit_is_not_taken_for_an_interrupted_one),
        cmocka_unit_test(the_log_is_emptied_into_the_database_when_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
