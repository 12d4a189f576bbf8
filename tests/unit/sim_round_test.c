// SPDX-License-Identifier: MIT
// Round and compound bodies (server/sim/PHYSICS.md 6.9, 6.10): mass properties in closed form, rolling as theory says,
// free flight, rest, and walls that nothing passes.
#include "sim_fixture.h"

#include <string.h>

#include "sim/archive.h"

#define PI 3.14159265358979323846

static uint32_t spawn(struct sim_world *world, const struct sim_body_desc *desc) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_body_spawn(world, desc, &id, &fault));
    return id;
}

static const struct quat upright = {0.0f, 0.0f, 0.0f, 1.0f};
static const struct quat lying = {0.70710678f, 0.0f, 0.0f, 0.70710678f}; // the axis along z

static struct sim_body_desc round_body(enum sim_body_shape shape, float radius, float length) {
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = shape;
    desc.radius = radius;
    desc.length = length;
    desc.mass = 2.0f;
    return desc;
}

static struct sim_body_part box_part(float x, float y, float z, struct vec3 position) {
    return (struct sim_body_part){
        .shape = SIM_BODY_BOX, .extents = {x, y, z}, .position = position, .rotation = upright, .density = 1.0f};
}

// Seat, back and four legs.
static struct sim_body_desc chair_of(struct sim_body_part parts[6]) {
    struct sim_body_desc desc = sim_body_desc_default();
    parts[0] = box_part(0.4f, 0.04f, 0.4f, (struct vec3){0.0f, 0.0f, 0.0f});
    parts[1] = box_part(0.4f, 0.36f, 0.04f, (struct vec3){0.0f, 0.2f, -0.18f});
    for (uint32_t i = 0; i < 4; i++) {
        const struct vec3 at = {(i & 1) != 0 ? 0.18f : -0.18f, -0.22f, (i & 2) != 0 ? 0.17f : -0.12f};
        parts[2 + i] = box_part(0.04f, 0.4f, 0.04f, at);
    }
    desc.shape = SIM_BODY_COMPOUND;
    desc.parts = parts;
    desc.part_count = 6;
    desc.mass = 5.0f;
    return desc;
}

static uint32_t add_plane(struct sim_world *world, double degrees, float friction) {
    struct fault fault;
    uint32_t id = 0;
    const double angle = degrees * PI / 180.0;
    const struct sim_obstacle plane = {.shape = SIM_OBSTACLE_PLANE,
                                       .normal = {(float)-sin(angle), (float)cos(angle), 0.0f},
                                       .rotation = upright,
                                       .friction = friction};
    MUST(sim_obstacle_add(world, &plane, &id, &fault));
    return id;
}

// ---- what four particles amount to -------------------------------------------------------------------------------

struct state {
    double mass, centre[3], velocity[3], momentum[3], energy; // momentum: angular, about the centre
    double inertia[3][3];
};

static struct state state_of(const struct sim_world *world, uint32_t id) {
    const struct sim_object_view view = view_of(world, id);
    const struct sim_particles_view p = sim_world_particles(world);
    struct state s = {0};
    double at[4][3];
    double going[4][3];
    double mass[4];
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t i = view.first + k;
        const float x[3] = {p.x[i], p.y[i], p.z[i]};
        const float d[3] = {p.dx[i], p.dy[i], p.dz[i]};
        mass[k] = 1.0 / (double)sim_particle_own_inverse_mass(world, i);
        s.mass += mass[k];
        for (unsigned a = 0; a < 3; a++) { // halfway through the last substep, where the displacement is the velocity
            at[k][a] = (double)x[a] - 0.5 * (double)d[a];
            going[k][a] = (double)d[a] / (double)p.substep;
            s.centre[a] += mass[k] * at[k][a];
            s.velocity[a] += mass[k] * going[k][a];
        }
    }
    for (unsigned a = 0; a < 3; a++) {
        s.centre[a] /= s.mass;
        s.velocity[a] /= s.mass;
    }
    for (unsigned k = 0; k < 4; k++) {
        double r[3];
        for (unsigned a = 0; a < 3; a++) {
            r[a] = at[k][a] - s.centre[a];
            s.energy += 0.5 * mass[k] * going[k][a] * going[k][a];
        }
        for (unsigned a = 0; a < 3; a++) {
            s.momentum[a] +=
                mass[k] * (r[(a + 1) % 3] * going[k][(a + 2) % 3] - r[(a + 2) % 3] * going[k][(a + 1) % 3]);
        }
        for (unsigned a = 0; a < 9; a++) {
            const double whole = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
            s.inertia[a / 3][a % 3] += mass[k] * ((a / 3 == a % 3 ? whole : 0.0) - r[a / 3] * r[a % 3]);
        }
    }
    return s;
}

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// ---- mass properties ---------------------------------------------------------------------------------------------

