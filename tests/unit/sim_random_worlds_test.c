// SPDX-License-Identifier: MIT
// Two thousand random degenerate worlds (tests/fuzz/random_world.h; `make fuzz` runs more): what is asked for is
// refused or runs, and nothing non-finite, out of bounds or too fast is ever seen. `make test` runs them under the
// sanitizers; a build without these would see less and is given fewer. They are the same worlds every time, or those
// from WEFT_SEED on, in as many processes as there are processors; to find new ones is what `make fuzz` is for.
#include "sanitizer.h"
#include "sim_fixture.h"

#include "../fuzz/random_worlds.h"

#ifdef IS_ADDRESS_SANITIZED
#define WORLDS 2000u
#else
#define WORLDS 400u
#endif
#define ROUND_WORLDS (WORLDS / 4)  // of worlds with round and compound bodies; `make fuzz` runs more
#define MOVING_WORLDS (WORLDS / 4) // of worlds whose obstacles move
#define THREAD_WORLDS (WORLDS / 4) // of worlds in which ropes and particles collide
#define COST 250u                  // an eighth of that of `make fuzz`: dense contact takes most of the time
#define FIRST 401u                 // among those before are two of half a minute each: pairs that bounce in 64 substeps

// `kind` is said in the line that tests/house/physics.mjs reads.
static struct random_worlds all_worlds(const char *kind, uint64_t seed, uint64_t count) {
    struct random_worlds *worlds = random_worlds_create(count, seed);
    assert_non_null(worlds);
    worlds->cost_max = COST;
    random_worlds_run(worlds, random_worlds_processes());
    const struct random_worlds ran = *worlds;
    random_worlds_destroy(worlds);
    print_message("%" PRIu64 " worlds of %s: %" PRIu64 " commands accepted, %" PRIu64 " refused; %" PRIu64
                  " objects fell asleep, %" PRIu64 " sticks tore; quarantined: %" PRIu64
                  " damaged on purpose, no others; %" PRIu64 " worlds failed\n",
                  (uint64_t)ran.done, kind, (uint64_t)ran.accepted, (uint64_t)ran.refused, (uint64_t)ran.slept,
                  (uint64_t)ran.torn, (uint64_t)ran.injected, (uint64_t)ran.failed);
    if (ran.failed > 0) {
        print_message("to see one alone: tests/fuzz_worlds 1 SEED\n");
    }
    assert_int_equal(ran.failed, 0);
    assert_int_equal(ran.done, count);
    return ran;
}

static void random_degenerate_worlds_stay_finite_and_within_bounds(void **state) {
    (void)state;
    const uint64_t seed = FIRST + (getenv("WEFT_SEED") != NULL ? new_seed("random worlds") - 1 : 0);
    const struct random_worlds ran = all_worlds("all kinds", seed, WORLDS);
    // A test of what is refused or of what is not would show less than it seems to.
    assert_true(ran.accepted > 5 * WORLDS && ran.refused > 2 * WORLDS && ran.slept > WORLDS / 5);
    assert_true(ran.torn > WORLDS / 10 && ran.injected > WORLDS / 100);
}

// The same with round and compound bodies among the others.
static void random_worlds_of_round_bodies_stay_finite_and_within_bounds(void **state) {
    (void)state;
    const uint64_t seed = FIRST + (getenv("WEFT_SEED") != NULL ? new_seed("worlds of round bodies") - 1 : 0);
    const struct random_worlds ran = all_worlds("round bodies", RANDOM_ROUND_WORLDS + seed, ROUND_WORLDS);
    assert_true(ran.accepted > 5 * ROUND_WORLDS && ran.refused > 2 * ROUND_WORLDS && ran.slept > ROUND_WORLDS / 5);
}

// The same with sticks that forces tear, fabrics that crease, and blades.
static void random_worlds_of_tears_stay_finite_and_within_bounds(void **state) {
    (void)state;
    const uint64_t seed = FIRST + (getenv("WEFT_SEED") != NULL ? new_seed("worlds of tears") - 1 : 0);
    const struct random_worlds ran = all_worlds("tears", RANDOM_TEAR_WORLDS + seed, ROUND_WORLDS);
    assert_true(ran.accepted > 5 * ROUND_WORLDS && ran.refused > 2 * ROUND_WORLDS && ran.torn > ROUND_WORLDS / 10);
}

// The same with ropes and particles that collide.
static void random_worlds_of_ropes_that_collide_stay_finite_and_within_bounds(void **state) {
    (void)state;
    const uint64_t seed = FIRST + (getenv("WEFT_SEED") != NULL ? new_seed("worlds of ropes that collide") - 1 : 0);
    const struct random_worlds ran = all_worlds("ropes that collide", RANDOM_THREAD_WORLDS + seed, THREAD_WORLDS);
    assert_true(ran.accepted > 5 * THREAD_WORLDS && ran.refused > 2 * THREAD_WORLDS);
}

// The same with obstacles that move.
static void random_worlds_of_moving_obstacles_stay_finite_and_within_bounds(void **state) {
    (void)state;
    const uint64_t seed = FIRST + (getenv("WEFT_SEED") != NULL ? new_seed("worlds of moving obstacles") - 1 : 0);
    const struct random_worlds ran = all_worlds("moving obstacles", RANDOM_MOVING_WORLDS + seed, MOVING_WORLDS);
    assert_true(ran.accepted > 5 * MOVING_WORLDS && ran.refused > 2 * MOVING_WORLDS);
}

static void the_same_seed_gives_the_same_world_twice(void **state) {
    (void)state;
    const uint64_t seed = FIRST + new_seed("random worlds twice");
    for (uint64_t i = 0; i < 50; i++) {
        uint64_t first = 0;
        uint64_t second = 0;
        (void)random_world_run(seed + i, COST, &first);
        (void)random_world_run(seed + i, COST, &second);
        assert_true(first == second);
    }
}

static void worlds_that_failed_once_do_not_again(void **state) {
    (void)state;
    static const uint64_t seeds[] = {
        4765253804722110329u, // a body that is crushed to a point and struck
        20261123901986u,      // a hull that nearly fills bounds of 2 mm, and comes from afar
        20261124950709u,      // edges that touch at their pinned ends
        30261124001295u,      // a point eased out that a light particle hardly carries
        3512244759395566239u, // a fabric that bounds of 1e-30 m press flat
        1514u,                // a light balloon of high pressure, at one tick a second
    };
    for (unsigned i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        uint64_t hash = 0;
        const struct random_world r = random_world_run(seeds[i], RANDOM_WORLD_COST, &hash);
        if (r.complaint != NULL) {
            fail_msg("seed %" PRIu64 ": %s", seeds[i], r.complaint);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_degenerate_worlds_stay_finite_and_within_bounds),
        cmocka_unit_test(random_worlds_of_round_bodies_stay_finite_and_within_bounds),
        cmocka_unit_test(random_worlds_of_ropes_that_collide_stay_finite_and_within_bounds),
        cmocka_unit_test(random_worlds_of_moving_obstacles_stay_finite_and_within_bounds),
        cmocka_unit_test(worlds_that_failed_once_do_not_again),
        cmocka_unit_test(random_worlds_of_tears_stay_finite_and_within_bounds),
        cmocka_unit_test(the_same_seed_gives_the_same_world_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
