// SPDX-License-Identifier: MIT
// Plants: they stand, bend in the wind by their stiffness, and stand up again (server/sim/PHYSICS.md 11.2).
#include "sim_fixture.h"

#include "sim/world/particle.h"
#include "sim/world/world.h"

static uint32_t spawn_plant(struct sim_world *world, const struct sim_plant_desc *plant) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_plant_spawn(world, plant, &id, &fault));
    return id;
}

static void set_wind(struct sim_world *world, float speed) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.wind_velocity = (struct vec3){speed, 0.0f, 0.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

struct bow {
    double still, blown, after; // m, how far the tip stands to the side
    double height;              // m, of the tip in the end
};

static struct bow bow_of(struct sim_plant_desc plant, uint32_t substeps, uint32_t iterations, float wind) {
    struct sim_world *world = new_world();
    set_solver(world, substeps, iterations, 0.02f);
    const uint32_t id = spawn_plant(world, &plant);
    const uint32_t tip = 3 * plant.levels - 1;
    struct bow bow;
    step(world, 300);
    bow.still = (double)position_of(world, id, tip).x;
    set_wind(world, wind);
    step(world, 300);
    bow.blown = (double)position_of(world, id, tip).x;
    set_wind(world, 0.0f);
    step(world, 600);
    bow.after = (double)position_of(world, id, tip).x;
    bow.height = (double)position_of(world, id, tip).y;
    for (uint32_t i = 0; i < world->state.particles; i++) {
        assert_true(vec3_is_finite(particle_position(world, i)));
    }
    sim_world_destroy(world);
    return bow;
}

static void a_plant_bends_in_the_wind_and_stands_up_again(void **state) {
    (void)state;
    struct sim_plant_desc plant = sim_plant_desc_default();
    plant.stiffness = 0.1f;
    const struct bow bow = bow_of(plant, 8, 1, 8.0f);
    print_message("tip: still %.3f, blown %.3f, after %.3f m, %.3f m high\n", bow.still, bow.blown, bow.after,
                  bow.height);
    assert_true(bow.blown - bow.still > 0.1);
    assert_true(fabs(bow.after - bow.still) < 0.01);
    assert_true(bow.height > 0.98);
}

static void the_stiffer_the_less_it_bends(void **state) {
    (void)state;
    struct sim_plant_desc plant = sim_plant_desc_default();
    double before = 10.0;
    for (unsigned i = 0; i <= 4; i++) {
        plant.stiffness = 0.25f * (float)i;
        const struct bow bow = bow_of(plant, 8, 1, 5.0f);
        const double bent = bow.blown - bow.still;
        print_message("stiffness %.2f: %.4f m\n", (double)plant.stiffness, bent);
        assert_true(bent < before && bow.height > 0.97);
        before = bent;
    }
}

static void how_far_a_plant_bends_does_not_depend_on_the_solver(void **state) {
    (void)state;
    struct sim_plant_desc plant = sim_plant_desc_default();
    plant.stiffness = 0.25f;
    const struct bow few = bow_of(plant, 8, 1, 5.0f);
    const struct bow many = bow_of(plant, 16, 4, 5.0f);
    print_message("bent by %.4f m at 8 × 1, %.4f m at 16 × 4\n", few.blown - few.still, many.blown - many.still);
    assert_true(fabs((few.blown - few.still) / (many.blown - many.still) - 1.0) < 0.15);
}

static void plants_of_all_sizes_stand(void **state) {
    (void)state;
    static const struct {
        float height, mass;
        uint32_t levels, leaves;
    } sizes[] = {{0.3f, 0.02f, 8, 3},  {1.0f, 0.3f, 3, 0},   {1.0f, 0.3f, 3, 64},
                 {2.0f, 1.0f, 30, 10}, {4.0f, 8.0f, 64, 64}, {10.0f, 100.0f, 12, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct sim_plant_desc plant = sim_plant_desc_default();
        plant.height = sizes[i].height;
        plant.mass = sizes[i].mass;
        plant.levels = sizes[i].levels;
        plant.leaves = sizes[i].leaves;
        const struct bow bow = bow_of(plant, 8, 1, 2.0f);
        assert_true(bow.height > 0.95 * (double)plant.height);
    }
}

static void a_plant_has_its_mass_its_root_and_sticks_in_proper_colours(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct sim_plant_desc plant = sim_plant_desc_default();
    plant.leaves = 64;
    plant.levels = 64;
    plant.position = (struct vec3){1.0f, 2.0f, 3.0f};
    const uint32_t id = spawn_plant(world, &plant);
    const struct object *object = &world->object[0];
    double mass = 0.0;
    for (uint32_t i = 0; i < object->particles; i++) {
        mass += 1.0 / (double)sim_particle_own_inverse_mass(world, i);
    }
    assert_true(fabs(mass - 0.3) < 1e-5);
    assert_int_equal(object->particles, 3 * 64 + 6 * 64);
    assert_int_equal(object->triangles, 6 * 63 + 4 * 64);
    assert_int_equal(object->pins, 6);
    assert_true(position_of(world, id, 0).y == 2.0f);
    uint32_t first = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        uint8_t seen[1024] = {0};
        for (uint32_t i = first; i < world->colour_end[colour]; i++) {
            assert_true(world->stick_rest[i] > 0.0f);
            assert_true(seen[world->stick_a[i]] == 0 && seen[world->stick_b[i]] == 0);
            seen[world->stick_a[i]] = 1;
            seen[world->stick_b[i]] = 1;
        }
        first = world->colour_end[colour];
    }
    assert_int_equal(first, object->sticks);
    sim_world_destroy(world);
}

#define ROW 20u // more than a vector has lanes

// Plants number `first` to `end` of a row, each pulled at its tip another way, after a second in the wind.
static struct sim_world *world_of_row(uint32_t first, uint32_t end) {
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 8, 2, 0.01f);
    set_wind(world, 6.0f);
    for (uint32_t i = first; i < end; i++) {
        struct sim_plant_desc plant = sim_plant_desc_default();
        plant.position = (struct vec3){2.0f * (float)i - 20.0f, 0.0f, 1.0f};
        const uint32_t id = spawn_plant(world, &plant);
        const struct vec3 push = {0.01f * (float)i, 0.0f, 0.2f - 0.02f * (float)i};
        MUST(sim_particle_move(world, id, 3 * plant.levels - 1, push, SIM_MOVE_PUSH, &fault));
    }
    step(world, 60);
    return world;
}

static void plants_that_are_alike_move_to_the_bit_as_each_does_alone(void **state) {
    (void)state;
    struct sim_world *row = world_of_row(0, ROW);
    for (uint32_t i = 0; i < ROW; i++) {
        struct sim_world *alone = world_of_row(i, i + 1);
        const uint32_t particles = alone->state.particles;
        for (uint32_t k = 0; k < particles; k++) {
            const struct vec3 here = particle_position(row, i * particles + k);
            const struct vec3 there = particle_position(alone, k);
            assert_memory_equal(&here, &there, sizeof here);
        }
        sim_world_destroy(alone);
    }
    sim_world_destroy(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plant_bends_in_the_wind_and_stands_up_again),
        cmocka_unit_test(the_stiffer_the_less_it_bends),
        cmocka_unit_test(how_far_a_plant_bends_does_not_depend_on_the_solver),
        cmocka_unit_test(plants_of_all_sizes_stand),
        cmocka_unit_test(a_plant_has_its_mass_its_root_and_sticks_in_proper_colours),
        cmocka_unit_test(plants_that_are_alike_move_to_the_bit_as_each_does_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
