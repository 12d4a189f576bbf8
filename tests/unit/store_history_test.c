// SPDX-License-Identifier: MIT
// The store while nothing fails, on SQLite or, with TEST_POSTGRES, on PostgreSQL: what was written is read, also
// after the store was opened again; histories lead through snapshots, forks and empty worlds; worlds are made and
// removed; replies are found.
#include <sqlite3.h>

#include "store_fixture.h"

static void what_was_settled_is_there_after_a_reopening(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(fixture_append(&fixture, 7), RESULT_OK);
    }
    assert_int_equal(fixture_mark(&fixture), RESULT_OK);
    fixture_close(&fixture); // settles the remaining writes
    assert_true(fixture.told_count == fixture.tickets && !fixture.out_of_order);
    for (uint64_t i = 1; i <= fixture.tickets; i++) {
        assert_int_equal(fixture.settled[i], RESULT_OK);
    }
    fixture_open(&fixture);
    struct store_history *history = fixture_read(&fixture, 0, STORE_END);
    assert_true(history->from_empty);
    assert_int_equal(history->entry_count, 100);
    assert_int_equal(history->tick, 700);
    assert_int_equal(history->entries[99].entry.sequence, 100);
    assert_int_equal(history->entries[99].entry.tick, 694);
    assert_int_equal(history->entries[99].entry.kind, 3);
    assert_int_equal(history->entries[99].entry.client, 9);
    assert_int_equal(history->hash_count, 1);
    assert_true(history->hashes[0].tick == 700 && history->hashes[0].hash == 700 * 31 &&
                history->hashes[0].sequence == 100);
    store_history_free(history);
    // The store continues where it was.
    assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    fixture_free(&fixture);
}

// On the heap, blocks that live as long as the process would keep whole pages from being returned to the system.
static void pages_of_the_file_are_kept_apart_from_the_heap(void **state) {
    (void)state;
    struct fixture fixture;
    int pages = 0, on_the_heap = 0, most = 0;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    fixture_wait(&fixture);
    assert_int_equal(sqlite3_status(SQLITE_STATUS_PAGECACHE_USED, &pages, &most, 0), SQLITE_OK);
    assert_int_equal(sqlite3_status(SQLITE_STATUS_PAGECACHE_OVERFLOW, &on_the_heap, &most, 0), SQLITE_OK);
    assert_true(pages > 0);
    assert_int_equal(on_the_heap, 0);
    fixture_free(&fixture);
}

// With snapshots at ticks 200 and 400, the history to tick 500 begins at 400, and that to tick 150 at the beginning.
static void the_history_to_a_tick_begins_at_the_nearest_snapshot(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 60; i++) {
        assert_int_equal(fixture_append(&fixture, 10), RESULT_OK);
        if (fixture.tick % 200 == 0) {
            assert_int_equal(fixture_save(&fixture), RESULT_OK);
        }
    }
    fixture_wait(&fixture);
    static const struct {
        uint64_t tick, snapshot;
        uint32_t entries;
    } ways[] = {{500, 400, 10}, {400, 400, 0}, {399, 200, 20}, {401, 400, 1}, {410, 400, 1},
                {411, 400, 2},  {150, 0, 15},  {0, 0, 0},      {1, 0, 1},     {600, 600, 0}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct store_history *history = fixture_read(&fixture, 0, ways[i].tick);
        assert_int_equal(history->from_empty, ways[i].snapshot == 0);
        assert_int_equal(history->snapshot.tick, ways[i].snapshot);
        assert_int_equal(history->entry_count, ways[i].entries);
        assert_int_equal(history->tick, ways[i].tick);
        store_history_free(history);
    }
    struct store_history *none = NULL;
    struct fault fault = {.message = ""};
    struct store_query query = {.world = fixture.world, .tick = 601};
    assert_int_equal(store_read(fixture.store, &query, &none, &fault), RESULT_NOT_FOUND);
    assert_non_null(strstr(fault.message, "0 to 600"));
    query = (struct store_query){.world = fixture.world, .tick = 450, .before_sequence = 40};
    assert_int_equal(store_read(fixture.store, &query, &none, &fault), RESULT_OK);
    assert_true(none->snapshot.tick == 200 && none->entry_count == 25); // the one of 400 holds entry 40
    store_history_free(none);
    fixture_free(&fixture);
}

