// SPDX-License-Identifier: MIT
// Tearing: what is stretched too far comes apart, and what is left is a mesh (server/sim/PHYSICS.md 9).
#include "sim_torn.h"

// ---- worlds to tear ----------------------------------------------------------------------------------------------

static uint32_t spawn_sheet(struct sim_world *world, uint32_t side, enum sim_lattice lattice, float tear) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = side;
    cloth.rows = side;
    cloth.lattice = lattice;
    cloth.sheet.tear = tear;
    cloth.sheet.bend = true;
    cloth.sheet.bend_compliance = 0.01f;
    cloth.sheet.tethers = false;
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

// Hands on the whole lower edge.
static void take_lower_edge(struct sim_world *world, uint32_t cloth, uint32_t side, uint32_t *grabs) {
    struct fault fault;
    for (uint32_t i = 0; i < side; i++) {
        MUST(sim_grab_start_particle(world, cloth, side * (side - 1) + i, &grabs[i], &fault));
    }
}

static void pull(struct sim_world *world, uint32_t count, const uint32_t *grabs, struct vec3 by) {
    struct fault fault;
    for (uint32_t i = 0; i < count; i++) {
        const struct vec3 target = sim_world_grab_at(world, i).target;
        MUST(sim_grab_move(world, grabs[i], (struct vec3){target.x + by.x, target.y + by.y, target.z + by.z}, &fault));
    }
}

// ---- tests -------------------------------------------------------------------------------------------------------

static void a_cloth_of_60_by_60_is_torn_in_two_by_a_drag(void **state) {
    (void)state;
    for (int lattice = 0; lattice < SIM_LATTICE_COUNT; lattice++) {
        struct sim_world *world = new_world();
        set_solver(world, 8, 1, 0.01f);
        const uint32_t cloth = spawn_sheet(world, 60, (enum sim_lattice)lattice, 1.5f);
        const uint32_t epoch = sim_world_epoch(world);
        const double mass = mass_of(world, &world->object[0]);
        uint32_t grabs[60];
        uint32_t torn = 0;
        step(world, 30);
        take_lower_edge(world, cloth, 60, grabs);
        for (unsigned tick = 0; tick < 180; tick++) {
            pull(world, 60, grabs, (struct vec3){0.0f, -0.02f, 0.0f});
            sim_world_step(world);
            torn += torn_in_last_tick(world);
            check_mesh(world, &world->object[0]);
        }
        const struct object *object = &world->object[0];
        const uint32_t pieces = pieces_of(world, object, false);
        print_message("%u sticks broke, %u particles, %u pieces, mass off by %.1e\n", torn, object->particles, pieces,
                      fabs(mass_of(world, object) / mass - 1.0));
        assert_true(torn > 30 && pieces >= 2 && pieces < 200);
        assert_int_equal(pieces_of(world, object, true), pieces);
        assert_true(fabs(mass_of(world, object) / mass - 1.0) < 1e-5);
        assert_true(sim_world_epoch(world) > epoch);
        // The upper edge hangs where it was pinned, the lower one went with the hands.
        assert_int_equal(object->pins, 60);
        assert_true(position_of(world, cloth, 30).y > 1.0f);
        assert_true(position_of(world, cloth, 59 * 60 + 30).y < -4.0f);
        sim_world_destroy(world);
    }
}

static void two_hundred_random_tears_leave_a_mesh(void **state) {
    (void)state;
    uint64_t seed = new_seed(__func__);
    for (int lattice = 0; lattice < SIM_LATTICE_COUNT; lattice++) {
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        set_solver(world, 1, 1, 0.5f);
        const uint32_t cloth = spawn_sheet(world, 24, (enum sim_lattice)lattice, 1.3f);
        const double mass = mass_of(world, &world->object[0]);
        uint32_t torn = 0;
        for (unsigned tick = 0; torn < 200; tick++) {
            assert_true(tick < 5000);
            strain(world, &seed, cloth);
            torn += torn_in_last_tick(world);
            check_mesh(world, &world->object[0]);
        }
        const double off = fabs(mass_of(world, &world->object[0]) / mass - 1.0);
        print_message("%u tears: %u particles of 576, mass off by %.1e\n", torn, world->object[0].particles, off);
        assert_true(off < 1e-5);
        sim_world_destroy(world);
    }
}

