// SPDX-License-Identifier: MIT
// Waves on compliant strings: their speed is that of the spring law, whatever the substeps and iterations.
#include "sim_fixture.h"

#include "sim/probe.h"
#include "sim/world/wake.h"
#include "sim/world/world.h"

#define PI 3.14159265358979323846
#define LINKS 40u
#define MASS 0.01     // kg, of a particle
#define PLUCKED 0.002 // m

static const struct vec3 origin = {0.0f, 0.0f, 0.0f};

struct string {
    double stiffness; // N/m, of one link
    double taut;      // m, its length between the pins; its own length is 2 m
    uint32_t substeps, iterations;
};

static struct sim_world *new_string(const struct string *string, bool along, uint32_t *id) {
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, string->substeps, string->iterations, 0.0f);
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = origin;
    rope.to = (struct vec3){2.0f, 0.0f, 0.0f};
    rope.particles = LINKS + 1;
    rope.mass = (float)(MASS * (LINKS + 1));
    rope.pins.preset = SIM_PIN_BOTH;
    rope.stretch_compliance = (float)(1.0 / string->stiffness);
    MUST(sim_rope_spawn(world, &rope, id, &fault));
    for (uint32_t i = 0; i <= LINKS; i++) {
        const double s = (double)i / LINKS;
        const double off = PLUCKED * sin(PI * s);
        const struct vec3 place = {(float)(string->taut * s + (along ? off : 0.0)), (float)(along ? 0.0 : off), 0.0f};
        if (i == 0 || i == LINKS) {
            MUST(sim_particle_pin(world, *id, &i, 1, &place, &fault));
        } else {
            MUST(sim_particle_move(world, *id, i, place, SIM_MOVE_TELEPORT, &fault));
        }
    }
    return world;
}

// In Hz, of the first mode, from the times at which the middle passes its place of rest.
static double frequency(const struct string *string, bool along) {
    uint32_t id = 0;
    struct sim_world *world = new_string(string, along, &id);
    double crossing[3] = {0.0};
    unsigned crossings = 0;
    double before = PLUCKED;
    for (unsigned tick = 1; tick < 600 && crossings < 3; tick++) {
        wake_all(world);
        sim_world_step(world);
        const struct vec3 middle = position_of(world, id, LINKS / 2);
        const double now = along ? (double)middle.x - string->taut / 2.0 : (double)middle.y;
        if ((now > 0.0) != (before > 0.0)) {
            crossing[crossings] = (tick - 1 + before / (before - now)) / 60.0;
            crossings++;
        }
        before = now;
    }
    sim_world_destroy(world);
    return crossings == 3 ? 1.0 / (crossing[2] - crossing[0]) : 0.0;
}

#define PERIOD_MIN 16.0    // substeps: what the documentation says is within 5 %
#define FREQUENCY_MAX 15.0 // Hz: what can be told from places 60 times a second

static const uint32_t settings[][2] = {{1, 1}, {4, 1}, {8, 1}, {8, 4}, {16, 4}, {32, 1}};

// How far off the worst frequency of the strings is whose first mode has a period of so many substeps.
static double worst_frequency(bool along, unsigned *measured) {
    static const double stiffnesses[] = {1e3, 1e4, 1e5, 1e6};
    static const double lengths[] = {2.02, 2.2};
    double worst = 0.0;
    for (size_t n = 0; n < 4 * 2 * 6; n++) {
        const struct string string = {stiffnesses[n / 12], lengths[n / 6 % 2], settings[n % 6][0], settings[n % 6][1]};
        const double tension = string.stiffness * (string.taut - 2.0) / LINKS;
        const double stiffness = along ? string.stiffness : tension / (string.taut / LINKS);
        const double expected = sqrt(stiffness / MASS) / PI * sin(PI / 2.0 / LINKS);
        if (expected < FREQUENCY_MAX && 60.0 * string.substeps / expected >= PERIOD_MIN) {
            worst = fmax(worst, fabs(frequency(&string, along) / expected - 1.0));
            (*measured)++;
        }
    }
    return worst;
}

static void a_wave_on_a_compliant_string_has_its_speed_at_any_substeps_and_iterations(void **state) {
    (void)state;
    for (int along = 0; along < 2; along++) {
        unsigned measured = 0;
        const double worst = worst_frequency(along == 1, &measured);
        print_message("waves %s compliant strings: speed within %.2f %% (%u strings)\n",
                      along == 1 ? "along" : "across", 100.0 * worst, measured);
        assert_true(worst < 0.05);
        assert_true(measured >= 15);
    }
}

// ---- what is missing of a spring's force -------------------------------------------------------------------------

static double residual_of_rope(double stiffness, uint32_t substeps, uint32_t iterations) {
    const struct string string = {stiffness, 2.1, substeps, iterations};
    uint32_t id = 0;
    struct sim_world *world = new_string(&string, false, &id);
    assert_int_equal(sim_world_measure(world).compliant_sticks, 0); // before the first tick
    step(world, 3);
    const struct sim_measure measure = sim_world_measure(world);
    assert_int_equal(measure.compliant_sticks, LINKS);
    sim_world_destroy(world);
    return measure.compliance_residual;
}

static void a_compliant_rope_pulls_with_all_of_its_force(void **state) {
    (void)state;
    double worst = 0.0;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        for (double stiffness = 1e2; stiffness < 1e7; stiffness *= 10.0) {
            worst = fmax(worst, residual_of_rope(stiffness, settings[i][0], settings[i][1]));
        }
    }
    print_message("compliant ropes: %.3f %% of their force is missing\n", 100.0 * worst);
    assert_true(worst < 0.05);
}

