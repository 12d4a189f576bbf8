// SPDX-License-Identifier: MIT
// PostgreSQL fails in its own ways: it is silent without closing, its network is cut, it does not wait for its standby,
// another server takes a world. The store acknowledges nothing that may be lost, writes nothing to a world that is not
// its own, reports the reason, and recovers by itself. Starts a PostgreSQL of its own: tests/support/postgres.sh.
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "store/store_state.h"
#include "store_fixture.h"

#define MEGABYTE (1u << 20)

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void begin_world(struct fixture *fixture) {
    fixture_open(fixture);
    fixture_create_world(fixture, "main");
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    assert_int_equal(fixture_append(fixture, 5), RESULT_OK);
    fixture_wait(fixture);
    assert_int_equal(fixture->settled[fixture->tickets], RESULT_OK);
}

// Goes on like a caller when the store is well again; then all is as before, and acknowledged changes are there.
static void take_up_again(struct fixture *fixture) {
    struct store_history *history = NULL;
    struct fault fault = {.message = ""};
    assert_int_equal(fixture_begin(fixture, STORE_ORIGIN_SNAPSHOT, fixture->tick, 0, 0), RESULT_OK);
    assert_int_equal(fixture_append(fixture, 5), RESULT_OK);
    fixture_wait(fixture);
    if (fixture->settled[fixture->tickets] != RESULT_OK) {
        fail_msg("%s", fixture->reason.message);
    }
    for (int open = 0; open < 2; open++) {
        assert_int_equal(store_list_entries(fixture->store, fixture->world, 1, 1, 1, &history, &fault), RESULT_OK);
        assert_int_equal(history->entry_count, 1);
        fixture_check_entry(&history->entries[0]);
        store_history_free(history);
        history = fixture_read(fixture, 0, STORE_END);
        assert_int_equal(history->entry_count, 1);
        store_history_free(history);
        fixture_close(fixture);
        fixture_open(fixture);
    }
}

// ---- another server takes a world -----------------------------------------------------------------------------------

static void nothing_of_a_world_that_was_taken_is_written(void **state) {
    (void)state;
    struct fixture fixture;
    struct fault fault = {.message = ""};
    fixture_init(&fixture);
    fixture.options.budget.age_ms = 1;
    fixture_open(&fixture);
    fixture_create_world(&fixture, "removed");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    for (int i = 0; i < 600; i++) {
        assert_int_equal(fixture_append(&fixture, 1), RESULT_OK);
    }
    fixture_wait(&fixture);
    const uint64_t removed = fixture.world;
    fixture_create_world(&fixture, "main");
    assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    fixture_wait(&fixture);
    // Removed, but its rows stay for now; then all worlds are taken.
    fixture_run_on_postgres(fixture.address, "ALTER TABLE sweep ADD CHECK (false) NOT VALID");
    assert_int_equal(store_world_remove(fixture.store, removed, &fault), RESULT_IO);
    fixture_wait_health(&fixture, true);
    fixture_run_on_postgres(fixture.address, "ALTER TABLE sweep DROP CONSTRAINT sweep_check");
    PGconn *other = PQconnectdb(fixture.address);
    PQclear(PQexec(other, "BEGIN"));
    PQclear(PQexec(other, "LOCK TABLE entry IN ACCESS EXCLUSIVE MODE")); // the sweep waits
    assert_int_equal(store_world_remove(fixture.store, removed, &fault), RESULT_OK);
    PQclear(PQexec(other, "COMMIT"));
    PQfinish(other);
    fixture_run_on_postgres(fixture.address, "UPDATE owner SET epoch=epoch+1");
    const uint64_t rows = fixture_count(&fixture, "SELECT count(*) FROM entry WHERE world=1");
    for (int i = 0; i < 4; i++) { // a snapshot is old at once: there is much to compact
        assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_SNAPSHOT, 10, 0, 0), RESULT_OK);
        fixture_wait(&fixture);
        assert_int_equal(fixture.settled[fixture.tickets], RESULT_STATE);
    }
    fixture_run_on_postgres(fixture.address, // as if they had been written before
                            "INSERT INTO snapshot(world, timeline, tick, sequence, hash, version, saved_ms, state_size,"
                            " extra_size, checksum, bytes) SELECT 2,1,n,0,0,0,0,0,0,0,'' FROM generate_series(1,5) n");
    assert_int_equal(store_world_set(fixture.store, fixture.world, (struct store_bytes){"other", 5}, &fault),
                     RESULT_STATE);
    assert_non_null(strstr(fault.message, "another server has taken the world"));
    assert_int_equal(store_world_remove(fixture.store, fixture.world, &fault), RESULT_STATE);
    usleep(3500000); // maintenance runs each second, and checks for history to compact each two
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM world"), 1);
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM world WHERE settings='settings'"), 1);
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM timeline WHERE folded=0"), 1);
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM snapshot"), 5);
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM sweep"), 1);
    assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM entry WHERE world=1"), rows);
    assert_true(rows > 0 && fixture.well && fixture.compactions == 0);
    fixture_close(&fixture);
    fixture_open(&fixture); // opening the store takes all worlds, and goes on with the removed one
    fixture_wait_count(&fixture, "SELECT count(*) FROM entry", 0, 0);
    fixture_wait_count(&fixture, "SELECT count(*) FROM sweep WHERE snapshot>1000", 0, 0);
    fixture_wait_count(&fixture, "SELECT count(*) FROM owner", 1, 1);
    fixture_free(&fixture);
}

