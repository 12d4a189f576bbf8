// SPDX-License-Identifier: MIT
// Refusals: each names the member to blame, and leaves hash, epoch and counts as they were. Also: ids and limits.
#include "sim_fixture.h"

#include <string.h>

// A world with one of everything, and what the calls of the table below refer to.
struct lab {
    struct sim_world *world;
    uint32_t cloth, loose, grab;
    struct fault fault;
};

static struct lab new_lab(void) {
    struct fault fault;
    struct lab lab = {.world = new_world()};
    const struct sim_cloth_desc cloth = sim_cloth_desc_default();
    MUST(sim_cloth_spawn(lab.world, &cloth, &lab.cloth, &fault));
    lab.loose = spawn_particle(lab.world, (struct vec3){1.0f, 2.0f, 3.0f}, (struct vec3){0.0f, 1.0f, 0.0f}, 2.0f);
    MUST(sim_grab_start_particle(lab.world, lab.loose, 0, &lab.grab, &fault));
    return lab;
}

static enum result spawn_cloth(struct lab *lab, struct sim_cloth_desc cloth) {
    uint32_t id = 0;
    return sim_cloth_spawn(lab->world, &cloth, &id, &lab->fault);
}

static enum result cloth_of_one_column(struct lab *lab) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 1;
    return spawn_cloth(lab, cloth);
}

static enum result cloth_without_spacing(struct lab *lab) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.spacing = 0.0f;
    return spawn_cloth(lab, cloth);
}

static enum result cloth_too_large_for_the_world(struct lab *lab) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 200;
    cloth.rows = 200;
    return spawn_cloth(lab, cloth);
}

static enum result cloth_with_a_negative_mass(struct lab *lab) {
    float masses[400];
    for (unsigned i = 0; i < 400; i++) {
        masses[i] = i == 3 ? -1.0f : 1.0f;
    }
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.sheet.masses = masses;
    return spawn_cloth(lab, cloth);
}

static enum result cloth_turned_by_nothing(struct lab *lab) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.sheet.rotation = (struct quat){0};
    return spawn_cloth(lab, cloth);
}

static enum result cloth_beyond_the_last_position(struct lab *lab) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.sheet.position.x = 99999.8f;
    return spawn_cloth(lab, cloth);
}

static enum result cloth_pinned_at_an_unknown_index(struct lab *lab) {
    const uint32_t indices[] = {1, 400};
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.sheet.pins = (struct sim_pins){.preset = SIM_PIN_LIST, .indices = indices, .count = 2};
    return spawn_cloth(lab, cloth);
}

static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

static enum result spawn_mesh(struct lab *lab, const float *positions, const uint32_t *triangles) {
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = positions;
    mesh.particles = 4;
    mesh.triangles = triangles;
    mesh.triangle_count = 2;
    uint32_t id = 0;
    return sim_mesh_spawn(lab->world, &mesh, &id, &lab->fault);
}

static enum result mesh_with_an_unknown_corner(struct lab *lab) {
    return spawn_mesh(lab, square, (const uint32_t[]){0, 1, 2, 0, 2, 4});
}

static enum result mesh_with_a_corner_twice(struct lab *lab) {
    return spawn_mesh(lab, square, (const uint32_t[]){0, 1, 2, 0, 3, 3});
}

static enum result mesh_with_an_edge_of_no_length(struct lab *lab) {
    const float positions[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0};
    return spawn_mesh(lab, positions, (const uint32_t[]){0, 1, 2, 1, 2, 3});
}

static enum result mesh_with_a_particle_of_no_triangle(struct lab *lab) {
    return spawn_mesh(lab, square, (const uint32_t[]){0, 1, 2, 2, 1, 0});
}

static enum result mesh_with_an_infinite_position(struct lab *lab) {
    const float positions[12] = {0, 0, 0, 1, INFINITY, 0, 1, 1, 0, 0, 1, 0};
    return spawn_mesh(lab, positions, (const uint32_t[]){0, 1, 2, 0, 2, 3});
}