static void a_torn_mesh_keeps_its_mass_by_area(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    // Two triangles of 1 and 3 m² side by side on the edge 0–1.
    const float positions[12] = {0, 0, 0, 0, 2, 0, -1, 1, 0, 3, 1, 0};
    const uint32_t triangles[6] = {0, 1, 2, 0, 3, 1};
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = positions;
    mesh.particles = 4;
    mesh.triangles = triangles;
    mesh.triangle_count = 2;
    mesh.sheet.tear = 1.2f;
    mesh.sheet.mass = 4.0f;
    uint32_t id = 0;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    set_solver(world, 1, 1, 0.0f);
    MUST(sim_particle_move(world, id, 3, (struct vec3){6.0f, 1.0f, 0.0f}, SIM_MOVE_TELEPORT, &fault));
    const uint32_t far = 3;
    MUST(sim_particle_pin(world, id, &far, 1, NULL, &fault));
    const uint32_t left = 2;
    MUST(sim_particle_pin(world, id, &left, 1, NULL, &fault));
    step(world, 1);
    assert_int_equal(torn_in_last_tick(world), 1);
    check_mesh(world, &world->object[0]);
    assert_int_equal(world->object[0].particles, 6);
    assert_int_equal(pieces_of(world, &world->object[0], true), 2);
    assert_true(fabs(mass_of(world, &world->object[0]) - 4.0) < 1e-5);
    sim_world_destroy(world);
}

static void what_lies_behind_a_torn_cloth_is_not_disturbed(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t cloth = spawn_sheet(world, 20, SIM_LATTICE_GRID, 1.3f);
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){9.0f, 0.0f, 0.0f};
    rope.to = (struct vec3){11.0f, 0.0f, 0.0f};
    rope.pins.preset = SIM_PIN_BOTH;
    uint32_t behind = 0;
    uint32_t hand = 0;
    uint32_t stick = 0;
    MUST(sim_rope_spawn(world, &rope, &behind, &fault));
    const uint32_t weight = spawn_particle(world, (struct vec3){10.0f, -1.0f, 0.0f}, (struct vec3){0}, 0.5f);
    MUST(sim_stick_add(world, (struct sim_stick_end){behind, 10}, (struct sim_stick_end){weight, 0}, -1.0f,
                       SIM_STICK_AT_MOST, 0.0f, &stick, &fault));
    MUST(sim_grab_start_particle(world, behind, 5, &hand, &fault));
    uint32_t grabs[20];
    // Hands are numbered from 1 on here: the one on the rope is the first.
    take_lower_edge(world, cloth, 20, grabs);
    for (unsigned tick = 0; tick < 120; tick++) {
        for (uint32_t i = 0; i < 20; i++) {
            const struct vec3 target = sim_world_grab_at(world, i + 1).target;
            MUST(sim_grab_move(world, grabs[i], (struct vec3){target.x, target.y - 0.02f, target.z}, &fault));
        }
        sim_world_step(world);
    }
    const struct object *object = &world->object[1];
    assert_true(world->object[0].particles > 400);
    assert_int_equal(object->first, world->object[0].particles);
    assert_true(position_of(world, behind, 0).x == 9.0f && position_of(world, behind, 19).x == 11.0f);
    for (uint32_t i = 0; i < object->sticks; i++) {
        const struct vec3 a = position_of(world, behind, world->stick_a[object->first_stick + i]);
        const struct vec3 b = position_of(world, behind, world->stick_b[object->first_stick + i]);
        assert_true(fabs(distance_of(a, b) / (double)world->stick_rest[object->first_stick + i] - 1.0) < 0.1);
    }
    assert_true(distance_of(position_of(world, behind, 10), position_of(world, weight, 0)) < 1.1);
    sim_world_destroy(world);
}

