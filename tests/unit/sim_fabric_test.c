// SPDX-License-Identifier: MIT
// Cloth as a material (server/sim/PHYSICS.md 7.5): strips that stretch, shear and bend by the figures of their fabric,
// whatever their mesh; drape; flight; refusals; and that all of it is kept.
#include "sim_fixture.h"

#include "sim/archive.h"
#include "sim/probe.h"
#include "sim/world/world.h"

#define GRAVITY 9.81
#define PI 3.14159265358979
#define MOST 4000

static const struct quat level = {-0.70710678f, 0.0f, 0.0f, 0.70710678f};

static struct sim_world *quiet_world(uint32_t substeps, uint32_t iterations, float damping) {
    struct sim_world *world = new_world();
    struct fault fault;
    set_solver(world, substeps, iterations, damping);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.air_density = 0.0f;
    parameters.sleep = false;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    return world;
}

// ---- strips ------------------------------------------------------------------------------------------------------

enum strip_mesh { GRID, HEX, GIVEN, STRIP_MESHES };
static const char *const mesh_names[] = {"grid", "hexagonal lattice", "irregular mesh"};

// A strip of `rows` by `columns` particles, row 0 first, as lattice or as a mesh of its own; its length runs along the
// warp, or along the weft when it is turned.
struct strip {
    enum strip_mesh mesh;
    uint32_t columns, rows;
    double spacing, row; // m
    bool along_weft;
};

static struct strip strip_of(enum strip_mesh mesh, uint32_t columns, uint32_t cells, double length, bool along_weft) {
    struct strip strip = {.mesh = mesh, .columns = columns, .rows = cells + 1, .along_weft = along_weft};
    strip.row = length / cells;
    strip.spacing = mesh == HEX ? strip.row / 0.86602540378 : strip.row;
    return strip;
}

static uint32_t index_in(const struct strip *strip, uint32_t row, uint32_t column) {
    return strip->along_weft && strip->mesh != GIVEN ? column * strip->rows + row : row * strip->columns + column;
}

static double width_of(const struct strip *strip) {
    return (double)(strip->columns - 1) * strip->spacing;
}

static double random_share(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0;
}

// Points are moved off their places by up to a fifth of the spacing within the strip, and diagonals lie at random.
static uint32_t spawn_given(struct sim_world *world, const struct strip *strip, struct sim_sheet_desc sheet) {
    static float points[3 * MOST];
    static uint32_t triangles[6 * MOST];
    struct fault fault;
    uint32_t id = 0, count = 0;
    uint32_t seed = 7;
    for (uint32_t r = 0; r < strip->rows; r++) {
        for (uint32_t c = 0; c < strip->columns; c++) {
            float *at = points + 3 * (size_t)index_in(strip, r, c);
            const bool rim = r < 2 || c == 0 || r + 1 == strip->rows || c + 1 == strip->columns;
            const double off = rim ? 0.0 : 0.4 * strip->spacing;
            const double across = c * strip->spacing + off * (random_share(&seed) - 0.5);
            const double along = -(r * strip->row) + off * (random_share(&seed) - 0.5);
            at[0] = (float)(strip->along_weft ? -along : across);
            at[1] = (float)(strip->along_weft ? across : along);
            at[2] = 0.0f;
        }
    }
    for (uint32_t r = 0; r + 1 < strip->rows; r++) {
        for (uint32_t c = 0; c + 1 < strip->columns; c++) {
            const uint32_t a = index_in(strip, r, c), b = a + 1, d = a + strip->columns;
            const bool odd = random_share(&seed) > 0.5;
            const uint32_t corners[6] = {a, d, odd ? d + 1 : b, odd ? a : b, odd ? d + 1 : d, odd ? b : d + 1};
            memcpy(triangles + 3 * (size_t)count, corners, sizeof corners);
            count += 2;
        }
    }
    const struct sim_mesh_desc mesh = {.positions = points,
                                       .particles = strip->columns * strip->rows,
                                       .triangles = triangles,
                                       .triangle_count = count,
                                       .sheet = sheet};
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    return id;
}