static enum result body_that_is_flat(struct lab *lab) {
    const float vertices[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    struct sim_body_desc body = sim_body_desc_default();
    body.vertices = vertices;
    uint32_t id = 0;
    return sim_body_spawn(lab->world, &body, &id, &lab->fault);
}

static enum result rope_of_no_length(struct lab *lab) {
    const struct sim_rope_desc rope = sim_rope_desc_default();
    uint32_t id = 0;
    return sim_rope_spawn(lab->world, &rope, &id, &lab->fault);
}

static enum result particles_with_a_velocity_that_is_no_number(struct lab *lab) {
    const float positions[3] = {0};
    const float velocities[3] = {0, NAN, 0};
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.velocities = velocities;
    desc.particles = 1;
    uint32_t id = 0;
    return sim_particles_spawn(lab->world, &desc, &id, &lab->fault);
}

static enum result damping_of_one(struct lab *lab) {
    struct sim_parameters parameters = *sim_world_parameters(lab->world);
    parameters.damping = 1.0f;
    return sim_world_set_parameters(lab->world, &parameters, &lab->fault);
}

static enum result bounds_inside_out(struct lab *lab) {
    struct sim_parameters parameters = *sim_world_parameters(lab->world);
    parameters.bounds_max.y = -100.0f;
    return sim_world_set_parameters(lab->world, &parameters, &lab->fault);
}

static enum result pin_of_an_unknown_particle(struct lab *lab) {
    const uint32_t indices[] = {0, 1, 400};
    return sim_particle_pin(lab->world, lab->cloth, indices, 3, NULL, &lab->fault);
}

static enum result pin_of_two_at_one_place(struct lab *lab) {
    const uint32_t indices[] = {0, 1};
    const struct vec3 position = {0};
    return sim_particle_pin(lab->world, lab->cloth, indices, 2, &position, &lab->fault);
}

static enum result negative_inverse_mass(struct lab *lab) {
    const uint32_t index = 0;
    return sim_particle_set_inverse_mass(lab->world, lab->cloth, &index, 1, -1.0f, &lab->fault);
}

static enum result move_to_nowhere(struct lab *lab) {
    return sim_particle_move(lab->world, lab->loose, 0, (struct vec3){NAN, 0.0f, 0.0f}, SIM_MOVE_TELEPORT, &lab->fault);
}

static enum result force_on_an_unknown_object(struct lab *lab) {
    return sim_force_apply(lab->world, 99, NULL, 0, (struct vec3){1.0f, 0.0f, 0.0f}, 1, &lab->fault);
}

static enum result force_for_no_tick(struct lab *lab) {
    return sim_force_apply(lab->world, lab->cloth, NULL, 0, (struct vec3){1.0f, 0.0f, 0.0f}, 0, &lab->fault);
}

static enum result stick_from_a_particle_to_itself(struct lab *lab) {
    const struct sim_stick_end end = {lab->loose, 0};
    uint32_t id = 0;
    return sim_stick_add(lab->world, end, end, 1.0f, SIM_STICK_EQUAL, 0.0f, &id, &lab->fault);
}

static enum result stick_to_an_unknown_particle(struct lab *lab) {
    uint32_t id = 0;
    return sim_stick_add(lab->world, (struct sim_stick_end){lab->cloth, 0}, (struct sim_stick_end){lab->loose, 1}, 1.0f,
                         SIM_STICK_EQUAL, 0.0f, &id, &lab->fault);
}

static enum result grab_of_a_held_particle(struct lab *lab) {
    uint32_t id = 0;
    return sim_grab_start_particle(lab->world, lab->loose, 0, &id, &lab->fault);
}

static enum result grab_that_is_not_there(struct lab *lab) {
    return sim_grab_move(lab->world, 12345, (struct vec3){0}, &lab->fault);
}

static enum result obstacle_without_a_radius(struct lab *lab) {
    const struct sim_obstacle shape = {.shape = SIM_OBSTACLE_SPHERE};
    uint32_t id = 0;
    return sim_obstacle_add(lab->world, &shape, &id, &lab->fault);
}

static enum result plane_without_a_normal(struct lab *lab) {
    const struct sim_obstacle shape = {.shape = SIM_OBSTACLE_PLANE};
    uint32_t id = 0;
    return sim_obstacle_add(lab->world, &shape, &id, &lab->fault);
}

static enum result removal_of_an_unknown_object(struct lab *lab) {
    return sim_object_remove(lab->world, 99, &lab->fault);
}

static const struct {
    const char *name;
    enum result (*call)(struct lab *lab);
    enum result result;
    const char *pointer;
} refusals[] = {
    {"cloth of one column", cloth_of_one_column, RESULT_INVALID, "/columns"},
    {"cloth without spacing", cloth_without_spacing, RESULT_INVALID, "/spacing"},
    {"cloth too large for the world", cloth_too_large_for_the_world, RESULT_LIMIT, ""},
    {"cloth with a negative mass", cloth_with_a_negative_mass, RESULT_INVALID, "/masses/3"},
    {"cloth turned by nothing", cloth_turned_by_nothing, RESULT_INVALID, "/rotation"},
    {"cloth beyond the last position", cloth_beyond_the_last_position, RESULT_INVALID, "/position"},
    {"cloth pinned at an unknown index", cloth_pinned_at_an_unknown_index, RESULT_NOT_FOUND, "/pin/1"},
    {"mesh with an unknown corner", mesh_with_an_unknown_corner, RESULT_INVALID, "/triangles/1"},
    {"mesh with a corner twice", mesh_with_a_corner_twice, RESULT_INVALID, "/triangles/1"},
    {"mesh with an edge of no length", mesh_with_an_edge_of_no_length, RESULT_INVALID, "/positions"},
    {"mesh with a particle of no triangle", mesh_with_a_particle_of_no_triangle, RESULT_INVALID, "/arealDensity"},
    {"mesh with an infinite position", mesh_with_an_infinite_position, RESULT_INVALID, "/positions/4"},
    {"body that is flat", body_that_is_flat, RESULT_INVALID, "/vertices"},
    {"rope of no length", rope_of_no_length, RESULT_INVALID, "/to"},
    {"a velocity that is no number", particles_with_a_velocity_that_is_no_number, RESULT_INVALID, "/velocities/1"},
    {"damping of one", damping_of_one, RESULT_INVALID, "/damping"},
    {"bounds inside out", bounds_inside_out, RESULT_INVALID, "/bounds/max"},
    {"pin of an unknown particle", pin_of_an_unknown_particle, RESULT_NOT_FOUND, "/particles/2"},
    {"pin of two at one place", pin_of_two_at_one_place, RESULT_INVALID, "/position"},
    {"negative inverse mass", negative_inverse_mass, RESULT_INVALID, "/inverseMass"},
    {"move to nowhere", move_to_nowhere, RESULT_INVALID, "/position/0"},
    {"force on an unknown object", force_on_an_unknown_object, RESULT_NOT_FOUND, "/object"},
    {"force for no tick", force_for_no_tick, RESULT_INVALID, "/ticks"},
    {"stick from a particle to itself", stick_from_a_particle_to_itself, RESULT_INVALID, "/b"},
    {"stick to an unknown particle", stick_to_an_unknown_particle, RESULT_NOT_FOUND, "/b/particle"},
    {"grab of a held particle", grab_of_a_held_particle, RESULT_STATE, "/particle"},
    {"grab that is not there", grab_that_is_not_there, RESULT_NOT_FOUND, "/grab"},
    {"obstacle without a radius", obstacle_without_a_radius, RESULT_INVALID, "/radius"},
    {"plane without a normal", plane_without_a_normal, RESULT_INVALID, "/normal"},
    {"removal of an unknown object", removal_of_an_unknown_object, RESULT_NOT_FOUND, "/object"},
};

static void a_refused_command_names_its_member_and_changes_nothing(void **state) {
    (void)state;
    struct lab lab = new_lab();
    step(lab.world, 3);
    const uint64_t hash = sim_world_hash(lab.world);
    const uint32_t epoch = sim_world_epoch(lab.world);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        memset(&lab.fault, 0, sizeof lab.fault);
        const enum result result = refusals[i].call(&lab);
        if (result != refusals[i].result || strcmp(lab.fault.pointer, refusals[i].pointer) != 0 ||
            lab.fault.message[0] == '\0') {
            fail_msg("%s: result %d, pointer '%s', message '%s'", refusals[i].name, (int)result, lab.fault.pointer,
                     lab.fault.message);
        }
        if (sim_world_hash(lab.world) != hash || sim_world_epoch(lab.world) != epoch) {
            fail_msg("%s: the world changed", refusals[i].name);
        }
    }
    // What a refused spawn left beyond the end of the arrays is not seen by the next one.
    struct fault fault;
    struct lab fresh = new_lab();
    step(fresh.world, 3);
    const struct sim_rope_desc rope = {.to = {1.0f, 0.0f, 0.0f}, .particles = 30, .mass = 1.0f};
    uint32_t id = 0;
    MUST(sim_rope_spawn(lab.world, &rope, &id, &fault));
    MUST(sim_rope_spawn(fresh.world, &rope, &id, &fault));
    step(lab.world, 20);
    step(fresh.world, 20);
    assert_true(sim_world_hash(lab.world) == sim_world_hash(fresh.world));
    sim_world_destroy(fresh.world);
    sim_world_destroy(lab.world);
}

