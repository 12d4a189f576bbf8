// SPDX-License-Identifier: MIT
// Drag in still air and in wind (server/sim/PHYSICS.md 10): terminal velocities, storms on light panels, a vacuum.
#include "sim_fixture.h"

#include "sim/probe.h"

#define GRAVITY 9.81
#define DENSITY 1.2 // kg/m³, the default

static const struct vec3 still = {0.0f, 0.0f, 0.0f};
static const struct quat lying = {-0.70710678f, 0.0f, 0.0f, 0.70710678f};

// ---- terminal velocity -------------------------------------------------------------------------------------------

enum shape { TRIANGLE, HEXAGON, UNEVEN, GRID, HEXAGONAL_CLOTH, SHAPES };
static const char *const shape_names[SHAPES] = {"a triangle", "a hexagon", "an uneven quadrilateral", "a grid cloth",
                                                "a hexagonal cloth"};

static uint32_t spawn_mesh(struct sim_world *world, const float *positions, uint32_t particles,
                           const uint32_t *triangles, uint32_t triangle_count, float areal_density) {
    struct fault fault;
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    uint32_t id = 0;
    mesh.positions = positions;
    mesh.particles = particles;
    mesh.triangles = triangles;
    mesh.triangle_count = triangle_count;
    mesh.sheet.areal_density = areal_density;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    return id;
}

static uint32_t spawn_lattice(struct sim_world *world, enum sim_lattice lattice, float areal_density) {
    struct fault fault;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    uint32_t id = 0;
    cloth.columns = 9;
    cloth.rows = 8;
    cloth.lattice = lattice;
    cloth.sheet.rotation = lying;
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.areal_density = areal_density;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

// Lying level about the origin.
static uint32_t spawn_level(struct sim_world *world, enum shape shape, float areal_density) {
    static const float triangle[] = {0, 0, 0, 0.4f, 0, 0, 0.1f, 0, 0.3f};
    static const float hexagon[] = {0,         0,     0, 0.2f, 0,     0, 0.1f,       0,    0.173205f, -0.1f,     0,
                                    0.173205f, -0.2f, 0, 0,    -0.1f, 0, -0.173205f, 0.1f, 0,         -0.173205f};
    static const float uneven[] = {0, 0, 0, 0.6f, 0, 0, 0.5f, 0, 0.5f, 0.05f, 0, 0.04f};
    static const uint32_t one[] = {0, 1, 2};
    static const uint32_t six[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6, 0, 6, 1};
    static const uint32_t two[] = {0, 1, 2, 0, 2, 3};
    switch (shape) {
    case TRIANGLE:
        return spawn_mesh(world, triangle, 3, one, 1, areal_density);
    case HEXAGON:
        return spawn_mesh(world, hexagon, 7, six, 6, areal_density);
    case UNEVEN:
        return spawn_mesh(world, uneven, 4, two, 2, areal_density);
    case GRID:
        return spawn_lattice(world, SIM_LATTICE_GRID, areal_density);
    default:
        return spawn_lattice(world, SIM_LATTICE_HEX, areal_density);
    }
}

static double speed_down(const struct sim_world *world) {
    const struct sim_measure measure = sim_world_measure(world);
    return -measure.momentum.y / measure.mass;
}

static struct sim_world *new_world_at(float tick_hz) {
    const struct sim_capacity capacity = {
        .particles = 1000, .sticks = 5000, .triangles = 2000, .objects = 10, .obstacles = 4, .shape_words = 100};
    struct sim_world *world = NULL;
    assert_int_equal(sim_world_create(&capacity, tick_hz, &world), RESULT_OK);
    return world;
}

// The speed at which a level sheet falls when it has fallen for four times the time that it needs to get there.
static double terminal_speed(enum shape shape, float areal_density, float tick_hz, uint32_t substeps) {
    struct sim_world *world = new_world_at(tick_hz);
    const double expected = sqrt(2.0 * (double)areal_density * GRAVITY / DENSITY);
    set_solver(world, substeps, 1, 0.0f);
    (void)spawn_level(world, shape, areal_density);
    step(world, (unsigned)(4.0 * expected / GRAVITY * (double)tick_hz) + 10);
    const double speed = speed_down(world);
    sim_world_destroy(world);
    return speed;
}

static double worst_terminal_speed(enum shape shape, float tick_hz) {
    static const float areal_densities[] = {0.005f, 0.02f, 0.1f, 0.3f, 2.0f};
    static const uint32_t substeps[] = {1, 2, 3, 8, 16, 32};
    // Two triangles alone fold up about their edge, from rounding, when they fall for long.
    const size_t densities = shape == UNEVEN ? 3 : sizeof areal_densities / sizeof areal_densities[0];
    double worst = 0.0;
    for (size_t i = 0; i < densities; i++) {
        const double expected = sqrt(2.0 * (double)areal_densities[i] * GRAVITY / DENSITY);
        for (size_t k = 0; k < sizeof substeps / sizeof substeps[0]; k++) {
            const double speed = terminal_speed(shape, areal_densities[i], tick_hz, substeps[k]);
            worst = fmax(worst, fabs(speed / expected - 1.0));
        }
    }
    return worst;
}

static void a_level_sheet_falls_at_its_terminal_velocity_at_any_tick_and_substep(void **state) {
    (void)state;
    static const float rates[] = {20.0f, 60.0f, 240.0f};
    for (int shape = 0; shape < SHAPES; shape++) {
        double worst = 0.0;
        for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
            worst = fmax(worst, worst_terminal_speed((enum shape)shape, rates[i]));
        }
        print_message("%s: terminal velocity within %.2f %%\n", shape_names[shape], 100.0 * worst);
        assert_true(worst < 0.03);
    }
}

