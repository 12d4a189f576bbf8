// SPDX-License-Identifier: MIT
// Two thousand random degenerate worlds (tests/fuzz/random_world.h; `make fuzz` runs more): what is asked for is
// refused or runs, and nothing non-finite, out of bounds or too fast is ever seen. `make test` runs them under the
// sanitizers; a build without these would see less and is given fewer. They are the same worlds every time, or those
// from WEFT_SEED on; to find new ones is what `make fuzz` is for.
#include "sim_fixture.h"

#include "../fuzz/random_world.h"

#ifdef __has_feature // clang says it so, gcc by a macro
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define WORLDS 2000u
#else
#define WORLDS 400u
#endif

static void random_degenerate_worlds_stay_finite_and_within_bounds(void **state) {
    (void)state;
    const uint64_t seed = getenv("WEFT_SEED") != NULL ? new_seed("random worlds") : 1;
    unsigned accepted = 0;
    unsigned refused = 0;
    unsigned slept = 0;
    unsigned torn = 0;
    unsigned damaged = 0;
    unsigned failed = 0;
    for (uint64_t i = 0; i < WORLDS; i++) {
        uint64_t hash = 0;
        const struct random_world r = random_world_run(seed + i, &hash);
        accepted += r.accepted;
        refused += r.refused;
        slept += r.slept;
        torn += r.torn;
        damaged += r.injected;
        if (r.complaint != NULL) {
            print_message("%s: tests/fuzz_worlds 1 %llu shows it\n", r.complaint, (unsigned long long)(seed + i));
            failed++;
        }
    }
    print_message(
        "%u worlds: %u commands accepted, %u refused; %u objects fell asleep, %u sticks tore; quarantined: %u "
        "damaged on purpose, no others; %u worlds failed\n",
        WORLDS, accepted, refused, slept, torn, damaged, failed);
    assert_int_equal(failed, 0);
    // A test of what is refused or of what is not would show less than it seems to.
    assert_true(accepted > 5 * WORLDS && refused > 2 * WORLDS && slept > WORLDS / 5);
    assert_true(torn > WORLDS / 10 && damaged > WORLDS / 100);
}

static void the_same_seed_gives_the_same_world_twice(void **state) {
    (void)state;
    const uint64_t seed = new_seed("random worlds twice");
    for (uint64_t i = 0; i < 50; i++) {
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
