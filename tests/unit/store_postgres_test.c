// SPDX-License-Identifier: MIT
// The store on PostgreSQL: the tests of both engines, and PostgreSQL's own properties: addresses, schemas, a world that
// another server has taken, a lost connection. Starts a PostgreSQL of its own: tests/support/postgres.sh.
#include "store/copy/store_copy.h"
#include "store_fixture.h"

static char folder[512]; // of this program and the others

static void expect_refusal(const char *address, enum result expected, const char *words) {
    struct fixture fixture;
    struct fault fault = {.message = ""};
    fixture_init(&fixture);
    fixture.options.address = address;
    const enum result result = store_open(&fixture.options, &fixture.store, &fault);
    if (result != expected || strstr(fault.message, words) == NULL || strstr(fault.message, "guess") != NULL) {
        fail_msg("%s: result %d, \"%s\" instead of \"%s\"", address, (int)result, fault.message, words);
    }
    fixture.store = NULL;
    fixture_free(&fixture);
}

static void an_address_that_leads_nowhere_is_refused_with_a_reason(void **state) {
    (void)state;
    char address[300];
    expect_refusal("postgres://host:port/x", RESULT_INVALID, "postgres://USER:PASSWORD@HOST:PORT/DATABASE");
    expect_refusal("postgres://host/x?colour=red", RESULT_INVALID, "colour");
    expect_refusal("postgres://[host/x", RESULT_INVALID, "postgres://USER:PASSWORD@HOST:PORT/DATABASE");
    expect_refusal("postgres://127.0.0.1:1/x", RESULT_IO, "refused");
    snprintf(address, sizeof address, "%.200s&dbname=nowhere", getenv("TEST_POSTGRES"));
    expect_refusal(address, RESULT_IO, "\"nowhere\" does not exist");
    snprintf(address, sizeof address, "%.200s&user=stranger", getenv("TEST_POSTGRES"));
    expect_refusal(address, RESULT_IO, "password authentication failed for user \"stranger\"");
    snprintf(address, sizeof address, "%.200s&password=a%%20guess", getenv("TEST_POSTGRES"));
    expect_refusal(address, RESULT_IO, "password authentication failed for user \"weft\"");
    snprintf(address, sizeof address, "%.200s&password=", getenv("TEST_POSTGRES"));
    expect_refusal(address, RESULT_IO, "no password supplied");
}

static void tables_of_others_and_other_schemas_are_refused(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_run_on_postgres(fixture.address, "CREATE TABLE invoice(number BIGINT)");
    expect_refusal(fixture.address, RESULT_INVALID, "tables of another program");
    fixture_run_on_postgres(fixture.address, "DROP TABLE invoice");
    fixture_open(&fixture);
    fixture_close(&fixture);
    fixture_run_on_postgres(fixture.address, "UPDATE weft_schema SET version=99");
    expect_refusal(fixture.address, RESULT_INVALID, "schema 99, this version reads 1 to 2");
    fixture_run_on_postgres(fixture.address, "UPDATE weft_schema SET version=0");
    expect_refusal(fixture.address, RESULT_INVALID, "schema 0, this version reads 1 to 2");
    fixture_free(&fixture);
}

// A server that takes a world raises its epoch: from then on its former owner writes nothing, neither to the old
// timeline nor to a new one, while it goes on to write to its other worlds.
static void a_world_that_was_taken_is_written_by_its_former_owner_no_more(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    assert_int_equal(fixture_append(&fixture, 5), RESULT_OK);
    fixture_wait(&fixture);
    fixture_run_on_postgres(fixture.address, "UPDATE owner SET epoch=epoch+1");
    assert_int_equal(fixture_append(&fixture, 5), RESULT_OK);
    fixture_wait(&fixture);
    assert_int_equal(fixture.settled[fixture.tickets], RESULT_STATE);
    assert_non_null(strstr(fixture.reason.message, "another server has taken the world"));
    assert_int_equal(fixture_append(&fixture, 5), RESULT_STATE);
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_SNAPSHOT, 10, 0, 0), RESULT_OK);
    fixture_wait(&fixture);
    assert_int_equal(fixture.settled[fixture.tickets], RESULT_STATE);
    assert_true(fixture.well);
    struct store_history *history = fixture_read(&fixture, 1, STORE_END);
    assert_int_equal(history->entry_count, 1);
    store_history_free(history);
    fixture_create_world(&fixture, "other");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    fixture_wait(&fixture);
    assert_int_equal(fixture.settled[fixture.tickets], RESULT_OK);
    fixture_free(&fixture);
}