// ---- held up -----------------------------------------------------------------------------------------------------

// A panel hung up by its edge in a level wind v comes to rest at the angle θ from the vertical where on every part of
// it the wind's push balances the weight across: ½·ρ·(v·cos θ)² = σ·g·sin θ.
static double panel_angle(double wind, double areal_density) {
    const double ratio = 0.5 * DENSITY * wind * wind / (areal_density * GRAVITY); // ratio·(1 − s²) = s
    return asin((sqrt(1.0 + 4.0 * ratio * ratio) - 1.0) / (2.0 * ratio));
}

static double measured_angle(uint32_t substeps, float wind, float areal_density) {
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, substeps, 4, 0.02f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.wind_velocity = (struct vec3){0.0f, 0.0f, wind};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    uint32_t id = 0;
    cloth.columns = 2;
    cloth.rows = 2;
    cloth.spacing = 0.3f;
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    cloth.sheet.areal_density = areal_density;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    step(world, 1200);
    const struct vec3 top = position_of(world, id, 1);
    const struct vec3 tip = position_of(world, id, 3);
    sim_world_destroy(world);
    return atan2((double)tip.z - (double)top.z, (double)top.y - (double)tip.y);
}

static void a_panel_hung_up_in_the_wind_leans_as_far_with_any_substeps(void **state) {
    (void)state;
    static const uint32_t substeps[] = {1, 2, 4, 8, 16, 32};
    static const float cases[][2] = {{1.0f, 0.2f}, {3.0f, 0.2f}, {3.0f, 0.1f}, {6.0f, 0.5f}};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double expected = panel_angle((double)cases[i][0], (double)cases[i][1]);
        for (size_t k = 0; k < sizeof substeps / sizeof substeps[0]; k++) {
            const double angle = measured_angle(substeps[k], cases[i][0], cases[i][1]);
            worst = fmax(worst, fabs(angle / expected - 1.0));
        }
    }
    print_message("a panel hung up in the wind: its angle within %.2f %%\n", 100.0 * worst);
    assert_true(worst < 0.03);
}

// ---- storms ------------------------------------------------------------------------------------------------------

// The greatest speed, of a corner or of the whole, of a panel in a wind of 40 m/s.
static void blow_at(enum shape shape, float areal_density, uint32_t substeps) {
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.gravity = still;
    parameters.substeps = substeps;
    parameters.wind_velocity = (struct vec3){0.0f, 40.0f, 0.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    const uint32_t id = spawn_level(world, shape, areal_density);
    double before = 0.0;
    for (unsigned tick = 0; tick < 120; tick++) {
        sim_world_step(world);
        const double speed = -speed_down(world);
        assert_true(speed >= before - 0.01 && speed < 40.01);
        assert_true(distance_of(velocity_of(world, id, 0), still) < 40.5);
        before = speed;
    }
    assert_true(before > (areal_density < 0.05f ? 39.0 : 25.0));
    sim_world_destroy(world);
}

static void a_storm_carries_a_panel_of_any_weight_and_never_faster_than_it_blows(void **state) {
    (void)state;
    static const float areal_densities[] = {1e-6f, 1e-4f, 1e-3f, 0.01f, 0.1f, 1.0f};
    static const uint32_t substeps[] = {1, 2, 8, 32};
    for (int shape = 0; shape < SHAPES; shape++) {
        for (size_t i = 0; i < sizeof areal_densities / sizeof areal_densities[0]; i++) {
            for (size_t k = 0; k < sizeof substeps / sizeof substeps[0]; k++) {
                blow_at((enum shape)shape, areal_densities[i], substeps[k]);
            }
        }
    }
}

// ---- no wind, no air ---------------------------------------------------------------------------------------------

static double fallen(float air_density, struct vec3 wind, float gust) {
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.air_density = air_density;
    parameters.wind_velocity = wind;
    parameters.wind_gust = gust;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    (void)spawn_level(world, GRID, 0.2f);
    step(world, 90);
    const double height = sim_world_measure(world).centre.y;
    sim_world_destroy(world);
    return -height;
}

static void still_air_is_what_a_wind_becomes_when_it_dies_down(void **state) {
    (void)state;
    const double calm = fallen(1.2f, still, 0.0f);
    const double breath = fallen(1.2f, (struct vec3){1e-6f, 0.0f, 0.0f}, 0.0f);
    print_message("fallen in 1.5 s: %.6f m in still air, %.6f m in a wind of 1e-6 m/s\n", calm, breath);
    assert_true(fabs(calm - breath) < 1e-5 && calm < 3.0);
    assert_true(fabs(calm - fallen(1.2f, still, 1.0f)) == 0.0);
}

static void without_air_a_sheet_falls_freely_whatever_the_wind(void **state) {
    (void)state;
    const double n = 90.0 * 8.0;
    const double h = 1.0 / 480.0;
    const double expected = GRAVITY * h * h * n * (n + 1.0) / 2.0;
    assert_true(fabs(fallen(0.0f, still, 0.0f) / expected - 1.0) < 2e-5);
    assert_true(fabs(fallen(0.0f, (struct vec3){0.0f, 30.0f, 0.0f}, 1.0f) / expected - 1.0) < 2e-5);
}

static void drag_grows_with_the_density_of_the_air(void **state) {
    (void)state;
    double before = fallen(0.0f, still, 0.0f);
    for (float density = 0.01f; density < 1500.0f; density *= 4.0f) {
        const double now = fallen(density, still, 0.0f);
        assert_true(now < before && now > 0.0);
        before = now;
    }
}

static void a_density_of_air_below_0_or_beyond_reason_is_refused(void **state) {
    (void)state;
    static const float wrong[] = {-0.1f, 2001.0f, NAN, INFINITY};
    struct sim_world *world = new_world();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct fault fault = {0};
        struct sim_parameters parameters = *sim_world_parameters(world);
        parameters.air_density = wrong[i];
        assert_int_equal(sim_world_set_parameters(world, &parameters, &fault), RESULT_INVALID);
        assert_string_equal(fault.pointer, "/airDensity");
    }
    assert_true(sim_world_parameters(world)->air_density == 1.2f);
    sim_world_destroy(world);
}

