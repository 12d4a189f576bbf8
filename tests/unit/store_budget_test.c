// SPDX-License-Identifier: MIT
// The data that a store keeps or deletes: the limit of its queue, the budgets of age and bytes, removed worlds. For
// both engines.
#include "store_fixture.h"

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
    fixture_wait_count(&fixture, "SELECT count(*) FROM entry", 0, 101);
    fixture_wait_count(&fixture, "SELECT count(*) FROM snapshot", 0, 2);
    fixture_wait_count(&fixture, "SELECT count(*) FROM sweep", 0, 0);
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM entry"), 101);
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM snapshot"), 2);
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
    fixture_wait_count(&fixture, "SELECT count(*) FROM timeline", 1, 1);
    if (!fixture_on_postgres()) { // its file shrinks
        fixture_wait_count(&fixture, "PRAGMA page_count", 1, 2000000 / 4096 * 4 / 3 + 300);
    }
    struct store_history *history = fixture_read(&fixture, 0, STORE_END);
    assert_true(history->snapshot.tick == 200 && history->entry_count == 0);
    store_history_free(history);
    store_figures(fixture.store, &figures);
    while (figures.history_bytes > 2000000 || figures.compacted <= 50) {
        usleep(50000);
        store_figures(fixture.store, &figures);
    }
    fixture_wait_count(&fixture, "SELECT count(*) FROM sweep", 0, 0);
    assert_true(fixture_count(&fixture, "SELECT count(*) FROM snapshot") < 70);
    assert_true(fixture_count(&fixture, "SELECT count(*) FROM entry") < 70);
    assert_true(fixture_count(&fixture, "SELECT count(*) FROM snapshot") >= 2);
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
    fixture_wait_count(&fixture,
                       "SELECT (SELECT count(*) FROM entry) + (SELECT count(*) FROM hash)"
                       " + (SELECT count(*) FROM snapshot) + (SELECT count(*) FROM timeline)",
                       0, 2);
    fixture_wait_count(&fixture, "SELECT count(*) FROM sweep", 0, 0);
    if (fixture_on_postgres()) {
        fixture_wait_count(&fixture, "SELECT count(*) FROM owner", 1, 1);
    }
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM entry"), 1);
    fixture_free(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_queue_says_busy_and_still_takes_what_was_applied),
        cmocka_unit_test(old_history_is_deleted_but_for_the_two_newest_snapshots),
        cmocka_unit_test(over_its_bytes_a_store_deletes_the_oldest_history),
        cmocka_unit_test(the_rows_of_a_removed_world_are_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