// The largest difference of the inertia tensor from what it should be, as a share of its trace.
static double inertia_error(const struct state *s, const double expected[3][3]) {
    double worst = 0.0;
    double trace = 0.0;
    for (unsigned a = 0; a < 9; a++) {
        worst = fmax(worst, fabs(s->inertia[a / 3][a % 3] - expected[a / 3][a % 3]));
        trace += a / 3 == a % 3 ? expected[a / 3][a % 3] : 0.0;
    }
    return worst / trace;
}

static void round_bodies_have_the_inertia_of_their_closed_forms(void **state) {
    (void)state;
    const double r = 0.1;
    const double l = 0.4;
    const double m = 2.0;
    const double barrel = PI * r * r * l;
    const double ball = 4.0 / 3.0 * PI * r * r * r;
    const double mb = m * barrel / (barrel + ball);
    const double ms = m * ball / (barrel + ball);
    const double ends = ms * (0.4 * r * r + 3.0 * r * l / 8.0 + l * l / 4.0);
    const double about[3][2] = {
        // along the axis and across it
        {0.4 * m * r * r, 0.4 * m * r * r},
        {mb * r * r / 2.0 + ms * 0.4 * r * r, mb * (r * r / 4.0 + l * l / 12.0) + ends},
        {m * r * r / 2.0, m * (r * r / 4.0 + l * l / 12.0)},
    };
    static const char *const names[3] = {"sphere", "capsule", "cylinder"};
    for (unsigned k = 0; k < 3; k++) {
        struct sim_world *world = new_world();
        const struct sim_body_desc desc = round_body((enum sim_body_shape)(SIM_BODY_SPHERE + k), (float)r, (float)l);
        const struct state s = state_of(world, spawn(world, &desc));
        const double expected[3][3] = {{about[k][1], 0.0, 0.0}, {0.0, about[k][0], 0.0}, {0.0, 0.0, about[k][1]}};
        const double off = inertia_error(&s, expected);
        print_message("%s: inertia tensor within %.1e\n", names[k], off);
        assert_true(off < 1e-5);
        assert_true(fabs(s.mass - m) < 1e-5 && length_of(s.centre) < 1e-6);
        sim_world_destroy(world);
    }
}

// The second moment Σx² of a rounded box over its volume, by summing thin slices: at the height x beyond the core the
// slice is a rounded rectangle.
static double slice_of(double b, double c, double r, double x, double half) {
    const double over = x > half ? x - half : 0.0;
    const double q = sqrt(fmax(r * r - over * over, 0.0));
    return b * c + 2.0 * q * (b + c) + PI * q * q;
}

static double moment_of(double a, double b, double c, double r, double *volume) {
    const double half = 0.5 * a;
    const double step = (half + r) / 20000.0;
    double sum = 0.0;
    *volume = 0.0;
    for (unsigned i = 0; i < 20000; i++) {
        const double x = ((double)i + 0.5) * step;
        const double slice = 2.0 * slice_of(b, c, r, x, half) * step;
        *volume += slice;
        sum += slice * x * x;
    }
    return sum / *volume;
}

static void a_rounded_box_has_its_inertia_within_a_hundredth(void **state) {
    (void)state;
    const double a[3] = {0.5, 0.3, 0.2};
    const double radii[2] = {0.02, 0.15};
    double worst = 0.0;
    for (unsigned k = 0; k < 2; k++) {
        struct sim_world *world = new_world();
        struct sim_body_desc desc = round_body(SIM_BODY_BOX, (float)radii[k], 0.0f);
        desc.extents = (struct vec3){(float)a[0], (float)a[1], (float)a[2]};
        const struct state s = state_of(world, spawn(world, &desc));
        double volume = 0.0;
        const double x = moment_of(a[0], a[1], a[2], radii[k], &volume);
        const double y = moment_of(a[1], a[2], a[0], radii[k], &volume);
        const double z = moment_of(a[2], a[0], a[1], radii[k], &volume);
        const double expected[3] = {s.mass * (y + z), s.mass * (x + z), s.mass * (x + y)};
        for (unsigned i = 0; i < 3; i++) {
            worst = fmax(worst, fabs(s.inertia[i][i] / expected[i] - 1.0));
        }
        sim_world_destroy(world);
    }
    print_message("rounded box: inertia within %.3f %%\n", 100.0 * worst);
    assert_true(worst < 0.01);
}