// The first `held` rows are pinned.
static uint32_t spawn_strip(struct sim_world *world, const struct strip *strip, const struct sim_fabric *fabric,
                            struct quat rotation, uint32_t held) {
    struct fault fault;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    uint32_t pins[MOST], count = 0, id = 0;
    for (uint32_t r = 0; r < held; r++) {
        for (uint32_t c = 0; c < strip->columns; c++) {
            pins[count++] = index_in(strip, r, c);
        }
    }
    cloth.columns = strip->along_weft ? strip->rows : strip->columns;
    cloth.rows = strip->along_weft ? strip->columns : strip->rows;
    cloth.spacing = (float)strip->spacing;
    cloth.lattice = strip->mesh == HEX ? SIM_LATTICE_HEX : SIM_LATTICE_GRID;
    cloth.sheet.rotation = rotation;
    cloth.sheet.pins = (struct sim_pins){SIM_PIN_LIST, pins, count};
    cloth.sheet.fabric = *fabric;
    cloth.sheet.areal_density = fabric->areal_density;
    if (strip->mesh == GIVEN) {
        return spawn_given(world, strip, cloth.sheet);
    }
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

// The mean place of the last row.
static struct vec3 end_of(const struct sim_world *world, uint32_t id, const struct strip *strip) {
    struct vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t c = 0; c < strip->columns; c++) {
        const struct vec3 at = position_of(world, id, index_in(strip, strip->rows - 1, c));
        sum = (struct vec3){sum.x + at.x, sum.y + at.y, sum.z + at.z};
    }
    const float share = 1.0f / (float)strip->columns;
    return (struct vec3){sum.x * share, sum.y * share, sum.z * share};
}

// ---- bending: the cantilever -------------------------------------------------------------------------------------

// The drop of the tip of a heavy strip of length L that is held level, as a share of L: the elastica B·θ'' = −w·(L −
// s)·cos θ, θ(0) = 0, θ'(L) = 0, with c³ = B/w, by shooting.
static double elastica_drop(double length, double cube) {
    const unsigned steps = 2000;
    const double ds = length / steps;
    double low = 0.0, high = 20.0 / length, drop = 0.0;
    for (unsigned round = 0; round < 60; round++) {
        const double start = 0.5 * (low + high);
        double angle = 0.0, turn = start;
        drop = 0.0;
        for (unsigned i = 0; i < steps; i++) {
            const double s = i * ds;
            const double half = angle + 0.5 * ds * turn, half_turn = turn - 0.5 * ds * (length - s) * cos(angle) / cube;
            drop += ds * sin(half);
            turn -= ds * (length - s - 0.5 * ds) * cos(half) / cube;
            angle += ds * half_turn;
        }
        *(turn > 0.0 ? &high : &low) = start;
    }
    return drop / length;
}

// The share by which a strip's tip drops, and that by which theory says it does. Half of the panel row between the two
// held rows bends too: the strip is held in the middle of it.
static double drop_off(enum strip_mesh mesh, uint32_t cells, bool along_weft) {
    const struct sim_fabric fabric = {500.0f, 500.0f, 25.0f, 5e-5f, 2e-5f, 0.2f, 0.0f};
    const double bending = along_weft ? 2e-5 : 5e-5;
    const double cube = bending / (0.2 * GRAVITY);
    const double length = 2.0 * cbrt(cube); // at Peirce's angle of 41.5° half of the overhang is the bending length
    struct strip strip = strip_of(mesh, cells / 2 + 1, cells + 1, length * (cells + 1) / (cells + 0.5), along_weft);
    struct sim_world *world = quiet_world(32, 4, 0.06f);
    const uint32_t id = spawn_strip(world, &strip, &fabric, level, 2);
    const double before = (double)end_of(world, id, &strip).y;
    step(world, 180);
    const double drop = (before - (double)end_of(world, id, &strip).y) / length;
    const double expected = elastica_drop(length, cube);
    sim_world_destroy(world);
    return drop / expected - 1.0;
}

static void a_strip_bends_under_its_weight_as_the_elastica_does(void **state) {
    (void)state;
    static const uint32_t cells[] = {6, 9, 12};
    for (unsigned mesh = 0; mesh < STRIP_MESHES; mesh++) {
        double worst = 0.0;
        for (unsigned i = 0; i < 3; i++) {
            for (unsigned weft = 0; weft < (mesh == HEX ? 1u : 2u); weft++) {
                worst = fmax(worst, fabs(drop_off((enum strip_mesh)mesh, cells[i], weft == 1)));
            }
        }
        print_message("cantilever, %s: within %.2f %% of the elastica at three resolutions\n", mesh_names[mesh],
                      100.0 * worst);
        assert_true(worst < 0.1);
    }
}

