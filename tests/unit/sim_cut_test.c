// SPDX-License-Identifier: MIT
// Tearing by command: a sheet is cut along edges, and what is left is a mesh of the same mass (server/sim/PHYSICS.md
// 9).
#include "sim_torn.h"

#define SIDE 12u

static uint32_t spawn(struct sim_world *world, enum sim_lattice lattice) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = SIDE;
    cloth.rows = SIDE;
    cloth.lattice = lattice;
    cloth.sheet.bend = true;
    cloth.sheet.bend_compliance = 0.01f;
    cloth.sheet.tethers = true;
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

static uint32_t tear(struct sim_world *world, uint32_t cloth, const uint32_t *particles, uint32_t count) {
    struct fault fault;
    uint32_t made = 0;
    const double mass = mass_of(world, &world->object[0]);
    const uint32_t epoch = sim_world_epoch(world);
    MUST(sim_particle_tear(world, cloth, particles, count, &made, &fault));
    check_mesh(world, &world->object[0]);
    assert_true(fabs(mass_of(world, &world->object[0]) / mass - 1.0) < 1e-6);
    assert_true(sim_world_epoch(world) > epoch);
    return made;
}

static void a_row_of_particles_parts_a_sheet_in_two(void **state) {
    (void)state;
    for (int lattice = 0; lattice < SIM_LATTICE_COUNT; lattice++) {
        struct sim_world *world = new_world();
        const uint32_t cloth = spawn(world, (enum sim_lattice)lattice);
        uint32_t row[SIDE];
        for (uint32_t i = 0; i < SIDE; i++) {
            row[i] = 5 * SIDE + i;
        }
        assert_int_equal(tear(world, cloth, row, SIDE), SIDE);
        assert_int_equal(pieces_of(world, &world->object[0], false), 2);
        assert_int_equal(pieces_of(world, &world->object[0], true), 2);
        step(world, 60);
        assert_true(position_of(world, cloth, 0).y - position_of(world, cloth, SIDE * SIDE - 1).y > 1.0f);
        sim_world_destroy(world);
    }
}

static void a_slit_inside_keeps_its_tips(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t cloth = spawn(world, SIM_LATTICE_GRID);
    const uint32_t slit[4] = {5 * SIDE + 4, 5 * SIDE + 5, 5 * SIDE + 6, 5 * SIDE + 7};
    assert_int_equal(tear(world, cloth, slit, 4), 2);
    assert_int_equal(pieces_of(world, &world->object[0], false), 1);
    sim_world_destroy(world);
}

static void one_edge_inside_goes_on_by_one(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t cloth = spawn(world, SIM_LATTICE_GRID);
    const uint32_t edge[2] = {5 * SIDE + 5, 5 * SIDE + 6};
    assert_int_equal(tear(world, cloth, edge, 2), 1);
    assert_int_equal(pieces_of(world, &world->object[0], false), 1);
    sim_world_destroy(world);
}

static void one_particle_parts_along_all_its_edges(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t cloth = spawn(world, SIM_LATTICE_HEX);
    const uint32_t middle = 5 * SIDE + 5;
    assert_int_equal(tear(world, cloth, &middle, 1), 5);
    assert_int_equal(pieces_of(world, &world->object[0], false), 1);
    sim_world_destroy(world);
}

// A block of them: every triangle between them is on its own afterwards.
static void a_block_falls_to_pieces(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t cloth = spawn(world, SIM_LATTICE_GRID);
    uint32_t block[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        block[i] = i;
    }
    const uint32_t triangles = world->object[0].triangles;
    assert_int_equal(tear(world, cloth, block, SIDE * SIDE), 3 * triangles - SIDE * SIDE);
    assert_int_equal(pieces_of(world, &world->object[0], false), triangles);
    step(world, 10);
    sim_world_destroy(world);
}