static void add_box(double inertia[3][3], double mass, const double size[3], const double at[3]) {
    const double square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
    for (unsigned a = 0; a < 9; a++) {
        const unsigned i = a / 3;
        const unsigned j = a % 3;
        const double own =
            mass / 12.0 * (size[(i + 1) % 3] * size[(i + 1) % 3] + size[(i + 2) % 3] * size[(i + 2) % 3]);
        inertia[i][j] += (i == j ? own + mass * square : 0.0) - mass * at[i] * at[j];
    }
}

static void a_chair_has_the_inertia_of_its_parts(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct sim_body_part parts[6];
    const struct sim_body_desc desc = chair_of(parts);
    const struct state s = state_of(world, spawn(world, &desc));
    double volume = 0.0;
    double centre[3] = {0.0, 0.0, 0.0};
    double expected[3][3] = {{0.0}};
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned k = 0; k < 6; k++) {
            const double size[3] = {(double)parts[k].extents.x, (double)parts[k].extents.y, (double)parts[k].extents.z};
            const double at[3] = {(double)parts[k].position.x - centre[0], (double)parts[k].position.y - centre[1],
                                  (double)parts[k].position.z - centre[2]};
            const double own = size[0] * size[1] * size[2];
            volume += round == 0 ? own : 0.0;
            if (round == 1) {
                add_box(expected, s.mass * own / volume, size, at);
            }
        }
        for (unsigned k = 0; k < 6 && round == 0; k++) {
            const double own = (double)parts[k].extents.x * (double)parts[k].extents.y * (double)parts[k].extents.z;
            centre[0] += own / volume * (double)parts[k].position.x;
            centre[1] += own / volume * (double)parts[k].position.y;
            centre[2] += own / volume * (double)parts[k].position.z;
        }
    }
    const double off = inertia_error(&s, (const double(*)[3])expected);
    print_message("chair: inertia tensor within %.1e\n", off);
    assert_true(off < 1e-5);
    for (unsigned a = 0; a < 3; a++) {
        assert_true(fabs(s.centre[a] - centre[a]) < 1e-6);
    }
    assert_int_equal(view_of(world, 1).hull_parts, 6);
    sim_world_destroy(world);
}

static void shares_of_the_mass_count_instead_of_volumes(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct sim_body_part parts[2] = {
        {.shape = SIM_BODY_SPHERE, .radius = 0.1f, .rotation = upright, .density = 1.0f, .share = 3.0f},
        {.shape = SIM_BODY_SPHERE,
         .radius = 0.2f,
         .position = {1.0f, 0.0f, 0.0f},
         .rotation = upright,
         .density = 1.0f,
         .share = 1.0f}};
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_COMPOUND;
    desc.parts = parts;
    desc.part_count = 2;
    const struct state s = state_of(world, spawn(world, &desc));
    assert_true(fabs(s.centre[0] - 0.25) < 1e-6);
    sim_world_destroy(world);
}

// ---- rolling -----------------------------------------------------------------------------------------------------

static double rolling_factor(unsigned shape, double r, double l) {
    const double barrel = PI * r * r * l;
    const double ball = 4.0 / 3.0 * PI * r * r * r;
    const double share[3] = {0.4, (barrel / 2.0 + ball * 0.4) / (barrel + ball), 0.5};
    return 1.0 / (1.0 + share[shape]);
}

