// SPDX-License-Identifier: MIT
// The table of connections against a plain array, over random additions, look-ups and removals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "host/connection/connection_table.h"

#define PEERS 300u
#define ROUNDS 200000u

static uint32_t state;

static uint32_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void connection_table_are_found_in_their_world_until_they_are_removed(void **unused) {
    (void)unused;
    uint32_t seed = (uint32_t)time(NULL) | 1u;
    print_message("seed %u\n", seed);
    state = seed;
    struct connection_table table = {0};
    bool here[PEERS] = {false};
    uint32_t world_of[PEERS] = {0};
    size_t count = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t which = next_random() % PEERS;
        uint64_t connection_id = (uint64_t)which << 32 | 7u; // many share their low bits
        const struct connection_table_entry *found = connection_table_find(&table, connection_id);
        struct connection_table_entry removed;
        assert_int_equal(found != NULL, here[which]);
        if (here[which]) {
            assert_int_equal(found->world, world_of[which]);
            assert_true(connection_table_remove(&table, connection_id, &removed));
            assert_int_equal(removed.world, world_of[which]);
            here[which] = false;
            count--;
        } else {
            assert_false(connection_table_remove(&table, connection_id, &removed));
            world_of[which] = next_random() % 64u;
            assert_true(connection_table_add(&table, connection_id, world_of[which], NULL));
            here[which] = true;
            count++;
        }
        assert_int_equal(table.count, count);
    }
    connection_table_free(&table);
}

static void those_that_leave_are_found_until_they_are_removed(void **unused) {
    (void)unused;
    struct connection_table table = {0};
    struct connection_table_entry removed;
    uint64_t leaving = 0;
    size_t found = 0;
    for (uint64_t connection_id = 1; connection_id <= PEERS; connection_id++) { // the table grows on the way
        assert_true(connection_table_add(&table, connection_id, 0, NULL));
        if (connection_id % 7 == 0) {
            connection_table_note_leaving(&table, connection_id);
            connection_table_note_leaving(&table, connection_id);
        }
    }
    connection_table_note_leaving(&table, PEERS + 1); // who is not there
    while (connection_table_find_leaving(&table, &leaving)) {
        assert_int_equal(leaving % 7, 0);
        assert_true(connection_table_remove(&table, leaving, &removed));
        found++;
    }
    assert_int_equal(found, PEERS / 7);
    assert_int_equal(table.count, PEERS - PEERS / 7);
    connection_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connection_table_are_found_in_their_world_until_they_are_removed),
        cmocka_unit_test(those_that_leave_are_found_until_they_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