// ---- the same at every width -------------------------------------------------------------------------------------

static uint64_t hash_after_storm(unsigned lanes) {
    struct fault fault;
    struct sim_world *world = new_world();
    if (!sim_world_set_lanes(world, lanes)) {
        sim_world_destroy(world);
        return 0;
    }
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.wind_velocity = (struct vec3){12.0f, 1.0f, 5.0f};
    parameters.wind_gust = 0.8f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    uint32_t object = 0;
    for (int shape = 0; shape < SHAPES; shape++) {
        object = spawn_level(world, (enum shape)shape, 0.003f);
    }
    MUST(sim_force_apply(world, object, NULL, 0, (struct vec3){0.1f, 0.2f, 0.0f}, 5, &fault));
    step(world, 40);
    const uint64_t hash = sim_world_hash(world);
    sim_world_destroy(world);
    return hash;
}

static void a_storm_gives_the_same_bits_at_every_vector_width(void **state) {
    (void)state;
    const uint64_t narrow = hash_after_storm(4);
    for (unsigned lanes = 8; lanes <= 16; lanes *= 2) {
        const uint64_t wide = hash_after_storm(lanes);
        assert_true(wide == 0 || wide == narrow);
    }
}

// The force is found several times in a tick; what a command's force adds stays what it is.
static void a_force_on_a_sheet_in_a_storm_adds_its_impulse_once(void **state) {
    (void)state;
    double momentum[2] = {0.0, 0.0};
    for (int pushed = 0; pushed < 2; pushed++) {
        struct fault fault;
        struct sim_world *world = new_world();
        struct sim_parameters parameters = *sim_world_parameters(world);
        parameters.gravity = still;
        parameters.wind_velocity = (struct vec3){0.0f, 20.0f, 0.0f};
        MUST(sim_world_set_parameters(world, &parameters, &fault));
        const uint32_t id = spawn_level(world, GRID, 0.02f);
        if (pushed == 1) {
            MUST(sim_force_apply(world, id, NULL, 0, (struct vec3){0.3f, 0.0f, 0.0f}, 3, &fault)); // along the sheet
        }
        step(world, 3);
        momentum[pushed] = sim_world_measure(world).momentum.x;
        sim_world_destroy(world);
    }
    assert_true(fabs(momentum[1] - momentum[0] - 0.3 * 3.0 / 60.0) < 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_sheet_falls_at_its_terminal_velocity_at_any_tick_and_substep),
        cmocka_unit_test(a_panel_hung_up_in_the_wind_leans_as_far_with_any_substeps),
        cmocka_unit_test(a_storm_carries_a_panel_of_any_weight_and_never_faster_than_it_blows),
        cmocka_unit_test(still_air_is_what_a_wind_becomes_when_it_dies_down),
        cmocka_unit_test(without_air_a_sheet_falls_freely_whatever_the_wind),
        cmocka_unit_test(drag_grows_with_the_density_of_the_air),
        cmocka_unit_test(a_density_of_air_below_0_or_beyond_reason_is_refused),
        cmocka_unit_test(a_storm_gives_the_same_bits_at_every_vector_width),
        cmocka_unit_test(a_force_on_a_sheet_in_a_storm_adds_its_impulse_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