static void a_lost_connection_is_a_failing_disk_until_there_is_a_new_one(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    fixture_wait(&fixture);
    for (int i = 0; i < 5; i++) {
        const uint64_t changes = fixture.health_changes;
        fixture_run_on_postgres(fixture.address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                                 " WHERE application_name='weftd' AND pid<>pg_backend_pid()");
        assert_int_equal(fixture_append(&fixture, 5), RESULT_OK);
        fixture_wait(&fixture);
        if (fixture.settled[fixture.tickets] == RESULT_OK) {
            fail_msg("the commit of a lost connection was acknowledged");
        }
        pthread_mutex_lock(&fixture.mutex);
        while (fixture.health_changes < changes + 2) {
            pthread_cond_wait(&fixture.changed, &fixture.mutex);
        }
        pthread_mutex_unlock(&fixture.mutex);
        assert_int_equal(fixture_append(&fixture, 5), RESULT_STATE);
        assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_SNAPSHOT, fixture.tick, 0, 0), RESULT_OK);
        assert_int_equal(fixture_append(&fixture, 5), RESULT_OK);
        fixture_wait(&fixture);
        assert_int_equal(fixture.settled[fixture.tickets], RESULT_OK);
    }
    store_history_free(fixture_read(&fixture, 0, STORE_END));
    fixture_free(&fixture);
}

static void a_statement_that_fails_takes_its_transaction_with_it(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture_open(&fixture);
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    fixture_wait(&fixture);
    fixture_run_on_postgres(fixture.address, "ALTER TABLE entry ADD CHECK (sequence<>3)");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
        fixture_wait(&fixture);
    }
    assert_int_equal(fixture.settled[fixture.tickets], RESULT_IO);
    assert_non_null(strstr(fixture.reason.message, "violates check constraint"));
    fixture_wait_health(&fixture, true);
    struct store_history *history = fixture_read(&fixture, 1, STORE_END);
    assert_int_equal(history->entry_count, 2);
    store_history_free(history);
    fixture_free(&fixture);
}

struct copied {
    uint64_t worlds, reports, hashes[8], rows[8];
};

static void note_copied(void *user, const struct store_copy_progress *progress) {
    struct copied *copied = user;
    copied->reports++;
    if (progress->hash != 0) {
        copied->rows[copied->worlds] = progress->rows;
        copied->hashes[copied->worlds++] = progress->hash;
    }
}

static void write_two_worlds(struct fixture *fixture) {
    static const char *const names[] = {"main", "other"};
    for (int i = 0; i < 2; i++) {
        fixture_create_world(fixture, names[i]);
        assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
        for (int j = 0; j < 1203; j++) {
            assert_int_equal(fixture_append(fixture, 5), RESULT_OK);
        }
        for (int j = 0; j < 3; j++) {
            const struct store_entry reply = {.tick = fixture->tick + 1,
                                              .session = "anna",
                                              .request = j % 2 == 0 ? "1" : "2",
                                              .reply = "{}",
                                              .reply_length = 2};
            struct fault fault;
            assert_int_equal(store_append(fixture->store, fixture->world, &reply, 1, ++fixture->tickets, &fault),
                             RESULT_OK);
        }
        assert_int_equal(fixture_mark(fixture), RESULT_OK);
        assert_int_equal(fixture_save(fixture), RESULT_OK);
        assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_FORK, fixture->tick, 1, 1203), RESULT_OK);
        assert_int_equal(fixture_append(fixture, 5), RESULT_OK);
        fixture_wait(fixture);
    }
}

