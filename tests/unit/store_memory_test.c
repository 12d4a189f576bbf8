// SPDX-License-Identifier: MIT
// Memory runs out at each allocation in turn, of the store and of SQLite or libpq: calls report it, the store
// acknowledges nothing that is not there, nothing crashes and nothing leaks.
#include <link.h>

#include "../support/failing_memory.h"
#include "sanitizer.h"
#include "store/capsule/capsule_unpack.h"
#include "store_fixture.h"

// ---- libpq's allocations --------------------------------------------------------------------------------------------

// libpq takes its memory from malloc, which this program defines: those calls fail that come from libpq's code. Not
// under a sanitizer, which has a malloc of its own.
static uintptr_t libpq_begin;

#ifndef IS_SANITIZED

static uintptr_t libpq_end;

#define SEEN __attribute__((visibility("default"))) // by libraries

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static int note_libpq(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size;
    (void)user;
    for (int i = 0; strstr(info->dlpi_name, "/libpq.so") != NULL && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X) != 0) {
            libpq_begin = info->dlpi_addr + header->p_vaddr;
            libpq_end = libpq_begin + header->p_memsz;
        }
    }
    return 0;
}

static bool fails_for(const void *caller) {
    return (uintptr_t)caller >= libpq_begin && (uintptr_t)caller < libpq_end && failing_now();
}