// A snapshot of tick 10 that contains commands for tick 11 does not serve for tick 10 without them.
static void what_was_applied_while_the_clock_stood_is_not_in_the_tick_before(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    assert_int_equal(fixture_append(&fixture, 10), RESULT_OK);
    assert_int_equal(fixture_save(&fixture), RESULT_OK);
    assert_int_equal(fixture_append(&fixture, 0), RESULT_OK);
    assert_int_equal(fixture_append(&fixture, 0), RESULT_OK);
    assert_int_equal(fixture_save(&fixture), RESULT_OK);
    fixture_wait(&fixture);
    struct store_history *history = fixture_read(&fixture, 0, 10);
    assert_true(history->snapshot.sequence == 1 && history->entry_count == 0);
    store_history_free(history);
    history = fixture_read(&fixture, 0, STORE_END);
    assert_true(history->snapshot.sequence == 3 && history->entry_count == 0);
    store_history_free(history);
    fixture_free(&fixture);
}

static void flip_a_snapshot(struct fixture *fixture, uint32_t timeline, uint64_t tick);
static void change_the_file(struct fixture *fixture, const char *sql);

static void a_fork_whose_snapshot_is_damaged_is_reached_through_its_parents(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(fixture_append(&fixture, 10), RESULT_OK);
    }
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_FORK, 105, 1, 11), RESULT_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(fixture_append(&fixture, 10), RESULT_OK);
    }
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_FORK, 125, 2, 2), RESULT_OK);
    assert_int_equal(fixture_append(&fixture, 10), RESULT_OK);
    fixture_close(&fixture);
    fixture_open(&fixture);
    struct store_history *history = fixture_read(&fixture, 3, STORE_END);
    assert_true(!history->from_empty && history->snapshot.timeline == 3 && history->entry_count == 1);
    store_history_free(history);
    history = fixture_read(&fixture, 3, 50); // a tick before the fork
    assert_true(history->from_empty && history->entry_count == 5 && history->entries[4].timeline == 1);
    store_history_free(history);
    flip_a_snapshot(&fixture, 3, 125);
    history = fixture_read(&fixture, 3, STORE_END);
    assert_true(history->passed_over == 1 && history->snapshot.timeline == 2 && history->entry_count == 3);
    store_history_free(history);
    flip_a_snapshot(&fixture, 2, 105);
    history = fixture_read(&fixture, 3, STORE_END);
    assert_true(history->passed_over == 2 && history->from_empty && history->entry_count == 11 + 2 + 1);
    assert_true(history->entries[10].timeline == 1 && history->entries[10].entry.sequence == 11);
    assert_true(history->entries[11].timeline == 2 && history->entries[13].timeline == 3);
    store_history_free(history);
    fixture_free(&fixture);
}

// ---- damage
// --------------------------------------------------------------------------------------------------------------------

static void change_the_file(struct fixture *fixture, const char *sql) {
    char path[128];
    if (fixture_on_postgres()) {
        fixture_run_on_postgres(fixture->address, sql);
        return;
    }
    sqlite3 *db = NULL;
    snprintf(path, sizeof path, "%s/weft.db", fixture->directory);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// Changes one byte in the middle of a snapshot.
static void flip_a_snapshot(struct fixture *fixture, uint32_t timeline, uint64_t tick) {
    char sql[256];
    snprintf(sql, sizeof sql, "UPDATE snapshot SET bytes=%s WHERE timeline=%u AND tick=%llu",
             fixture_on_postgres() ? "overlay(bytes PLACING CAST('\\x5a5a' AS BYTEA) FROM 1000)"
                                   : "CAST(substr(bytes,1,999)||X'5A5A'||substr(bytes,1002) AS BLOB)",
             timeline, (unsigned long long)tick);
    change_the_file(fixture, sql);
}

static struct fixture *with_history(void) {
    struct fixture *fixture = malloc(sizeof *fixture);
    assert_non_null(fixture);
    fixture_init(fixture);
    fixture_open(fixture);
    fixture_create_world(fixture, "main");
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_SNAPSHOT, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 30; i++) {
        assert_int_equal(fixture_append(fixture, 10), RESULT_OK);
        if (fixture->tick % 100 == 0) {
            assert_int_equal(fixture_mark(fixture), RESULT_OK);
            assert_int_equal(fixture_save(fixture), RESULT_OK);
        }
    }
    fixture_wait(fixture);
    return fixture;
}

static void release_history(struct fixture *fixture) {
    fixture_free(fixture);
    free(fixture);
}

