// SPDX-License-Identifier: MIT
// Nodes that share a database: each world has one owner, a node without a lease loses its worlds, and a node that has
// lost a world writes nothing more to it. Starts a PostgreSQL of its own: tests/support/postgres.sh. No test waits for
// a lease to run out: the tests change the end of the lease in the table.
#include "store_fixture.h"

#define EXPIRE "UPDATE node SET lease_until=clock_timestamp()-interval '1 ms' WHERE url='http://a'"

static const struct store_node_load load = {.headroom = 1500, .worlds = 2, .clients = 7};

// A store of one node, and its entry.
struct member {
    struct fixture fixture;
    struct store_nodes *nodes;
    struct store_nodes_view view;
};

static struct member a, b;

static void join(struct member *member, const char *address, const char *url, uint32_t physics) {
    struct fault fault = {.message = ""};
    char number[STORE_NODE_MAX + 1];
    fixture_init(&member->fixture);
    member->fixture.options.address = address != NULL ? address : member->fixture.address;
    member->fixture.options.shared = true;
    fixture_open(&member->fixture);
    const struct store_node_options options = {member->fixture.options.address, url, physics, "1"};
    if (store_nodes_join(&options, &member->nodes, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
    snprintf(number, sizeof number, "%llu", (unsigned long long)store_nodes_number(member->nodes));
    store_join(member->fixture.store, number, url);
}

static void leave(struct member *member) {
    store_nodes_leave(member->nodes);
    fixture_free(&member->fixture);
}

static void join_both(void) {
    join(&a, NULL, "http://a", 2);
    join(&b, a.fixture.address, "http://b", 2);
}

static void expect(enum result result, enum result expected, const struct fault *fault) {
    if (result != expected) {
        fail_msg("result %d instead of %d: %s", (int)result, (int)expected, fault->message);
    }
}

static const struct store_owner_row *renew(struct member *member) {
    struct fault fault = {.message = ""};
    expect(store_nodes_renew(member->nodes, &load, &member->view, &fault), RESULT_OK, &fault);
    return member->view.worlds;
}

static void create_world(struct member *member) {
    fixture_create_world(&member->fixture, "main");
    assert_int_equal(fixture_begin(&member->fixture, STORE_ORIGIN_EMPTY, 0, 0, 0), RESULT_OK);
    assert_int_equal(fixture_append(&member->fixture, 5), RESULT_OK);
    fixture_wait(&member->fixture);
    assert_int_equal(member->fixture.settled[member->fixture.tickets], RESULT_OK);
}

static void each_node_sees_all_nodes_and_all_worlds(void **state) {
    (void)state;
    join_both();
    create_world(&a);
    (void)renew(&a);
    const struct store_owner_row *world = renew(&b);
    assert_int_equal(b.view.node_count, 2);
    assert_string_equal(b.view.nodes[0].url, "http://a");
    assert_int_equal(b.view.nodes[0].load.headroom, 1500);
    assert_int_equal(b.view.nodes[0].load.clients, 7);
    assert_true(b.view.nodes[0].lease_ms > 1000 && b.view.nodes[0].lease_ms <= STORE_LEASE_MS);
    assert_int_equal(b.view.world_count, 1);
    assert_string_equal(world->name, "main");
    assert_string_equal(world->url, "http://a");
    assert_int_equal(world->node, store_nodes_number(a.nodes));
    assert_int_equal(world->physics, 1);
    leave(&b);
    leave(&a);
}

static void a_world_is_taken_once_and_only_from_a_node_without_a_lease(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    uint64_t epoch = 0;
    join_both();
    create_world(&a);
    const struct store_owner_row world = *renew(&b);
    expect(store_nodes_take(b.nodes, world.world, world.epoch, &epoch, &fault), RESULT_STATE, &fault);
    fixture_run_on_postgres(a.fixture.address, EXPIRE);
    expect(store_nodes_take(b.nodes, world.world, world.epoch, &epoch, &fault), RESULT_OK, &fault);
    assert_int_equal(epoch, world.epoch + 1);
    expect(store_nodes_take(b.nodes, world.world, world.epoch, &epoch, &fault), RESULT_STATE, &fault);
    expect(store_nodes_take(a.nodes, world.world, epoch, &epoch, &fault), RESULT_STATE, &fault); // it has no lease
    assert_false(renew(&b)->ready);
    expect(store_nodes_ready(b.nodes, world.world, epoch, &fault), RESULT_OK, &fault);
    assert_true(renew(&a)->ready);
    leave(&b);
    leave(&a);
}

static void the_new_owner_goes_on_in_the_log_and_the_former_writes_nothing_more(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    uint64_t epoch = 0;
    join_both();
    create_world(&a);
    fixture_run_on_postgres(a.fixture.address, EXPIRE);
    expect(store_nodes_take(b.nodes, a.fixture.world, 1, &epoch, &fault), RESULT_OK, &fault);
    expect(store_world_adopt(b.fixture.store, a.fixture.world, epoch, &fault), RESULT_OK, &fault);
    assert_int_equal(store_world_epoch(b.fixture.store, a.fixture.world), 2);
    b.fixture.world = a.fixture.world;
    b.fixture.timeline = a.fixture.timeline;
    b.fixture.sequence = a.fixture.sequence;
    b.fixture.tick = a.fixture.tick;
    assert_int_equal(fixture_append(&a.fixture, 5), RESULT_OK); // node a does not know yet
    fixture_wait(&a.fixture);
    assert_int_equal(a.fixture.settled[a.fixture.tickets], RESULT_STATE);
    assert_int_equal(fixture_append(&b.fixture, 5), RESULT_OK);
    fixture_wait(&b.fixture);
    assert_int_equal(b.fixture.settled[b.fixture.tickets], RESULT_OK);
    struct store_history *history = fixture_read(&b.fixture, 1, STORE_END);
    assert_int_equal(history->entry_count, 2);
    store_history_free(history);
    store_world_forget(a.fixture.store, a.fixture.world);
    assert_int_equal(store_world_epoch(a.fixture.store, a.fixture.world), 0);
    leave(&b);
    leave(&a);
}

// The table names the node a moment before its store remembers the world.
static void a_world_that_a_node_has_just_made_is_not_adopted_anew(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    join_both();
    create_world(&a);
    assert_int_equal(fixture_append(&a.fixture, 5), RESULT_OK);
    expect(store_world_adopt(a.fixture.store, a.fixture.world, 1, &fault), RESULT_STATE, &fault);
    assert_int_equal(store_world_epoch(a.fixture.store, a.fixture.world), 1);
    assert_int_equal(fixture_append(&a.fixture, 6), RESULT_OK);
    fixture_wait(&a.fixture);
    assert_int_equal(a.fixture.settled[a.fixture.tickets], RESULT_OK);
    leave(&b);
    leave(&a);
}

// The node stood still after it had taken the world.
static void a_world_that_another_node_has_taken_since_is_not_adopted(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    uint64_t epoch = 0;
    join_both();
    create_world(&a);
    fixture_run_on_postgres(a.fixture.address, EXPIRE);
    expect(store_nodes_take(b.nodes, a.fixture.world, 1, &epoch, &fault), RESULT_OK, &fault);
    fixture_run_on_postgres(a.fixture.address,
                            "UPDATE owner SET epoch=3, node=(SELECT node FROM node WHERE url='http://a')");
    expect(store_world_adopt(b.fixture.store, a.fixture.world, epoch, &fault), RESULT_BUSY, &fault);
    assert_non_null(strstr(fault.message, "another node has taken it"));
    assert_int_equal(store_world_epoch(b.fixture.store, a.fixture.world), 0);
    expect(store_world_adopt(a.fixture.store, a.fixture.world, 3, &fault), RESULT_OK, &fault);
    assert_int_equal(fixture_append(&a.fixture, 5), RESULT_OK);
    fixture_wait(&a.fixture);
    assert_int_equal(a.fixture.settled[a.fixture.tickets], RESULT_OK);
    leave(&b);
    leave(&a);
}

// A standby that lacked the last take became the primary, and another node took the world by the same epoch.
static void an_epoch_of_another_node_is_not_ones_own(void **state) {
    (void)state;
    join_both();
    create_world(&a);
    fixture_run_on_postgres(a.fixture.address, "UPDATE owner SET node=(SELECT node FROM node WHERE url='http://b')");
    assert_int_equal(fixture_append(&a.fixture, 5), RESULT_OK);
    fixture_wait(&a.fixture);
    assert_int_equal(a.fixture.settled[a.fixture.tickets], RESULT_STATE);
    leave(&b);
    leave(&a);
}

// Only one node has the lock of the sweeps: it deletes the worlds that other nodes have removed.
static void the_rows_of_a_removed_world_are_deleted_whichever_node_had_it(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    join_both();
    for (int i = 0; i < 2; i++) {
        struct member *member = i == 0 ? &a : &b;
        create_world(member);
        expect(store_world_remove(member->fixture.store, member->fixture.world, &fault), RESULT_OK, &fault);
        fixture_wait_count(&a.fixture, "SELECT count(*) FROM owner", 0, 0);
        assert_int_equal(fixture_count(&a.fixture, "SELECT count(*) FROM entry"), 0);
        assert_int_equal(fixture_count(&a.fixture, "SELECT count(*) FROM sweep"), 0);
    }
    leave(&b);
    leave(&a);
}

static void a_world_is_given_to_another_node_after_all_that_was_queued(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    join_both();
    create_world(&a);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(fixture_append(&a.fixture, 5), RESULT_OK);
    }
    expect(store_world_release(a.fixture.store, a.fixture.world, &fault), RESULT_OK, &fault);
    assert_int_equal(a.fixture.told_count, a.fixture.tickets);
    assert_int_equal(a.fixture.settled[a.fixture.tickets], RESULT_OK);
    assert_int_equal(fixture_append(&a.fixture, 5), RESULT_NOT_FOUND);
    const uint64_t to = store_nodes_number(b.nodes);
    expect(store_nodes_give(b.nodes, a.fixture.world, 1, to, &fault), RESULT_STATE, &fault); // the world is not b's
    expect(store_nodes_give(a.nodes, a.fixture.world, 1, to, &fault), RESULT_OK, &fault);
    const struct store_owner_row *world = renew(&b);
    assert_true(world->node == to && world->epoch == 2 && !world->ready);
    assert_string_equal(world->url, "http://b");
    leave(&b);
    leave(&a);
}

static void a_node_whose_url_is_taken_loses_its_place(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    static struct member again;
    join(&a, NULL, "http://a", 2);
    create_world(&a);
    join(&again, a.fixture.address, "http://a", 2);
    expect(store_nodes_renew(a.nodes, &load, &a.view, &fault), RESULT_STATE, &fault);
    assert_non_null(strstr(fault.message, "--node-url http://a"));
    uint64_t epoch = 0;
    expect(store_nodes_take(again.nodes, a.fixture.world, 1, &epoch, &fault), RESULT_OK, &fault); // at once
    leave(&again);
    leave(&a);
}

// Locks the owners in a transaction, which then runs a statement in a pipeline that never ends.
static PGconn *hold(const char *statement) {
    PGconn *holder = PQconnectdb(a.fixture.address);
    PQclear(PQexec(holder, "BEGIN"));
    PQclear(PQexec(holder, "SELECT epoch FROM owner FOR SHARE"));
    assert_int_equal(PQenterPipelineMode(holder), 1);
    assert_int_equal(PQsendQueryParams(holder, statement, 0, NULL, NULL, NULL, NULL, 0), 1);
    assert_int_equal(PQsendFlushRequest(holder), 1);
    assert_int_equal(PQflush(holder), 0);
    return holder;
}

static void a_transaction_that_holds_a_world_makes_a_taker_wait(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    uint64_t epoch = 0;
    join_both();
    create_world(&a);
    fixture_run_on_postgres(a.fixture.address, EXPIRE);
    PGconn *holder = hold("SELECT pg_sleep(60)");
    for (int i = 0; i < 2; i++) {
        expect(store_nodes_take(b.nodes, a.fixture.world, 1, &epoch, &fault), RESULT_BUSY, &fault);
    }
    PQfinish(holder);
    fixture_run_on_postgres(a.fixture.address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                               " WHERE wait_event='PgSleep'");
    expect(store_nodes_take(b.nodes, a.fixture.world, 1, &epoch, &fault), RESULT_OK, &fault);
    leave(&b);
    leave(&a);
}

static void a_transaction_that_stands_still_does_not_keep_a_world(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    uint64_t epoch = 0;
    join_both();
    create_world(&a);
    PGconn *holder = hold("SELECT 1");
    expect(store_nodes_take(b.nodes, a.fixture.world, 1, &epoch, &fault), RESULT_STATE, &fault); // it has a lease
    fixture_run_on_postgres(a.fixture.address, EXPIRE);
    expect(store_nodes_take(b.nodes, a.fixture.world, 1, &epoch, &fault), RESULT_BUSY, &fault);
    expect(store_nodes_take(b.nodes, a.fixture.world, 1, &epoch, &fault), RESULT_OK, &fault);
    PQfinish(holder);
    leave(&b);
    leave(&a);
}

static void a_node_that_leaves_leaves_its_worlds_to_the_others_at_once(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    uint64_t epoch = 0;
    join_both();
    create_world(&a);
    const uint64_t world = a.fixture.world;
    store_nodes_leave(a.nodes);
    const struct store_owner_row *row = renew(&b);
    assert_int_equal(b.view.node_count, 1);
    assert_int_equal(row->node, 0);
    expect(store_nodes_take(b.nodes, world, row->epoch, &epoch, &fault), RESULT_OK, &fault);
    leave(&b);
    fixture_free(&a.fixture);
}

static void a_server_that_has_the_database_alone_and_nodes_exclude_each_other(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    static struct fixture alone;
    join(&a, NULL, "http://a", 2);
    fixture_init(&alone);
    alone.options.address = a.fixture.address;
    expect(store_open(&alone.options, &alone.store, &fault), RESULT_STATE, &fault);
    leave(&a);
    fixture_open(&alone);
    struct store_options shared = alone.options;
    struct store *store = NULL;
    shared.shared = true;
    expect(store_open(&shared, &store, &fault), RESULT_STATE, &fault);
    assert_non_null(strstr(fault.message, "without --node-url"));
    fixture_free(&alone);
}

static void a_node_is_drained_by_its_url(void **state) {
    (void)state;
    struct fault fault = {.message = ""};
    join_both();
    expect(store_nodes_drain(a.nodes, "http://nobody", true, &fault), RESULT_NOT_FOUND, &fault);
    expect(store_nodes_drain(a.nodes, "http://b", true, &fault), RESULT_OK, &fault);
    (void)renew(&b);
    assert_true(!b.view.nodes[0].draining && b.view.nodes[1].draining);
    leave(&b);
    leave(&a);
}

int main(int count, char **arguments) {
    (void)count;
    fixture_start_postgres(arguments);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_node_sees_all_nodes_and_all_worlds),
        cmocka_unit_test(a_world_is_taken_once_and_only_from_a_node_without_a_lease),
        cmocka_unit_test(the_new_owner_goes_on_in_the_log_and_the_former_writes_nothing_more),
        cmocka_unit_test(a_world_that_a_node_has_just_made_is_not_adopted_anew),
        cmocka_unit_test(a_world_that_another_node_has_taken_since_is_not_adopted),
        cmocka_unit_test(an_epoch_of_another_node_is_not_ones_own),
        cmocka_unit_test(the_rows_of_a_removed_world_are_deleted_whichever_node_had_it),
        cmocka_unit_test(a_world_is_given_to_another_node_after_all_that_was_queued),
        cmocka_unit_test(a_node_whose_url_is_taken_loses_its_place),
        cmocka_unit_test(a_transaction_that_holds_a_world_makes_a_taker_wait),
        cmocka_unit_test(a_transaction_that_stands_still_does_not_keep_a_world),
        cmocka_unit_test(a_node_that_leaves_leaves_its_worlds_to_the_others_at_once),
        cmocka_unit_test(a_server_that_has_the_database_alone_and_nodes_exclude_each_other),
        cmocka_unit_test(a_node_is_drained_by_its_url),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