// The acceleration down a slope between half a second and a second after the start.
static double acceleration_on(unsigned shape, double degrees, uint32_t substeps, float mass, float friction) {
    struct sim_world *world = new_world();
    const double angle = degrees * PI / 180.0;
    struct sim_body_desc desc = round_body((enum sim_body_shape)(SIM_BODY_SPHERE + shape), 0.1f, 0.3f);
    double speed[2] = {0.0, 0.0};
    set_solver(world, substeps, 1, 0.0f);
    (void)add_plane(world, degrees, friction);
    desc.mass = mass;
    desc.friction = friction;
    desc.rotation = shape > 0 ? lying : upright;
    desc.position = (struct vec3){(float)(-0.1 * sin(angle)), (float)(0.1 * cos(angle)), 0.0f};
    const uint32_t id = spawn(world, &desc);
    for (unsigned half = 0; half < 2; half++) {
        for (unsigned tick = 0; tick < 30; tick++) {
            sim_world_step(world);
        }
        const struct state s = state_of(world, id);
        speed[half] = -(cos(angle) * s.velocity[0] + sin(angle) * s.velocity[1]);
    }
    sim_world_destroy(world);
    return (speed[1] - speed[0]) / 0.5;
}

static void what_is_round_rolls_down_a_slope_as_theory_says(void **state) {
    (void)state;
    static const char *const names[3] = {"sphere", "capsule", "cylinder"};
    for (unsigned shape = 0; shape < 3; shape++) {
        double worst = 0.0;
        for (uint32_t substeps = 4; substeps <= 16; substeps *= 2) {
            for (unsigned slope = 0; slope < 3; slope++) {
                const double degrees = 5.0 + 12.5 * (double)slope;
                const double expected = 9.81 * sin(degrees * PI / 180.0) * rolling_factor(shape, 0.1, 0.3);
                const float mass = slope == 0 ? 0.02f : slope == 1 ? 2.0f : 300.0f;
                const double measured = acceleration_on(shape, degrees, substeps, mass, 0.6f);
                worst = fmax(worst, fabs(measured / expected - 1.0));
            }
        }
        print_message("a %s rolls within %.2f %% of theory\n", names[shape], 100.0 * worst);
        assert_true(worst < 0.02);
    }
}

// tan 40° = 0.839 > 7/2·0.2: friction cannot turn the ball fast enough.
static void a_ball_slides_on_a_slope_that_is_too_steep(void **state) {
    (void)state;
    const double angle = 40.0 * PI / 180.0;
    const double expected = 9.81 * (sin(angle) - 0.2 * cos(angle));
    double worst = 0.0;
    for (uint32_t substeps = 4; substeps <= 16; substeps *= 2) {
        worst = fmax(worst, fabs(acceleration_on(0, 40.0, substeps, 2.0f, 0.2f) / expected - 1.0));
    }
    print_message("a ball that slides: within %.2f %% of theory\n", 100.0 * worst);
    assert_true(worst < 0.02);
}

static void what_rolls_on_a_level_plane_keeps_its_speed(void **state) {
    (void)state;
    double worst = 0.0;
    for (unsigned shape = 0; shape < 3; shape++) {
        for (uint32_t substeps = 4; substeps <= 16; substeps *= 2) {
            struct sim_world *world = new_world();
            struct sim_body_desc desc = round_body((enum sim_body_shape)(SIM_BODY_SPHERE + shape), 0.1f, 0.3f);
            set_solver(world, substeps, 1, 0.0f);
            (void)add_plane(world, 0.0, 0.5f);
            desc.rotation = shape > 0 ? lying : upright;
            desc.position.y = 0.1f;
            desc.velocity.x = 1.0f;
            desc.angular_velocity.z = -10.0f;
            const uint32_t id = spawn(world, &desc);
            for (unsigned tick = 0; tick < 600; tick++) {
                sim_world_step(world);
            }
            const struct state s = state_of(world, id);
            worst = fmax(worst, fabs(s.velocity[0] - 1.0));
            sim_world_destroy(world);
        }
    }
    print_message("level ground: speed within %.3f %% after 10 s\n", 100.0 * worst);
    assert_true(worst < 0.02);
}

static void a_ball_bounces_to_the_square_of_its_restitution(void **state) {
    (void)state;
    double worst = 0.0;
    for (unsigned k = 0; k < 6; k++) {
        struct sim_world *world = new_world();
        struct sim_body_desc desc = round_body(SIM_BODY_SPHERE, 0.1f, 0.0f);
        double top = 0.0;
        bool bounced = false;
        set_solver(world, 4u << k % 3, 1, 0.0f);
        (void)add_plane(world, 0.0, 0.5f);
        desc.restitution = 0.7f;
        desc.position.y = 1.1f;
        desc.angular_velocity.z = k < 3 ? 0.0f : 60.0f;
        const uint32_t id = spawn(world, &desc);
        for (unsigned tick = 0; tick < 70; tick++) {
            sim_world_step(world);
            const struct state s = state_of(world, id);
            bounced = bounced || s.velocity[1] > 0.0;
            top = bounced ? fmax(top, s.centre[1]) : top;
        }
        worst = fmax(worst, fabs((top - 0.1) / 0.49 - 1.0));
        sim_world_destroy(world);
    }
    print_message("a ball bounces within %.2f %% of e² of its height\n", 100.0 * worst);
    assert_true(worst < 0.01);
}

