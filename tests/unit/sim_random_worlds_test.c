// SPDX-License-Identifier: MIT
// Two thousand random degenerate worlds (tests/fuzz/random_world.h; `make fuzz` runs more): what is asked for is
// refused or runs, and nothing non-finite, out of bounds or too fast is ever seen.
#include "sim_fixture.h"

#include "../fuzz/random_world.h"

#define WORLDS 2000

static void random_degenerate_worlds_stay_finite_and_within_bounds(void **state) {
    (void)state;
    const uint64_t seed = new_seed("random worlds");
    unsigned accepted = 0;
    unsigned refused = 0;
    unsigned quarantined = 0;
    unsigned slept = 0;
    unsigned failed = 0;
    for (uint64_t i = 0; i < WORLDS; i++) {
        uint64_t hash = 0;
        const struct random_world r = random_world_run(seed + i, &hash);
        accepted += r.accepted;
        refused += r.refused;
        quarantined += r.quarantined;
        slept += r.slept;
        if (r.complaint != NULL) {
            print_message("%s: tests/fuzz_worlds 1 %llu shows it\n", r.complaint, (unsigned long long)(seed + i));
            failed++;
        }
    }
    print_message("%u commands accepted, %u refused; %u objects fell asleep, %u quarantined\n", accepted, refused,
                  slept, quarantined);
    assert_int_equal(failed, 0);
    // A test of what is refused or of what is not would show less than it seems to.
    assert_true(accepted > 2 * WORLDS && refused > WORLDS && slept > WORLDS / 10);
}

static void the_same_seed_gives_the_same_world_twice(void **state) {
    (void)state;
    const uint64_t seed = new_seed("random worlds twice");
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t first = 0;
        uint64_t second = 0;
        (void)random_world_run(seed + i, &first);
        (void)random_world_run(seed + i, &second);
        assert_true(first == second);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_degenerate_worlds_stay_finite_and_within_bounds),
        cmocka_unit_test(the_same_seed_gives_the_same_world_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
