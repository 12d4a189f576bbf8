// SPDX-License-Identifier: MIT
// The Unix clock jumps by a day: replies are still known, so that no request is done twice, and history that is kept by
// its age stays. This program's clock_gettime replaces that of the C library.
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>

#include "store_fixture.h"

#define DAY_S (25 * 3600)

static _Atomic long ahead_s;

int clock_gettime(clockid_t clock, struct timespec *now) {
    const long code = syscall(SYS_clock_gettime, clock, now);
    if (code == 0 && clock == CLOCK_REALTIME) {
        now->tv_sec += atomic_load(&ahead_s);
    }
    return (int)code;
}

static void answer(struct fixture *fixture, const char *request) {
    const struct store_entry entry = {.tick = fixture->tick + 1,
                                      .sequence = fixture->sequence + 1,
                                      .session = "key",
                                      .request = request,
                                      .reply = "done",
                                      .reply_length = 4,
                                      .record = {"record", 6}};
    struct fault fault;
    assert_int_equal(store_append(fixture->store, fixture->world, &entry, 1, ++fixture->tickets, &fault), RESULT_OK);
    fixture->sequence++;
    fixture->tick++;
    fixture_wait(fixture);
}

static uint32_t count_replies(struct fixture *fixture) {
    struct store_reply *replies = NULL;
    struct fault fault;
    uint32_t count = 0;
    assert_int_equal(store_read_replies(fixture->store, fixture->world, "key", &replies, &count, &fault), RESULT_OK);
    store_replies_free(replies, count);
    return count;
}

static void let_upkeep_run(void) {
    usleep(2500000); // maintenance runs each second
}

static void change_the_file(const struct fixture *fixture, const char *sql) {
    char path[128];
    if (fixture_on_postgres()) {
        fixture_run_on_postgres(fixture->address, sql);
        return;
    }
    sqlite3 *db = NULL;
    snprintf(path, sizeof path, "%s/weft.db", fixture->directory);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void replies_do_not_grow_old_by_a_clock_that_jumps(void **state) {
    (void)state;
    static struct fixture fixture;
    atomic_store(&ahead_s, 0);
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    answer(&fixture, "1");
    answer(&fixture, "2");
    atomic_store(&ahead_s, DAY_S);
    let_upkeep_run();
    assert_int_equal(count_replies(&fixture), 2);
    fixture_close(&fixture);
    fixture_open(&fixture); // also after a restart
    let_upkeep_run();
    assert_int_equal(count_replies(&fixture), 2);
    atomic_store(&ahead_s, 0);
    fixture_close(&fixture);
    // After a day of running they are deleted.
    change_the_file(&fixture, fixture_on_postgres() ? "UPDATE uptime SET ran_ms=ran_ms+25*3600000"
                                                    : "UPDATE commits SET ran_ms=ran_ms+25*3600000");
    fixture_open(&fixture);
    let_upkeep_run();
    assert_int_equal(count_replies(&fixture), 0);
    fixture_free(&fixture);
}

static void history_is_not_compacted_by_a_clock_that_jumps(void **state) {
    (void)state;
    static struct fixture fixture;
    atomic_store(&ahead_s, 0);
    fixture_init(&fixture);
    fixture.options.budget.age_ms = 3600000;
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(fixture_append(&fixture, 3), RESULT_OK);
        assert_int_equal(fixture_save(&fixture), RESULT_OK);
        fixture_wait(&fixture);
    }
    atomic_store(&ahead_s, DAY_S);
    let_upkeep_run();
    let_upkeep_run();
    atomic_store(&ahead_s, 0);
    assert_int_equal(fixture.compactions, 0);
    fixture_free(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_do_not_grow_old_by_a_clock_that_jumps),
        cmocka_unit_test(history_is_not_compacted_by_a_clock_that_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
