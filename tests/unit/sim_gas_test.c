// SPDX-License-Identifier: MIT
// Gas in closed meshes (PHYSICS.md 17.5): balloons and cushions.
#include "sim_fixture.h"

#include <string.h>

#include "icosphere.h"
#include "sim/archive.h"
#include "sim/probe.h"

#define OUTSIDE 101325.0 // Pa

static struct icosphere ball;

static struct sim_mesh_desc balloon_desc(double radius, unsigned divisions, float pressure) {
    icosphere_make(&ball, radius, divisions);
    struct sim_mesh_desc desc = sim_mesh_desc_default();
    desc.positions = ball.position;
    desc.particles = ball.particles;
    desc.triangles = ball.triangle;
    desc.triangle_count = ball.triangles;
    desc.sheet.position.y = 2.0f;
    desc.gas = (struct sim_gas){.filled = true, .pressure = pressure};
    return desc;
}

static uint32_t spawn(struct sim_world *world, struct sim_mesh_desc desc) {
    uint32_t id = 0;
    struct fault fault;
    MUST(sim_mesh_spawn(world, &desc, &id, &fault));
    return id;
}

static double length_of(struct sim_triple t) {
    return sqrt(t.x * t.x + t.y * t.y + t.z * t.z);
}

// Σ tension·length of the sticks, in J.
static double virial_of(const struct sim_world *world, double compliance) {
    const struct sim_sticks_view sticks = sim_object_sticks(world, 0);
    double sum = 0.0;
    for (uint32_t i = 0; i < sticks.count; i++) {
        const double length = (double)sim_object_stick_length(world, 0, i);
        sum += (length - (double)sticks.rest[i]) / compliance * length;
    }
    return sum;
}

// In equilibrium three times pressure and volume are the sum of tension and length over the sticks, plus the load and
// the height over which it is carried (the virial theorem); and the amount of gas stays.
static void a_balloon_under_a_weight_has_the_pressure_and_the_volume_of_its_gas(void **unused) {
    (void)unused;
    const float compliance = 2e-3f, thickness = 0.002f, load = 4.0f, pressure = 3000.0f;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    set_solver(world, 16, 4, 0.03f);
    struct sim_obstacle floor = {.shape = SIM_OBSTACLE_PLANE, .normal = {0.0f, 1.0f, 0.0f}, .friction = 0.5f};
    MUST(sim_obstacle_add(world, &floor, &id, &fault));
    struct sim_mesh_desc desc = balloon_desc(0.2, 3, pressure);
    desc.sheet.position.y = 0.25f;
    desc.sheet.mass = 2.0f;
    desc.sheet.stretch_compliance = compliance;
    desc.sheet.thickness = thickness;
    const uint32_t balloon = spawn(world, desc);
    const struct sim_gas_state filled = sim_object_gas(world, balloon);
    for (int tick = 0; tick < 120; tick++) {
        sim_world_step(world);
    }
    const struct sim_gas_state alone = sim_object_gas(world, balloon);
    struct sim_body_desc plate = sim_body_desc_default();
    plate.shape = SIM_BODY_BOX;
    plate.extents = (struct vec3){0.6f, 0.05f, 0.6f};
    plate.position = (struct vec3){0.0f, 0.5f, 0.0f};
    plate.mass = load;
    MUST(sim_body_spawn(world, &plate, &id, &fault));
    for (int tick = 0; tick < 600; tick++) {
        sim_world_step(world);
    }
    const struct sim_gas_state gas = sim_object_gas(world, balloon);
    const struct sim_object_view view = sim_world_object_at(world, 1);
    double height = 0.0;
    for (uint32_t i = 0; i < 4; i++) {
        height += 0.25 * (double)sim_world_particles(world).y[view.first + i];
    }
    const double carried = height - 0.025 - 2.0 * (double)thickness;
    const struct sim_measure measure = sim_world_measure(world);
    // The centre of both without the plate's part is that of the balloon.
    const double centre = (measure.centre.y * (2.0 + (double)load) - (double)load * height) / 2.0 - (double)thickness;
    const double work = virial_of(world, (double)compliance) + 9.81 * ((double)load * carried + 2.0 * centre);
    const double off = 100.0 * fabs(3.0 * gas.pressure * gas.volume / work - 1.0);
    const double amount = (OUTSIDE + gas.pressure) * gas.volume / ((OUTSIDE + (double)pressure) * filled.volume);
    printf("balloon: %.0f Pa at %.5f m³ alone, %.0f Pa at %.5f m³ pressed by %.0f N to %.3f m\n", alone.pressure,
           alone.volume, gas.pressure, gas.volume, (double)load * 9.81, carried);
    printf("balloon under a weight: pressure times volume off the forces by %.3f %%, the amount of gas by %.3f %%\n",
           off, 100.0 * fabs(amount - 1.0));
    assert_true(off <= 2.0 && fabs(amount - 1.0) <= 0.02);
    assert_true(gas.pressure > 1.5 * alone.pressure && gas.volume < alone.volume);
    sim_world_destroy(world);
}

