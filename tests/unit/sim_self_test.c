// SPDX-License-Identifier: MIT
// Cloth against itself and against other cloth: nothing crosses, momentum stays, the same bits every time.
#include "crossing.h"
#include "sim/geometry/proximity.h"
#include "sim/simd/simd.h"
#include "sim_fixture.h"

#include <string.h>

// ---- helpers -----------------------------------------------------------------------------------------------------

static uint32_t count_crossings(const struct sim_world *world) {
    const struct sim_particles_view p = sim_world_particles(world);
    const uint32_t triangles = sim_world_counts(world).triangles;
    struct crossing_point *point = malloc(p.count * sizeof *point);
    struct crossing_triangle *triangle = malloc(triangles * sizeof *triangle);
    assert_true(point != NULL && triangle != NULL);
    for (uint32_t i = 0; i < p.count; i++) {
        point[i] = (struct crossing_point){{p.x[i], p.y[i], p.z[i]}};
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < sim_world_object_count(world); i++) {
        const struct sim_object_view view = sim_world_object_at(world, i);
        for (uint32_t k = 0; k < 3 * view.triangle_count; k++) {
            triangle[at / 3].corner[at % 3] = view.first + view.triangles[k];
            at++;
        }
    }
    const uint32_t count = crossing_count(point, triangle, triangles);
    free(point);
    free(triangle);
    return count;
}

static void set_floor(struct sim_world *world) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min.y = 0.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

// Flat, facing up.
static struct sim_cloth_desc flat_cloth(uint32_t columns, uint32_t rows, float spacing, float thickness) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = columns;
    cloth.rows = rows;
    cloth.spacing = spacing;
    cloth.sheet.rotation = (struct quat){-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.thickness = thickness;
    cloth.sheet.self_collision = true;
    return cloth;
}

static uint32_t spawn_cloth(struct sim_world *world, const struct sim_cloth_desc *cloth) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_cloth_spawn(world, cloth, &id, &fault));
    return id;
}

static void push(struct sim_world *world, uint32_t cloth, struct vec3 velocity) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, cloth, &view, &fault));
    const float h = sim_world_particles(world).substep;
    for (uint32_t i = 0; i < view.particles; i++) {
        struct vec3 p = position_of(world, cloth, i);
        p = (struct vec3){p.x + velocity.x * h, p.y + velocity.y * h, p.z + velocity.z * h};
        MUST(sim_particle_move(world, cloth, i, p, SIM_MOVE_PUSH, &fault));
    }
}

// Laid round a rod of radius r: a lower half, half a turn, and an upper half over it, every edge as long as it was.
static void fold(struct sim_world *world, uint32_t cloth, const struct sim_cloth_desc *desc, float r, float height) {
    struct fault fault;
    const double quarter = 1.5707963267948966 * (double)r;
    for (uint32_t i = 0; i < desc->columns * desc->rows; i++) {
        const double along = ((double)(i % desc->columns) - 0.5 * (desc->columns - 1)) * (double)desc->spacing;
        const double across = ((double)(i / desc->columns) - 0.5 * (desc->rows - 1)) * (double)desc->spacing;
        const double straight = fabs(along) - quarter;
        const double angle = along / (double)r;
        const double x = straight > 0.0 ? -straight : (double)r * cos(angle);
        const double y = straight > 0.0 ? copysign((double)r, along) : (double)r * sin(angle);
        const struct vec3 p = {(float)x, height + (float)y, (float)across};
        MUST(sim_particle_move(world, cloth, i, p, SIM_MOVE_TELEPORT, &fault));
    }
}

static struct sim_world *folded_world(uint32_t side) {
    struct sim_world *world = new_world();
    set_solver(world, 8, 1, 0.01f);
    set_floor(world);
    const struct sim_cloth_desc desc = flat_cloth(side, side, 0.025f, 0.01f);
    const uint32_t cloth = spawn_cloth(world, &desc);
    fold(world, cloth, &desc, 0.035f, 0.3f);
    return world;
}

static void add_ball(struct sim_world *world, struct vec3 position, float radius) {
    struct fault fault;
    uint32_t id = 0;
    const struct sim_obstacle ball = {
        .shape = SIM_OBSTACLE_SPHERE, .position = position, .radius = radius, .friction = 0.5f};
    MUST(sim_obstacle_add(world, &ball, &id, &fault));
}

