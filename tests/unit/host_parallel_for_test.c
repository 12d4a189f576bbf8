// SPDX-License-Identifier: MIT
// The threads of parallel_for: every share is done exactly once, whoever does it, and a caller that finds the threads
// of parallel_for busy does its own work.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>

#include <cmocka.h>

#include "host/run/parallel_for.h"
#include "sim/sim.h"

#define ROUNDS 20000u
#define SHARES 5u

struct tally {
    _Atomic uint32_t done[SHARES];
    uint64_t sum[SHARES]; // each written by whoever has the share, read after the round
};

static void count(void *argument, unsigned share) {
    struct tally *tally = argument;
    atomic_fetch_add(&tally->done[share], 1);
    tally->sum[share] += share + 1;
}

static void run_rounds(struct parallel_for *parallel_for, struct tally *tally) {
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        const unsigned shares = 1 + round % SHARES;
        parallel_for_run(parallel_for, shares, count, tally);
        for (unsigned share = 0; share < shares; share++) {
            assert_int_equal(tally->sum[share], (uint64_t)atomic_load(&tally->done[share]) * (share + 1));
        }
    }
}

static uint32_t expected(unsigned share) {
    uint32_t rounds = 0;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        rounds += share < 1 + round % SHARES ? 1 : 0;
    }
    return rounds;
}

static void every_share_is_done_once_and_before_the_round_returns(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct parallel_for *parallel_for = NULL;
        struct tally tally = {0};
        assert_int_equal(parallel_for_create(threads, &parallel_for), RESULT_OK);
        run_rounds(parallel_for, &tally);
        for (unsigned share = 0; share < SHARES; share++) {
            assert_int_equal(atomic_load(&tally.done[share]), expected(share));
        }
        parallel_for_destroy(parallel_for);
    }
}

struct caller {
    struct parallel_for *parallel_for;
    struct tally tally;
};

static void *call(void *argument) {
    struct caller *caller = argument;
    run_rounds(caller->parallel_for, &caller->tally);
    return NULL;
}

static void callers_share_a_crew_without_losing_work(void **state) {
    (void)state;
    struct parallel_for *parallel_for = NULL;
    assert_int_equal(parallel_for_create(3, &parallel_for), RESULT_OK);
    struct caller callers[3] = {
        {.parallel_for = parallel_for}, {.parallel_for = parallel_for}, {.parallel_for = parallel_for}};
    pthread_t thread[3];
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, call, &callers[i]), 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        pthread_join(thread[i], NULL);
        for (unsigned share = 0; share < SHARES; share++) {
            assert_int_equal(atomic_load(&callers[i].tally.done[share]), expected(share));
        }
    }
    parallel_for_destroy(parallel_for);
}

static void plant(struct sim_world *world, int count, uint32_t levels) {
    struct fault fault = {0};
    uint32_t id = 0;
    for (int i = 0; i < count; i++) {
        struct sim_plant_desc desc = sim_plant_desc_default();
        desc.levels = levels;
        desc.position = (struct vec3){0.3f * (float)i, 0.0f, 8.0f + 0.1f * (float)levels};
        assert_int_equal(sim_plant_spawn(world, &desc, &id, &fault), RESULT_OK);
    }
}

// Wind, a ball in the way of the cloths, and bodies that come down on ropes and on the floor.
static void stir(struct sim_world *world) {
    struct fault fault = {0};
    uint32_t id = 0;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.wind_velocity = (struct vec3){1.0f, 0.0f, 6.0f};
    parameters.wind_gust = 0.5f;
    parameters.bounds_min.y = 0.0f;
    assert_int_equal(sim_world_set_parameters(world, &parameters, &fault), RESULT_OK);
    const struct sim_obstacle ball = {.shape = SIM_OBSTACLE_SPHERE, .position = {0.0f, 1.0f, 0.6f}, .radius = 0.5f};
    assert_int_equal(sim_obstacle_add(world, &ball, &id, &fault), RESULT_OK);
    for (int i = 0; i < 60; i++) {
        struct sim_body_desc body = sim_body_desc_default();
        body.shape = SIM_BODY_BOX;
        body.extents = (struct vec3){0.2f, 0.1f, 0.15f};
        body.position = (struct vec3){0.5f * (float)i, i % 2 == 0 ? 0.06f : 4.2f, -2.0f};
        body.velocity = (struct vec3){0.0f, -3.0f, 0.0f};
        assert_int_equal(sim_body_spawn(world, &body, &id, &fault), RESULT_OK);
    }
}

