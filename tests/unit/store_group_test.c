// SPDX-License-Identifier: MIT
// Groups of writes: all of a group is stored when it is committed, and nothing before.
#include "store_fixture.h"

#define APPENDED 5u

// Makes a world with a timeline of some settled entries.
static void begin(struct fixture *fixture, struct fixture *then) {
    fixture_init(fixture);
    fixture_open(fixture);
    fixture_create_world(fixture, "main");
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (unsigned i = 0; i < APPENDED; i++) {
        assert_int_equal(fixture_append(fixture, 10), RESULT_OK);
    }
    assert_int_equal(fixture_mark(fixture), RESULT_OK);
    fixture_wait(fixture);
    *then = *fixture;
}

static void go_back(struct fixture *fixture, const struct fixture *then) {
    fixture->timeline = then->timeline;
    fixture->sequence = then->sequence;
    fixture->tick = then->tick;
    fixture->tickets = then->tickets;
}

// Writes a fork with entries, as an undo does.
static void gather_a_fork(struct fixture *fixture) {
    struct fault fault = {.message = ""};
    assert_int_equal(store_group_begin(fixture->store, fixture->world, &fault), RESULT_OK);
    assert_int_equal(store_group_begin(fixture->store, fixture->world, &fault), RESULT_OK);
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_FORK, 20, 1, 2), RESULT_OK);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(fixture_append(fixture, 10), RESULT_OK);
    }
    assert_int_equal(fixture_mark(fixture), RESULT_OK);
}

// Waits until the store's thread has done everything.
static uint32_t count_timelines(struct fixture *fixture) {
    struct store_timeline *timelines = NULL;
    struct fault fault = {.message = ""};
    uint32_t count = 0;
    assert_int_equal(store_world_set(fixture->store, fixture->world, (struct store_bytes){"new", 3}, &fault),
                     RESULT_OK);
    assert_int_equal(store_list_timelines(fixture->store, fixture->world, &timelines, &count, &fault), RESULT_OK);
    free(timelines);
    return count;
}

static void a_group_is_not_stored_before_it_is_committed(void **state) {
    (void)state;
    struct fixture fixture, then;
    begin(&fixture, &then);
    gather_a_fork(&fixture);
    assert_int_equal(count_timelines(&fixture), 1);
    fixture_close(&fixture); // as a kill would
    fixture_open(&fixture);
    go_back(&fixture, &then);
    assert_int_equal(count_timelines(&fixture), 1);
    struct store_history *history = fixture_read(&fixture, 0, STORE_END);
    assert_true(history->entry_count == APPENDED && history->tick == 10 * APPENDED);
    store_history_free(history);
    assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    fixture_free(&fixture);
}

static void a_committed_group_is_stored_whole(void **state) {
    (void)state;
    struct fixture fixture, then;
    struct fault fault = {.message = ""};
    begin(&fixture, &then);
    gather_a_fork(&fixture);
    assert_int_equal(store_group_commit(fixture.store, fixture.world, &fault), RESULT_OK);
    assert_int_equal(store_group_commit(fixture.store, fixture.world, &fault), RESULT_OK); // without a group
    assert_int_equal(fixture_append(&fixture, 10), RESULT_OK);
    fixture_wait(&fixture);
    assert_false(fixture.out_of_order);
    fixture_close(&fixture);
    fixture_open(&fixture);
    struct store_history *history = fixture_read(&fixture, 0, STORE_END);
    assert_true(history->snapshot.timeline == 2 && history->entry_count == 4);
    store_history_free(history);
    fixture_free(&fixture);
}

static void a_discarded_group_leaves_no_trace(void **state) {
    (void)state;
    struct fixture fixture, then;
    struct fault fault = {.message = ""};
    begin(&fixture, &then);
    store_group_discard(fixture.store, fixture.world); // there is no group
    gather_a_fork(&fixture);
    store_group_discard(fixture.store, fixture.world);
    go_back(&fixture, &then);
    assert_int_equal(fixture_append(&fixture, 10), RESULT_OK);
    fixture_wait(&fixture);
    assert_int_equal(count_timelines(&fixture), 1);
    gather_a_fork(&fixture);
    assert_int_equal(store_world_remove(fixture.store, fixture.world, &fault), RESULT_OK);
    assert_int_equal(store_group_commit(fixture.store, fixture.world, &fault), RESULT_OK); // of a removed world
    assert_int_equal(store_group_begin(fixture.store, fixture.world, &fault), RESULT_NOT_FOUND);
    fixture_free(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_is_not_stored_before_it_is_committed),
        cmocka_unit_test(a_committed_group_is_stored_whole),
        cmocka_unit_test(a_discarded_group_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
