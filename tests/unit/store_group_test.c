// SPDX-License-Identifier: MIT
// Posts that belong together: they are stored whole when they are handed over, and not at all before.
#include "store_fixture.h"

#define APPENDED 5u

// A world with a timeline of some entries, all settled, and the log as it was then.
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

// A fork with entries, as an undo makes it.
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

// Waits until the store's thread has done all that it was given.
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

static void what_is_gathered_is_not_there_before_it_is_handed_over(void **state) {
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

static void what_is_handed_over_is_there_whole(void **state) {
    (void)state;
    struct fixture fixture, then;
    struct fault fault = {.message = ""};
    begin(&fixture, &then);
    gather_a_fork(&fixture);
    assert_int_equal(store_group_commit(fixture.store, fixture.world, &fault), RESULT_OK);
    assert_int_equal(store_group_commit(fixture.store, fixture.world, &fault), RESULT_OK); // of nothing
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

static void what_is_dropped_has_never_been(void **state) {
    (void)state;
    struct fixture fixture, then;
    struct fault fault = {.message = ""};
    begin(&fixture, &then);
    store_group_discard(fixture.store, fixture.world); // nothing is
    gather_a_fork(&fixture);
    store_group_discard(fixture.store, fixture.world);
    go_back(&fixture, &then);
    assert_int_equal(fixture_append(&fixture, 10), RESULT_OK);
    fixture_wait(&fixture);
    assert_int_equal(count_timelines(&fixture), 1);
    gather_a_fork(&fixture);
    assert_int_equal(store_world_remove(fixture.store, fixture.world, &fault), RESULT_OK);
    assert_int_equal(store_group_commit(fixture.store, fixture.world, &fault), RESULT_OK); // of a world that is gone
    assert_int_equal(store_group_begin(fixture.store, fixture.world, &fault), RESULT_NOT_FOUND);
    fixture_free(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_gathered_is_not_there_before_it_is_handed_over),
        cmocka_unit_test(what_is_handed_over_is_there_whole),
        cmocka_unit_test(what_is_dropped_has_never_been),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