// ---- one commit -----------------------------------------------------------------------------------------------------

#define WORLDS 200

// Each query that must be answered before the next statement costs the time of one round trip. Worlds do not multiply
// them: all rows that a commit needs are fetched together.
static void a_commit_of_many_worlds_takes_a_handful_of_round_trips(void **state) {
    (void)state;
    static struct fixture fixture;
    static uint64_t worlds[WORLDS];
    struct store_figures before, after;
    struct fault fault = {.message = ""};
    fixture_init(&fixture);
    fixture_open(&fixture);
    for (int i = 0; i < WORLDS; i++) {
        char name[16];
        snprintf(name, sizeof name, "world-%d", i);
        fixture_create_world(&fixture, name);
        worlds[i] = fixture.world;
        assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    }
    assert_int_equal(fixture_mark(&fixture), RESULT_OK); // now all statements are prepared
    fixture_wait(&fixture);
    store_figures(fixture.store, &before);
    PGconn *other = PQconnectdb(fixture.address);
    PQclear(PQexec(other, "BEGIN"));
    PQclear(PQexec(other, "LOCK TABLE owner IN ACCESS EXCLUSIVE MODE"));
    for (uint64_t sequence = 1; sequence <= 2; sequence++) { // the first is a commit of its own, which waits
        for (int i = 0; i < (sequence == 1 ? 1 : WORLDS); i++) {
            const struct store_entry entry = {.tick = sequence,
                                              .sequence = i == 0 ? sequence : 1,
                                              .session = "anna",
                                              .request = "1",
                                              .reply = "{}",
                                              .reply_length = 2,
                                              .record = {"record", 6}};
            assert_int_equal(store_append(fixture.store, worlds[i], &entry, 1, ++fixture.tickets, &fault), RESULT_OK);
        }
        fixture_wait_count(&fixture, "SELECT count(*) FROM pg_locks WHERE NOT granted", 1, 1);
    }
    PQclear(PQexec(other, "COMMIT"));
    PQfinish(other);
    fixture_wait(&fixture);
    assert_int_equal(fixture.settled[fixture.tickets], RESULT_OK);
    store_figures(fixture.store, &after);
    assert_int_equal(after.commits, before.commits + 2);
    assert_int_equal(after.entries, before.entries + 1 + WORLDS);
    print_message("%d worlds in a commit: %llu round trips\n", WORLDS, (unsigned long long)after.commit_round_trips);
    assert_true(after.commit_round_trips > 0 && after.commit_round_trips <= 4);
    fixture_free(&fixture);
}