static void a_damaged_snapshot_falls_back_to_the_one_before(void **state) {
    (void)state;
    struct fixture *fixture = with_history();
    flip_a_snapshot(fixture, 1, 300);
    struct store_history *history = fixture_read(fixture, 0, STORE_END);
    assert_true(history->snapshot.tick == 200 && history->entry_count == 10 && history->passed_over == 1);
    assert_non_null(strstr(history->last_why.message, "300"));
    store_history_free(history);
    change_the_file(fixture, "UPDATE snapshot SET sequence=sequence+1 WHERE tick=200");
    history = fixture_read(fixture, 0, STORE_END);
    assert_true(history->snapshot.tick == 100 && history->entry_count == 20 && history->passed_over == 2);
    store_history_free(history);
    change_the_file(fixture,
                    fixture_on_postgres() ? "UPDATE snapshot SET bytes=''" : "UPDATE snapshot SET bytes=zeroblob(0)");
    struct fault fault = {.message = ""};
    const struct store_query query = {.world = fixture->world, .tick = STORE_END};
    assert_int_equal(store_read(fixture->store, &query, &history, &fault), RESULT_DAMAGED);
    assert_non_null(strstr(fault.message, "no intact snapshot"));
    release_history(fixture);
}

static void a_damaged_log_is_reported_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *sql, *message;
    } damages[] = {
        {"DELETE FROM entry WHERE sequence=25", "command 25 of timeline 1, after tick 231, is missing"},
        {"DELETE FROM entry WHERE sequence>=28", "command 28 of timeline 1, after tick 261, is missing"},
        {"DELETE FROM entry", "command 21 of timeline 1, after tick 0, is missing"},
        {"UPDATE entry SET record=X'00' WHERE sequence=25", "command 25 of timeline 1, after tick 231, does not have"},
        {"UPDATE entry SET tick=242 WHERE sequence=25", "command 25 of timeline 1, after tick 231, does not have"},
        {"UPDATE entry SET client=1 WHERE sequence=30", "command 30"},
        {"UPDATE entry SET sequence=1000 WHERE sequence=25", "command 25"},
        {"UPDATE hash SET hash=1 WHERE tick=300", "the hash of tick 300"},
        {"UPDATE timeline SET last_sequence=20", "the row of timeline 1 is damaged"},
        {"UPDATE timeline SET last_tick=200", "the row of timeline 1 is damaged"},
    };
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        struct fixture *fixture = with_history();
        struct store_history *history = NULL;
        struct fault fault = {.message = ""};
        const struct store_query query = {.world = fixture->world, .tick = STORE_END, .before_tick = 250};
        assert_int_equal(store_read(fixture->store, &query, &history, &fault), RESULT_OK);
        assert_true(history->snapshot.tick == 200 && history->entry_count == 10);
        store_history_free(history);
        const bool record = strstr(damages[i].sql, "X'00'") != NULL && fixture_on_postgres();
        change_the_file(fixture, record ? "UPDATE entry SET record='0' WHERE sequence=25" : damages[i].sql);
        assert_int_equal(store_read(fixture->store, &query, &history, &fault), RESULT_DAMAGED);
        if (strstr(fault.message, damages[i].message) == NULL) {
            fail_msg("\"%s\" is not in \"%s\"", damages[i].message, fault.message);
        }
        release_history(fixture);
    }
}

static void a_file_that_is_no_store_or_a_newer_one_is_refused(void **state) {
    (void)state;
    struct fixture fixture;
    struct fault fault = {.message = ""};
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_close(&fixture);
    change_the_file(&fixture, "PRAGMA user_version=99");
    assert_int_equal(store_open(&fixture.options, &fixture.store, &fault), RESULT_INVALID);
    assert_non_null(strstr(fault.message, "schema 99"));
    change_the_file(&fixture, "PRAGMA user_version=1; PRAGMA application_id=7");
    assert_int_equal(store_open(&fixture.options, &fixture.store, &fault), RESULT_INVALID);
    assert_non_null(strstr(fault.message, "is not a store"));
    char path[128];
    snprintf(path, sizeof path, "%s/weft.db", fixture.directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 1000; i++) {
        fputs("this is a text file\n", file);
    }
    fclose(file);
    assert_int_equal(store_open(&fixture.options, &fixture.store, &fault), RESULT_INVALID);
    fixture_free(&fixture);
}

static void two_stores_never_share_a_directory(void **state) {
    (void)state;
    struct fixture fixture;
    struct store *second = NULL;
    struct fault fault = {.message = ""};
    fixture_init(&fixture);
    fixture_open(&fixture);
    assert_int_equal(store_open(&fixture.options, &second, &fault), RESULT_STATE);
    assert_non_null(strstr(fault.message, "another server uses"));
    fixture_close(&fixture);
    fixture_open(&fixture);
    fixture_free(&fixture);
}

// ---- worlds, replies, memory
// ---------------------------------------------------------------------------------------------------