static void a_hand_on_the_surface_keeps_its_piece(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 8, 2, 0.02f);
    const uint32_t cloth = spawn_sheet(world, 16, SIM_LATTICE_GRID, 1.3f);
    uint32_t hand = 0;
    const struct vec3 point = {0.013f, -0.36f, 0.0f};
    MUST(sim_grab_start_point(world, cloth, point, &hand, &fault));
    uint32_t torn = 0;
    for (unsigned tick = 0; tick < 240; tick++) {
        const struct vec3 to = {point.x, point.y - 0.02f * (float)tick, 0.1f};
        MUST(sim_grab_move(world, hand, to, &fault));
        sim_world_step(world);
        torn += torn_in_last_tick(world);
        const struct sim_grab_view view = sim_world_grab_at(world, 0);
        bool found = false;
        for (uint32_t i = 0; i < world->object[0].triangles; i++) {
            const uint32_t *corner = corners_of(world, &world->object[0], i);
            uint32_t held = 0;
            for (uint32_t k = 0; k < view.carriers; k++) {
                held += corner[0] == view.particle[k] || corner[1] == view.particle[k] || corner[2] == view.particle[k];
            }
            found = found || held == view.carriers;
        }
        assert_true(found);
    }
    assert_true(torn > 3);
    sim_world_destroy(world);
}

static void a_snapshot_taken_while_tearing_goes_on_bit_for_bit(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_cloth_desc sheet = sim_cloth_desc_default();
    sheet.sheet.tear = 1.3f;
    sheet.sheet.bend = true;
    sheet.sheet.tethers = true;
    sheet.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    sheet.sheet.stretch_compliance = 1e-4f;
    uint32_t cloth = 0;
    uint32_t grabs[20];
    MUST(sim_cloth_spawn(world, &sheet, &cloth, &fault));
    const uint32_t behind = spawn_sheet(world, 5, SIM_LATTICE_HEX, 1.3f);
    (void)behind;
    take_lower_edge(world, cloth, 20, grabs);
    uint32_t torn = 0;
    for (unsigned tick = 0; tick < 100; tick++) {
        struct sim_snapshot *snapshot = NULL;
        pull(world, 20, grabs, (struct vec3){0.001f, -0.02f, 0.001f});
        assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
        step(world, 3);
        const uint64_t hash = sim_world_hash(world);
        step(world, 5);
        sim_world_restore(world, snapshot);
        step(world, 3);
        assert_true(sim_world_hash(world) == hash);
        sim_world_restore(world, snapshot);
        sim_snapshot_destroy(snapshot);
        sim_world_step(world);
        torn += torn_in_last_tick(world);
    }
    assert_true(torn > 10);
    sim_world_destroy(world);
}

static void a_full_world_tears_no_further_and_stays_whole(void **state) {
    (void)state;
    struct sim_world *world = NULL;
    const struct sim_capacity capacity = {
        .particles = 410, .sticks = 2300, .triangles = 1000, .objects = 2, .obstacles = 1, .shape_words = 1};
    assert_int_equal(sim_world_create(&capacity, TICK_HZ, &world), RESULT_OK);
    const uint32_t cloth = spawn_sheet(world, 20, SIM_LATTICE_GRID, 1.3f);
    uint32_t grabs[20];
    take_lower_edge(world, cloth, 20, grabs);
    for (unsigned tick = 0; tick < 120; tick++) {
        pull(world, 20, grabs, (struct vec3){0.0f, -0.02f, 0.0f});
        sim_world_step(world);
        check_mesh(world, &world->object[0]);
        assert_true(sim_world_counts(world).particles <= 410 && sim_world_counts(world).sticks <= 2300);
    }
    assert_true(world->object[0].particles > 400);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloth_of_60_by_60_is_torn_in_two_by_a_drag),
        cmocka_unit_test(two_hundred_random_tears_leave_a_mesh),
        cmocka_unit_test(a_torn_mesh_keeps_its_mass_by_area),
        cmocka_unit_test(what_lies_behind_a_torn_cloth_is_not_disturbed),
        cmocka_unit_test(a_hand_on_the_surface_keeps_its_piece),
        cmocka_unit_test(a_snapshot_taken_while_tearing_goes_on_bit_for_bit),
        cmocka_unit_test(a_full_world_tears_no_further_and_stays_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