static uint64_t count_round_trips(struct fixture *fixture) {
    pthread_mutex_lock(&fixture->store->connection_mutex);
    const uint64_t count = fixture->store->connection.round_trips;
    pthread_mutex_unlock(&fixture->store->connection_mutex);
    return count;
}

// Worlds without anything to compact are not asked for one by one.
static void maintenance_asks_once_for_all_worlds(void **state) {
    (void)state;
    static struct fixture fixture;
    fixture_init(&fixture);
    fixture.options.budget.age_ms = 1;
    fixture_open(&fixture);
    for (int i = 0; i < WORLDS; i++) {
        char name[16];
        snprintf(name, sizeof name, "world-%d", i);
        fixture_create_world(&fixture, name);
        assert_int_equal(fixture_begin(&fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    }
    fixture_wait(&fixture);
    const uint64_t before = count_round_trips(&fixture);
    usleep(5000000); // maintenance is due each second, and checks for history to compact every two
    const uint64_t made = count_round_trips(&fixture) - before;
    print_message("%d worlds without changes: %llu round trips in 5 s\n", WORLDS, (unsigned long long)made);
    assert_true(made > 2 && made < WORLDS / 2);
    fixture_free(&fixture);
}

// ---- a standby that does not answer ---------------------------------------------------------------------------------

static void set_standby(const char *address, const char *name) {
    char sql[100];
    snprintf(sql, sizeof sql, "ALTER SYSTEM SET synchronous_standby_names='%s'", name);
    fixture_run_on_postgres(address, sql);
    fixture_run_on_postgres(address, "SELECT pg_reload_conf()");
}

// PostgreSQL then commits, and says in a warning that the commit is here only: a promoted standby would not have it.
static void a_cancelled_wait_for_the_standby_is_no_acknowledgement(void **state) {
    (void)state;
    static const char *const ways[] = {"pg_cancel_backend", "pg_terminate_backend"};
    static const char waits[] = "SELECT count(*) FROM pg_stat_activity WHERE wait_event='SyncRep'";
    for (int way = 0; way < 2; way++) {
        struct fixture fixture;
        char sql[200];
        fixture_init(&fixture);
        fixture.options.durability = STORE_FULL;
        begin_world(&fixture);
        set_standby(fixture.address, "nobody");
        usleep(300000); // until all processes have read the setting
        assert_int_equal(fixture_append(&fixture, 5), RESULT_OK);
        fixture_wait_count(&fixture, waits, 1, 1);
        assert_int_equal(fixture.told_count, fixture.tickets - 1);
        snprintf(sql, sizeof sql, "SELECT %s(pid) FROM pg_stat_activity WHERE wait_event='SyncRep'", ways[way]);
        fixture_run_on_postgres(fixture.address, sql);
        fixture_wait(&fixture);
        assert_int_equal(fixture.settled[fixture.tickets], RESULT_IO);
        assert_int_equal(fixture_count(&fixture, "SELECT count(*) FROM entry"), 2); // the entry is there, but only here
        if (way == 0) {
            assert_non_null(strstr(fixture.reason.message, "the commit was not confirmed by the standby"));
        }
        set_standby(fixture.address, "");
        fixture_wait_health(&fixture, true);
        assert_int_equal(fixture_append(&fixture, 5), RESULT_STATE);
        take_up_again(&fixture);
        fixture_free(&fixture);
    }
}

// ---- silence --------------------------------------------------------------------------------------------------------

static void signal_postgres(int number) {
    char command[200];
    const char *first = getenv("TEST_POSTGRES_PID");
    assert_non_null(first);
    snprintf(command, sizeof command, "kill -%d %s $(cat /proc/%s/task/%s/children)", number, first, first, first);
    assert_int_equal(system(command), 0);
}

// Fills the queue, while nothing is answered, and waits until the store says that it fails.
static void fill_until_it_fails(struct fixture *fixture, uint64_t answer_ms) {
    struct fault fault = {.message = ""};
    struct store_figures figures;
    void *megabyte = calloc(1, MEGABYTE);
    assert_non_null(megabyte);
    const uint64_t began_ms = now_ms(), first = fixture->tickets + 1;
    uint64_t longest_ms = 0;
    while (store_accepts(fixture->store, fixture->world, &fault) == RESULT_OK) {
        const struct store_entry entry = {
            .tick = fixture->tick + 1, .sequence = ++fixture->sequence, .record = {megabyte, MEGABYTE}};
        const uint64_t before_ms = now_ms();
        assert_int_equal(store_append(fixture->store, fixture->world, &entry, 1, ++fixture->tickets, &fault),
                         RESULT_OK);
        longest_ms = now_ms() - before_ms > longest_ms ? now_ms() - before_ms : longest_ms;
    }
    free(megabyte);
    assert_int_equal(fault.cause, RESULT_BUSY);
    assert_true(fixture->tickets - first >= 30 && fixture->told_count < first);
    usleep(700000);
    assert_int_equal(store_accepts(fixture->store, fixture->world, &fault), RESULT_BUSY);
    if (strstr(fault.message, "the store's queue is full, for PostgreSQL has not answered for ") == NULL) {
        fail_msg("%s", fault.message);
    }
    fixture_wait_health(fixture, false);
    const uint64_t took_ms = now_ms() - began_ms;
    print_message("no answer: noticed after %.1f s, no append took longer than %llu ms\n", (double)took_ms / 1e3,
                  (unsigned long long)longest_ms);
    assert_true(took_ms >= answer_ms && took_ms < answer_ms + 20000);
    assert_non_null(strstr(fixture->reason.message, "no answer for "));
    fixture_wait(fixture);
    for (uint64_t ticket = first; ticket <= fixture->tickets; ticket++) {
        assert_int_equal(fixture->settled[ticket], RESULT_IO);
    }
    assert_int_equal(store_accepts(fixture->store, fixture->world, &fault), RESULT_IO);
    store_figures(fixture->store, &figures);
    assert_true(!figures.well && figures.queue_bytes == 0 && strlen(figures.fault.message) > 0);
}

static void a_postgresql_that_stands_still_is_noticed(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture.options.answer_ms = 2000;
    begin_world(&fixture);
    signal_postgres(SIGSTOP);
    fill_until_it_fails(&fixture, 2000);
    signal_postgres(SIGCONT);
    fixture_wait_health(&fixture, true);
    take_up_again(&fixture);
    fixture_free(&fixture);
}

// Nothing is written: maintenance, which runs each second, notices the silence.
static void it_is_noticed_without_a_write(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    fixture.options.answer_ms = 2000;
    begin_world(&fixture);
    signal_postgres(SIGSTOP);
    fixture_wait_health(&fixture, false);
    signal_postgres(SIGCONT);
    fixture_wait_health(&fixture, true);
    assert_int_equal(fixture_append(&fixture, 5), RESULT_OK); // nothing was lost: the timeline goes on
    fixture_wait(&fixture);
    assert_int_equal(fixture.settled[fixture.tickets], RESULT_OK);
    fixture_free(&fixture);
}

// ---- a network that is cut ------------------------------------------------------------------------------------------

static volatile sig_atomic_t frozen;

static void freeze(int number) {
    (void)number;
    frozen = 1;
}

static bool pass_on(int from, int to) {
    char bytes[65536];
    const ssize_t count = read(from, bytes, sizeof bytes);
    for (ssize_t at = 0; at < count;) {
        const ssize_t written = write(to, bytes + at, (size_t)(count - at));
        if (written <= 0) {
            return false;
        }
        at += written;
    }
    return count > 0;
}

// Passes on what both ends of a connection send, until it is frozen: then nothing arrives any more, and nothing closes.
static void relay(int client, int server) {
    struct pollfd ends[2] = {{.fd = client, .events = POLLIN}, {.fd = server, .events = POLLIN}};
    (void)signal(SIGUSR1, freeze);
    for (;;) {
        while (frozen) {
            pause();
        }
        if (poll(ends, 2, 100) <= 0 || frozen) {
            continue;
        }
        if ((ends[0].revents != 0 && !pass_on(client, server)) || (ends[1].revents != 0 && !pass_on(server, client))) {
            _exit(0);
        }
    }
}

static int open_socket(const char *folder, struct sockaddr_un *address) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(address->sun_path, sizeof address->sun_path, "%.60s/.s.PGSQL.5432", folder);
    return socket(AF_UNIX, SOCK_STREAM, 0);
}

// A process that listens in one folder and passes all on to another, like the network between two machines.
static pid_t start_relay(const char *from, const char *to) {
    struct sockaddr_un address, there;
    const int listening = open_socket(from, &address);
    assert_int_equal(bind(listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listening, 16), 0);
    const pid_t process = fork();
    if (process != 0) {
        close(listening);
        return process;
    }
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGUSR1, SIG_IGN);
    (void)signal(SIGCHLD, SIG_IGN);
    for (;;) {
        const int client = accept(listening, NULL, NULL);
        if (client >= 0 && fork() == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            const int server = open_socket(to, &there);
            if (connect(server, (struct sockaddr *)&there, sizeof there) != 0) {
                _exit(1);
            }
            close(listening);
            relay(client, server);
        }
        close(client);
    }
}

