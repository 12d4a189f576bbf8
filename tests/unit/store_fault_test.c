// SPDX-License-Identifier: MIT
// The disk fails at each call of a kind in turn: the store acknowledges nothing that is not there, reports the failure,
// refuses at once, continues by itself when the disk works again, and then takes a new timeline of a lost world.
#include <sqlite3.h>
#include <time.h>

#include "../support/fault_vfs.h"
#include "store_fixture.h"

#define TICKETS 4096

// The entry that was appended with a ticket.
static struct {
    uint32_t timeline;
    uint64_t sequence;
} appended[TICKETS];

static void append_some(struct fixture *fixture, int count, bool wait) {
    for (int i = 0; i < count; i++) {
        const uint64_t ticket = fixture->tickets + 1;
        appended[ticket].timeline = fixture->timeline;
        appended[ticket].sequence = fixture->sequence + 1;
        if (fixture_append(fixture, 3) != RESULT_OK) {
            appended[ticket].sequence = 0;
        }
        if (i % 3 == 2 && fixture_mark(fixture) == RESULT_OK) {
            appended[fixture->tickets].sequence = 0;
        }
        if (i % 4 == 3 && fixture_save(fixture) == RESULT_OK) {
            appended[fixture->tickets].sequence = 0;
        }
        if (wait) {
            fixture_wait(fixture);
        }
    }
}

// Does what a caller of the store does when the disk works again: begins a new timeline of a lost world.
static void take_up_again(struct fixture *fixture) {
    struct fault fault = {.message = ""};
    const enum result accepts = store_accepts(fixture->store, fixture->world, &fault);
    if (accepts == RESULT_STATE) {
        assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_SNAPSHOT, fixture->tick, 0, 0), RESULT_OK);
        appended[fixture->tickets].sequence = 0;
        return;
    }
    if (accepts != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
}

static uint32_t failing_calls, false_acknowledgements; // of all tests

// Checks that every acknowledged entry is in the store, in order and as it was written.
static uint32_t check_acknowledged(struct fixture *fixture) {
    uint32_t acknowledged = 0;
    for (uint64_t ticket = 1; ticket <= fixture->tickets; ticket++) {
        struct store_history *history = NULL;
        struct fault fault = {.message = ""};
        if (appended[ticket].sequence == 0 || fixture->settled[ticket] != RESULT_OK) {
            continue;
        }
        assert_true(fixture->told[ticket]);
        if (store_list_entries(fixture->store, fixture->world, appended[ticket].timeline, appended[ticket].sequence, 1,
                               &history, &fault) != RESULT_OK ||
            history->entry_count != 1) {
            false_acknowledgements++;
            fail_msg("entry %llu of timeline %u was acknowledged: %s", (unsigned long long)appended[ticket].sequence,
                     appended[ticket].timeline, fault.message);
        }
        assert_true(history->entries[0].entry.sequence == appended[ticket].sequence);
        fixture_check_entry(&history->entries[0]);
        store_history_free(history);
        acknowledged++;
    }
    return acknowledged;
}

static void begin_fixture(struct fixture *fixture) {
    fixture_init(fixture);
    fixture->options.durability = STORE_FULL;
    fixture->options.probe_ms = 2;
    memset(appended, 0, sizeof appended);
    fixture_open(fixture);
    fixture_create_world(fixture, "main");
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    append_some(fixture, 4, false);
    fixture_wait(fixture);
}

// Returns false when there are not so many calls, so that all have been tried.
static bool fail_at(enum fault_kind kind, uint64_t n, uint64_t count) {
    struct fixture fixture;
    fault_vfs_install(false);
    begin_fixture(&fixture);
    fault_vfs_fail(kind, n, count);
    append_some(&fixture, 12, true);
    const bool failed = fault_vfs_failures() > 0;
    failing_calls += failed ? 1 : 0;
    fault_vfs_heal();
    fixture_wait_health(&fixture, true);
    take_up_again(&fixture);
    append_some(&fixture, 4, true);
    assert_true(fixture.settled[fixture.tickets] == RESULT_OK); // the disk works again, and so does the store
    fixture_close(&fixture);
    assert_true(fixture.told_count == fixture.tickets && !fixture.out_of_order);
    fixture_open(&fixture);
    assert_true(check_acknowledged(&fixture) >= 8);
    store_history_free(fixture_read(&fixture, 0, STORE_END));
    fixture_free(&fixture);
    fault_vfs_remove();
    return failed;
}