// A row of particles of MASS, 1 cm further apart than the added sticks between them, with both ends pinned.
static double residual_of_row(double alpha_times_mass, uint32_t iterations) {
    struct fault fault;
    struct sim_world *world = new_world();
    float positions[63] = {0.0f};
    float masses[21];
    uint32_t id = 0;
    const uint32_t ends[2] = {0, 20};
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 8, iterations, 0.0f);
    for (uint32_t i = 0; i <= 20; i++) {
        positions[3 * (size_t)i] = 0.11f * (float)i;
        masses[i] = (float)MASS;
    }
    struct sim_particles_desc row = sim_particles_desc_default();
    row.positions = positions;
    row.masses = masses;
    row.particles = 21;
    MUST(sim_particles_spawn(world, &row, &id, &fault));
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t stick = 0;
        const float compliance = (float)(alpha_times_mass / MASS / (480.0 * 480.0));
        MUST(sim_stick_add(world, (struct sim_stick_end){id, i}, (struct sim_stick_end){id, i + 1}, 0.1f,
                           SIM_STICK_EQUAL, compliance, &stick, &fault));
    }
    MUST(sim_particle_pin(world, id, ends, 2, NULL, &fault));
    step(world, 5);
    const struct sim_measure measure = sim_world_measure(world);
    assert_int_equal(measure.compliant_sticks, 20);
    sim_world_destroy(world);
    return measure.compliance_residual;
}

// The figures of the documentation: compliance · mass · (tickHz · substeps)² and iterations.
static void the_residual_tells_how_much_force_the_sweeps_leave_out(void **state) {
    (void)state;
    static const double documented[][2] = {{20.0, 1.0}, {1.2, 4.0}, {0.3, 16.0}, {0.06, 64.0}};
    for (size_t i = 0; i < 4; i++) {
        const uint32_t iterations = (uint32_t)documented[i][1];
        const double soft = residual_of_row(documented[i][0], iterations);
        const double stiff = residual_of_row(documented[i][0] / 1000.0, iterations);
        print_message("%2u iterations: %.1f %% of the force is missing, of stiff springs %.1f %%\n", iterations,
                      100.0 * soft, 100.0 * stiff);
        assert_true(soft < 0.05 && stiff > 0.8 && stiff <= 1.001);
    }
}

// ---- taut ropes and long substeps --------------------------------------------------------------------------------

// Without a spring's resistance to being turned, a taut rope of light links explodes when a substep is long.
static void a_taut_rope_stays_whole_with_one_substep(void **state) {
    (void)state;
    struct fault fault;
    for (double stiffness = 1e3; stiffness < 1e9; stiffness *= 10.0) {
        struct sim_world *world = new_world();
        set_solver(world, 1, 1, 0.0f);
        float masses[LINKS + 1];
        for (uint32_t i = 0; i < LINKS; i++) {
            masses[i] = 1e-3f;
        }
        masses[LINKS] = 100.0f;
        struct sim_rope_desc rope = sim_rope_desc_default();
        uint32_t id = 0;
        rope.from = origin;
        rope.to = (struct vec3){1.5f, 0.0f, 0.0f};
        rope.particles = LINKS + 1;
        rope.masses = masses;
        rope.stretch_compliance = (float)(1.0 / stiffness);
        MUST(sim_rope_spawn(world, &rope, &id, &fault));
        for (unsigned tick = 0; tick < 600; tick++) {
            sim_world_step(world);
            // Swinging down adds twice the weight, and the rope's own swing as much again.
            const double most = 1.6 + 6.0 * LINKS * 100.0 * 9.81 / stiffness;
            assert_true(distance_of(position_of(world, id, LINKS), origin) < most);
            assert_true(distance_of(velocity_of(world, id, LINKS / 2), origin) < 40.0); // light links whip about
        }
        sim_world_destroy(world);
    }
}

// Alike objects are relaxed side by side, and their λ lie in turn: each has its own, whatever the vector width.
static uint64_t hash_of_plants(unsigned lanes, double *residual) {
    struct fault fault;
    struct sim_world *world = new_world();
    if (!sim_world_set_lanes(world, lanes)) {
        sim_world_destroy(world);
        return 0;
    }
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.tolerance = 2e-3f;
    parameters.iterations = 32;
    parameters.wind_velocity = (struct vec3){4.0f, 0.0f, 1.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    for (uint32_t i = 0; i < 19; i++) {
        struct sim_plant_desc plant = sim_plant_desc_default();
        uint32_t id = 0;
        plant.position.x = 1.5f * (float)i;
        MUST(sim_plant_spawn(world, &plant, &id, &fault));
    }
    step(world, 60);
    const struct sim_measure measure = sim_world_measure(world);
    assert_true(measure.compliant_sticks > 19);
    *residual = measure.compliance_residual;
    const uint64_t hash = sim_world_hash(world);
    sim_world_destroy(world);
    return hash;
}

static void alike_plants_are_measured_alike_at_every_vector_width(void **state) {
    (void)state;
    double expected = 0.0;
    const uint64_t narrow = hash_of_plants(4, &expected);
    for (unsigned lanes = 8; lanes <= 16; lanes *= 2) {
        double residual = expected;
        const uint64_t wide = hash_of_plants(lanes, &residual);
        assert_true(wide == 0 || (wide == narrow && residual == expected));
    }
    print_message("plants: %.3f %% of their force is missing\n", 100.0 * expected);
    assert_true(expected < 0.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_on_a_compliant_string_has_its_speed_at_any_substeps_and_iterations),
        cmocka_unit_test(a_compliant_rope_pulls_with_all_of_its_force),
        cmocka_unit_test(the_residual_tells_how_much_force_the_sweeps_leave_out),
        cmocka_unit_test(a_taut_rope_stays_whole_with_one_substep),
        cmocka_unit_test(alike_plants_are_measured_alike_at_every_vector_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
