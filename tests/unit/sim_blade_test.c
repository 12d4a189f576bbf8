// SPDX-License-Identifier: MIT
// Cutting with a blade: cloths and meshes part where it passes, ropes lose the sticks that it crosses, and what is left
// is a mesh of the same mass (server/sim/PHYSICS.md 9).
#include "sim_torn.h"

#include "sim/archive.h"

#define SIDE 14u
#define SPACING 0.05f

static uint32_t spawn(struct sim_world *world, enum sim_lattice lattice, bool fabric) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = SIDE;
    cloth.rows = SIDE;
    cloth.spacing = SPACING;
    cloth.lattice = lattice;
    cloth.sheet.tethers = true;
    if (fabric) {
        cloth.sheet.fabric = sim_fabric_named(SIM_FABRIC_COTTON);
    } else {
        cloth.sheet.bend = true;
        cloth.sheet.bend_compliance = 0.01f;
    }
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

static uint32_t spawn_rope(struct sim_world *world, float compliance) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){2.0f, 3.0f, 0.0f};
    rope.to = (struct vec3){2.0f, 1.1f, 0.0f};
    rope.particles = 20;
    rope.stretch_compliance = compliance;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    return id;
}

// A straight blade: its path from `from` to `to`, its far end `arm` away.
static enum result cut(struct sim_world *world, uint32_t object, struct vec3 from, struct vec3 to, struct vec3 arm,
                       struct sim_blade_result *result, struct fault *fault) {
    const float path[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
    const float far[6] = {from.x + arm.x, from.y + arm.y, from.z + arm.z, to.x + arm.x, to.y + arm.y, to.z + arm.z};
    return sim_blade_cut(world, object, &(struct sim_blade){path, far, 2}, result, fault);
}

static void check_object(const struct sim_world *world, double mass) {
    check_mesh(world, &world->object[0]);
    assert_true(fabs(mass_of(world, &world->object[0]) / mass - 1.0) < 1e-6);
    for (uint32_t i = 0; i < world->state.triangles; i++) {
        assert_int_equal(world->cut_sides[i], 0);
    }
}

// Beside the particles and exactly along a column of them.
static void a_blade_parts_a_cloth_in_two(void **state) {
    (void)state;
    static const float places[] = {0.012f, 0.5f * SPACING, 0.0f, -1.5f * SPACING, 0.1f};
    for (unsigned i = 0; i < 2 * SIM_LATTICE_COUNT * sizeof places / sizeof *places; i++) {
        struct fault fault;
        struct sim_world *world = new_world();
        const uint32_t cloth = spawn(world, (enum sim_lattice)(i / 2 % SIM_LATTICE_COUNT), i % 2 != 0);
        const double mass = mass_of(world, &world->object[0]);
        const float x = places[i / (2 * SIM_LATTICE_COUNT)];
        struct sim_blade_result result;
        MUST(cut(world, cloth, (struct vec3){x, 1.0f, -0.2f}, (struct vec3){x, -1.0f, -0.2f},
                 (struct vec3){0.0f, 0.0f, 0.4f}, &result, &fault));
        assert_int_equal(result.objects, 1);
        assert_in_range(result.made, SIDE, 2 * SIDE); // a zigzag through a hexagonal lattice
        check_object(world, mass);
        assert_int_equal(pieces_of(world, &world->object[0], false), 2);
        assert_int_equal(pieces_of(world, &world->object[0], true), 2);
        step(world, 30);
        sim_world_destroy(world);
    }
}

static void a_slit_from_the_rim_keeps_it_in_one(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t cloth = spawn(world, SIM_LATTICE_GRID, false);
    const double mass = mass_of(world, &world->object[0]);
    struct sim_blade_result result;
    MUST(cut(world, cloth, (struct vec3){0.01f, -1.0f, -0.2f}, (struct vec3){0.01f, 0.01f, -0.2f},
             (struct vec3){0.0f, 0.0f, 0.4f}, &result, &fault));
    assert_in_range(result.made, SIDE / 2 - 1, SIDE / 2 + 1);
    check_object(world, mass);
    assert_int_equal(pieces_of(world, &world->object[0], false), 1);
    sim_world_destroy(world);
}

// There and back again cuts as once.
static void a_round_path_cuts_a_disc_out(void **state) {
    (void)state;
    struct fault fault;
    for (int lattice = 0; lattice < SIM_LATTICE_COUNT; lattice++) {
        struct sim_world *world = new_world();
        const uint32_t cloth = spawn(world, (enum sim_lattice)lattice, false);
        const double mass = mass_of(world, &world->object[0]);
        float path[3 * 66], far[3 * 66];
        for (unsigned i = 0; i < 66; i++) { // 33 there, 33 back
            const double turn = 2.0 * 3.14159265358979 * (i < 33 ? i : 65 - i) / 32.0;
            path[3 * i] = far[3 * i] = (float)(0.2 * cos(turn));
            path[3 * i + 1] = far[3 * i + 1] = (float)(0.2 * sin(turn));
            path[3 * i + 2] = -0.1f;
            far[3 * i + 2] = 0.1f;
        }
        struct sim_blade_result result;
        MUST(sim_blade_cut(world, cloth, &(struct sim_blade){path, far, 66}, &result, &fault));
        check_object(world, mass);
        assert_int_equal(pieces_of(world, &world->object[0], false), 2);
        sim_world_destroy(world);
    }
}

// Blades in any direction, through the whole of a cloth that hangs in folds: always apart, with the same bits.
static void random_blades_part_and_keep_a_mesh(void **state) {
    (void)state;
    uint64_t seed = new_seed(__func__);
    unsigned parted = 0;
    for (unsigned round = 0; round < 60; round++) {
        struct sim_world *world = new_world();
        struct sim_world *twin = new_world();
        spawn(world, (enum sim_lattice)(round % 2), round % 3 == 0);
        spawn(twin, (enum sim_lattice)(round % 2), round % 3 == 0);
        step(world, round);
        step(twin, round);
        for (unsigned k = 0; k < 4; k++) {
            const double mass = mass_of(world, &world->object[0]);
            const uint32_t pieces = pieces_of(world, &world->object[0], false);
            const float angle = 6.28f * (float)random_below(&seed, 1000) / 1000.0f;
            const float off = 0.3f * ((float)random_below(&seed, 1000) / 500.0f - 1.0f);
            const struct vec3 way = {5.0f * cosf(angle), 5.0f * sinf(angle), 0.0f};
            const struct vec3 from = {off * sinf(angle) - way.x, -off * cosf(angle) - way.y, -3.0f};
            const struct vec3 to = {from.x + 2.0f * way.x, from.y + 2.0f * way.y, -3.0f};
            struct sim_blade_result one, other;
            struct fault fault;
            const enum result result = cut(world, 0, from, to, (struct vec3){0.0f, 0.0f, 6.0f}, &one, &fault);
            assert_int_equal(cut(twin, 0, from, to, (struct vec3){0.0f, 0.0f, 6.0f}, &other, &fault), result);
            assert_int_equal(sim_world_hash(world), sim_world_hash(twin));
            check_object(world, mass);
            if (result == RESULT_OK) {
                assert_true(pieces_of(world, &world->object[0], false) > pieces);
                assert_int_equal(one.made, other.made);
                parted++;
            }
            step(world, 3);
            step(twin, 3);
        }
        assert_int_equal(sim_world_hash(world), sim_world_hash(twin));
        sim_world_destroy(world);
        sim_world_destroy(twin);
    }
    printf("of 240 random blades through a cloth %u did not part it; each left a mesh of the same mass\n",
           240 - parted);
    assert_true(parted > 150);
}

// The free part of a rope falls as everything falls, once its stretch is gone, and the rest keeps hanging.
static void a_rope_is_cut(void **state) {
    (void)state;
    static const float compliances[] = {0.0f, 1e-4f, 1e-6f};
    for (unsigned i = 0; i < sizeof compliances / sizeof *compliances; i++) {
        struct fault fault;
        struct sim_world *world = new_world();
        const uint32_t rope = spawn_rope(world, compliances[i]);
        step(world, 30);
        struct sim_blade_result result;
        MUST(cut(world, 0, (struct vec3){1.0f, 2.04f, -0.2f}, (struct vec3){3.0f, 2.04f, -0.2f},
                 (struct vec3){0.0f, 0.0f, 0.4f}, &result, &fault));
        assert_int_equal(result.sticks, 1);
        assert_int_equal(result.made, 0);
        assert_int_equal(view_of(world, rope).sticks, 18);
        const float low = position_of(world, rope, 19).y, high = position_of(world, rope, 0).y;
        const float end = position_of(world, rope, 9).y;
        step(world, 30);
        const float fallen = low - position_of(world, rope, 19).y;
        assert_true(fabsf(fallen - 0.5f * 9.81f * 0.25f) < 0.1f);
        assert_true(position_of(world, rope, 0).y == high);
        assert_true(fabsf(position_of(world, rope, 9).y - end) < 0.02f);
        MUST(cut(world, rope, (struct vec3){1.0f, 2.94f, -0.2f}, (struct vec3){3.0f, 2.94f, -0.2f},
                 (struct vec3){0.0f, 0.0f, 0.4f}, &result, &fault));
        step(world, 30);
        sim_world_destroy(world);
    }
}

static void a_cut_rope_is_saved(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    spawn_rope(world, 1e-5f);
    struct sim_blade_result result;
    for (float y = 1.25f; y < 3.0f; y += 0.2f) {
        MUST(cut(world, 0, (struct vec3){1.0f, y, -0.2f}, (struct vec3){3.0f, y, -0.2f},
                 (struct vec3){0.0f, 0.0f, 0.4f}, &result, &fault));
    }
    struct sim_snapshot *snapshot = NULL;
    assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
    step(world, 20);
    const uint64_t hash = sim_world_hash(world);
    sim_world_restore(world, snapshot);
    sim_snapshot_destroy(snapshot);
    step(world, 20);
    assert_int_equal(sim_world_hash(world), hash);
    sim_world_destroy(world);
}

static void what_parts_nothing_is_refused_and_changes_nothing(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t cloth = spawn(world, SIM_LATTICE_GRID, false);
    uint32_t ball = 0;
    struct sim_soft_desc soft = sim_soft_desc_default();
    soft.position = (struct vec3){5.0f, 1.0f, 0.0f};
    MUST(sim_soft_spawn(world, &soft, &ball, &fault));
    const uint64_t hash = sim_world_hash(world);
    const uint32_t sequence = sim_world_sequence(world);
    struct sim_blade_result result;
    const struct vec3 away = {9.0f, 9.0f, 9.0f}, to = {9.0f, 8.0f, 9.0f}, arm = {0.0f, 0.0f, 0.4f};
    assert_int_equal(cut(world, 0, away, to, arm, &result, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/path");
    assert_int_equal(cut(world, cloth + 7, away, to, arm, &result, &fault), RESULT_NOT_FOUND);
    assert_int_equal(cut(world, ball, away, to, arm, &result, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/object");
    assert_int_equal(cut(world, 0, (struct vec3){NAN, 0.0f, 0.0f}, to, arm, &result, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/path/0/0");
    assert_int_equal(cut(world, 0, away, to, (struct vec3){0.0f, 2e5f, 0.0f}, &result, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/farPath/0/1");
    const float path[3] = {0.0f, 0.0f, 0.0f};
    assert_int_equal(sim_blade_cut(world, 0, &(struct sim_blade){path, path, 1}, &result, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/path");
    // A nick inside: one edge, which opens nothing.
    assert_int_equal(
        cut(world, 0, (struct vec3){0.024f, 0.02f, -0.2f}, (struct vec3){0.026f, 0.03f, -0.2f}, arm, &result, &fault),
        RESULT_INVALID);
    assert_int_equal(sim_world_hash(world), hash);
    assert_int_equal(sim_world_sequence(world), sequence);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blade_parts_a_cloth_in_two),
        cmocka_unit_test(a_slit_from_the_rim_keeps_it_in_one),
        cmocka_unit_test(a_round_path_cuts_a_disc_out),
        cmocka_unit_test(random_blades_part_and_keep_a_mesh),
        cmocka_unit_test(a_rope_is_cut),
        cmocka_unit_test(a_cut_rope_is_saved),
        cmocka_unit_test(what_parts_nothing_is_refused_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
