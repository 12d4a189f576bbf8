// SPDX-License-Identifier: MIT
// The order of the particles in the block of a mesh whose vertices stand in no order.
#include "random_sheet.h"
#include "sim_fixture.h"

#include "sim/stick/stick_order.h"
#include "sim/stick/stick_plan.h"
#include "sim/world/world.h"

#define SIDE 90u
#define ITERATIONS 6
#define TICKS 12

static struct random_sheet sheet; // too large for the stack

static uint32_t spawn(struct sim_world *world, uint32_t vertices, uint32_t triangles) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = sheet.position;
    mesh.particles = vertices;
    mesh.triangles = sheet.triangle;
    mesh.triangle_count = triangles;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    return id;
}

static uint32_t distance(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

// The sum over the sticks of how far apart their ends are in the block.
static uint64_t sum_of_distances(const struct object *object, const struct stick_ends *ends) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < object->sticks; i++) {
        sum += distance(ends->a[i], ends->b[i]);
    }
    return sum;
}

static void check_that_places_are_a_permutation(const struct sim_world *world, const struct object *object) {
    static bool taken[SHEET_VERTICES];
    const uint32_t *place = stick_order_places(world, object);
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < object->particles; i++) {
        assert_in_range(place[i], 0, object->particles - 1);
        assert_false(taken[place[i]]);
        taken[place[i]] = true;
    }
}

// Looks up each stick of the world in the ordered list of its colour.
static void check_that_every_stick_is_listed_once(const struct sim_world *world, const struct object *object) {
    static uint32_t at[SHEET_VERTICES];
    const struct stick_ends plain = stick_order_ends(world, object, false);
    const struct stick_ends ordered = stick_order_ends(world, object, true);
    const uint32_t *place = stick_order_places(world, object);
    uint32_t first = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t end = world->colour_end[object->first_colour + colour];
        memset(at, 0xff, sizeof at);
        for (uint32_t i = first; i < end; i++) {
            assert_int_equal(at[ordered.a[i]], UINT32_MAX);
            at[ordered.a[i]] = i;
        }
        for (uint32_t i = first; i < end; i++) {
            const uint32_t found = at[place[plain.a[i]]];
            assert_in_range(found, first, end - 1);
            assert_int_equal(ordered.b[found], place[plain.b[i]]);
            assert_memory_equal(&ordered.rest[found], &plain.rest[i], sizeof *plain.rest);
        }
        first = end;
    }
}

static void neighbours_come_near_each_other(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    random_sheet_make(&sheet, SIDE, true);
    (void)spawn(world, sheet.vertices, sheet.triangles);
    sim_world_step(world);
    const struct object *object = world->object;
    const struct stick_ends plain = stick_order_ends(world, object, false);
    const struct stick_ends ordered = stick_order_ends(world, object, true);
    assert_true(world->stick_plan[0].ordered);
    check_that_places_are_a_permutation(world, object);
    check_that_every_stick_is_listed_once(world, object);
    assert_true(sum_of_distances(object, &ordered) < (uint64_t)2 * SIDE * object->sticks);
    assert_true(sum_of_distances(object, &plain) > (uint64_t)20 * SIDE * object->sticks);
    sim_world_destroy(world);
}

// Every second row of triangles: the mesh falls apart into strips.
static void strips_that_are_not_connected_have_places_too(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    random_sheet_make(&sheet, SHEET_SIDE, true);
    const uint32_t row = 2 * (SHEET_SIDE - 1);
    uint32_t kept = 0; // triangles
    for (uint32_t i = 0; i < sheet.triangles; i++) {
        if (i / row % 2 == 0) {
            memmove(&sheet.triangle[3 * (size_t)kept], &sheet.triangle[3 * (size_t)i], 3 * sizeof *sheet.triangle);
            kept++;
        }
    }
    (void)spawn(world, sheet.vertices, kept);
    sim_world_step(world);
    assert_true(world->stick_plan[0].ordered);
    check_that_places_are_a_permutation(world, world->object);
    check_that_every_stick_is_listed_once(world, world->object);
    sim_world_destroy(world);
}

static void a_mesh_in_order_stays_as_it_is(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    random_sheet_make(&sheet, SIDE, false);
    (void)spawn(world, sheet.vertices, sheet.triangles);
    sim_world_step(world);
    assert_false(world->stick_plan[0].ordered);
    sim_world_destroy(world);
}

// A mesh that may break by a force is relaxed stick by stick, without a block.
static void an_order_changes_no_bit(void **state) {
    (void)state;
    static float expected[3 * SIDE * SIDE];
    random_sheet_make(&sheet, SIDE, true);
    for (int one_by_one = 1; one_by_one >= 0; one_by_one--) {
        struct fault fault;
        struct sim_world *world = new_world();
        set_solver(world, 2, ITERATIONS, 0.0f);
        uint32_t id = 0;
        struct sim_mesh_desc mesh = sim_mesh_desc_default();
        mesh.positions = sheet.position;
        mesh.particles = sheet.vertices;
        mesh.triangles = sheet.triangle;
        mesh.triangle_count = sheet.triangles;
        mesh.sheet.tear_force = one_by_one ? 1e9f : 0.0f;
        MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
        MUST(sim_particle_pin(world, id, (const uint32_t[]){0, 17, 4000}, 3, NULL, &fault));
        for (int tick = 0; tick < TICKS; tick++) {
            sim_world_step(world);
        }
        assert_int_equal(stick_arrangement_of(world, world->object), one_by_one ? STICK_PLAIN : STICK_BLOCK);
        assert_true(world->stick_plan[0].ordered);
        for (uint32_t i = 0; i < sheet.vertices; i++) {
            const struct vec3 at = position_of(world, id, i);
            float *kept = &expected[3 * (size_t)i];
            if (one_by_one) {
                memcpy(kept, &at, sizeof at);
            } else {
                assert_memory_equal(kept, &at, sizeof at);
            }
        }
        sim_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_come_near_each_other),
        cmocka_unit_test(strips_that_are_not_connected_have_places_too),
        cmocka_unit_test(a_mesh_in_order_stays_as_it_is),
        cmocka_unit_test(an_order_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
