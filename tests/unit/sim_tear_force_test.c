// SPDX-License-Identifier: MIT
// Tearing by force: a stick breaks where it bears more than tear_force, whatever the substeps (server/sim/PHYSICS.md
// 9).
#include "sim_torn.h"

#define GRAVITY 9.81f

struct setting {
    const char *name;
    uint32_t substeps, iterations;
    float compliance;
    enum sim_projection projection;
};

static const struct setting settings[] = {
    {"1 substep, 20 iterations", 1, 20, 0.0f, SIM_PROJECTION_CURRENT},
    {"4 substeps", 4, 4, 0.0f, SIM_PROJECTION_CURRENT},
    {"8 substeps, start", 8, 4, 0.0f, SIM_PROJECTION_START},
    {"16 substeps", 16, 2, 0.0f, SIM_PROJECTION_CURRENT},
    {"64 substeps", 64, 1, 0.0f, SIM_PROJECTION_CURRENT},
    {"8 substeps, compliant", 8, 4, 1e-4f, SIM_PROJECTION_CURRENT},
};
#define SETTINGS (sizeof settings / sizeof *settings)

static void set_load(struct sim_world *world, const struct setting *setting) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.substeps = setting->substeps;
    parameters.iterations = setting->iterations;
    parameters.damping = 0.1f;
    parameters.gravity = (struct vec3){0.0f, -0.1f, 0.0f};
    parameters.sleep = false;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

// A rope of 0.1 kg with a weight of 1 kg at its end.
static uint32_t hang_rope(struct sim_world *world, const struct setting *setting, float force) {
    struct fault fault;
    uint32_t id = 0;
    float masses[8] = {0.01f, 0.01f, 0.01f, 0.01f, 0.01f, 0.01f, 0.01f, 1.0f};
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){0.0f, 2.0f, 0.0f};
    rope.to = (struct vec3){0.0f, 1.3f, 0.0f};
    rope.particles = 8;
    rope.masses = masses;
    rope.stretch_compliance = setting->compliance;
    rope.projection = setting->projection;
    rope.tear_force = force;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    return id;
}

// A strip of squares without diagonals, each of whose columns bears its own weight.
static uint32_t hang_strip(struct sim_world *world, const struct setting *setting, float force) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 3;
    cloth.rows = 8;
    cloth.spacing = 0.1f;
    cloth.sheet.shear = false;
    cloth.sheet.mass = 1.0f;
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    cloth.sheet.stretch_compliance = setting->compliance;
    cloth.sheet.projection = setting->projection;
    cloth.sheet.tear_force = force;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

// Gravity rises by a share of its end value per tick. Returns that of the first tick in which something breaks, in
// m/s²; 0: nothing does.
static float gravity_at_tear(struct sim_world *world, float most) {
    for (unsigned tick = 0; tick < 600; tick++) {
        const float gravity = most * (float)(tick < 400 ? tick : 400) / 400.0f;
        set_gravity(world, 0.0f, -gravity, 0.0f);
        sim_world_step(world);
        if (torn_in_last_tick(world) > 0) {
            return gravity;
        }
    }
    return 0.0f;
}

// Mass below the first sticks: of the rope all but its pinned particle, of the strip's middle column all but its first.
static double load_below(const struct sim_world *world, bool rope) {
    const struct object *object = &world->object[0];
    double mass = 0.0;
    for (uint32_t i = rope ? 1 : 4; i < object->particles; i += rope ? 1 : 3) {
        mass += 1.0 / (double)world->own_w[object->first + i];
    }
    return mass;
}

static void check_limits(bool rope, const char *name) {
    double worst = 0.0;
    for (unsigned i = 0; i < SETTINGS; i++) {
        struct sim_world *world = new_world();
        (void)(rope ? hang_rope : hang_strip)(world, &settings[i], 0.0f);
        const double mass = load_below(world, rope);
        sim_world_destroy(world);
        const float limit = (float)(mass * (double)GRAVITY);
        for (unsigned k = 0; k < 2; k++) { // 5 % above and below the load
            world = new_world();
            set_load(world, &settings[i]);
            (void)(rope ? hang_rope : hang_strip)(world, &settings[i], k == 0 ? 1.05f * limit : 0.95f * limit);
            const float torn = gravity_at_tear(world, GRAVITY);
            if (k == 0) {
                assert_true(torn == 0.0f);
            } else {
                const double off = 100.0 * fabs((double)torn * mass / (0.95 * (double)limit) - 1.0);
                printf("%s, %s: tears at %.3f N, limit %.3f N\n", name, settings[i].name, (double)torn * mass,
                       0.95 * (double)limit);
                worst = off > worst ? off : worst;
                assert_true(torn > 0.0f);
            }
            sim_world_destroy(world);
        }
    }
    printf("%s under a growing load, six solvers: tears within %.2f %% of m*g\n", name, worst);
    assert_true(worst < 10.0);
}

static void a_rope_tears_at_its_force(void **state) {
    (void)state;
    check_limits(true, "rope");
}

static void a_strip_tears_at_its_force(void **state) {
    (void)state;
    check_limits(false, "strip");
}

static void a_torn_rope_is_two(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t rope = hang_rope(world, &settings[2], 5.0f);
    for (unsigned tick = 0; tick < 60; tick++) {
        sim_world_step(world);
    }
    assert_true(view_of(world, rope).sticks < 7);
    assert_true(position_of(world, rope, 7).y < 0.5f);
    assert_true(view_of(world, rope).tear_force == 5.0f);
    sim_world_destroy(world);
}

// The same bits after a snapshot in the middle, and with a twin on other vectors.
static void the_bits_are_the_same_again(void **state) {
    (void)state;
    uint64_t hash[2];
    for (unsigned i = 0; i < 2; i++) {
        struct sim_world *world = new_world();
        (void)hang_strip(world, &settings[2], 1.4f);
        (void)hang_rope(world, &settings[5], 8.0f);
        if (i == 1) {
            (void)sim_world_set_lanes(world, 4);
        }
        step(world, 20);
        struct sim_snapshot *snapshot = NULL;
        assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
        step(world, 7);
        sim_world_restore(world, snapshot);
        sim_snapshot_destroy(snapshot);
        step(world, 40);
        hash[i] = sim_world_hash(world);
        sim_world_destroy(world);
    }
    assert_int_equal(hash[0], hash[1]);
}

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.sheet.tear_force = -1.0f;
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/tearForce");
    cloth.sheet.tear_force = 3.0f;
    cloth.sheet.fabric = sim_fabric_named(SIM_FABRIC_DENIM);
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/tearForce");
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.to = (struct vec3){0.0f, 1.0f, 0.0f};
    rope.tear_force = 2e9f;
    assert_int_equal(sim_rope_spawn(world, &rope, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/tearForce");
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_tears_at_its_force),
        cmocka_unit_test(a_strip_tears_at_its_force),
        cmocka_unit_test(a_torn_rope_is_two),
        cmocka_unit_test(the_bits_are_the_same_again),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
