// SPDX-License-Identifier: MIT
// What a world tells of the time of a tick and of its memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/sim.h"

#define PARTICLE_BYTES_MAX 88.0
#define STICK_BYTES_MAX 32.0

static struct sim_world *create_world(void) {
    const struct sim_capacity capacity = {20000, 100000, 40000, 200, 16, 10000};
    struct sim_world *world = NULL;
    assert_int_equal(sim_world_create(&capacity, 60.0f, &world), RESULT_OK);
    return world;
}

static void spawn_cloth(struct sim_world *world, struct sim_cloth_desc desc) {
    struct fault fault;
    uint32_t id;
    desc.columns = 30;
    desc.rows = 20;
    desc.sheet.position.y = 2.0f;
    assert_int_equal(sim_cloth_spawn(world, &desc, &id, &fault), RESULT_OK);
}

static uint64_t count_calls(void *context) {
    uint64_t *calls = context;
    return 10 * ++*calls;
}

static uint64_t ticked(struct sim_world *world, unsigned ticks) {
    for (unsigned tick = 0; tick < ticks; tick++) {
        sim_world_step(world);
    }
    return sim_world_hash(world);
}

static void the_stages_of_a_tick_add_up_to_all_of_it(void **unused) {
    (void)unused;
    struct sim_world *world = create_world();
    uint64_t calls = 0, sum = 0;
    spawn_cloth(world, sim_cloth_desc_default());
    sim_world_set_stopwatch(world, &(struct sim_stopwatch){&calls, count_calls});
    ticked(world, 3);
    calls = 0;
    sim_world_step(world);
    for (unsigned stage = 0; stage < SIM_STAGE_COUNT; stage++) {
        assert_true(sim_world_stage_ns(world, (enum sim_stage)stage) > 0);
        sum += sim_world_stage_ns(world, (enum sim_stage)stage);
    }
    assert_true(calls > SIM_STAGE_COUNT);
    assert_int_equal(sum, 10 * (calls - 1)); // from the first look at the clock to the last
    sim_world_set_stopwatch(world, NULL);
    calls = 0;
    sim_world_step(world);
    assert_int_equal(calls, 0);
    assert_int_equal(sim_world_stage_ns(world, SIM_STAGE_STICKS), 0);
    sim_world_destroy(world);
}

static void looking_at_the_clock_changes_no_result(void **unused) {
    (void)unused;
    uint64_t hash[2], calls = 0;
    for (unsigned watched = 0; watched < 2; watched++) {
        struct sim_world *world = create_world();
        spawn_cloth(world, sim_cloth_desc_default());
        sim_world_set_stopwatch(world, watched ? &(struct sim_stopwatch){&calls, count_calls} : NULL);
        hash[watched] = ticked(world, 60);
        sim_world_destroy(world);
    }
    assert_true(calls > 0);
    assert_int_equal(hash[0], hash[1]);
}

// ---- memory
// ----------------------------------------------------------------------------------------------------------

static void spawn_rope(struct sim_world *world) {
    struct sim_rope_desc desc = sim_rope_desc_default();
    struct fault fault;
    uint32_t id;
    desc.from = (struct vec3){0.0f, 3.0f, 0.0f};
    desc.to = (struct vec3){5.0f, 3.0f, 0.0f};
    desc.particles = 200;
    assert_int_equal(sim_rope_spawn(world, &desc, &id, &fault), RESULT_OK);
}

static void spawn_plain_cloth(struct sim_world *world) {
    spawn_cloth(world, sim_cloth_desc_default());
}

static void spawn_rich_cloth(struct sim_world *world) {
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    desc.lattice = SIM_LATTICE_HEX;
    desc.sheet.bend = desc.sheet.tethers = true;
    desc.sheet.stretch_compliance = 1e-5f;
    spawn_cloth(world, desc);
}

static void spawn_bare_net(struct sim_world *world) {
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    desc.sheet.shear = false;
    desc.sheet.tethers = true;
    spawn_cloth(world, desc);
}

static void spawn_loose_particles(struct sim_world *world) {
    enum { COUNT = 1000 };
    static float positions[3 * COUNT];
    struct sim_particles_desc desc = sim_particles_desc_default();
    struct fault fault;
    uint32_t id;
    for (unsigned i = 0; i < COUNT; i++) {
        positions[3 * i] = 0.1f * (float)i - 50.0f;
        positions[3 * i + 1] = 1.0f;
    }
    desc.positions = positions;
    desc.particles = COUNT;
    assert_int_equal(sim_particles_spawn(world, &desc, &id, &fault), RESULT_OK);
}

static void spawn_figures(struct sim_world *world) {
    struct sim_ragdoll_desc desc = sim_ragdoll_desc_default();
    struct sim_plant_desc plant = sim_plant_desc_default();
    struct fault fault;
    uint32_t id;
    desc.position.y = 2.0f;
    assert_int_equal(sim_ragdoll_spawn(world, &desc, &id, &fault), RESULT_OK);
    assert_int_equal(sim_plant_spawn(world, &plant, &id, &fault), RESULT_OK);
}

static void a_particle_takes_at_most_88_bytes_and_a_stick_32(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        void (*spawn)(struct sim_world *world);
    } cases[] = {
        {"a cloth", spawn_plain_cloth},
        {"a hexagonal cloth that bends, gives and is tethered", spawn_rich_cloth},
        {"a net with tethers", spawn_bare_net},
        {"a rope", spawn_rope},
        {"loose particles", spawn_loose_particles},
        {"a figure and a plant", spawn_figures},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim_world *world = create_world();
        cases[i].spawn(world);
        ticked(world, 3);
        const struct sim_memory memory = sim_world_memory(world);
        const struct sim_counts counts = sim_world_counts(world);
        const double particle = (double)memory.particle_bytes / counts.particles;
        const double stick = counts.sticks > 0 ? (double)memory.stick_bytes / counts.sticks : 0.0;
        print_message("%s: %.1f bytes a particle, %.1f a stick\n", cases[i].name, particle, stick);
        assert_true(particle >= 80.0 && particle <= PARTICLE_BYTES_MAX); // x, low, d, ahead, off, f, w and its own
        assert_true(counts.sticks == 0 || (stick >= 12.0 && stick <= STICK_BYTES_MAX));
        sim_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stages_of_a_tick_add_up_to_all_of_it),
        cmocka_unit_test(looking_at_the_clock_changes_no_result),
        cmocka_unit_test(a_particle_takes_at_most_88_bytes_and_a_stick_32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