static void worlds_are_made_listed_changed_and_removed(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "one");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    const uint64_t first = fixture.world;
    fixture_create_world(&fixture, "two");
    struct fault fault = {.message = ""};
    uint64_t again = 0;
    const struct store_world taken = {.name = "two"};
    assert_int_equal(store_world_create(fixture.store, &taken, &again, &fault), RESULT_STATE);
    assert_non_null(strstr(fault.message, "\"two\""));
    assert_int_equal(store_world_set(fixture.store, first, (struct store_bytes){"new", 3}, &fault), RESULT_OK);
    struct store_world *worlds = NULL;
    uint32_t count = 0;
    assert_int_equal(store_world_list(fixture.store, &worlds, &count, &fault), RESULT_OK);
    assert_int_equal(count, 2);
    assert_string_equal(worlds[0].name, "one");
    assert_memory_equal(worlds[0].settings.data, "new", 3);
    assert_true(worlds[0].timeline == 1 && worlds[1].timeline == 0 && worlds[1].settings.size == 8);
    store_worlds_free(worlds, count);
    assert_int_equal(store_world_remove(fixture.store, first, &fault), RESULT_OK);
    assert_int_equal(store_world_remove(fixture.store, first, &fault), RESULT_NOT_FOUND);
    assert_int_equal(store_accepts(fixture.store, first, &fault), RESULT_NOT_FOUND);
    assert_int_equal(store_accepts(fixture.store, fixture.world, &fault), RESULT_STATE); // no timeline yet
    fixture_create_world(&fixture, "one"); // the name can be used again, the number is not
    assert_true(fixture.world > first);
    fixture_free(&fixture);
}

static void post_reply(struct fixture *fixture, const char *session, uint32_t number, const char *reply) {
    char request[16];
    struct fault fault = {.message = ""};
    snprintf(request, sizeof request, "%u", number);
    const struct store_entry entry = {.tick = fixture->tick + 1,
                                      .sequence = ++fixture->sequence,
                                      .session = session,
                                      .request = request,
                                      .reply = reply,
                                      .reply_length = strlen(reply),
                                      .record = {"x", 1}};
    assert_int_equal(store_append(fixture->store, fixture->world, &entry, 1, ++fixture->tickets, &fault), RESULT_OK);
}

static void the_first_reply_is_found_again_and_only_so_many_are_kept(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    post_reply(&fixture, "anna", 1, "first");
    post_reply(&fixture, "anna", 1, "second");
    post_reply(&fixture, "berta", 1, "other");
    fixture_close(&fixture);
    fixture_open(&fixture);
    struct store_reply *replies = NULL;
    uint32_t count = 0;
    struct fault fault = {.message = ""};
    assert_int_equal(store_read_replies(fixture.store, fixture.world, "anna", &replies, &count, &fault), RESULT_OK);
    assert_int_equal(count, 1);
    assert_string_equal(replies[0].reply, "first");
    assert_string_equal(replies[0].request, "1");
    store_replies_free(replies, count);
    for (uint32_t i = 2; i < 2 + STORE_REPLIES_MAX; i++) {
        post_reply(&fixture, "anna", i, "more");
    }
    fixture_wait(&fixture);
    assert_int_equal(store_read_replies(fixture.store, fixture.world, "anna", &replies, &count, &fault), RESULT_OK);
    assert_int_equal(count, STORE_REPLIES_MAX);
    assert_string_equal(replies[0].request, "2"); // the oldest was deleted
    store_replies_free(replies, count);
    assert_int_equal(store_read_replies(fixture.store, fixture.world, "berta", &replies, &count, &fault), RESULT_OK);
    assert_int_equal(count, 1);
    store_replies_free(replies, count);
    struct store_history *history = NULL; // the log has session and request
    assert_int_equal(store_list_entries(fixture.store, fixture.world, 1, 3, 1, &history, &fault), RESULT_OK);
    assert_int_equal(history->entry_count, 1);
    assert_string_equal(history->entries[0].entry.session, "berta");
    assert_string_equal(history->entries[0].entry.request, "1");
    store_history_free(history);
    fixture_free(&fixture);
}

static void in_memory_all_works_and_nothing_stays(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture.options.directory = ":memory:";
    fixture_open(&fixture);
    assert_true(store_in_memory(fixture.store));
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    fixture_wait(&fixture);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
        store_history_free(fixture_read(&fixture, 1, 0)); // while the store is written
    }
    assert_int_equal(fixture_save(&fixture), RESULT_OK);
    fixture_wait(&fixture);
    struct store_history *history = fixture_read(&fixture, 0, STORE_END);
    assert_int_equal(history->snapshot.tick, 50);
    store_history_free(history);
    fixture_close(&fixture);
    fixture_open(&fixture);
    struct store_world *worlds = NULL;
    uint32_t count = 1;
    struct fault fault = {.message = ""};
    assert_int_equal(store_world_list(fixture.store, &worlds, &count, &fault), RESULT_OK);
    assert_int_equal(count, 0);
    store_worlds_free(worlds, count);
    fixture_free(&fixture);
}

