// SPDX-License-Identifier: MIT
// Objects that are alone (step/alone.c) are done object by object, with the bits of objects that are done pass by pass
// with all others.
#include "sim_fixture.h"

#include <string.h>

#include "sim/world/world.h"

#define COLUMNS 14u
#define ROWS 11u
#define VERTICES (COLUMNS * ROWS)
#define CLOTHS 3u
#define TICKS 90
#define UNBREAKABLE 1e9f // N; objects that a force may tear are not alone

struct recording {
    bool alone[TICKS][CLOTHS];
    float position[TICKS][CLOTHS * VERTICES * 3];
};

static void spawn_cloth(struct sim_world *world, struct vec3 position, bool pinned, bool may_tear) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = COLUMNS;
    cloth.rows = ROWS;
    cloth.sheet.position = position;
    cloth.sheet.rotation = (struct quat){-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    cloth.sheet.pins.preset = pinned ? SIM_PIN_CORNERS : SIM_PIN_NONE;
    cloth.sheet.tear_force = may_tear ? UNBREAKABLE : 0.0f;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
}

// One cloth hangs in a gusty wind, one falls on a sphere, one to the floor and to the edge of the world.
static void record(struct recording *recording, uint32_t iterations, bool may_tear, bool with_box, float wind) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    set_solver(world, 3, iterations, 0.0f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.wind_velocity = (struct vec3){wind, 0.0f, 0.5f * wind};
    parameters.wind_gust = 0.6f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    spawn_cloth(world, (struct vec3){-5.0f, 4.0f, 0.0f}, true, may_tear);
    spawn_cloth(world, (struct vec3){0.0f, 1.6f, 0.0f}, false, may_tear);
    spawn_cloth(world, (struct vec3){5.0f, 1.0f, 0.0f}, false, may_tear);
    const struct sim_obstacle sphere = {
        .shape = SIM_OBSTACLE_SPHERE, .position = {0.3f, 0.6f, 0.1f}, .radius = 0.5f, .friction = 0.4f};
    MUST(sim_obstacle_add(world, &sphere, &id, &fault));
    if (with_box) { // bodies that move are checked for objects in their way
        struct sim_body_desc box = sim_body_desc_default();
        box.position = (struct vec3){0.2f, 6.0f, 0.0f};
        MUST(sim_body_spawn(world, &box, &id, &fault));
    }
    for (int tick = 0; tick < TICKS; tick++) {
        sim_world_step(world);
        for (uint32_t k = 0; k < CLOTHS; k++) {
            const struct object *object = &world->object[k];
            recording->alone[tick][k] = object->alone;
            for (uint32_t i = 0; i < VERTICES; i++) {
                const uint32_t slot = object->first + i;
                const float at[3] = {world->x[slot], world->y[slot], world->z[slot]};
                memcpy(&recording->position[tick][3 * (size_t)(k * VERTICES + i)], at, sizeof at);
            }
        }
    }
    sim_world_destroy(world);
}

static void objects_that_are_alone_have_the_bits_of_others(void **state) {
    (void)state;
    static struct recording alone, others;
    for (int with_box = 0; with_box < 2; with_box++) {
        for (uint32_t iterations = 1; iterations <= 3; iterations++) {
            // The forces of a storm are computed more than once a tick.
            const float wind = iterations == 2 ? 40.0f : 4.0f;
            record(&alone, iterations, false, with_box != 0, wind);
            record(&others, iterations, true, with_box != 0, wind);
            for (int tick = 0; tick < TICKS; tick++) {
                for (uint32_t k = 0; k < CLOTHS; k++) {
                    assert_false(others.alone[tick][k]);
                }
                assert_memory_equal(alone.position[tick], others.position[tick], sizeof alone.position[tick]);
            }
            assert_true(alone.alone[0][0] && alone.alone[0][1] && alone.alone[0][2]);
            assert_true(wind > 4.0f || alone.alone[TICKS - 1][0]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(objects_that_are_alone_have_the_bits_of_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