static struct sim_world *crosswise_world(void) {
    struct sim_world *world = new_world();
    set_solver(world, 8, 1, 0.01f);
    set_floor(world);
    add_ball(world, (struct vec3){0.0f, 0.6f, 0.0f}, 0.4f);
    struct sim_cloth_desc desc = flat_cloth(30, 15, 0.05f, 0.015f);
    desc.sheet.position.y = 1.1f;
    (void)spawn_cloth(world, &desc);
    desc.columns = 15;
    desc.rows = 30;
    desc.sheet.position.y = 1.2f;
    (void)spawn_cloth(world, &desc);
    return world;
}

static void check_every_second(struct sim_world *world, const char *name, unsigned seconds) {
    uint32_t crossings = count_crossings(world);
    for (unsigned second = 0; second < seconds; second++) {
        step(world, 60);
        crossings += count_crossings(world);
    }
    print_message("%s: %u crossings at the whole seconds up to %u\n", name, crossings, seconds);
    assert_int_equal(crossings, 0);
}

// ---- the counter and the distances -------------------------------------------------------------------------------

static void crossings_are_counted_exactly(void **state) {
    (void)state;
    const struct crossing_triangle two[2] = {{{0, 1, 2}}, {{3, 4, 5}}};
    struct crossing_point p[6] = {{{0.0f, 0.0f, 0.0f}},  {{1.0f, 0.0f, 0.0f}}, {{0.0f, 1.0f, 0.0f}},
                                  {{0.2f, 0.2f, -1.0f}}, {{0.2f, 0.2f, 1.0f}}, {{5.0f, 5.0f, 0.5f}}};
    assert_int_equal(crossing_count(p, two, 2), 2); // one edge through the face; the face's slanted edge is crossed too
    p[3].at[2] = 0.0f;
    p[5].at[2] = 3.0f;
    assert_int_equal(crossing_count(p, two, 2), 2); // two edges that touch with the end they share
    p[3].at[2] = 1e-30f;
    assert_int_equal(crossing_count(p, two, 2), 0);
    p[3].at[2] = -1e-30f;
    assert_true(crossing_count(p, two, 2) > 0);
    for (unsigned k = 3; k < 6; k++) {
        p[k].at[2] = 0.0f; // all in one plane, and apart
        p[k].at[0] += 2.0f;
    }
    assert_int_equal(crossing_count(p, two, 2), 0);
    p[3].at[0] = 0.2f;
    assert_true(crossing_count(p, two, 2) > 0);
}

static struct point random_in_cube(uint64_t *seed) {
    return (struct point){(double)random_between(seed, -1.0f, 1.0f), (double)random_between(seed, -1.0f, 1.0f),
                          (double)random_between(seed, -1.0f, 1.0f)};
}

// The distance between points of the features chosen by four numbers in [0, 1].
static double distance_at(enum proximity_kind kind, const struct point at[4], const double share[2]) {
    double weight[4] = {1.0, 0.0, 0.0, 0.0};
    if (kind == PROXIMITY_VERTEX_TRIANGLE) {
        const double s = share[0] + share[1] > 1.0 ? 1.0 - share[0] : share[0];
        const double t = share[0] + share[1] > 1.0 ? 1.0 - share[1] : share[1];
        weight[1] = s + t - 1.0;
        weight[2] = -s;
        weight[3] = -t;
    } else {
        weight[0] = 1.0 - share[0];
        weight[1] = share[0];
        weight[2] = share[1] - 1.0;
        weight[3] = -share[1];
    }
    struct point sum = {0.0, 0.0, 0.0};
    for (unsigned k = 0; k < 4; k++) {
        sum.x += weight[k] * at[k].x;
        sum.y += weight[k] * at[k].y;
        sum.z += weight[k] * at[k].z;
    }
    return sqrt(point_dot(sum, sum));
}