// ---- stretch and shear -------------------------------------------------------------------------------------------

// Pulls the last row by `force` in all until it rests; returns how far it went.
static double pull(const struct strip *strip, const struct sim_fabric *fabric, struct vec3 force) {
    struct fault fault;
    struct sim_world *world = quiet_world(32, 8, 0.2f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const uint32_t id = spawn_strip(world, strip, fabric, (struct quat){0.0f, 0.0f, 0.0f, 1.0f}, 1);
    const struct vec3 before = end_of(world, id, strip);
    for (unsigned tick = 0; tick < 150; tick++) {
        // Each particle of the row bears the width on either side of it.
        for (uint32_t c = 0; c < strip->columns; c++) {
            const uint32_t index = index_in(strip, strip->rows - 1, c);
            const float share = (c == 0 || c + 1 == strip->columns ? 0.5f : 1.0f) / (float)(strip->columns - 1);
            MUST(sim_force_apply(world, id, &index, 1, (struct vec3){share * force.x, share * force.y, share * force.z},
                                 1, &fault));
        }
        sim_world_step(world);
    }
    const struct vec3 after = end_of(world, id, strip);
    sim_world_destroy(world);
    return distance_of(before, after);
}

static void a_strip_stretches_by_force_over_stiffness_and_width(void **state) {
    (void)state;
    const struct sim_fabric fabric = {200.0f, 100.0f, 20.0f, 1e-5f, 1e-5f, 0.2f, 0.0f};
    static const uint32_t cells[] = {6, 8, 12};
    double worst = 0.0;
    for (unsigned mesh = 0; mesh < STRIP_MESHES; mesh++) {
        for (unsigned i = 0; i < 3; i++) {
            for (unsigned weft = 0; weft < (mesh == HEX ? 1u : 2u); weft++) {
                const struct strip strip = strip_of((enum strip_mesh)mesh, cells[i] / 2 + 1, cells[i], 0.2, weft == 1);
                const double stiffness = weft == 1 ? 100.0 : 200.0;
                // Every second row of the hexagonal lattice is shifted: the notches at its sides carry nothing.
                const double width = width_of(&strip) - (mesh == HEX ? 0.5 * strip.spacing : 0.0);
                const float force = (float)(0.03 * stiffness * width);
                const struct vec3 along =
                    weft == 1 ? (struct vec3){force, 0.0f, 0.0f} : (struct vec3){0.0f, -force, 0.0f};
                const double off = pull(&strip, &fabric, along) / (0.03 * 0.2) - 1.0;
                worst = fmax(worst, fabs(off));
            }
        }
    }
    print_message("stretch of strips: within %.2f %% of force/(stiffness·width)\n", 100.0 * worst);
    assert_true(worst < 0.05);
}

// A wide strip, so that its free sides hardly matter.
static void a_wide_strip_shears_by_force_over_stiffness_and_width(void **state) {
    (void)state;
    const struct sim_fabric fabric = {400.0f, 400.0f, 10.0f, 1e-5f, 1e-5f, 0.2f, 0.0f};
    double worst = 0.0;
    for (unsigned mesh = 0; mesh < STRIP_MESHES; mesh++) {
        for (uint32_t cells = 2; cells <= 3; cells++) {
            const struct strip strip = strip_of((enum strip_mesh)mesh, 12 * cells + 1, cells, 0.05, false);
            const float force = (float)(0.03 * 10.0 * width_of(&strip));
            const double off = pull(&strip, &fabric, (struct vec3){force, 0.0f, 0.0f}) / (0.03 * 0.05) - 1.0;
            worst = fmax(worst, fabs(off));
        }
    }
    print_message("shear of strips: within %.2f %% of force/(stiffness·width)\n", 100.0 * worst);
    assert_true(worst < 0.05);
}

// ---- drape: Cusick's test ----------------------------------------------------------------------------------------

struct disc {
    float points[3 * MOST];
    uint32_t triangles[6 * MOST];
    uint32_t particles, count, rings;
};

// A disc of `rings` rings of triangles, 6·k points on ring k; a little uneven, or it would not fold.
static void make_disc(struct disc *disc, double radius, uint32_t rings) {
    *disc = (struct disc){.rings = rings};
    for (uint32_t k = 0; k <= rings; k++) {
        for (uint32_t i = 0; i < (k == 0 ? 1 : 6 * k); i++) {
            const double angle = k == 0 ? 0.0 : 2.0 * PI * i / (6.0 * k), r = radius * k / rings;
            float *at = disc->points + 3 * (size_t)disc->particles;
            at[0] = (float)(r * cos(angle));
            at[1] = (float)(1e-4 * cos(2.0 * angle + k) * sin(3.0 * angle));
            at[2] = (float)(-r * sin(angle));
            disc->particles++;
        }
    }
    for (uint32_t k = 1; k <= rings; k++) {
        const uint32_t outer = 1 + 3 * k * (k - 1), inner = k > 1 ? 1 + 3 * (k - 1) * (k - 2) : 0;
        for (uint32_t i = 0; i < 6 * k; i++) {
            const uint32_t side = i / k, step_in = i % k, around = k > 1 ? 6 * (k - 1) : 1;
            const uint32_t in = inner + (side * (k - 1) + step_in) % around, next = outer + (i + 1) % (6 * k);
            const uint32_t corners[6] = {outer + i, next, in, next, inner + (side * (k - 1) + step_in + 1) % around,
                                         in};
            const uint32_t more = step_in + 1 < k ? 2 : 1;
            memcpy(disc->triangles + 3 * (size_t)disc->count, corners, 3 * (size_t)more * sizeof *corners);
            disc->count += more;
        }
    }
}

// Share of the ring between pedestal and rim that the shadow of a draped disc covers (G. E. Cusick, 1968): the disc of
// 300 mm lies on a pedestal of 180 mm, between plates.
static double drape_coefficient(uint32_t rings, const struct sim_fabric *fabric) {
    static struct disc disc;
    struct fault fault;
    uint32_t id = 0, pins = 0, pinned[MOST];
    make_disc(&disc, 0.15, rings);
    for (uint32_t i = 0; i < disc.particles; i++) {
        if (hypot((double)disc.points[3 * i], (double)disc.points[3 * i + 2]) < 0.09 + 1e-6) {
            pinned[pins++] = i;
        }
    }
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = disc.points;
    mesh.particles = disc.particles;
    mesh.triangles = disc.triangles;
    mesh.triangle_count = disc.count;
    mesh.sheet.pins = (struct sim_pins){SIM_PIN_LIST, pinned, pins};
    mesh.sheet.fabric = *fabric;
    mesh.sheet.areal_density = fabric->areal_density;
    struct sim_world *world = quiet_world(64, 1, 0.02f);
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    step(world, 220);
    double shadow = 0.0;
    const uint32_t rim = 1 + 3 * rings * (rings - 1);
    for (uint32_t i = 0; i < 6 * rings; i++) {
        const struct vec3 a = position_of(world, id, rim + i), b = position_of(world, id, rim + (i + 1) % (6 * rings));
        shadow += 0.5 * ((double)a.z * (double)b.x - (double)a.x * (double)b.z);
    }
    sim_world_destroy(world);
    return (fabs(shadow) - PI * 0.09 * 0.09) / (PI * (0.15 * 0.15 - 0.09 * 0.09));
}

static void a_disc_drapes_alike_at_three_resolutions(void **state) {
    (void)state;
    const struct sim_fabric cotton = sim_fabric_named(SIM_FABRIC_COTTON), twill = sim_fabric_named(SIM_FABRIC_TWILL);
    static const uint32_t rings[] = {10, 15, 20};
    double drape[3], mean = 0.0, worst = 0.0;
    for (unsigned i = 0; i < 3; i++) {
        drape[i] = drape_coefficient(rings[i], &cotton);
        mean += drape[i] / 3.0;
    }
    for (unsigned i = 0; i < 3; i++) {
        worst = fmax(worst, fabs(drape[i] / mean - 1.0));
    }
    print_message("Cusick drape of cotton: %.3f, %.3f, %.3f at 15, 10, 7.5 mm, within %.1f %% of their mean\n",
                  drape[0], drape[1], drape[2], 100.0 * worst);
    assert_true(worst < 0.1);
    assert_true(drape_coefficient(10, &twill) > 1.3 * drape[0]);
}

// ---- flight ------------------------------------------------------------------------------------------------------

// A sheet thrown with a spin about an axis askew to it, in a vacuum without gravity.
static uint32_t throw_sheet(struct sim_world *world, bool given) {
    struct sim_fabric fabric = sim_fabric_named(SIM_FABRIC_DENIM);
    struct fault fault;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    uint32_t id = 0;
    cloth.columns = 9;
    cloth.rows = 11;
    cloth.spacing = 0.03f;
    cloth.lattice = given ? SIM_LATTICE_HEX : SIM_LATTICE_GRID;
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.fabric = fabric;
    cloth.sheet.areal_density = fabric.areal_density;
    cloth.sheet.projection = SIM_PROJECTION_START;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    const struct sim_particles_view p = sim_world_particles(world);
    for (uint32_t i = 0; i < p.count; i++) {
        const float x = p.x[i], y = p.y[i], z = p.z[i]; // v = (0.3, 0.1, −0.2) + (0.2, 0.1, 2) × x
        world->dx[i] = (0.3f + 0.1f * z - 2.0f * y) * p.substep;
        world->dy[i] = (0.1f + 2.0f * x - 0.2f * z) * p.substep;
        world->dz[i] = (-0.2f + 0.2f * y - 0.1f * x) * p.substep;
    }
    return id;
}

static double size_of(struct sim_triple v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static double change_of(struct sim_triple a, struct sim_triple b) {
    return size_of((struct sim_triple){b.x - a.x, b.y - a.y, b.z - a.z}) / size_of(a);
}

static void a_spinning_sheet_keeps_its_energy_and_momenta(void **state) {
    (void)state;
    double energy = 0.0, momentum = 0.0, angular = 0.0;
    for (unsigned given = 0; given < 2; given++) {
        struct sim_world *world = quiet_world(16, 2, 0.0f);
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        (void)throw_sheet(world, given == 1);
        const struct sim_measure before = sim_world_measure(world);
        step(world, 600);
        const struct sim_measure after = sim_world_measure(world);
        energy = fmax(energy, fabs(after.kinetic / before.kinetic - 1.0));
        momentum = fmax(momentum, change_of(before.momentum, after.momentum));
        angular = fmax(angular, change_of(before.angular_momentum, after.angular_momentum));
        sim_world_destroy(world);
    }
    print_message("fabric that flies for 10 s: energy off by %.4f %%, momentum %.5f %%, angular momentum %.4f %%\n",
                  100.0 * energy, 100.0 * momentum, 100.0 * angular);
    assert_true(energy < 1e-3 && momentum < 1e-3 && angular < 1e-3);
}

// ---- keeping -----------------------------------------------------------------------------------------------------

static struct sim_world *draped_world(void) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    const struct sim_obstacle ball = {.shape = SIM_OBSTACLE_SPHERE, .radius = 0.15f, .friction = 0.5f};
    MUST(sim_obstacle_add(world, &ball, &id, &fault));
    for (unsigned i = 0; i < SIM_FABRIC_NAME_COUNT; i++) {
        struct sim_cloth_desc cloth = level_cloth(9, 0.2f + 0.03f * (float)i);
        cloth.sheet.fabric = sim_fabric_named((enum sim_fabric_name)i);
        cloth.sheet.areal_density = cloth.sheet.fabric.areal_density;
        cloth.sheet.tear = 1.2f;
        cloth.lattice = i % 2 == 1 ? SIM_LATTICE_HEX : SIM_LATTICE_GRID;
        MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    }
    return world;
}

static void fabrics_are_kept_in_archives_and_by_removals(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = draped_world(), *copy = new_world();
    step(world, 20);
    MUST(sim_object_remove(world, sim_world_object_at(world, 2).id, &fault));
    const struct sim_object_view view = sim_world_object_at(world, 0);
    const uint32_t middle = 40;
    uint32_t made = 0;
    MUST(sim_particle_tear(world, view.id, &middle, 1, &made, &fault));
    const size_t length = sim_world_archive_length(world);
    unsigned char *bytes = malloc(length);
    assert_non_null(bytes);
    sim_world_archive(world, bytes);
    MUST(sim_world_unarchive(copy, bytes, length, &fault));
    assert_true(sim_world_hash(world) == sim_world_hash(copy));
    step(world, 40);
    step(copy, 40);
    assert_true(sim_world_hash(world) == sim_world_hash(copy));
    assert_true(sim_world_set_lanes(copy, 4));
    step(world, 10);
    step(copy, 10);
    assert_true(sim_world_hash(world) == sim_world_hash(copy));
    free(bytes);
    sim_world_destroy(world);
    sim_world_destroy(copy);
}

static void a_shape_without_area_is_refused_in_an_archive(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = draped_world(), *copy = new_world();
    world->panel_shape[4] = world->panel_shape[5] = 0.0f;
    const size_t length = sim_world_archive_length(world);
    unsigned char *bytes = malloc(length);
    assert_non_null(bytes);
    sim_world_archive(world, bytes);
    assert_int_equal(sim_world_unarchive(copy, bytes, length, &fault), RESULT_INVALID);
    assert_non_null(strstr(fault.message, "a panel of object"));
    free(bytes);
    sim_world_destroy(world);
    sim_world_destroy(copy);
}

// ---- changes and refusals ----------------------------------------------------------------------------------------

static void a_fabric_takes_other_figures_and_sticks_take_none(void **state) {
    (void)state;
    struct fault fault;
    uint32_t cloth = 0, plain = 0;
    struct sim_world *world = new_world();
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    MUST(sim_cloth_spawn(world, &desc, &plain, &fault));
    desc.sheet.fabric = sim_fabric_named(SIM_FABRIC_NYLON);
    MUST(sim_cloth_spawn(world, &desc, &cloth, &fault));
    struct sim_fabric other = sim_fabric_named(SIM_FABRIC_TWILL);
    MUST(sim_object_set(world, cloth, (struct sim_material){.fabric = &other}, &fault));
    assert_true(view_of(world, cloth).fabric->stretch_warp == other.stretch_warp);
    assert_null(view_of(world, plain).fabric);
    assert_null(view_of(world, cloth).stretch_compliance);
    assert_int_equal(sim_object_set(world, plain, (struct sim_material){.fabric = &other}, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/stretchWarp");
    other.bend_weft = 11.0f;
    assert_int_equal(sim_object_set(world, cloth, (struct sim_material){.fabric = &other}, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/bendWeft");
    sim_world_destroy(world);
}

static void expect_refused(const struct sim_mesh_desc *mesh, const char *pointer) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    const uint64_t before = sim_world_hash(world);
    assert_int_equal(sim_mesh_spawn(world, mesh, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, pointer);
    assert_true(sim_world_hash(world) == before);
    sim_world_destroy(world);
}

static void figures_out_of_range_and_flat_triangles_are_refused(void **state) {
    (void)state;
    static const float flat[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.5f, 1e-5f, 0.0f};
    static const float sound[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.5f, 1.0f, 0.0f};
    static const uint32_t triangle[] = {0, 1, 2};
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.particles = 3;
    mesh.triangles = triangle;
    mesh.triangle_count = 1;
    mesh.positions = flat;
    mesh.sheet.fabric = sim_fabric_named(SIM_FABRIC_COTTON);
    expect_refused(&mesh, "/triangles");
    mesh.positions = sound;
    mesh.sheet.fabric.stretch_warp = NAN;
    expect_refused(&mesh, "/stretchWarp");
    mesh.sheet.fabric.stretch_warp = 2e6f;
    expect_refused(&mesh, "/stretchWarp");
    mesh.sheet.fabric.stretch_warp = 100.0f;
    mesh.sheet.fabric.stretch_weft = 0.0f;
    expect_refused(&mesh, "/stretchWeft");
    mesh.sheet.fabric.stretch_weft = 100.0f;
    mesh.sheet.fabric.shear = 0.0f;
    expect_refused(&mesh, "/shearStiffness");
    mesh.sheet.fabric.shear = 1.0f;
    mesh.sheet.fabric.bend_warp = 1e-12f;
    expect_refused(&mesh, "/bendWarp");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strip_bends_under_its_weight_as_the_elastica_does),
        cmocka_unit_test(a_strip_stretches_by_force_over_stiffness_and_width),
        cmocka_unit_test(a_wide_strip_shears_by_force_over_stiffness_and_width),
        cmocka_unit_test(a_disc_drapes_alike_at_three_resolutions),
        cmocka_unit_test(a_spinning_sheet_keeps_its_energy_and_momenta),
        cmocka_unit_test(fabrics_are_kept_in_archives_and_by_removals),
        cmocka_unit_test(a_shape_without_area_is_refused_in_an_archive),
        cmocka_unit_test(a_fabric_takes_other_figures_and_sticks_take_none),
        cmocka_unit_test(figures_out_of_range_and_flat_triangles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