// Without a load the gas and compliant sticks settle where three times pressure and volume are the sum of tension and
// length, and the volume is that of a ball whose sticks are all longer by the same share.
static void a_balloon_swells_until_its_skin_holds_the_gas(void **unused) {
    (void)unused;
    const double compliance = 2e-3, pressure = 3000.0;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 16, 4, 0.05f);
    struct sim_mesh_desc desc = balloon_desc(0.2, 3, (float)pressure);
    desc.sheet.mass = 2.0f;
    desc.sheet.stretch_compliance = (float)compliance;
    const uint32_t balloon = spawn(world, desc);
    const double filled = sim_object_gas(world, balloon).volume;
    for (int tick = 0; tick < 400; tick++) {
        sim_world_step(world);
    }
    const struct sim_sticks_view sticks = sim_object_sticks(world, 0);
    double squares = 0.0;
    for (uint32_t i = 0; i < sticks.count; i++) {
        squares += (double)sticks.rest[i] * (double)sticks.rest[i];
    }
    double low = 1.0, high = 2.0; // of the share by which all lengths have grown
    for (int round = 0; round < 60; round++) {
        const double s = (low + high) / 2.0, cube = s * s * s;
        const double gauge = (OUTSIDE + pressure) / cube - OUTSIDE;
        const bool grows = 3.0 * gauge * filled * cube > s * (s - 1.0) * squares / compliance;
        low = grows ? s : low;
        high = grows ? high : s;
    }
    const struct sim_gas_state gas = sim_object_gas(world, balloon);
    const double volume = 100.0 * fabs(gas.volume / (filled * low * low * low) - 1.0);
    const double off = 100.0 * fabs(3.0 * gas.pressure * gas.volume / virial_of(world, compliance) - 1.0);
    printf("balloon without a load: volume off the analytic one by %.3f %%, pressure times volume off the skin's "
           "forces by "
           "%.3f %%\n",
           volume, off);
    assert_true(volume <= 2.0 && off <= 2.0);
    sim_world_destroy(world);
}

struct flight {
    double momentum, turning, energy; // changes in ten seconds, in %
};

// A balloon at rest is thrown with a spin, and after two seconds watched for ten.
static struct flight fly(uint32_t substeps, uint32_t iterations) {
    struct sim_world *world = new_world();
    struct fault fault;
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.air_density = 0.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    set_solver(world, substeps, iterations, 0.5f); // it comes to rest
    struct sim_mesh_desc desc = balloon_desc(0.3, 2, 2000.0f);
    desc.sheet.projection = SIM_PROJECTION_START;
    const uint32_t id = spawn(world, desc);
    for (int tick = 0; tick < 240; tick++) {
        sim_world_step(world);
    }
    set_solver(world, substeps, iterations, 0.0f);
    const float h = sim_world_particles(world).substep;
    for (uint32_t i = 0; i < ball.particles; i++) {
        const float *p = ball.position + 3 * (size_t)i;
        const struct sim_particles_view view = sim_world_particles(world);
        const struct vec3 to = {view.x[i] + h * (0.4f + 3.0f * p[2]), view.y[i] + h * 0.1f,
                                view.z[i] - h * 3.0f * p[0]};
        MUST(sim_particle_move(world, id, i, to, SIM_MOVE_PUSH, &fault));
    }
    const struct sim_measure thrown = sim_world_measure(world);
    for (int tick = 0; tick < 120; tick++) { // the swelling by its spin dies away
        sim_world_step(world);
    }
    const struct sim_measure before = sim_world_measure(world);
    for (int tick = 0; tick < 600; tick++) {
        sim_world_step(world);
    }
    const struct sim_measure after = sim_world_measure(world);
    const struct sim_triple spin = {after.angular_momentum.x - thrown.angular_momentum.x,
                                    after.angular_momentum.y - thrown.angular_momentum.y,
                                    after.angular_momentum.z - thrown.angular_momentum.z};
    const struct sim_triple pace = {after.momentum.x - thrown.momentum.x, after.momentum.y - thrown.momentum.y,
                                    after.momentum.z - thrown.momentum.z};
    sim_world_destroy(world);
    return (struct flight){100.0 * length_of(pace) / length_of(thrown.momentum),
                           100.0 * length_of(spin) / length_of(thrown.angular_momentum),
                           100.0 * fabs(after.kinetic / before.kinetic - 1.0)};
}