static void random_cuts_leave_a_mesh_and_the_same_bits(void **state) {
    (void)state;
    uint64_t seed = new_seed(__func__);
    for (int lattice = 0; lattice < SIM_LATTICE_COUNT; lattice++) {
        struct sim_world *world = new_world();
        struct sim_world *twin = new_world();
        const uint32_t cloth = spawn(world, (enum sim_lattice)lattice);
        assert_int_equal(spawn(twin, (enum sim_lattice)lattice), cloth);
        for (unsigned round = 0; round < 60; round++) {
            uint32_t chosen[8];
            const uint32_t count = 1 + random_below(&seed, 8);
            const uint32_t first = random_below(&seed, world->object[0].particles);
            for (uint32_t i = 0; i < count; i++) {
                chosen[i] = (first + i * (round % 2 == 0 ? 1 : SIDE)) % world->object[0].particles;
            }
            struct fault fault;
            uint32_t made = 0;
            uint32_t made_by_twin = 0;
            const uint64_t before = sim_world_hash(world);
            const enum result result = sim_particle_tear(world, cloth, chosen, count, &made, &fault);
            assert_int_equal(sim_particle_tear(twin, cloth, chosen, count, &made_by_twin, &fault), result);
            assert_int_equal(made, made_by_twin);
            assert_int_equal(sim_world_hash(world) == before, result != RESULT_OK);
            check_mesh(world, &world->object[0]);
            sim_world_step(world);
            sim_world_step(twin);
            assert_int_equal(sim_world_hash(world), sim_world_hash(twin));
        }
        sim_world_destroy(world);
        sim_world_destroy(twin);
    }
}

static void what_cannot_part_is_refused_and_stays(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t cloth = spawn(world, SIM_LATTICE_GRID);
    struct fault fault;
    uint32_t made = 0;
    const uint64_t before = sim_world_hash(world);
    const uint32_t sequence = sim_world_sequence(world);
    const uint32_t apart[2] = {0, SIDE * SIDE - 1};
    const uint32_t rim[2] = {3, 4};
    const uint32_t outside = SIDE * SIDE;
    assert_int_equal(sim_particle_tear(world, cloth, apart, 2, &made, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/particles");
    assert_int_equal(sim_particle_tear(world, cloth, rim, 2, &made, &fault), RESULT_INVALID);
    assert_int_equal(sim_particle_tear(world, cloth, &outside, 1, &made, &fault), RESULT_NOT_FOUND);
    assert_int_equal(sim_particle_tear(world, cloth + 1, rim, 2, &made, &fault), RESULT_NOT_FOUND);
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){3.0f, 1.0f, 0.0f};
    rope.to = (struct vec3){4.0f, 1.0f, 0.0f};
    rope.particles = 8;
    uint32_t other = 0;
    assert_int_equal(sim_world_hash(world), before);
    assert_int_equal(sim_world_sequence(world), sequence);
    MUST(sim_rope_spawn(world, &rope, &other, &fault));
    assert_int_equal(sim_particle_tear(world, other, rim, 2, &made, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/object");
    sim_world_destroy(world);
}

static void another_material_changes_how_things_slide(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    const uint32_t cloth = spawn(world, SIM_LATTICE_GRID);
    struct sim_obstacle ball = {.shape = SIM_OBSTACLE_SPHERE, .radius = 0.5f, .friction = 0.5f};
    ball.position = (struct vec3){0.0f, -2.0f, 0.0f};
    MUST(sim_obstacle_add(world, &ball, &id, &fault));
    const uint64_t before = sim_world_hash(world);
    const float friction = 2.0f;
    const float restitution = 0.25f;
    const float wrong = 11.0f;
    assert_int_equal(sim_object_set(world, cloth, (struct sim_material){.friction = &wrong}, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/friction");
    assert_int_equal(sim_obstacle_set(world, id, (struct sim_material){.restitution = &wrong}, &fault), RESULT_INVALID);
    assert_int_equal(sim_obstacle_set(world, id + 1, (struct sim_material){.friction = NULL}, &fault),
                     RESULT_NOT_FOUND);
    assert_int_equal(sim_world_hash(world), before);
    MUST(sim_object_set(world, cloth, (struct sim_material){.friction = &friction, .restitution = &restitution},
                        &fault));
    MUST(sim_obstacle_set(world, id, (struct sim_material){.friction = &friction}, &fault));
    assert_true(sim_world_object_at(world, 0).friction == friction);
    assert_true(sim_world_object_at(world, 0).restitution == restitution);
    assert_true(sim_world_obstacle_at(world, 0)->friction == friction);
    assert_true(sim_world_obstacle_at(world, 0)->restitution == 0.0f);
    assert_true(sim_world_hash(world) != before);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_particles_parts_a_sheet_in_two),
        cmocka_unit_test(a_slit_inside_keeps_its_tips),
        cmocka_unit_test(one_edge_inside_goes_on_by_one),
        cmocka_unit_test(one_particle_parts_along_all_its_edges),
        cmocka_unit_test(a_block_falls_to_pieces),
        cmocka_unit_test(random_cuts_leave_a_mesh_and_the_same_bits),
        cmocka_unit_test(what_cannot_part_is_refused_and_stays),
        cmocka_unit_test(another_material_changes_how_things_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