SEEN void *malloc(size_t size) {
    return fails_for(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

SEEN void *calloc(size_t count, size_t size) {
    return fails_for(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

SEEN void *realloc(void *memory, size_t size) {
    return fails_for(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

SEEN char *strdup(const char *text) {
    char *copy = fails_for(__builtin_return_address(0)) ? NULL : __libc_malloc(strlen(text) + 1);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

#else

static int note_libpq(struct dl_phdr_info *info, size_t size, void *user) {
    (void)info;
    (void)size;
    (void)user;
    return 1;
}

#endif

static unsigned char capsule_bytes[64 * 1024]; // a file, read before memory begins to run out
static size_t capsule_size;

static void fail_after(int64_t calls) {
    atomic_store(&failing->until, calls);
}

// ---- the command path
// ----------------------------------------------------------------------------------------------------------

#define TICKETS 256
static struct {
    uint32_t timeline;
    uint64_t sequence;
} appended[TICKETS];

static void append(struct fixture *fixture) {
    char reply[] = "a reply";
    unsigned char record[256];
    struct fault fault = {.message = ""};
    const size_t size = fixture_record(fixture->timeline, fixture->sequence + 1, record);
    const struct store_entry entry = {.tick = fixture->tick + 1,
                                      .sequence = fixture->sequence + 1,
                                      .session = "anna",
                                      .request = "1",
                                      .reply = reply,
                                      .reply_length = sizeof reply - 1,
                                      .record = {record, size}};
    const enum result result = store_append(fixture->store, fixture->world, &entry, 1, fixture->tickets + 1, &fault);
    if (result == RESULT_OK) {
        fixture->tickets++;
        fixture->sequence++;
        fixture->tick += 2;
        appended[fixture->tickets].timeline = fixture->timeline;
        appended[fixture->tickets].sequence = fixture->sequence;
    } else {
        assert_true(strlen(fault.message) > 0);
    }
    fixture_wait(fixture);
}

static void check_acknowledged(struct fixture *fixture) {
    for (uint64_t ticket = 1; ticket <= fixture->tickets; ticket++) {
        struct store_history *history = NULL;
        if (appended[ticket].sequence == 0 || fixture->settled[ticket] != RESULT_OK) {
            continue;
        }
        struct fault fault = {.message = ""};
        if (store_list_entries(fixture->store, fixture->world, appended[ticket].timeline, appended[ticket].sequence, 1,
                               &history, &fault) != RESULT_OK) {
            fail_msg("entry %llu was acknowledged: %s", (unsigned long long)appended[ticket].sequence, fault.message);
        }
        assert_int_equal(history->entry_count, 1);
        fixture_check_entry(&history->entries[0]);
        store_history_free(history);
    }
}

// Opens the same store again and lets one more allocation fail. Returns false when there are not so many allocations.
static bool post_with_failure(struct fixture *fixture, int64_t calls) {
    fixture->tickets = fixture->told_count = fixture->last_ticket = 0;
    memset(fixture->told, 0, sizeof fixture->told);
    memset(appended, 0, sizeof appended);
    fixture_open(fixture);
    const uint64_t before = failing->failures;
    fail_after(calls);
    append(fixture);
    (void)!fixture_mark(fixture);
    append(fixture);
    (void)!fixture_save(fixture);
    fixture_wait(fixture);
    append(fixture);
    fail_after(-1);
    const bool failed = failing->failures > before;
    fixture_wait_health(fixture, true);
    if (store_accepts(fixture->store, fixture->world, NULL) == RESULT_STATE) {
        assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_SNAPSHOT, fixture->tick, 0, 0), RESULT_OK);
    }
    append(fixture);
    assert_int_equal(fixture->settled[fixture->tickets], RESULT_OK);
    check_acknowledged(fixture);
    fixture_close(fixture);
    assert_true(fixture->told_count == fixture->tickets);
    return failed;
}

static void check_nothing_lives(void) {
    assert_int_equal(failing->living, 0);
    assert_int_equal(sqlite3_memory_used(), 0);
}

// The next allocation to fail: after the first ones some are skipped, unless all are asked for.
static int64_t next(int64_t calls, int64_t each) {
    static uint64_t random = 1;
    const bool all = getenv("WEFT_EVERY_ALLOCATION") != NULL || calls < each;
    return all ? calls + 1 : calls + 1 + (int64_t)(fixture_random(&random) % 30);
}

static void begin_store(struct fixture *fixture) {
    fixture_init(fixture);
    fixture->options.probe_ms = 1;
    fixture->options.answer_ms = 300;        // libpq may lose an answer when its memory runs out
    fixture->options.durability = STORE_OFF; // for speed
    fixture_open(fixture);
    fixture_create_world(fixture, "main");
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_SNAPSHOT, 0, 0, 0), RESULT_OK);
    fixture_wait(fixture);
}

static void writing_survives_every_failing_allocation(void **state) {
    (void)state;
    static struct fixture fixture;
    int64_t calls = 0;
    begin_store(&fixture);
    fixture_close(&fixture);
    while (post_with_failure(&fixture, calls)) {
        check_nothing_lives();
        calls = next(calls, fixture_on_postgres() ? 100 : INT64_MAX);
    }
    check_nothing_lives();
    print_message("%lld allocations failed in turn\n", (long long)calls);
    assert_true(calls > (fixture_on_postgres() && libpq_begin == 0 ? 10 : 20));
    fixture_free(&fixture);
}

// ---- opening and reading
// -------------------------------------------------------------------------------------------------------

// Calls every reading function, until one fails.
static enum result read_all(struct fixture *fixture) {
    struct fault fault = {.message = ""};
    struct store_world *worlds = NULL;
    struct store_timeline *timelines = NULL;
    struct store_snapshot_info *snapshots = NULL;
    struct store_reply *replies = NULL;
    struct store_history *history = NULL;
    struct store_capsule *capsule = NULL;
    uint32_t count = 0, reply_count = 0, world_count = 0;
    const struct store_query query = {.world = fixture->world, .tick = STORE_END, .before_sequence = 2};
    enum result result = store_open(&fixture->options, &fixture->store, &fault);
    result = result == RESULT_OK ? store_world_list(fixture->store, &worlds, &world_count, &fault) : result;
    result =
        result == RESULT_OK ? store_list_timelines(fixture->store, fixture->world, &timelines, &count, &fault) : result;
    result =
        result == RESULT_OK ? store_list_snapshots(fixture->store, fixture->world, &snapshots, &count, &fault) : result;
    result = result == RESULT_OK
                 ? store_read_replies(fixture->store, fixture->world, "anna", &replies, &reply_count, &fault)
                 : result;
    result = result == RESULT_OK ? store_read(fixture->store, &query, &history, &fault) : result;
    result = result == RESULT_OK ? store_capsule_unpack(capsule_bytes, capsule_size, &capsule, &fault) : result;
    if (result == RESULT_OK) {
        assert_true(world_count == 1 && reply_count == 1 && history->entry_count == 3);
        assert_true(capsule->history->entry_count > 0);
    } else if (result != RESULT_MEMORY && !(fixture_on_postgres() && result == RESULT_IO)) { // libpq has only texts
        fail_msg("%d: %s", (int)result, fault.message);
    }
    store_capsule_free(capsule);
    store_history_free(history);
    store_replies_free(replies, reply_count);
    free(snapshots);
    free(timelines);
    store_worlds_free(worlds, world_count);
    return result;
}

static void opening_and_reading_survive_every_failing_allocation(void **state) {
    (void)state;
    static struct fixture fixture;
    begin_store(&fixture);
    append(&fixture);
    append(&fixture);
    append(&fixture);
    assert_int_equal(fixture_mark(&fixture), RESULT_OK);
    assert_int_equal(fixture_save(&fixture), RESULT_OK);
    fixture_close(&fixture);
    check_nothing_lives();
    int64_t calls = 0; // most are those of SQLite's parser
    for (;; calls = next(calls, fixture_on_postgres() ? 60 : 300)) {
        const uint64_t before = failing->failures;
        fail_after(calls);
        const enum result result = read_all(&fixture);
        fail_after(-1);
        fixture_close(&fixture);
        check_nothing_lives();
        if (failing->failures == before) {
            assert_int_equal(result, RESULT_OK);
            break;
        }
    }
    print_message("of %lld allocations\n", (long long)calls);
    assert_true(calls > (fixture_on_postgres() && libpq_begin == 0 ? 10 : 300));
    fixture_free(&fixture);
}

int main(void) {
    FILE *file = fopen("tests/capsules/physics-2/bodies.capsule", "rb");
    capsule_size = file == NULL ? 0 : fread(capsule_bytes, 1, sizeof capsule_bytes, file);
    if (capsule_size == 0 || fclose(file) != 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_survives_every_failing_allocation),
        cmocka_unit_test(opening_and_reading_survive_every_failing_allocation),
    };
    fail_after(-1);
    (void)dl_iterate_phdr(note_libpq, NULL);
    if (!failing_install()) {
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("store: %llu failing allocations, %lld left behind\n", (unsigned long long)failing->failures,
           (long long)failing->living + (long long)sqlite3_memory_used());
    return failed;
}
