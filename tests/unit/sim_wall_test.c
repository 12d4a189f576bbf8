// SPDX-License-Identifier: MIT
// Walls 1 cm thin of every kind hit by bodies at 100 m/s in any attitude (physics.md 3): nothing passes. And stacks on
// every kind of ground: they stand, and sleep.
#include "sim_ground.h"

enum wall { WALL_BOX, WALL_CLOSED_MESH, WALL_SHEET, WALL_RIDGE, WALL_PINNED_BODY, WALL_COUNT };
static const char *const wall_name[WALL_COUNT] = {"box", "closed mesh", "open mesh", "ridge of a height field",
                                                  "pinned body"};

#define RIDGE_COLUMNS 5u
#define RIDGE_ROWS 401u

// Across x = 0, 4 m wide and high.
static void add_wall(struct sim_world *world, enum wall wall) {
    static const float block[24] = {-0.005f, -2, -2, 0.005f, -2, -2, -0.005f, 2, -2, 0.005f, 2, -2,
                                    -0.005f, -2, 2,  0.005f, -2, 2,  -0.005f, 2, 2,  0.005f, 2, 2};
    static const uint32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static const float sheet[12] = {0, -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2};
    static const uint32_t halves[6] = {0, 1, 2, 0, 2, 3};
    static float heights[RIDGE_COLUMNS * RIDGE_ROWS];
    struct sim_obstacle obstacle = {.friction = 0.3f, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    if (wall == WALL_PINNED_BODY) {
        struct fault fault;
        const uint32_t all[4] = {0, 1, 2, 3};
        struct sim_body_desc plate = sim_body_desc_default();
        plate.shape = SIM_BODY_BOX;
        plate.extents = (struct vec3){0.01f, 4.0f, 4.0f};
        MUST(sim_particle_pin(world, ground_spawn(world, &plate), all, 4, NULL, &fault));
        return;
    }
    obstacle.shape = wall == WALL_BOX     ? SIM_OBSTACLE_BOX
                     : wall == WALL_RIDGE ? SIM_OBSTACLE_HEIGHTFIELD
                                          : SIM_OBSTACLE_MESH;
    obstacle.size = (struct vec3){0.01f, 4.0f, 4.0f};
    obstacle.positions = wall == WALL_SHEET ? sheet : block;
    obstacle.vertices = wall == WALL_SHEET ? 4 : 8;
    obstacle.triangles = wall == WALL_SHEET ? halves : sides;
    obstacle.triangle_count = wall == WALL_SHEET ? 2 : 12;
    if (wall == WALL_RIDGE) {
        for (uint32_t i = 0; i < RIDGE_COLUMNS * RIDGE_ROWS; i++) {
            heights[i] = i % RIDGE_COLUMNS == 2 ? 4.0f : 0.0f;
        }
        obstacle.position.y = -2.0f;
        obstacle.columns = RIDGE_COLUMNS;
        obstacle.rows = RIDGE_ROWS;
        obstacle.spacing = 0.01f;
        obstacle.heights = heights;
    }
    ground_obstacle(world, &obstacle);
}

// How far behind the wall's middle the centre comes, in m.
static double shoot(enum wall wall, enum thing thing, uint32_t substeps, uint64_t *seed) {
    static const struct vec3 sides[3] = {{0.2f, 0.1f, 0.3f}, {0.03f, 0.02f, 0.03f}, {0.3f, 0.01f, 0.2f}};
    struct sim_world *world = ground_world(substeps, 4);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    add_wall(world, wall);
    const struct vec3 axis = random_point(seed, 1.0f);
    const float w = random_between(seed, -1.0f, 1.0f);
    const float length = sqrtf(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z + w * w);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.extents = sides[random_below(seed, 3)];
    desc.position = (struct vec3){-1.0f - random_between(seed, 0.0f, 1.7f), 0.0f, 0.0f};
    desc.rotation = (struct quat){axis.x / length, axis.y / length, axis.z / length, w / length};
    desc.velocity = (struct vec3){100.0f, random_between(seed, -20.0f, 20.0f), random_between(seed, -20.0f, 20.0f)};
    desc.angular_velocity = random_point(seed, 10.0f);
    const uint32_t id = thing_spawn(world, thing, desc);
    double behind = -1e9;
    for (unsigned tick = 0; tick < 10; tick++) {
        step(world, 1);
        struct vec3 middle = {0.0f, 0.0f, 0.0f};
        for (uint32_t k = 0; k < 4; k++) {
            const struct vec3 p = position_of(world, id, k);
            middle = (struct vec3){middle.x + 0.25f * p.x, middle.y + 0.25f * p.y, middle.z + 0.25f * p.z};
        }
        behind = fabsf(middle.y) < 1.5f && fabsf(middle.z) < 1.5f ? fmax(behind, (double)middle.x) : behind;
    }
    sim_world_destroy(world);
    return behind;
}

static void no_body_passes_a_thin_wall_of_any_kind(void **state) {
    (void)state;
    static const uint32_t all_substeps[3] = {1, 4, 8};
    uint64_t seed = new_seed("no_body_passes_a_thin_wall_of_any_kind");
    for (enum wall wall = 0; wall < WALL_COUNT; wall++) {
        unsigned passed = 0;
        for (unsigned round = 0; round < 150; round++) {
            const enum thing thing = (enum thing)(THING_BOX + round % 4);
            passed += shoot(wall, thing, all_substeps[round / 4 % 3], &seed) < 0.005 ? 0 : 1;
        }
        print_message("%s of 1 cm: %u of 150 bodies passed at 100 m/s\n", wall_name[wall], passed);
        assert_int_equal(passed, 0);
    }
}

// ---- stacks ------------------------------------------------------------------------------------------------------

struct stack {
    const char *name;
    enum ground ground;
    enum thing thing;
    float side, shift; // m
    uint32_t substeps, iterations;
};

static void check_stack(const struct stack *stack) {
    struct sim_world *world = ground_world(stack->substeps, stack->iterations);
    set_solver(world, stack->substeps, stack->iterations, 0.02f);
    (void)ground_add(world, stack->ground, 0.0, 0.5f);
    double place[2] = {0.0, 0.0};
    double worst = 0.0;
    unsigned slept = 0;
    uint32_t top = 0;
    for (unsigned i = 0; i < 5; i++) {
        struct sim_body_desc desc = sim_body_desc_default();
        desc.friction = 0.5f;
        desc.extents = (struct vec3){stack->side, stack->side, stack->side};
        desc.position = (struct vec3){i % 2 == 0 ? 0.0f : stack->shift, stack->side * (0.5f + (float)i), 0.0f};
        top = thing_spawn(world, stack->thing, desc);
    }
    place[0] = (double)position_of(world, top, 0).x;
    place[1] = (double)position_of(world, top, 0).y;
    for (unsigned tick = 1; tick <= 1200; tick++) {
        step(world, 1);
        const struct vec3 now = position_of(world, top, 0);
        worst = fmax(worst, fmax(fabs((double)now.x - place[0]), fabs((double)now.y - place[1])));
        slept = slept == 0 && sim_world_object_at(world, sim_world_object_count(world) - 1).asleep ? tick : slept;
    }
    for (uint32_t i = 0; i < sim_world_object_count(world); i++) {
        assert_true(sim_world_object_at(world, i).asleep);
    }
    print_message("five boxes %s: within %.1f mm over 20 s, asleep after %.1f s\n", stack->name, 1e3 * worst,
                  slept / 60.0);
    assert_true(worst < 0.05);
    assert_true(slept > 0 && slept <= 600);
    sim_world_destroy(world);
}

static void stacks_stand_and_sleep_whatever_they_are_and_stand_on(void **state) {
    (void)state;
    static const struct stack stacks[] = {
        {"of 0.3 m", GROUND_PLANE, THING_BOX, 0.3f, 0.0f, 4, 16},
        {"of 1 m", GROUND_PLANE, THING_BOX, 1.0f, 0.0f, 4, 16},
        {"with 8 x 8", GROUND_BOUNDS, THING_BOX, 0.5f, 0.0f, 8, 8},
        {"2 cm out of line", GROUND_PLANE, THING_BOX, 0.5f, 0.02f, 4, 16},
        {"on a box", GROUND_BOX, THING_BOX, 0.5f, 0.0f, 4, 16},
        {"on a mesh", GROUND_MESH, THING_BOX, 0.5f, 0.0f, 4, 16},
        {"on a height field", GROUND_HEIGHTFIELD, THING_BOX, 0.5f, 0.0f, 4, 16},
    };
    for (unsigned i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        check_stack(&stacks[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_body_passes_a_thin_wall_of_any_kind),
        cmocka_unit_test(stacks_stand_and_sleep_whatever_they_are_and_stand_on),
    };
    return cmocka_run_group_tests_name("wall", tests, NULL, NULL);
}