static void of_a_row_of_balls_the_last_one_leaves(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    uint32_t ids[5];
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    for (unsigned k = 0; k < 5; k++) {
        struct sim_body_desc desc = round_body(SIM_BODY_SPHERE, 0.1f, 0.0f);
        desc.restitution = 1.0f;
        desc.friction = 0.0f;
        desc.position.x = 0.2f * (float)k - (k == 0 ? 0.3f : 0.0f);
        desc.velocity.x = k == 0 ? 2.0f : 0.0f;
        ids[k] = spawn(world, &desc);
    }
    for (unsigned tick = 0; tick < 60; tick++) {
        sim_world_step(world);
    }
    for (unsigned k = 0; k < 5; k++) {
        const struct state s = state_of(world, ids[k]);
        assert_true(fabs(s.velocity[0] - (k == 4 ? 2.0 : 0.0)) < 0.02);
    }
    sim_world_destroy(world);
}

// ---- free flight -------------------------------------------------------------------------------------------------

#define KINDS 5u
static const char *const kind_names[KINDS] = {"sphere", "capsule", "cylinder", "rounded box", "chair"};

static struct sim_body_desc kind_of(unsigned kind, struct sim_body_part parts[6]) {
    if (kind == 4) {
        return chair_of(parts);
    }
    struct sim_body_desc desc =
        round_body(kind == 3 ? SIM_BODY_BOX : (enum sim_body_shape)(SIM_BODY_SPHERE + kind), 0.1f, 0.4f);
    if (kind == 3) {
        desc.radius = 0.05f;
        desc.extents = (struct vec3){0.3f, 0.2f, 0.1f};
    }
    return desc;
}

static void free_flight_keeps_energy_and_momentum(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct sim_world *world = new_world();
        struct sim_body_part parts[6];
        struct sim_body_desc desc = kind_of(kind, parts);
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        set_solver(world, 8, 4, 0.0f);
        desc.velocity = (struct vec3){1.0f, 0.5f, -0.7f};
        desc.angular_velocity = (struct vec3){1.0f, 3.0f, 2.0f};
        const uint32_t id = spawn(world, &desc);
        sim_world_step(world);
        const struct state before = state_of(world, id);
        for (unsigned tick = 0; tick < 600; tick++) {
            sim_world_step(world);
        }
        const struct state after = state_of(world, id);
        const double energy = fabs(after.energy / before.energy - 1.0);
        double moved[3];
        double turned[3];
        for (unsigned a = 0; a < 3; a++) {
            moved[a] = after.velocity[a] - before.velocity[a];
            turned[a] = after.momentum[a] - before.momentum[a];
        }
        const double momentum = length_of(moved) / length_of(before.velocity);
        const double angular = length_of(turned) / length_of(before.momentum);
        print_message("10 s of a %s: energy %.4f %%, momentum %.4f %%, angular momentum %.4f %% off\n",
                      kind_names[kind], 100.0 * energy, 100.0 * momentum, 100.0 * angular);
        assert_true(energy < 1e-3 && momentum < 1e-3 && angular < 1e-3);
        sim_world_destroy(world);
    }
}

// ---- rest --------------------------------------------------------------------------------------------------------

static void each_kind_falls_comes_to_rest_and_sleeps(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct sim_world *world = new_world();
        struct sim_body_part parts[6];
        struct sim_body_desc desc = kind_of(kind, parts);
        (void)add_plane(world, 0.0, 0.6f);
        desc.position.y = 1.0f;
        desc.rotation = (struct quat){0.1f, 0.2f, 0.3f, 0.9f};
        (void)spawn(world, &desc);
        for (unsigned tick = 0; tick < 1200 && count_asleep(world) == 0; tick++) {
            sim_world_step(world);
        }
        assert_int_equal(count_asleep(world), 1);
        sim_world_destroy(world);
    }
}