static void a_timeline_out_of_turn_is_refused(void **state) {
    (void)state;
    struct fixture *fixture = with_history();
    fixture->timeline = 0;
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_SNAPSHOT, 10, 0, 0), RESULT_STATE);
    fixture->timeline = 4;
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_SNAPSHOT, 10, 0, 0), RESULT_OK);
    fixture_wait(fixture);
    struct store_timeline *timelines = NULL;
    struct store_snapshot_info *snapshots = NULL;
    uint32_t count = 0;
    struct fault fault = {.message = ""};
    assert_int_equal(store_list_timelines(fixture->store, fixture->world, &timelines, &count, &fault), RESULT_OK);
    assert_int_equal(count, 2);
    assert_true(timelines[0].timeline == 1 && timelines[0].last_sequence == 30 && timelines[0].last_tick == 300);
    assert_true(timelines[1].timeline == 5 && timelines[1].first_tick == 10 && timelines[1].entries == 0);
    free(timelines);
    assert_int_equal(store_list_snapshots(fixture->store, fixture->world, &snapshots, &count, &fault), RESULT_OK);
    assert_int_equal(count, 5);
    assert_true(snapshots[3].tick == 300 && snapshots[3].sequence == 30 && snapshots[4].timeline == 5);
    free(snapshots);
    const struct store_query query = {.world = fixture->world, .tick = 5};
    struct store_history *history = NULL;
    assert_int_equal(store_read(fixture->store, &query, &history, &fault), RESULT_NOT_FOUND); // before its beginning
    release_history(fixture);
}

static void options_are_read_and_refused(void **state) {
    (void)state;
    enum store_durability durability = STORE_FULL;
    struct store_budget budget = {1, 1};
    struct fault fault = {.message = ""};
    assert_int_equal(store_durability_parse("off", &durability, &fault), RESULT_OK);
    assert_int_equal(durability, STORE_OFF);
    assert_int_equal(store_durability_parse("Full", &durability, &fault), RESULT_INVALID);
    static const struct {
        const char *text;
        uint64_t age_ms, bytes;
    } good[] = {{"1h", 3600000, 0},
                {"1GB", 0, 1000000000},
                {"90m,500MB", 5400000, 500000000},
                {"1GiB,7d", 604800000, 1073741824},
                {"unlimited", 0, 0},
                {"30s", 30000, 0}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(store_budget_parse(good[i].text, &budget, &fault), RESULT_OK);
        assert_true(budget.age_ms == good[i].age_ms && budget.bytes == good[i].bytes);
    }
    static const char *const bad[] = {"",      "1",    "h",       "1h,", ",1h", "1h 1GB",         "0h",          "-1h",
                                      "1h,2h", "1.5h", "1GB,1MB", "1hh", "1g",  "1000000000000h", "1h,unlimited"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (store_budget_parse(bad[i], &budget, &fault) != RESULT_INVALID) {
            fail_msg("\"%s\" was taken", bad[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_settled_is_there_after_a_reopening),
        cmocka_unit_test(the_history_to_a_tick_begins_at_the_nearest_snapshot),
        cmocka_unit_test(what_was_applied_while_the_clock_stood_is_not_in_the_tick_before),
        cmocka_unit_test(a_fork_whose_snapshot_is_damaged_is_reached_through_its_parents),
        cmocka_unit_test(a_damaged_snapshot_falls_back_to_the_one_before),
        cmocka_unit_test(a_damaged_log_is_reported_with_its_place),
        cmocka_unit_test(two_stores_never_share_a_directory),
        cmocka_unit_test(worlds_are_made_listed_changed_and_removed),
        cmocka_unit_test(the_first_reply_is_found_again_and_only_so_many_are_kept),
        cmocka_unit_test(a_timeline_out_of_turn_is_refused),
        cmocka_unit_test(options_are_read_and_refused),
    };
    const struct CMUnitTest tests_of_the_file[] = {
        cmocka_unit_test(pages_of_the_file_are_kept_apart_from_the_heap),
        cmocka_unit_test(a_file_that_is_no_store_or_a_newer_one_is_refused),
        cmocka_unit_test(in_memory_all_works_and_nothing_stays),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return fixture_on_postgres() ? failed : failed + cmocka_run_group_tests(tests_of_the_file, NULL, NULL);
}