static void fail_everywhere(enum fault_kind kind, uint64_t step) {
    uint64_t n = 1;
    while (fail_at(kind, n, 1)) {
        n += step;
    }
    print_message("failed at each of %llu calls\n", (unsigned long long)n);
    assert_true(n > 5);
    for (uint64_t first = 1; first < 10; first += 4) { // several calls fail in a row
        assert_true(fail_at(kind, first, 0));
    }
}

static void a_full_disk_gives_no_false_acknowledgement(void **state) {
    (void)state;
    fail_everywhere(FAULT_FULL, 3);
}

static void a_failing_write_gives_no_false_acknowledgement(void **state) {
    (void)state;
    fail_everywhere(FAULT_WRITE, 3);
}

static void a_failing_sync_gives_no_false_acknowledgement(void **state) {
    (void)state;
    fail_everywhere(FAULT_SYNC, 1);
}

// Reads fail while the store is opened and read.
static void a_failing_read_is_an_error_and_nothing_else(void **state) {
    (void)state;
    uint64_t n = 1;
    struct fixture fixture;
    fault_vfs_install(false);
    begin_fixture(&fixture);
    append_some(&fixture, 40, false);
    fixture_wait(&fixture);
    for (;; n++) {
        const struct store_query query = {.world = fixture.world, .tick = STORE_END};
        struct store_history *history = NULL;
        struct fault fault = {.message = ""};
        const uint64_t before = fault_vfs_failures();
        fault_vfs_fail(FAULT_READ, n, 1);
        enum result result = store_read(fixture.store, &query, &history, &fault);
        const bool failed = fault_vfs_failures() > before;
        fault_vfs_heal();
        if (result == RESULT_OK) {
            assert_int_equal(history->passed_over, 0); // a snapshot that could not be read is not damaged
            store_history_free(history);
        } else {
            assert_int_equal(result, RESULT_IO);
        }
        if (!failed) {
            assert_int_equal(result, RESULT_OK);
            break;
        }
    }
    print_message("failed at each of %llu reads\n", (unsigned long long)n - 1);
    assert_true(n > 5);
    for (uint64_t at = 1; at < 40; at++) { // opening
        fixture_close(&fixture);
        struct fault fault = {.message = ""};
        const uint64_t before = fault_vfs_failures();
        fault_vfs_fail(at % 2 == 0 ? FAULT_READ : FAULT_OPEN, at / 2 + 1, 1);
        enum result result = store_open(&fixture.options, &fixture.store, &fault);
        const bool failed = fault_vfs_failures() > before;
        fault_vfs_heal();
        if (result != RESULT_OK) {
            assert_true(failed && strlen(fault.message) > 0);
            fixture_open(&fixture);
        }
    }
    assert_true(check_acknowledged(&fixture) == 44);
    fixture_free(&fixture);
    fault_vfs_remove();
}

