// SPDX-License-Identifier: MIT
// Sticks of a mesh whose gaps are kept from one pass to the next (struct stick_gaps) have the bits of sticks that are
// relaxed one after the other, which keep none.
#include "random_sheet.h"
#include "sim_fixture.h"

#include <string.h>

#include "sim/stick/stick_plan.h"
#include "sim/world/world.h"

#define SIDE 24u
#define VERTICES (SIDE * SIDE)
#define TICKS 40
#define UNBREAKABLE 1e9f // N; sticks that a force may break are relaxed one after the other

struct setting {
    float compliance; // m/N
    unsigned lanes;
    bool one_by_one;
};

struct outcome {
    float position[3 * VERTICES];
};

static uint32_t spawn(struct sim_world *world, const struct random_sheet *sheet, const struct setting *setting,
                      struct vec3 position) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = sheet->position;
    mesh.particles = sheet->vertices;
    mesh.triangles = sheet->triangle;
    mesh.triangle_count = sheet->triangles;
    mesh.sheet.position = position;
    mesh.sheet.stretch_compliance = setting->compliance;
    mesh.sheet.thickness = 0.01f;
    mesh.sheet.tear_force = setting->one_by_one ? UNBREAKABLE : 0.0f;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    return id;
}

// A sheet hangs by two corners in the wind and then by one, while another falls on a sphere; contacts move particles
// between the passes.
static void run(struct outcome *outcome, const struct random_sheet *sheet, const struct setting *setting) {
    struct fault fault;
    struct sim_world *world = new_world();
    assert_true(sim_world_set_lanes(world, setting->lanes));
    set_solver(world, 2, 6, 0.0f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.wind_velocity = (struct vec3){2.0f, 0.0f, 3.0f};
    parameters.wind_gust = 0.5f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    const uint32_t hanging = spawn(world, sheet, setting, (struct vec3){2.0f, 3.0f, 0.0f});
    const uint32_t falling = spawn(world, sheet, setting, (struct vec3){0.0f, 0.4f, 0.0f});
    const struct sim_obstacle sphere = {
        .shape = SIM_OBSTACLE_SPHERE, .position = {0.25f, 0.0f, 0.25f}, .radius = 0.3f, .friction = 0.5f};
    uint32_t id = 0;
    MUST(sim_obstacle_add(world, &sphere, &id, &fault));
    const uint32_t corners[2] = {0, SIDE - 1};
    MUST(sim_particle_pin(world, hanging, corners, 2, NULL, &fault));
    for (int tick = 0; tick < TICKS; tick++) {
        if (tick == TICKS / 2) {
            MUST(sim_particle_unpin(world, hanging, corners, 1, &fault));
        }
        sim_world_step(world);
    }
    assert_int_equal(stick_arrangement_of(world, world->object), setting->one_by_one ? STICK_PLAIN : STICK_BLOCK);
    assert_int_equal(world->stick_plan[0].gaps_kept, !setting->one_by_one);
    const struct sim_object_view view = view_of(world, falling);
    const struct sim_particles_view p = sim_world_particles(world);
    for (uint32_t i = 0; i < VERTICES; i++) {
        const struct vec3 at = position_of(world, hanging, i);
        outcome->position[3 * i] = at.x + p.x[view.first + i];
        outcome->position[3 * i + 1] = at.y + p.y[view.first + i];
        outcome->position[3 * i + 2] = at.z + p.z[view.first + i];
    }
    sim_world_destroy(world);
}

static void kept_gaps_change_no_bit(void **state) {
    (void)state;
    static struct random_sheet sheet; // too large for the stack
    static struct outcome expected, found;
    random_sheet_make(&sheet, SIDE, false);
    for (int yields = 0; yields < 2; yields++) {
        struct setting setting = {.compliance = yields ? 1e-5f : 0.0f, .one_by_one = true, .lanes = 4};
        run(&expected, &sheet, &setting);
        setting.one_by_one = false;
        const unsigned lanes[] = {4, 8, 16};
        for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
            struct sim_world *world = new_world();
            const bool has_lanes = sim_world_set_lanes(world, lanes[i]);
            sim_world_destroy(world);
            if (has_lanes) {
                setting.lanes = lanes[i];
                run(&found, &sheet, &setting);
                assert_memory_equal(&found, &expected, sizeof found);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_gaps_change_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