// A large lattice, one with bending, one that yields, a mesh that is no lattice, and many small things.
static void build(struct sim_world *world) {
    struct fault fault = {0};
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 150;
    cloth.rows = 161;
    cloth.sheet.tethers = true;
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, &fault), RESULT_OK);
    cloth.columns = 97;
    cloth.rows = 110;
    cloth.sheet.bend = true;
    cloth.sheet.position.z = 3.0f;
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, &fault), RESULT_OK);
    cloth.lattice = SIM_LATTICE_HEX;
    cloth.rows = 150;
    cloth.sheet.bend = false;
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    cloth.sheet.position.z = 6.0f;
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, &fault), RESULT_OK);
    cloth.lattice = SIM_LATTICE_GRID;
    cloth.rows = 110;
    cloth.sheet.bend = true;
    cloth.sheet.bend_compliance = 1e-4f;
    cloth.sheet.position.z = 12.0f;
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, &fault), RESULT_OK);
    stir(world);
    plant(world, 37, 10);
    plant(world, 18, 12);
    for (int i = 0; i < 300; i++) {
        struct sim_rope_desc rope = sim_rope_desc_default();
        rope.from = (struct vec3){(float)i * 0.1f, 4.0f, -3.0f};
        rope.to = (struct vec3){(float)i * 0.1f, 4.0f, -1.0f};
        assert_int_equal(sim_rope_spawn(world, &rope, &id, &fault), RESULT_OK);
    }
}

static uint64_t hash_of_run(struct parallel_for *parallel_for, unsigned threads, unsigned lanes) {
    const struct sim_capacity capacity = sim_capacity_default();
    struct sim_world *world = NULL;
    assert_int_equal(sim_world_create(&capacity, 60.0f, &world), RESULT_OK);
    assert_true(sim_world_set_lanes(world, lanes));
    const struct sim_workers workers = {.context = parallel_for, .count = threads, .run = parallel_for_run};
    sim_world_set_workers(world, &workers);
    build(world);
    for (int tick = 0; tick < 12; tick++) {
        sim_world_step(world);
    }
    const uint64_t hash = sim_world_hash(world);
    sim_world_destroy(world);
    return hash;
}

static void a_world_has_the_same_hash_on_any_number_of_threads_and_at_any_vector_width(void **state) {
    (void)state;
    const uint64_t alone = hash_of_run(NULL, 1, 4);
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct parallel_for *parallel_for = NULL;
        assert_int_equal(parallel_for_create(threads, &parallel_for), RESULT_OK);
        const struct sim_capacity capacity = {.particles = 1, .sticks = 1, .objects = 1};
        struct sim_world *world = NULL;
        assert_int_equal(sim_world_create(&capacity, 60.0f, &world), RESULT_OK);
        for (unsigned lanes = 4; lanes <= 16; lanes *= 2) {
            if (sim_world_set_lanes(world, lanes)) { // this machine has vectors of that width
                assert_int_equal(hash_of_run(parallel_for, threads, lanes), alone);
            }
        }
        sim_world_destroy(world);
        parallel_for_destroy(parallel_for);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_share_is_done_once_and_before_the_round_returns),
        cmocka_unit_test(callers_share_a_crew_without_losing_work),
        cmocka_unit_test(a_world_has_the_same_hash_on_any_number_of_threads_and_at_any_vector_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