// From SQLite to PostgreSQL and back into a new file: all hashes are equal, and the world at the end is the first one.
static void a_copy_there_and_back_is_the_original(void **state) {
    (void)state;
    static struct fixture file, database, back;
    struct copied there = {0}, again = {0};
    struct fault fault = {.message = ""};
    fixture_init(&file);
    fixture_init(&database);
    fixture_init(&back);
    file.options.address = back.options.address = NULL;
    fixture_open(&database); // the numbers of worlds differ
    fixture_create_world(&database, "third");
    fixture_close(&database);
    fixture_open(&file);
    write_two_worlds(&file);
    fixture_close(&file);
    if (store_copy(&file.options, &database.options, note_copied, &there, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
    assert_int_equal(there.worlds, 2);
    if (store_copy(&database.options, &back.options, note_copied, &again, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
    assert_int_equal(again.worlds, 3);
    for (int i = 0; i < 2; i++) {
        assert_true(there.hashes[i] == again.hashes[i + 1] && there.rows[i] == again.rows[i + 1]);
        assert_int_equal(there.rows[i], 2 + 1204 + 2 + 2 + 2); // timelines, entries, snapshots, replies, hashes
    }
    fixture_open(&back);
    back.world = 2;
    struct store_history *history = fixture_read(&back, 0, STORE_END);
    assert_int_equal(history->entry_count, 1);
    store_history_free(history);
    history = fixture_read(&back, 1, 3000);
    fixture_check_history(history, 600);
    store_history_free(history);
    fixture_close(&back);
    assert_int_equal(store_copy(&file.options, &database.options, note_copied, &there, &fault), RESULT_STATE);
    assert_non_null(strstr(fault.message, "\"main\" already"));
    fixture_run_on_postgres(database.address, "UPDATE entry SET client=1 WHERE sequence=700");
    fixture_remove_directory(back.directory);
    assert_int_equal(store_copy(&database.options, &back.options, note_copied, &there, &fault), RESULT_DAMAGED);
    assert_non_null(strstr(fault.message, "main: command 700 of timeline 1 does not have its checksum"));
    fixture_free(&file);
    fixture_free(&database);
    fixture_free(&back);
}

// The database changes the written data: the copy of the world is discarded.
static void a_copy_that_differs_does_not_stay(void **state) {
    (void)state;
    static struct fixture file, database;
    struct copied copied = {0};
    struct fault fault = {.message = ""};
    fixture_init(&file);
    fixture_init(&database);
    file.options.address = NULL;
    fixture_open(&database);
    fixture_close(&database);
    fixture_open(&file);
    write_two_worlds(&file);
    fixture_close(&file);
    fixture_run_on_postgres(database.address, "CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS"
                                              " 'BEGIN RETURN NULL; END'");
    fixture_run_on_postgres(database.address, "CREATE TRIGGER drop_row BEFORE INSERT ON reply FOR EACH ROW"
                                              " WHEN (NEW.world=2 AND NEW.request='2') EXECUTE FUNCTION drop_row()");
    assert_int_equal(store_copy(&file.options, &database.options, note_copied, &copied, &fault), RESULT_DAMAGED);
    assert_non_null(strstr(fault.message, "other: the copy differs from the original, and was discarded"));
    assert_int_equal(copied.worlds, 1);
    assert_int_equal(fixture_count(&database, "SELECT count(*) FROM world WHERE name='main'"), 1);
    assert_int_equal(fixture_count(&database, "SELECT count(*) FROM world"), 1);
    assert_int_equal(fixture_count(&database, "SELECT count(*) FROM owner"), 1);
    assert_int_equal(fixture_count(&database, "SELECT count(*) FROM entry"), 1204);
    fixture_free(&file);
    fixture_free(&database);
}

static void all_that_is_asked_of_a_store_holds_on_postgresql(void **state) {
    (void)state;
    static const char *const programs[] = {"store_history_test", "store_group_test", "store_budget_test",
                                           "store_clock_test", "store_memory_test"};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        char command[600];
        snprintf(command, sizeof command, "%s/%s", folder, programs[i]);
        assert_int_equal(system(command), 0);
    }
}

int main(int count, char **arguments) {
    (void)count;
    const char *slash = strrchr(arguments[0], '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - arguments[0]) : 1,
             slash != NULL ? arguments[0] : ".");
    fixture_start_postgres(arguments);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_that_leads_nowhere_is_refused_with_a_reason),
        cmocka_unit_test(tables_of_others_and_other_schemas_are_refused),
        cmocka_unit_test(a_world_that_was_taken_is_written_by_its_former_owner_no_more),
        cmocka_unit_test(a_lost_connection_is_a_failing_disk_until_there_is_a_new_one),
        cmocka_unit_test(a_statement_that_fails_takes_its_transaction_with_it),
        cmocka_unit_test(a_copy_there_and_back_is_the_original),
        cmocka_unit_test(a_copy_that_differs_does_not_stay),
        cmocka_unit_test(all_that_is_asked_of_a_store_holds_on_postgresql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
