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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_gives_no_false_acknowledgement),
        cmocka_unit_test(a_failing_write_gives_no_false_acknowledgement),
        cmocka_unit_test(a_failing_sync_gives_no_false_acknowledgement),
        cmocka_unit_test(a_failing_read_is_an_error_and_nothing_else),
        cmocka_unit_test(while_the_disk_fails_writes_are_refused_at_once_with_the_reason),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("store: %u failing calls of the disk, %u false acknowledgements\n", failing_calls, false_acknowledgements);
    return failed;
}