static void while_the_disk_fails_writes_are_refused_at_once_with_the_reason(void **state) {
    (void)state;
    struct fixture fixture;
    struct fault fault = {.message = ""};
    struct store_figures figures;
    fault_vfs_install(false);
    begin_fixture(&fixture);
    fault_vfs_fail(FAULT_FULL, 1, 0);
    assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    fixture_wait_health(&fixture, false);
    fixture_wait(&fixture);
    assert_int_equal(fixture.settled[fixture.tickets], RESULT_IO);
    assert_non_null(strstr(fixture.reason.message, "no room is left"));
    store_figures(fixture.store, &figures);
    assert_true(!figures.well && figures.failures == 1 && figures.queue_bytes == 0);
    assert_int_equal(store_accepts(fixture.store, fixture.world, &fault), RESULT_IO);
    assert_non_null(strstr(fault.message, "no room is left"));
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(fixture_append(&fixture, 1), RESULT_IO);
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true(after.tv_sec - before.tv_sec < 2);
    const struct store_world given = {.name = "other"};
    uint64_t world = 0;
    assert_int_equal(store_world_create(fixture.store, &given, &world, &fault), RESULT_IO);
    store_history_free(fixture_read(&fixture, 0, STORE_END)); // stored history can be read meanwhile
    fault_vfs_heal();
    fixture_wait_health(&fixture, true);
    assert_int_equal(store_accepts(fixture.store, fixture.world, &fault),
                     RESULT_STATE); // until a new timeline is begun
    assert_int_equal(fixture_append(&fixture, 1), RESULT_STATE);
    take_up_again(&fixture);
    assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    fixture_wait(&fixture);
    assert_int_equal(fixture.settled[fixture.tickets], RESULT_OK);
    store_figures(fixture.store, &figures);
    assert_true(figures.well && fixture.health_changes == 2);
    fixture_free(&fixture);
    fault_vfs_remove();
}

// ---- the queue and the budget
// ---------------------------------------------------------------------------------------------------

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool at_the_gate;

static void settled_at_the_gate(void *user, uint64_t world, uint64_t ticket, enum result result,
                                const struct fault *fault) {
    at_the_gate = true;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    fixture_settled(user, world, ticket, result, fault);
}

static void a_full_queue_says_busy_and_still_takes_what_was_applied(void **state) {
    (void)state;
    struct fixture fixture;
    struct fault fault = {.message = ""};
    fixture_init(&fixture);
    fixture.options.listener.settled = settled_at_the_gate;
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    pthread_mutex_lock(&gate); // the store's thread waits in its listener
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    while (!at_the_gate) {
        usleep(1000);
    }
    const size_t size = 1u << 20;
    void *megabyte = calloc(1, size);
    assert_non_null(megabyte);
    uint32_t taken = 0;
    while (store_accepts(fixture.store, fixture.world, &fault) == RESULT_OK) {
        const struct store_entry entry = {.tick = 1, .sequence = ++fixture.sequence, .record = {megabyte, size}};
        assert_int_equal(store_append(fixture.store, fixture.world, &entry, 1, ++fixture.tickets, &fault), RESULT_OK);
        taken++;
    }
    assert_int_equal(fault.cause, RESULT_BUSY);
    assert_true(taken >= 31 && taken <= 33);
    assert_int_equal(fixture_save(&fixture), RESULT_BUSY);
    assert_int_equal(fixture_append(&fixture, 1), RESULT_OK); // an applied command is taken all the same
    pthread_mutex_unlock(&gate);
    fixture_wait(&fixture);
    assert_int_equal(store_accepts(fixture.store, fixture.world, &fault), RESULT_OK);
    free(megabyte);
    fixture_free(&fixture);
}

static uint64_t count_rows(struct fixture *fixture, const char *sql) {
    char path[128];
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    snprintf(path, sizeof path, "%s/weft.db", fixture->directory);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const uint64_t count = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

// Waits until maintenance has done its work.
static void wait_until(struct fixture *fixture, const char *sql, uint64_t most) {
    uint64_t count = 0;
    for (int i = 0; i < 200; i++) {
        count = count_rows(fixture, sql);
        if (count <= most) {
            return;
        }
        usleep(50000);
    }
    fail_msg("%s is %llu, not %llu", sql, (unsigned long long)count, (unsigned long long)most);
}

static void old_history_is_deleted_but_for_the_two_newest_snapshots(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture.options.budget.age_ms = 1;
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
        if (i % 100 == 99) {
            assert_int_equal(fixture_mark(&fixture), RESULT_OK);
            assert_int_equal(fixture_save(&fixture), RESULT_OK);
        }
    }
    assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    fixture_wait(&fixture);
    wait_until(&fixture, "SELECT count(*) FROM entry", 101);
    wait_until(&fixture, "SELECT count(*) FROM snapshot", 2);
    wait_until(&fixture, "SELECT count(*) FROM sweep", 0);
    assert_int_equal(count_rows(&fixture, "SELECT count(*) FROM entry"), 101);
    assert_int_equal(count_rows(&fixture, "SELECT count(*) FROM snapshot"), 2);
    assert_true(fixture.compactions > 0);
    struct store_history *history = fixture_read(&fixture, 0, 900);
    assert_true(history->snapshot.tick == 900);
    store_history_free(history);
    const struct store_query query = {.world = fixture.world, .tick = 899};
    struct fault fault = {.message = ""};
    assert_int_equal(store_read(fixture.store, &query, &history, &fault), RESULT_NOT_FOUND);
    assert_non_null(strstr(fault.message, "900 to 1000"));
    history = fixture_read(&fixture, 0, STORE_END);
    assert_true(history->snapshot.tick == 1000 && history->entry_count == 1);
    store_history_free(history);
    struct store_timeline *timelines = NULL;
    uint32_t count = 0;
    assert_int_equal(store_list_timelines(fixture.store, fixture.world, &timelines, &count, &fault), RESULT_OK);
    assert_true(count == 1 && timelines[0].first_tick == 900 && timelines[0].entries == 101);
    free(timelines);
    fixture_free(&fixture);
}