static void nothing_of_two_features_is_nearer_than_their_distance(void **state) {
    (void)state;
    uint64_t seed = new_seed("nothing_of_two_features_is_nearer_than_their_distance");
    for (unsigned round = 0; round < 2000; round++) {
        const enum proximity_kind kind = round % 2 == 0 ? PROXIMITY_VERTEX_TRIANGLE : PROXIMITY_EDGE_EDGE;
        struct point at[4];
        for (unsigned k = 0; k < 4; k++) {
            at[k] = random_in_cube(&seed);
        }
        if (round % 5 == 0) { // parallel edges, a triangle without area
            at[3] =
                (struct point){at[2].x + at[1].x - at[0].x, at[2].y + at[1].y - at[0].y, at[2].z + at[1].z - at[0].z};
        }
        const struct proximity found = proximity_of(kind, at);
        double least = 1e9;
        for (unsigned i = 0; i <= 40; i++) {
            for (unsigned k = 0; k <= 40; k++) {
                least = fmin(least, distance_at(kind, at, (double[2]){i / 40.0, k / 40.0}));
            }
        }
        assert_true(found.distance <= least + 1e-9 && found.distance >= least - 0.15);
        struct point apart = {0.0, 0.0, 0.0};
        for (unsigned k = 0; k < 4; k++) {
            apart.x += found.weight[k] * at[k].x;
            apart.y += found.weight[k] * at[k].y;
            apart.z += found.weight[k] * at[k].z;
        }
        assert_true(fabs(sqrt(point_dot(apart, apart)) - found.distance) < 1e-9);
    }
}

// Random pairs in the rows of a kernel; of some, features are parallel, touch, or lie in one plane.
static void fill_pairs(struct simd_pairs *pairs, bool edges, uint64_t *seed) {
    memset(pairs, 0, sizeof *pairs);
    pairs->edges = edges;
    pairs->count = SIMD_PAIRS - 3;
    for (uint32_t i = 0; i < pairs->count; i++) {
        for (unsigned row = 0; row < 12; row++) {
            pairs->at[row][i] = i % 4 == 0 ? (float)random_below(seed, 3) : random_between(seed, -1.0f, 1.0f);
            pairs->path[row][i] = random_between(seed, -0.1f, 0.1f);
        }
    }
}

static void the_kernels_for_many_pairs_give_the_bits_of_the_function_for_one(void **state) {
    (void)state;
    uint64_t seed = new_seed("the_kernels_for_many_pairs_give_the_bits_of_the_function_for_one");
    static struct simd_pairs pairs;
    for (unsigned lanes = 4; lanes <= 16; lanes *= 2) {
        const struct simd_kernels *simd = simd_kernels_of(lanes);
        for (unsigned round = 0; simd != NULL && round < 100; round++) {
            fill_pairs(&pairs, round % 2 == 1, &seed);
            simd->pair_distances(&pairs);
            simd->pair_reaches(&pairs, false);
            for (uint32_t i = 0; i < pairs.count; i++) {
                const enum proximity_kind kind = round % 2 == 1 ? PROXIMITY_EDGE_EDGE : PROXIMITY_VERTEX_TRIANGLE;
                struct point at[4];
                struct point path[4];
                for (unsigned k = 0; k < 4; k++) {
                    at[k] = (struct point){(double)pairs.at[3 * k][i], (double)pairs.at[3 * k + 1][i],
                                           (double)pairs.at[3 * k + 2][i]};
                    path[k] = (struct point){(double)pairs.path[3 * k][i], (double)pairs.path[3 * k + 1][i],
                                             (double)pairs.path[3 * k + 2][i]};
                }
                const double distance = proximity_of(kind, at).distance;
                const double reach = proximity_reach(kind, path);
                assert_memory_equal(&pairs.distance[i], &distance, sizeof distance);
                assert_memory_equal(&pairs.reach[i], &reach, sizeof reach);
            }
        }
    }
}

static void a_safe_share_of_the_way_keeps_features_apart(void **state) {
    (void)state;
    uint64_t seed = new_seed("a_safe_share_of_the_way_keeps_features_apart");
    unsigned met = 0;
    for (unsigned round = 0; round < 2000; round++) {
        const enum proximity_kind kind = round % 2 == 0 ? PROXIMITY_VERTEX_TRIANGLE : PROXIMITY_EDGE_EDGE;
        struct point start[4];
        struct point end[4];
        for (unsigned k = 0; k < 4; k++) {
            start[k] = random_in_cube(&seed);
            end[k] = random_in_cube(&seed);
        }
        const double floor = 0.2 * proximity_of(kind, start).distance;
        const double share = proximity_advance(kind, start, end, floor);
        met += share < 1.0 ? 1 : 0;
        for (unsigned i = 0; i <= 50; i++) {
            struct point at[4];
            proximity_between(start, end, share * i / 50.0, at);
            assert_true(proximity_of(kind, at).distance > 0.99 * floor);
        }
    }
    assert_true(met > 100 && met < 1900);
}