static void a_balloon_in_free_flight_keeps_its_momenta_and_its_energy(void **unused) {
    (void)unused;
    static const uint32_t solvers[][2] = {{4, 4}, {16, 4}, {4, 8}};
    struct flight worst = {0};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        const struct flight flight = fly(solvers[i][0], solvers[i][1]);
        worst = (struct flight){fmax(worst.momentum, flight.momentum), fmax(worst.turning, flight.turning),
                                fmax(worst.energy, flight.energy)};
    }
    printf("balloon in free flight: momentum off by %.4f %%, angular momentum by %.4f %%, energy by %.4f %%\n",
           worst.momentum, worst.turning, worst.energy);
    assert_true(worst.momentum <= 0.1 && worst.turning <= 0.1 && worst.energy <= 0.1);
}

// ---- commands ----------------------------------------------------------------------------------------------------

static void a_mesh_that_is_not_closed_is_refused_with_its_edge(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    const float none = 100.0f, least = -200000.0f;
    struct sim_mesh_desc desc = balloon_desc(0.3, 1, 1000.0f);
    desc.triangle_count--;
    assert_int_equal(sim_mesh_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/pressure");
    assert_non_null(strstr(fault.message, "one side only"));
    desc.triangle_count++;
    const uint32_t first = ball.triangle[0];
    ball.triangle[0] = ball.triangle[1];
    ball.triangle[1] = first;
    assert_int_equal(sim_mesh_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_non_null(strstr(fault.message, "same direction"));
    for (uint32_t i = 1; i < ball.triangles; i++) { // now all of them wind inward
        const uint32_t corner = ball.triangle[3 * i];
        ball.triangle[3 * i] = ball.triangle[3 * i + 1];
        ball.triangle[3 * i + 1] = corner;
    }
    assert_int_equal(sim_mesh_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_non_null(strstr(fault.message, "outward"));
    desc.gas.filled = false; // without gas it may wind as it likes
    const uint32_t open = spawn(world, desc);
    assert_int_equal(sim_object_set(world, open, (struct sim_material){.pressure = &none}, &fault), RESULT_INVALID);
    desc = balloon_desc(0.3, 1, 1000.0f);
    const uint32_t balloon = spawn(world, desc);
    assert_int_equal(sim_object_set(world, balloon, (struct sim_material){.pressure = &least}, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/pressure");
    sim_world_destroy(world);
}

static void pressure_inflates_and_a_tear_lets_the_gas_out(void **unused) {
    (void)unused;
    struct sim_world *world = new_world(), *copy = new_world();
    struct fault fault;
    uint32_t made = 0;
    const float more = 30000.0f;
    const uint32_t particle = 5;
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_mesh_desc desc = balloon_desc(0.3, 2, 0.0f);
    desc.gas.filled = false;
    desc.sheet.stretch_compliance = 1e-3f;
    const uint32_t balloon = spawn(world, desc);
    assert_true(sim_object_gas(world, balloon).volume == 0.0);
    MUST(sim_object_set(world, balloon, (struct sim_material){.pressure = &more}, &fault));
    const double before = sim_object_gas(world, balloon).volume;
    for (int tick = 0; tick < 60; tick++) {
        sim_world_step(world);
    }
    assert_true(sim_object_gas(world, balloon).volume > 1.1 * before);
    const size_t length = sim_world_archive_length(world);
    void *bytes = malloc(length);
    sim_world_archive(world, bytes);
    MUST(sim_world_unarchive(copy, bytes, length, &fault));
    free(bytes);
    for (int tick = 0; tick < 20; tick++) {
        sim_world_step(world);
        sim_world_step(copy);
    }
    assert_true(sim_world_hash(world) == sim_world_hash(copy));
    MUST(sim_particle_tear(world, balloon, &particle, 1, &made, &fault));
    assert_true(sim_object_gas(world, balloon).volume == 0.0);
    assert_int_equal(sim_object_set(world, balloon, (struct sim_material){.pressure = &more}, &fault), RESULT_INVALID);
    sim_world_destroy(world);
    sim_world_destroy(copy);
}

// A pump keeps the pressure, however small the volume becomes.
static void a_supplied_cushion_keeps_its_pressure(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_mesh_desc desc = balloon_desc(0.3, 2, 500.0f);
    desc.gas.supplied = true;
    desc.sheet.stretch_compliance = 1e-2f;
    const uint32_t balloon = spawn(world, desc);
    const double before = sim_object_gas(world, balloon).volume;
    for (int tick = 0; tick < 120; tick++) {
        sim_world_step(world);
    }
    assert_true(sim_object_gas(world, balloon).pressure == 500.0);
    assert_true(sim_object_gas(world, balloon).volume > before);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_balloon_under_a_weight_has_the_pressure_and_the_volume_of_its_gas),
        cmocka_unit_test(a_balloon_swells_until_its_skin_holds_the_gas),
        cmocka_unit_test(a_balloon_in_free_flight_keeps_its_momenta_and_its_energy),
        cmocka_unit_test(a_mesh_that_is_not_closed_is_refused_with_its_edge),
        cmocka_unit_test(pressure_inflates_and_a_tear_lets_the_gas_out),
        cmocka_unit_test(a_supplied_cushion_keeps_its_pressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