static void over_its_bytes_a_store_deletes_the_oldest_history(void **state) {
    (void)state;
    struct fixture fixture;
    struct store_figures figures;
    fixture_init(&fixture);
    fixture.options.budget.bytes = 2000000;
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 200; i++) { // about 6 MB
        assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
        assert_int_equal(fixture_save(&fixture), RESULT_OK);
        if (i == 100) { // also whole timelines are deleted
            assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_SNAPSHOT, fixture.tick, 0, 0), RESULT_OK);
        }
    }
    fixture_wait(&fixture);
    assert_true(count_rows(&fixture, "PRAGMA page_count") * 4096 > 4000000);
    wait_until(&fixture, "PRAGMA page_count", 2000000 / 4096 * 4 / 3 + 300);
    assert_int_equal(count_rows(&fixture, "SELECT count(*) FROM timeline"), 1);
    struct store_history *history = fixture_read(&fixture, 0, STORE_END);
    assert_true(history->snapshot.tick == 200 && history->entry_count == 0);
    store_history_free(history);
    store_figures(fixture.store, &figures);
    assert_true(figures.compacted > 50);
    fixture_free(&fixture);
}

static void the_rows_of_a_removed_world_are_deleted(void **state) {
    (void)state;
    struct fixture fixture;
    struct fault fault = {.message = ""};
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "stays");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    fixture_create_world(&fixture, "goes");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 500; i++) {
        assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    }
    assert_int_equal(fixture_mark(&fixture), RESULT_OK);
    assert_int_equal(fixture_save(&fixture), RESULT_OK);
    assert_int_equal(store_world_remove(fixture.store, fixture.world, &fault), RESULT_OK);
    wait_until(&fixture,
               "SELECT (SELECT count(*) FROM entry) + (SELECT count(*) FROM hash)"
               " + (SELECT count(*) FROM snapshot) + (SELECT count(*) FROM timeline)",
               2);
    assert_int_equal(count_rows(&fixture, "SELECT count(*) FROM entry"), 1);
    fixture_free(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_gives_no_false_acknowledgement),
        cmocka_unit_test(a_failing_write_gives_no_false_acknowledgement),
        cmocka_unit_test(a_failing_sync_gives_no_false_acknowledgement),
        cmocka_unit_test(a_failing_read_is_an_error_and_nothing_else),
        cmocka_unit_test(while_the_disk_fails_writes_are_refused_at_once_with_the_reason),
        cmocka_unit_test(a_full_queue_says_busy_and_still_takes_what_was_applied),
        cmocka_unit_test(old_history_is_deleted_but_for_the_two_newest_snapshots),
        cmocka_unit_test(over_its_bytes_a_store_deletes_the_oldest_history),
        cmocka_unit_test(the_rows_of_a_removed_world_are_deleted),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("store: %u failing calls of the disk, %u false acknowledgements\n", failing_calls, false_acknowledgements);
    return failed;
}