// ---- what is never crossed ---------------------------------------------------------------------------------------

static void a_folded_cloth_dropped_on_itself_never_crosses_itself(void **state) {
    (void)state;
    struct sim_world *world = folded_world(40);
    check_every_second(world, "folded cloth", 10);
    assert_true(sim_world_object_at(world, 0).asleep);
    sim_world_destroy(world);
}

static void two_cloths_draped_crosswise_on_a_ball_never_cross(void **state) {
    (void)state;
    struct sim_world *world = crosswise_world();
    check_every_second(world, "two cloths crosswise on a ball", 10);
    sim_world_destroy(world);
}

static void a_cloth_thrown_at_20_m_s_does_not_pass_through_another(void **state) {
    (void)state;
    const float speeds[] = {20.0f, 100.0f};
    for (unsigned i = 0; i < 2; i++) {
        struct sim_world *world = new_world();
        set_solver(world, 8, 1, 0.0f);
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        set_vacuum(world);
        struct sim_cloth_desc desc = flat_cloth(24, 24, 0.05f, 0.015f);
        const uint32_t target = spawn_cloth(world, &desc);
        desc.columns = desc.rows = 12;
        desc.sheet.position.y = 0.4f;
        const uint32_t thrown = spawn_cloth(world, &desc);
        push(world, thrown, (struct vec3){1.0f, -speeds[i], 0.5f});
        for (unsigned tick = 0; tick < 20; tick++) {
            sim_world_step(world);
            assert_int_equal(count_crossings(world), 0);
        }
        const uint32_t middle_of_thrown = 6 * 12 + 6;
        const uint32_t middle_of_target = 12 * 24 + 12;
        assert_true(velocity_of(world, target, middle_of_target).y < -1.0f);
        assert_true(position_of(world, thrown, middle_of_thrown).y > position_of(world, target, middle_of_target).y);
        sim_world_destroy(world);
    }
}

static void a_hand_cannot_pull_a_cloth_through_another(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 8, 1, 0.01f);
    struct sim_cloth_desc desc = flat_cloth(16, 16, 0.05f, 0.015f);
    desc.sheet.pins.preset = SIM_PIN_CORNERS;
    (void)spawn_cloth(world, &desc);
    desc.sheet.pins.preset = SIM_PIN_NONE;
    desc.sheet.position.y = 0.1f;
    const uint32_t cloth = spawn_cloth(world, &desc);
    uint32_t grab = 0;
    MUST(sim_grab_start_particle(world, cloth, 8 * 16 + 8, &grab, &fault));
    MUST(sim_grab_move(world, grab, (struct vec3){0.0f, -0.6f, 0.0f}, &fault));
    for (unsigned tick = 0; tick < 20; tick++) {
        sim_world_step(world);
        assert_int_equal(count_crossings(world), 0);
    }
    sim_world_destroy(world);
}

// ---- thickness ---------------------------------------------------------------------------------------------------

static void cloth_rests_its_thickness_above_other_cloth(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_solver(world, 8, 2, 0.02f);
    set_floor(world);
    struct sim_cloth_desc desc = flat_cloth(12, 12, 0.05f, 0.02f);
    desc.sheet.self_collision = false;
    desc.sheet.position.y = 0.02f;
    const uint32_t lower = spawn_cloth(world, &desc);
    desc.columns = desc.rows = 8;
    desc.sheet.position = (struct vec3){0.011f, 0.08f, 0.007f};
    const uint32_t upper = spawn_cloth(world, &desc);
    step(world, 300);
    for (uint32_t i = 0; i < 64; i++) {
        const float above = position_of(world, upper, i).y - position_of(world, lower, 70).y;
        assert_true(above > 0.9f * 0.02f && above < 1.1f * 0.02f);
    }
    sim_world_destroy(world);
}