static void chairs_stack_and_sleep(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct sim_body_part parts[6];
    struct sim_body_desc desc = chair_of(parts);
    uint32_t ids[3];
    double sunk = 0.0;
    (void)add_plane(world, 0.0, 0.6f);
    set_solver(world, 8, 4, 0.0f);
    for (unsigned k = 0; k < 3; k++) { // feet on the seat below, in front of its back
        desc.position = (struct vec3){0.0f, 0.421f + 0.441f * (float)k, 0.0f};
        ids[k] = spawn(world, &desc);
    }
    for (unsigned tick = 0; tick < 600; tick++) {
        sim_world_step(world);
    }
    for (unsigned k = 0; k < 3; k++) {
        const struct state s = state_of(world, ids[k]);
        const struct state first = state_of(world, ids[0]);
        sunk = fmax(sunk, fabs(s.centre[1] - first.centre[1] - 0.44 * (double)k));
    }
    print_message("three chairs on one another: %u asleep, within %.2f mm\n", count_asleep(world), 1000.0 * sunk);
    assert_int_equal(count_asleep(world), 3);
    assert_true(sunk < 2e-3);
    sim_world_destroy(world);
}

static void balls_come_to_rest_in_a_trough(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    (void)add_plane(world, 8.0, 0.5f);
    (void)add_plane(world, -8.0, 0.5f);
    for (unsigned k = 0; k < 6; k++) {
        struct sim_body_desc desc = round_body(SIM_BODY_SPHERE, k % 2 == 0 ? 0.1f : 0.07f, 0.0f);
        desc.position = (struct vec3){-0.5f + 0.2f * (float)k, 0.3f + 0.1f * (float)k, 0.01f * (float)k};
        (void)spawn(world, &desc);
    }
    for (unsigned tick = 0; tick < 3600 && count_asleep(world) < 6; tick++) {
        sim_world_step(world);
    }
    assert_int_equal(count_asleep(world), 6);
    sim_world_destroy(world);
}

// ---- walls -------------------------------------------------------------------------------------------------------

// Shoots one body of each kind at a wall of a centimetre: an obstacle, a mesh, or a pinned body.
static bool passes(unsigned kind, unsigned wall, float speed, float aside) {
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_part parts[6];
    struct sim_body_desc desc = kind_of(kind, parts);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    if (wall == 0) {
        const struct sim_obstacle box = {
            .shape = SIM_OBSTACLE_BOX, .size = {0.01f, 6.0f, 6.0f}, .rotation = upright, .friction = 0.5f};
        MUST(sim_obstacle_add(world, &box, &id, &fault));
    } else if (wall == 1) {
        static const float corners[12] = {0.0f, -3.0f, -3.0f, 0.0f, 3.0f, -3.0f, 0.0f, 3.0f, 3.0f, 0.0f, -3.0f, 3.0f};
        static const uint32_t faces[6] = {0, 1, 2, 0, 2, 3};
        const struct sim_obstacle mesh = {.shape = SIM_OBSTACLE_MESH,
                                          .positions = corners,
                                          .vertices = 4,
                                          .triangles = faces,
                                          .triangle_count = 2,
                                          .rotation = upright,
                                          .friction = 0.5f};
        MUST(sim_obstacle_add(world, &mesh, &id, &fault));
    } else {
        struct sim_body_desc plate = sim_body_desc_default();
        plate.shape = SIM_BODY_BOX;
        plate.extents = (struct vec3){0.01f, 4.0f, 4.0f};
        plate.mass = 1000.0f;
        const uint32_t object = spawn(world, &plate);
        MUST(sim_particle_pin(world, object, (const uint32_t[]){0, 1, 2, 3}, 4, NULL, &fault));
    }
    desc.position = (struct vec3){-2.0f, aside, 0.3f * aside};
    desc.velocity.x = speed;
    desc.angular_velocity = (struct vec3){3.0f, -2.0f, 5.0f};
    const uint32_t shot = spawn(world, &desc);
    for (unsigned tick = 0; tick < 60; tick++) {
        sim_world_step(world);
    }
    const bool passed = state_of(world, shot).centre[0] > 0.0;
    sim_world_destroy(world);
    return passed;
}