static void a_tick_rate_out_of_range_is_refused(void **state) {
    (void)state;
    struct sim_world *world = NULL;
    const struct sim_capacity capacity = {10, 10, 10, 10, 10, 10};
    const float rates[] = {0.0f, -60.0f, 1001.0f, NAN};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(sim_world_create(&capacity, rates[i], &world), RESULT_INVALID);
        assert_null(world);
    }
}

static void ids_rise_and_are_never_reused(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t last = 0;
    for (unsigned i = 0; i < 50; i++) {
        const uint32_t id = spawn_particle(world, (struct vec3){0}, (struct vec3){0}, 1.0f);
        assert_true(id > last);
        uint32_t obstacle = 0;
        const struct sim_obstacle shape = {.shape = SIM_OBSTACLE_SPHERE, .radius = 1.0f};
        MUST(sim_obstacle_add(world, &shape, &obstacle, &fault));
        assert_true(obstacle > id);
        MUST(sim_object_remove(world, id, &fault));
        MUST(sim_obstacle_remove(world, obstacle, &fault));
        last = obstacle;
        if (i == 25) {
            sim_world_clear(world); // not even this makes an id mean another thing
        }
    }
    assert_int_equal(sim_world_counts(world).particles, 0);
    sim_world_destroy(world);
}

static void the_epoch_rises_with_every_change_of_layout_and_with_nothing_else(void **state) {
    (void)state;
    struct fault fault;
    struct lab lab = new_lab();
    const uint32_t before = sim_world_epoch(lab.world);
    const uint32_t index = 4;
    MUST(sim_particle_pin(lab.world, lab.cloth, &index, 1, NULL, &fault));
    MUST(sim_grab_end(lab.world, lab.grab, &fault));
    step(lab.world, 2);
    assert_int_equal(sim_world_epoch(lab.world), before);
    MUST(sim_object_remove(lab.world, lab.loose, &fault));
    assert_int_equal(sim_world_epoch(lab.world), before + 1);
    sim_world_clear(lab.world);
    assert_int_equal(sim_world_epoch(lab.world), before + 2);
    sim_world_destroy(lab.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_command_names_its_member_and_changes_nothing),
        cmocka_unit_test(a_tick_rate_out_of_range_is_refused),
        cmocka_unit_test(ids_rise_and_are_never_reused),
        cmocka_unit_test(the_epoch_rises_with_every_change_of_layout_and_with_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