// PostgreSQL does not know that the connection is gone: it would keep its lock for as long as its keepalives last.
static void a_connection_that_is_cut_is_replaced_by_a_new_one(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture);
    const char *host = strstr(fixture.address, "host=") + 5;
    char folder[64], address[256];
    snprintf(folder, sizeof folder, "%.*s", (int)strcspn(host, "&"), host);
    snprintf(address, sizeof address, "%.*s%s%s", (int)(host - fixture.address), fixture.address, fixture.directory,
             host + strcspn(host, "&"));
    const pid_t process = start_relay(fixture.directory, folder);
    fixture.options.address = address;
    fixture.options.answer_ms = 2000;
    begin_world(&fixture);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kill(-process, SIGUSR1), 0); // connections that are made from now on are well
        assert_int_equal(fixture_append(&fixture, 5), RESULT_OK);
        fixture_wait(&fixture);
        assert_int_equal(fixture.settled[fixture.tickets], RESULT_IO);
        assert_non_null(strstr(fixture.reason.message, "no answer for 2.0 s"));
        fixture_wait_health(&fixture, true);
        take_up_again(&fixture);
    }
    fixture_close(&fixture);
    assert_int_equal(kill(-process, SIGKILL), 0);
    assert_int_equal(waitpid(process, NULL, 0), process);
    fixture_free(&fixture);
}

int main(int count, char **arguments) {
    (void)count;
    fixture_start_postgres(arguments);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_a_world_that_was_taken_is_written),
        cmocka_unit_test(a_commit_of_many_worlds_takes_a_handful_of_round_trips),
        cmocka_unit_test(maintenance_asks_once_for_all_worlds),
        cmocka_unit_test(a_cancelled_wait_for_the_standby_is_no_acknowledgement),
        cmocka_unit_test(a_postgresql_that_stands_still_is_noticed),
        cmocka_unit_test(it_is_noticed_without_a_write),
        cmocka_unit_test(a_connection_that_is_cut_is_replaced_by_a_new_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