static void nothing_round_passes_a_wall_of_a_centimetre(void **state) {
    (void)state;
    unsigned shots = 0;
    unsigned passed = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned wall = 0; wall < 3; wall++) {
            for (unsigned k = 0; k < 4; k++) {
                const bool did = passes(kind, wall, 25.0f * (float)(k + 1), 0.13f * (float)k);
                passed += did ? 1 : 0;
                shots++;
                if (did) {
                    print_message("a %s passes wall %u at %u m/s\n", kind_names[kind], wall, 25 * (k + 1));
                }
            }
        }
    }
    print_message("round bodies at up to 100 m/s: %u of %u pass\n", passed, shots);
    assert_int_equal(passed, 0);
}

// ---- refusals and archives ---------------------------------------------------------------------------------------

static void refuse(const struct sim_body_desc *desc, const char *pointer) {
    struct sim_world *world = new_world();
    struct fault fault = {.pointer = ""};
    uint32_t id = 0;
    assert_int_equal(sim_body_spawn(world, desc, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, pointer);
    sim_world_destroy(world);
}

static void degenerate_shapes_are_refused_by_the_name_of_the_member(void **state) {
    (void)state;
    struct sim_body_part parts[6];
    struct sim_body_desc desc = round_body(SIM_BODY_SPHERE, 0.0f, 0.0f);
    refuse(&desc, "/radius");
    desc = round_body(SIM_BODY_SPHERE, NAN, 0.0f);
    refuse(&desc, "/radius");
    desc = round_body(SIM_BODY_CAPSULE, 0.1f, 0.0f);
    refuse(&desc, "/length");
    desc = round_body(SIM_BODY_CYLINDER, 100.0f, 0.001f);
    refuse(&desc, "/radius");
    desc = chair_of(parts);
    desc.part_count = 0;
    refuse(&desc, "/parts");
    desc = chair_of(parts);
    parts[3].extents.y = 0.0f;
    refuse(&desc, "/parts/3/size/1");
    desc = chair_of(parts);
    parts[2].density = 0.0f;
    refuse(&desc, "/parts/2/density");
    desc = chair_of(parts);
    parts[1].share = 1.0f;
    refuse(&desc, "/parts");
    desc = chair_of(parts);
    parts[5].shape = SIM_BODY_COMPOUND;
    refuse(&desc, "/parts/5/shape");
}

static void an_archive_gives_the_same_world(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct sim_world *copy = new_world();
    struct fault fault;
    (void)add_plane(world, 3.0, 0.5f);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct sim_body_part parts[6];
        struct sim_body_desc desc = kind_of(kind, parts);
        desc.position = (struct vec3){0.3f * (float)kind, 1.0f + 0.4f * (float)kind, 0.0f};
        (void)spawn(world, &desc);
    }
    for (unsigned tick = 0; tick < 40; tick++) {
        sim_world_step(world);
    }
    const size_t length = sim_world_archive_length(world);
    unsigned char *bytes = malloc(length);
    assert_non_null(bytes);
    sim_world_archive(world, bytes);
    MUST(sim_world_unarchive(copy, bytes, length, &fault));
    for (unsigned tick = 0; tick < 60; tick++) {
        assert_true(sim_world_hash(world) == sim_world_hash(copy));
        sim_world_step(world);
        sim_world_step(copy);
    }
    free(bytes);
    sim_world_destroy(world);
    sim_world_destroy(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_bodies_have_the_inertia_of_their_closed_forms),
        cmocka_unit_test(a_rounded_box_has_its_inertia_within_a_hundredth),
        cmocka_unit_test(a_chair_has_the_inertia_of_its_parts),
        cmocka_unit_test(shares_of_the_mass_count_instead_of_volumes),
        cmocka_unit_test(what_is_round_rolls_down_a_slope_as_theory_says),
        cmocka_unit_test(a_ball_slides_on_a_slope_that_is_too_steep),
        cmocka_unit_test(what_rolls_on_a_level_plane_keeps_its_speed),
        cmocka_unit_test(a_ball_bounces_to_the_square_of_its_restitution),
        cmocka_unit_test(of_a_row_of_balls_the_last_one_leaves),
        cmocka_unit_test(free_flight_keeps_energy_and_momentum),
        cmocka_unit_test(each_kind_falls_comes_to_rest_and_sleeps),
        cmocka_unit_test(chairs_stack_and_sleep),
        cmocka_unit_test(balls_come_to_rest_in_a_trough),
        cmocka_unit_test(nothing_round_passes_a_wall_of_a_centimetre),
        cmocka_unit_test(degenerate_shapes_are_refused_by_the_name_of_the_member),
        cmocka_unit_test(an_archive_gives_the_same_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