static void thickness_above_the_spacing_leaves_a_flat_cloth_as_it_is(void **state) {
    (void)state;
    for (unsigned lattice = 0; lattice < SIM_LATTICE_COUNT; lattice++) {
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        struct sim_cloth_desc desc = flat_cloth(12, 12, 0.02f, 0.04f); // as thick as is allowed
        desc.lattice = (enum sim_lattice)lattice;
        const uint32_t cloth = spawn_cloth(world, &desc);
        struct vec3 before[144];
        for (uint32_t i = 0; i < 144; i++) {
            before[i] = position_of(world, cloth, i);
        }
        step(world, 60);
        for (uint32_t i = 0; i < 144; i++) {
            assert_true(distance_of(position_of(world, cloth, i), before[i]) < 1e-5);
        }
        sim_world_destroy(world);
    }
}

static void self_collision_needs_a_thickness(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const struct sim_cloth_desc desc = flat_cloth(4, 4, 0.1f, 0.0f);
    uint32_t id = 0;
    assert_int_equal(sim_cloth_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/thickness");
    sim_world_destroy(world);
}

static void thickness_is_bounded_by_the_sides_of_the_triangles(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_cloth_desc desc = flat_cloth(9, 9, 0.1f, 0.23f); // the mean side is 0.1138 m
    uint32_t id = 0;
    assert_int_equal(sim_cloth_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/thickness");
    assert_non_null(strstr(fault.message, "at most 2 times the mean side of the triangles, here 0.2276"));
    desc.sheet.self_collision = false; // it would meet other cloth
    assert_int_equal(sim_cloth_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    desc.sheet.thickness = 0.227f;
    assert_int_equal(sim_cloth_spawn(world, &desc, &id, &fault), RESULT_OK);
    sim_world_destroy(world);
}

// ---- momentum ----------------------------------------------------------------------------------------------------

struct momentum {
    double x, y, z, size; // kg·m per substep
};

static struct momentum momentum_of(const struct sim_world *world) {
    const struct sim_particles_view p = sim_world_particles(world);
    struct momentum sum = {0};
    for (uint32_t i = 0; i < p.count; i++) {
        const double mass = 1.0 / (double)p.inverse_mass[i];
        const struct vec3 d = {p.dx[i], p.dy[i], p.dz[i]};
        sum.x += mass * (double)d.x;
        sum.y += mass * (double)d.y;
        sum.z += mass * (double)d.z;
        sum.size += mass * distance_of(d, (struct vec3){0.0f, 0.0f, 0.0f});
    }
    return sum;
}

static void an_impact_of_two_cloths_keeps_momentum(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_solver(world, 8, 2, 0.0f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_vacuum(world);
    struct sim_cloth_desc desc = flat_cloth(20, 20, 0.05f, 0.015f);
    (void)spawn_cloth(world, &desc);
    desc.sheet.position = (struct vec3){0.13f, 0.05f, 0.21f};
    desc.sheet.areal_density = 0.7f;
    const uint32_t heavy = spawn_cloth(world, &desc);
    push(world, heavy, (struct vec3){0.6f, -3.0f, 0.2f});
    const struct momentum before = momentum_of(world);
    step(world, 60);
    const struct momentum after = momentum_of(world);
    assert_true(after.size < 0.95 * before.size || fabs(after.size - before.size) > 1e-3 * before.size);
    const double error = fmax(fabs(after.x - before.x), fmax(fabs(after.y - before.y), fabs(after.z - before.z)));
    print_message("momentum: off by %.1e of it\n", error / before.size);
    assert_true(error < 1e-5 * before.size);
    sim_world_destroy(world);
}

// ---- determinism and sleep ---------------------------------------------------------------------------------------

static void the_same_fold_gives_the_same_bits_and_goes_on_after_a_restore(void **state) {
    (void)state;
    struct sim_world *world = folded_world(24);
    struct sim_world *again = folded_world(24);
    step(world, 23);
    step(again, 23);
    assert_true(sim_world_hash(world) == sim_world_hash(again));
    struct sim_snapshot *snapshot = NULL;
    assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
    step(world, 40);
    const uint64_t expected = sim_world_hash(world);
    sim_world_restore(world, snapshot);
    step(world, 40);
    assert_true(sim_world_hash(world) == expected);
    struct sim_world *fresh = new_world();
    sim_world_restore(fresh, snapshot);
    step(fresh, 40);
    assert_true(sim_world_hash(fresh) == expected);
    sim_snapshot_destroy(snapshot);
    sim_world_destroy(fresh);
    sim_world_destroy(again);
    sim_world_destroy(world);
}

static void cloth_that_falls_on_sleeping_cloth_wakes_it(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_solver(world, 8, 2, 0.02f);
    set_floor(world);
    struct sim_cloth_desc desc = flat_cloth(10, 10, 0.05f, 0.02f);
    desc.sheet.position.y = 0.02f;
    (void)spawn_cloth(world, &desc);
    step(world, 120);
    assert_true(sim_world_object_at(world, 0).asleep);
    desc.sheet.position.y = 0.5f;
    (void)spawn_cloth(world, &desc);
    bool woke = false;
    for (unsigned tick = 0; tick < 60; tick++) {
        sim_world_step(world);
        woke = woke || !sim_world_object_at(world, 0).asleep;
    }
    assert_true(woke);
    assert_int_equal(count_crossings(world), 0);
    sim_world_destroy(world);
}

// Both ends are held; one turns, a turn a second, and comes nearer as a fibre of the length L that winds at the radius
// of the rope that forms.
static void a_strip_that_is_wrung_five_times_never_crosses_itself(void **state) {
    (void)state;
    enum { COLUMNS = 9, ROWS = 31, TURNS = 5, TICKS_A_TURN = 60 };
    const float spacing = 0.05f;
    const float length = (float)(ROWS - 1) * spacing;
    const float rope = 0.035f; // m: a section of 38 cm² for the cloth's 24 cm²
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 8, 1, 0.02f);
    struct sim_cloth_desc desc = flat_cloth(COLUMNS, ROWS, spacing, 0.006f);
    desc.sheet.rotation = (struct quat){0.0f, 0.0f, 0.0f, 1.0f};
    const uint32_t cloth = spawn_cloth(world, &desc);
    const uint32_t last = (ROWS - 1) * COLUMNS;
    const struct vec3 top = position_of(world, cloth, COLUMNS / 2);
    uint32_t grab[COLUMNS];
    for (uint32_t i = 0; i < COLUMNS; i++) {
        MUST(sim_grab_start_particle(world, cloth, i, &grab[i], &fault));
        MUST(sim_grab_start_particle(world, cloth, last + i, &grab[i], &fault));
    }
    uint32_t crossings = 0;
    for (uint32_t tick = 1; tick <= TURNS * TICKS_A_TURN; tick++) {
        const float angle = 6.2831853f * (float)tick / (float)TICKS_A_TURN;
        const float reach = sqrtf(length * length - rope * rope * angle * angle);
        for (uint32_t i = 0; i < COLUMNS; i++) {
            const float across = ((float)i - 0.5f * (float)(COLUMNS - 1)) * spacing;
            const struct vec3 to = {top.x + across * cosf(angle), top.y - reach, top.z + across * sinf(angle)};
            MUST(sim_grab_move(world, grab[i], to, &fault));
        }
        sim_world_step(world);
        crossings += tick % 10 == 0 ? count_crossings(world) : 0;
    }
    print_message("a strip wrung %u times: %u crossings at every tenth tick\n", (unsigned)TURNS, crossings);
    assert_int_equal(crossings, 0);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossings_are_counted_exactly),
        cmocka_unit_test(nothing_of_two_features_is_nearer_than_their_distance),
        cmocka_unit_test(the_kernels_for_many_pairs_give_the_bits_of_the_function_for_one),
        cmocka_unit_test(a_safe_share_of_the_way_keeps_features_apart),
        cmocka_unit_test(a_folded_cloth_dropped_on_itself_never_crosses_itself),
        cmocka_unit_test(two_cloths_draped_crosswise_on_a_ball_never_cross),
        cmocka_unit_test(a_cloth_thrown_at_20_m_s_does_not_pass_through_another),
        cmocka_unit_test(a_hand_cannot_pull_a_cloth_through_another),
        cmocka_unit_test(cloth_rests_its_thickness_above_other_cloth),
        cmocka_unit_test(thickness_above_the_spacing_leaves_a_flat_cloth_as_it_is),
        cmocka_unit_test(self_collision_needs_a_thickness),
        cmocka_unit_test(thickness_is_bounded_by_the_sides_of_the_triangles),
        cmocka_unit_test(an_impact_of_two_cloths_keeps_momentum),
        cmocka_unit_test(the_same_fold_gives_the_same_bits_and_goes_on_after_a_restore),
        cmocka_unit_test(cloth_that_falls_on_sleeping_cloth_wakes_it),
        cmocka_unit_test(a_strip_that_is_wrung_five_times_never_crosses_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
