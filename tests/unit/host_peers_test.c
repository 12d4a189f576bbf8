// SPDX-License-Identifier: MIT
// The table of peers against a plain array, over random additions, look-ups and removals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "host/peers.h"

#define PEERS 300u
#define ROUNDS 200000u

static uint32_t state;

static uint32_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void peers_are_found_in_their_world_until_they_are_removed(void **unused) {
    (void)unused;
    uint32_t seed = (uint32_t)time(NULL) | 1u;
    print_message("seed %u\n", seed);
    state = seed;
    struct peers peers = {0};
    bool here[PEERS] = {false};
    uint32_t world_of[PEERS] = {0};
    size_t count = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t which = next_random() % PEERS;
        uint64_t peer = (uint64_t)which << 32 | 7u; // many share their low bits
        const struct peers_entry *found = peers_find(&peers, peer);
        struct peers_entry removed;
        assert_int_equal(found != NULL, here[which]);
        if (here[which]) {
            assert_int_equal(found->world, world_of[which]);
            assert_true(peers_remove(&peers, peer, &removed));
            assert_int_equal(removed.world, world_of[which]);
            here[which] = false;
            count--;
        } else {
            assert_false(peers_remove(&peers, peer, &removed));
            world_of[which] = next_random() % 64u;
            assert_true(peers_add(&peers, peer, world_of[which], NULL));
            here[which] = true;
            count++;
        }
        assert_int_equal(peers.count, count);
    }
    peers_free(&peers);
}

static void those_that_leave_are_found_until_they_are_removed(void **unused) {
    (void)unused;
    struct peers peers = {0};
    struct peers_entry removed;
    uint64_t leaving = 0;
    size_t found = 0;
    for (uint64_t peer = 1; peer <= PEERS; peer++) { // the table grows on the way
        assert_true(peers_add(&peers, peer, 0, NULL));
        if (peer % 7 == 0) {
            peers_note_leaving(&peers, peer);
            peers_note_leaving(&peers, peer);
        }
    }
    peers_note_leaving(&peers, PEERS + 1); // who is not there
    while (peers_find_leaving(&peers, &leaving)) {
        assert_int_equal(leaving % 7, 0);
        assert_true(peers_remove(&peers, leaving, &removed));
        found++;
    }
    assert_int_equal(found, PEERS / 7);
    assert_int_equal(peers.count, PEERS - PEERS / 7);
    peers_free(&peers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peers_are_found_in_their_world_until_they_are_removed),
        cmocka_unit_test(those_that_leave_are_found_until_they_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
