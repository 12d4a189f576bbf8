// SPDX-License-Identifier: MIT
// Sticks between points of surfaces and bodies, ball joints and hinges, muscles and motors, and loads that break them
// (server/sim/PHYSICS.md 3.9 to 3.12).
#include "sim_fixture.h"

#include "sim/archive.h"
#include "sim/geometry/scalar.h"
#include "sim/probe.h"

#define PI 3.14159265358979323846
#define GRAVITY 9.81

static const struct vec3 still = {0.0f, 0.0f, 0.0f};

static struct sim_stick_place anchored(struct vec3 point) {
    return (struct sim_stick_place){.at = SIM_STICK_AT_ANCHOR, .point = point};
}

static struct sim_stick_place on_surface(struct vec3 point) {
    return (struct sim_stick_place){.at = SIM_STICK_AT_SURFACE, .point = point};
}

static uint32_t spawn_box(struct sim_world *world, struct vec3 extents, struct vec3 position, float mass) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_BOX;
    desc.extents = extents;
    desc.position = position;
    desc.mass = mass;
    MUST(sim_body_spawn(world, &desc, &id, &fault));
    return id;
}

// Particles that are pinned.
static uint32_t spawn_nails(struct sim_world *world, const float *positions, uint32_t count) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.particles = count;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    for (uint32_t i = 0; i < count; i++) {
        MUST(sim_particle_pin(world, id, &i, 1, NULL, &fault));
    }
    return id;
}

static uint32_t join(struct sim_world *world, const struct sim_stick_desc *desc) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_stick_join(world, desc, &id, &fault));
    return id;
}

// A ball joint of a body with a nail.
static uint32_t hang(struct sim_world *world, uint32_t nails, uint32_t nail, uint32_t body) {
    struct sim_stick_desc desc = sim_stick_desc_default();
    desc.a = (struct sim_stick_end){nails, nail};
    desc.b = (struct sim_stick_end){body, 0};
    desc.b_place = anchored(position_of(world, nails, nail));
    desc.rest_length = 0.0f;
    return join(world, &desc);
}

static void joint_at(struct sim_world *world, uint32_t a, uint32_t b, struct vec3 point) {
    struct sim_stick_desc desc = sim_stick_desc_default();
    desc.a = (struct sim_stick_end){a, 0};
    desc.b = (struct sim_stick_end){b, 0};
    desc.a_place = desc.b_place = anchored(point);
    desc.rest_length = 0.0f;
    (void)join(world, &desc);
}

// ---- pendulums ---------------------------------------------------------------------------------------------------

// The period of a compound pendulum of gyration² + arm² = `square` that is let go at `angle`, by the
// arithmetic-geometric mean.
static double period_at(double square, double arm, double angle) {
    double a = 1.0, b = cos(0.5 * angle);
    for (unsigned i = 0; i < 8; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * PI * sqrt(square / (GRAVITY * arm)) / a;
}

struct swung {
    double period, lost; // s; share of the energy above the lowest place
};

// A box whose upper end hangs on a ball joint (one nail) or a hinge (two), let go at an angle.
static struct swung swing(uint32_t nails, double angle, uint32_t substeps, uint32_t iterations) {
    const double length = 1.0, arm = 0.5, width = 0.2;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t box = 0;
    set_vacuum(world);
    set_solver(world, substeps, iterations, 0.0f);
    set_gravity(world, 0.0f, (float)-GRAVITY, 0.0f);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_BOX;
    desc.extents = (struct vec3){(float)width, (float)length, (float)width};
    desc.position = (struct vec3){(float)(arm * sin(angle)), (float)(-arm * cos(angle)), 0.0f};
    desc.rotation = (struct quat){0.0f, 0.0f, (float)sin(0.5 * angle), (float)cos(0.5 * angle)};
    desc.mass = 3.0f;
    MUST(sim_body_spawn(world, &desc, &box, &fault));
    const float ends[6] = {0.0f, 0.0f, nails == 1 ? 0.0f : -0.1f, 0.0f, 0.0f, 0.1f};
    const uint32_t nail = spawn_nails(world, ends, nails);
    for (uint32_t i = 0; i < nails; i++) {
        (void)hang(world, nail, i, box);
    }
    const struct sim_measure before = sim_world_measure(world);
    const double had = 3.0 * GRAVITY * arm * (1.0 - cos(angle));
    double first = 0.0, at = 0.0, x = 1.0;
    unsigned passed = 0;
    for (unsigned tick = 1; passed <= 10 && tick < 60 * 60; tick++) {
        step(world, 1);
        double now = 0.0;
        for (uint32_t k = 0; k < 4; k++) {
            now += 0.25 * (double)position_of(world, box, k).x;
        }
        if (x < 0.0 && now >= 0.0) {
            at = ((double)tick - now / (now - x)) / (double)TICK_HZ;
            first = passed == 0 ? at : first;
            passed++;
        }
        x = now;
    }
    const struct sim_measure after = sim_world_measure(world);
    sim_world_destroy(world);
    return (struct swung){.period = passed > 10 ? (at - first) / 10.0 : HUGE_VAL,
                          .lost = (before.kinetic + before.potential - after.kinetic - after.potential) / had};
}

static const uint32_t solver[][2] = {{8, 1}, {8, 4}, {16, 1}, {16, 4}}; // substeps, iterations
#define SOLVERS (sizeof solver / sizeof solver[0])

static void a_box_swings_as_a_compound_pendulum(void **state) {
    (void)state;
    static const char *const names[] = {"ball joint", "hinge"};
    const double square = (1.0 + 0.04) / 12.0 + 0.25;
    bool all = true;
    for (uint32_t nails = 1; nails <= 2; nails++) {
        double off = 0.0, lost = 0.0;
        for (unsigned i = 0; i < SOLVERS; i++) {
            for (double angle = 0.2; angle < 2.0; angle += 0.8) {
                const struct swung swung = swing(nails, angle, solver[i][0], solver[i][1]);
                off = fmax(off, fabs(swung.period / period_at(square, 0.5, angle) - 1.0));
                lost = angle > 0.5 ? fmax(lost, fabs(swung.lost)) : lost;
            }
        }
        print_message("a box on a %s: period off by %.4f %%, from 1 rad on 10 swings change its energy by %.4f %%\n",
                      names[nails - 1], 100.0 * off, 100.0 * lost);
        all = all && off < 0.001 && lost < 0.002;
    }
    assert_true(all);
}

// ---- free flight -------------------------------------------------------------------------------------------------

static double size_of(struct sim_triple v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static double change_of(struct sim_triple before, struct sim_triple after) {
    const struct sim_triple change = {after.x - before.x, after.y - before.y, after.z - before.z};
    return size_of(change) / size_of(before);
}

// Two boxes that turn about one another and each about itself.
static struct sim_world *new_flight(unsigned joints, const uint32_t effort[2]) {
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t ids[2];
    set_vacuum(world);
    set_solver(world, effort[0], effort[1], 0.0f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    for (unsigned k = 0; k < 2; k++) {
        struct sim_body_desc desc = sim_body_desc_default();
        desc.shape = SIM_BODY_BOX;
        desc.extents = (struct vec3){0.5f, 0.2f, 0.3f};
        desc.position = (struct vec3){k == 0 ? -0.3f : 0.3f, 0.0f, 0.0f};
        desc.mass = k == 0 ? 1.0f : 2.5f;
        desc.angular_velocity = k == 0 ? (struct vec3){0.0f, 0.0f, 4.0f} : (struct vec3){0.0f, 0.0f, -3.0f};
        desc.velocity = (struct vec3){0.0f, k == 0 ? 1.2f : 0.9f, 0.5f};
        MUST(sim_body_spawn(world, &desc, &ids[k], &fault));
    }
    for (unsigned k = 0; k < joints; k++) {
        joint_at(world, ids[0], ids[1], (struct vec3){0.0f, 0.0f, k == 0 ? 0.1f : -0.1f});
    }
    return world;
}

// The joints take what speed does not fit them in the first ticks; from then on nothing may be lost.
static void two_bodies_on_a_joint_keep_energy_and_momentum(void **state) {
    (void)state;
    bool all = true;
    for (unsigned joints = 1; joints <= 2; joints++) {
        double energy = 0.0, momentum = 0.0, spin = 0.0;
        for (unsigned i = 0; i < SOLVERS; i++) {
            struct sim_world *world = new_flight(joints, solver[i]);
            const struct sim_measure first = sim_world_measure(world);
            step(world, 5);
            const struct sim_measure before = sim_world_measure(world);
            step(world, 600);
            const struct sim_measure after = sim_world_measure(world);
            energy = fmax(energy, fabs(after.kinetic / before.kinetic - 1.0));
            momentum = fmax(momentum, change_of(first.momentum, after.momentum));
            spin = fmax(spin, change_of(first.angular_momentum, after.angular_momentum));
            sim_world_destroy(world);
        }
        print_message("two bodies on a %s fly for 10 s: energy off by %.4f %%, momentum by %.5f %%, angular momentum "
                      "by %.4f %%\n",
                      joints == 1 ? "ball joint" : "hinge", 100.0 * energy, 100.0 * momentum, 100.0 * spin);
        all = all && energy < 0.001 && momentum < 0.001 && spin < 0.001;
    }
    assert_true(all);
}

// ---- muscles -----------------------------------------------------------------------------------------------------

static struct sim_stick_view stick_of(const struct sim_world *world, uint32_t id) {
    for (uint32_t i = 0; i < sim_world_stick_count(world); i++) {
        if (sim_world_stick_at(world, i).id == id) {
            return sim_world_stick_at(world, i);
        }
    }
    fail_msg("there is no stick %u", id);
    return (struct sim_stick_view){0};
}

static void shorten(struct sim_world *world, uint32_t stick, float length, float rate) {
    struct fault fault;
    const struct sim_stick_change change = {.rest_length = &length, .rate = &rate};
    MUST(sim_stick_set(world, stick, change, &fault));
}

// A lever of 1 m and 2 kg on a hinge at its end lies level; a muscle that hangs 1 m above its other end holds it.
struct lever {
    struct sim_world *world;
    uint32_t nails, box, muscle;
};

static struct lever new_lever(void) {
    struct lever lever = {.world = new_world()};
    set_vacuum(lever.world);
    set_solver(lever.world, 16, 4, 0.0f);
    const float places[9] = {0.0f, 0.0f, -0.1f, 0.0f, 0.0f, 0.1f, 1.0f, 1.0f, 0.0f};
    lever.nails = spawn_nails(lever.world, places, 3);
    lever.box = spawn_box(lever.world, (struct vec3){1.0f, 0.1f, 0.2f}, (struct vec3){0.5f, 0.0f, 0.0f}, 2.0f);
    (void)hang(lever.world, lever.nails, 0, lever.box);
    (void)hang(lever.world, lever.nails, 1, lever.box);
    struct sim_stick_desc desc = sim_stick_desc_default();
    desc.a = (struct sim_stick_end){lever.nails, 2};
    desc.b = (struct sim_stick_end){lever.box, 0};
    desc.b_place = anchored((struct vec3){1.0f, 0.0f, 0.0f});
    desc.break_force = 1e6f;
    lever.muscle = join(lever.world, &desc);
    return lever;
}

static void a_muscle_has_the_torque_and_does_the_work_of_its_load(void **state) {
    (void)state;
    const struct lever lever = new_lever();
    step(lever.world, 30);
    const struct sim_measure before = sim_world_measure(lever.world);
    const double torque = (double)stick_of(lever.world, lever.muscle).force * 1.0;
    const double wanted = 2.0 * GRAVITY * 0.5;
    double work = 0.0;
    shorten(lever.world, lever.muscle, 0.6f, 0.05f); // slowly: a jerk is a blow, which takes energy
    for (unsigned tick = 0; tick < 490; tick++) {
        const float length = stick_of(lever.world, lever.muscle).rest_length;
        step(lever.world, 1);
        const struct sim_stick_view muscle = stick_of(lever.world, lever.muscle);
        work += (double)muscle.force * (double)(length - muscle.rest_length);
    }
    const struct sim_stick_view muscle = stick_of(lever.world, lever.muscle);
    assert_true(muscle.rest_length == 0.6f && muscle.rate == 0.0f && muscle.target_length == 0.0f);
    const struct sim_measure after = sim_world_measure(lever.world);
    const double gained = after.kinetic + after.potential - before.kinetic - before.potential;
    print_message("a muscle on a lever: torque off by %.3f %%, work off the energy gained by %.3f %%\n",
                  100.0 * fabs(torque / wanted - 1.0), 100.0 * fabs(work / gained - 1.0));
    assert_true(fabs(torque / wanted - 1.0) < 0.001 && fabs(work / gained - 1.0) < 0.001 && gained > 3.0);
    sim_world_destroy(lever.world);
}

// The length arrives when rate and distance say, also where a substep's step is no more than float32 holds.
static void a_length_moves_at_its_rate(void **state) {
    (void)state;
    const struct lever lever = new_lever();
    shorten(lever.world, lever.muscle, 0.999f, 0.0005f);
    step(lever.world, 60);
    assert_true(fabs((double)stick_of(lever.world, lever.muscle).rest_length - 0.9995) < 1e-6);
    step(lever.world, 59);
    assert_true(stick_of(lever.world, lever.muscle).rate > 0.0f);
    step(lever.world, 3);
    assert_true(stick_of(lever.world, lever.muscle).rate == 0.0f);
    shorten(lever.world, lever.muscle, 1.1f, 0.0f);
    assert_true(stick_of(lever.world, lever.muscle).rest_length == 1.1f);
    sim_world_destroy(lever.world);
}

// Two muscles a quarter of a turn apart turn a wheel against a brake: a motor.
static void two_swinging_muscles_turn_a_wheel(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_vacuum(world);
    set_solver(world, 16, 4, 0.0f);
    const float places[12] = {0.0f, 2.0f, -0.1f, 0.0f, 2.0f, 0.1f, 2.0f, 2.0f, 0.0f, 0.0f, 4.0f, 0.0f};
    const uint32_t nails = spawn_nails(world, places, 4);
    const uint32_t wheel = spawn_box(world, (struct vec3){0.6f, 0.6f, 0.1f}, (struct vec3){0.0f, 2.0f, 0.0f}, 2.0f);
    (void)hang(world, nails, 0, wheel);
    (void)hang(world, nails, 1, wheel);
    for (uint32_t k = 0; k < 2; k++) {
        struct sim_stick_desc desc = sim_stick_desc_default();
        desc.a = (struct sim_stick_end){nails, 2 + k};
        desc.b = (struct sim_stick_end){wheel, 0};
        desc.b_place = anchored((struct vec3){0.2f, 2.0f, 0.0f});
        desc.rest_length = 2.0f;
        desc.compliance = 1e-4f;
        desc.swing = (struct sim_stick_swing){0.2f, 1.0f, k == 0 ? -0.25f : 0.0f};
        (void)join(world, &desc);
    }
    double turned = 0.0, before = 0.0;
    for (unsigned tick = 0; tick < 300; tick++) {
        step(world, 1);
        const struct sim_measure measure = sim_world_measure(world);
        assert_true(isfinite(measure.kinetic));
        const struct vec3 a = position_of(world, wheel, 0), b = position_of(world, wheel, 1);
        const double now = atan2((double)(b.y - a.y), (double)(b.x - a.x));
        const double moved = tick > 0 ? now - before : 0.0;
        turned += moved > PI ? moved - 2.0 * PI : moved < -PI ? moved + 2.0 * PI : moved;
        before = now;
    }
    print_message("a wheel on two muscles of 1 s: %.4f turns in 5 s\n", fabs(turned) / (2.0 * PI));
    assert_true(fabs(fabs(turned) / (2.0 * PI) - 5.0) < 0.05);
    assert_int_equal(count_asleep(world), 0);
    sim_world_destroy(world);
}

// ---- loads -------------------------------------------------------------------------------------------------------

static void a_stick_breaks_above_its_load_and_tells(void **state) {
    (void)state;
    for (unsigned heavy = 0; heavy < 2; heavy++) {
        struct sim_world *world = new_world();
        const float place[3] = {0.0f, 0.0f, 0.0f};
        const uint32_t nails = spawn_nails(world, place, 1);
        const uint32_t box = spawn_box(world, (struct vec3){0.2f, 0.2f, 0.2f}, (struct vec3){0.0f, -1.0f, 0.0f}, 2.0f);
        struct sim_stick_desc desc = sim_stick_desc_default();
        desc.a = (struct sim_stick_end){nails, 0};
        desc.b = (struct sim_stick_end){box, 0};
        desc.b_place = on_surface((struct vec3){0.0f, -0.8f, 0.0f});
        desc.break_force = (float)(2.0 * GRAVITY) * (heavy ? 0.98f : 1.02f);
        const uint32_t id = join(world, &desc);
        assert_true(fabs((double)stick_of(world, id).rest_length - 0.9) < 1e-5);
        unsigned told = 0;
        for (unsigned tick = 0; tick < 60; tick++) {
            step(world, 1);
            for (uint32_t i = 0; i < sim_world_event_count(world); i++) {
                const struct sim_event event = sim_world_event_at(world, i);
                told += event.kind == SIM_EVENT_BROKEN && event.a == id && event.object == nails && event.b == box;
            }
        }
        assert_int_equal(told, heavy);
        assert_int_equal(sim_world_stick_count(world), 1 - heavy);
        if (!heavy) {
            assert_true(fabs((double)stick_of(world, id).force / (2.0 * GRAVITY) - 1.0) < 1e-3);
        }
        sim_world_destroy(world);
    }
}

// An arm of 1 m on a hinge in its middle; a spring of 8000 N/m, drawn by 15 cm, throws it over.
static void a_catapult_has_the_energy_of_its_spring(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    set_vacuum(world);
    set_solver(world, 64, 4, 0.0f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const float places[12] = {0.0f, 0.0f, -0.1f, 0.0f, 0.0f, 0.1f, 0.4f, -1.5f, 0.0f, -0.4f, -1.0f, 0.0f};
    const uint32_t nails = spawn_nails(world, places, 4);
    const uint32_t arm = spawn_box(world, (struct vec3){1.0f, 0.1f, 0.1f}, still, 4.0f);
    (void)hang(world, nails, 0, arm);
    (void)hang(world, nails, 1, arm);
    struct sim_stick_desc spring = sim_stick_desc_default();
    spring.a = (struct sim_stick_end){nails, 2};
    spring.b = (struct sim_stick_end){arm, 0};
    spring.b_place = anchored((struct vec3){0.4f, 0.0f, 0.0f});
    spring.rest_length = 1.35f;
    spring.kind = SIM_STICK_AT_MOST;
    spring.compliance = 1.0f / 8000.0f;
    (void)join(world, &spring);
    struct sim_stick_desc latch = sim_stick_desc_default();
    latch.a = (struct sim_stick_end){nails, 3};
    latch.b = (struct sim_stick_end){arm, 0};
    latch.b_place = anchored((struct vec3){-0.4f, 0.0f, 0.0f});
    const uint32_t held = join(world, &latch);
    step(world, 30);
    assert_true(fastest_of(world) < 1e-2);
    MUST(sim_stick_remove(world, held, &fault));
    const double stored = 0.5 * 8000.0 * 0.15 * 0.15;
    double thrown = 0.0;
    for (unsigned tick = 0; tick < 12; tick++) { // until the arm has turned so far that the spring draws again
        step(world, 1);
        thrown = fmax(thrown, sim_world_measure(world).kinetic);
    }
    print_message("a catapult: its arm has %.2f J of the %.2f J of its spring, off by %.2f %%\n", thrown, stored,
                  100.0 * fabs(thrown / stored - 1.0));
    assert_true(fabs(thrown / stored - 1.0) < 0.03); // a compliant stick is an implicit step: it damps (3.4)
    sim_world_destroy(world);
}

// ---- what is refused ---------------------------------------------------------------------------------------------

static void refused(struct sim_world *world, const struct sim_stick_desc *desc, enum result result,
                    const char *pointer) {
    struct fault fault;
    uint32_t id = 0;
    const uint32_t before = sim_world_sequence(world);
    assert_int_equal(sim_stick_join(world, desc, &id, &fault), result);
    assert_string_equal(fault.pointer, pointer);
    assert_int_equal(sim_world_sequence(world), before);
}

static struct sim_stick_place weighted(uint32_t a, uint32_t b, float c, float e) {
    return (struct sim_stick_place){.at = SIM_STICK_AT_WEIGHTS,
                                    .weights = {.carriers = 2, .particle = {a, b}, .weight = {c, e}}};
}

static void degenerate_sticks_are_refused(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t box = spawn_box(world, (struct vec3){0.2f, 0.2f, 0.2f}, still, 1.0f);
    const uint32_t one = spawn_particle(world, (struct vec3){2.0f, 0.0f, 0.0f}, still, 1.0f);
    struct sim_stick_desc desc = sim_stick_desc_default();
    desc.a = (struct sim_stick_end){box, 0};
    desc.b = (struct sim_stick_end){one, 0};
    struct sim_stick_desc bad = desc;
    bad.a_place = weighted(0, 1, 0.5f, 0.6f);
    refused(world, &bad, RESULT_INVALID, "/a/weights");
    bad.a_place = weighted(0, 1, NAN, 0.5f);
    refused(world, &bad, RESULT_INVALID, "/a/weights");
    bad.a_place = weighted(0, 1, 5000.0f, -4999.0f);
    refused(world, &bad, RESULT_INVALID, "/a/weights");
    bad.a_place = weighted(1, 1, 0.5f, 0.5f);
    refused(world, &bad, RESULT_INVALID, "/a/particles");
    bad.a_place = weighted(0, 4, 0.5f, 0.5f);
    refused(world, &bad, RESULT_NOT_FOUND, "/a/particles");
    bad.a_place.weights.carriers = 5;
    refused(world, &bad, RESULT_INVALID, "/a/particles");
    bad = desc;
    bad.b_place = anchored(still);
    refused(world, &bad, RESULT_INVALID, "/b/anchor"); // not of a body
    bad.b_place = on_surface((struct vec3){NAN, 0.0f, 0.0f});
    refused(world, &bad, RESULT_INVALID, "/b/point/0");
    bad = desc;
    bad.a_place = anchored((struct vec3){5000.0f, 0.0f, 0.0f});
    refused(world, &bad, RESULT_INVALID, "/a/anchor");
    bad = desc;
    bad.b = bad.a;
    bad.a_place = bad.b_place = anchored((struct vec3){0.05f, 0.0f, 0.0f});
    refused(world, &bad, RESULT_INVALID, "/b");
    bad = desc;
    bad.rest_length = 0.0f;
    bad.kind = SIM_STICK_AT_MOST;
    refused(world, &bad, RESULT_INVALID, "/restLength");
    bad = desc;
    bad.swing = (struct sim_stick_swing){3.0f, 1.0f, 0.0f};
    refused(world, &bad, RESULT_INVALID, "/swing/amplitude");
    bad.swing = (struct sim_stick_swing){0.1f, 0.0f, 0.0f};
    refused(world, &bad, RESULT_INVALID, "/swing/period");
    bad.swing = (struct sim_stick_swing){0.1f, 1.0f, NAN};
    refused(world, &bad, RESULT_INVALID, "/swing/phase");
    bad = desc;
    bad.break_force = -1.0f;
    refused(world, &bad, RESULT_INVALID, "/breakForce");
    sim_world_destroy(world);
}

static void unset(struct sim_world *world, uint32_t stick, struct sim_stick_change change, const char *pointer) {
    struct fault fault;
    assert_true(sim_stick_set(world, stick, change, &fault) != RESULT_OK);
    assert_string_equal(fault.pointer, pointer);
}

static void impossible_changes_are_refused(void **state) {
    (void)state;
    const struct lever lever = new_lever();
    const float none = 0.0f, minus = -1.0f, long_one = 2.0f, huge = 1e30f, nan = NAN;
    const enum sim_stick_kind least = SIM_STICK_AT_LEAST, wrong = SIM_STICK_KIND_COUNT;
    const struct sim_stick_swing wide = {1.5f, 1.0f, 0.0f};
    unset(lever.world, 999, (struct sim_stick_change){.rest_length = &none}, "/stick");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.rate = &long_one}, "/rate");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.rest_length = &none, .rate = &minus}, "/rate");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.rest_length = &none, .rate = &nan}, "/rate");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.rest_length = &minus}, "/restLength");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.rest_length = &huge}, "/restLength");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.rest_length = &none, .kind = &least}, "/restLength");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.kind = &wrong}, "/kind");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.compliance = &minus}, "/compliance");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.swing = &wide}, "/swing/amplitude");
    unset(lever.world, lever.muscle, (struct sim_stick_change){.break_force = &nan}, "/breakForce");
    assert_true(stick_of(lever.world, lever.muscle).kind == SIM_STICK_EQUAL);
    sim_world_destroy(lever.world);
}

// ---- state -------------------------------------------------------------------------------------------------------

// A world with all of it: a lever that a muscle moves, a wheel, a load, a spring of length 0, ends on one body.
static struct sim_world *new_machine(void) {
    struct lever lever = new_lever();
    set_solver(lever.world, 8, 1, 0.0f);
    shorten(lever.world, lever.muscle, 0.5f, 0.1f);
    const uint32_t box =
        spawn_box(lever.world, (struct vec3){0.2f, 0.2f, 0.2f}, (struct vec3){1.0f, -0.5f, 0.0f}, 1.0f);
    struct sim_stick_desc desc = sim_stick_desc_default();
    desc.a = (struct sim_stick_end){lever.box, 0};
    desc.b = (struct sim_stick_end){box, 0};
    desc.a_place = on_surface((struct vec3){1.0f, -0.3f, 0.0f});
    desc.b_place = on_surface((struct vec3){1.0f, -0.3f, 0.05f});
    desc.swing = (struct sim_stick_swing){0.1f, 0.7f, 0.3f};
    desc.break_force = 40.0f;
    (void)join(lever.world, &desc);
    desc = sim_stick_desc_default();
    desc.a = (struct sim_stick_end){box, 0};
    desc.b = (struct sim_stick_end){spawn_particle(lever.world, (struct vec3){1.0f, -1.0f, 0.0f}, still, 0.5f), 0};
    desc.rest_length = 0.0f;
    desc.compliance = 0.01f;
    (void)join(lever.world, &desc);
    return lever.world;
}

static void saved_and_archived_machines_go_on_alike(void **state) {
    (void)state;
    struct sim_world *world = new_machine();
    struct sim_world *copy = new_world();
    struct sim_snapshot *snapshot = NULL;
    struct fault fault;
    step(world, 40);
    assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
    const size_t length = sim_world_archive_length(world);
    unsigned char *bytes = malloc(length);
    assert_non_null(bytes);
    sim_world_archive(world, bytes);
    MUST(sim_world_unarchive(copy, bytes, length, &fault));
    assert_true(sim_world_hash(copy) == sim_world_hash(world));
    step(world, 200);
    step(copy, 200);
    assert_true(sim_world_hash(copy) == sim_world_hash(world));
    const uint64_t hash = sim_world_hash(world);
    sim_world_restore(world, snapshot);
    step(world, 200);
    assert_true(sim_world_hash(world) == hash);
    free(bytes);
    sim_snapshot_destroy(snapshot);
    sim_world_destroy(copy);
    sim_world_destroy(world);
}

static void a_stick_that_moves_keeps_its_island_awake(void **state) {
    (void)state;
    const struct lever lever = new_lever();
    set_solver(lever.world, 8, 4, 0.5f);
    shorten(lever.world, lever.muscle, 0.99f, 0.001f);
    step(lever.world, 300);
    assert_int_equal(count_asleep(lever.world), 0);
    step(lever.world, 600);
    assert_int_equal(count_asleep(lever.world), 2);
    shorten(lever.world, lever.muscle, 1.0f, 0.0f);
    assert_int_equal(count_asleep(lever.world), 0);
    sim_world_destroy(lever.world);
}

// The length becomes 0 within a tick, with both ends in one place.
static void a_stick_may_shrink_to_a_joint_of_ends_that_coincide(void **state) {
    (void)state;
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    const float positions[] = {0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 0.0f};
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.particles = 2;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    struct sim_stick_desc stick = sim_stick_desc_default();
    stick.a = (struct sim_stick_end){id, 0};
    stick.b = (struct sim_stick_end){id, 1};
    stick.rest_length = 1e-4f;
    const uint32_t muscle = join(world, &stick);
    shorten(world, muscle, 0.0f, 0.1f);
    step(world, 30);
    struct sim_object_view view;
    MUST(sim_object_find(world, id, &view, &fault));
    assert_false(view.quarantined);
    assert_true(vec3_length(vec3_sub(position_of(world, id, 0), position_of(world, id, 1))) < 1e-6f);
    sim_world_destroy(world);
}

// A body carries what is far away with large weights; along a diagonal one of them is three times the others.
static void every_anchor_that_is_taken_can_be_archived(void **state) {
    (void)state;
    unsigned taken = 0;
    for (unsigned i = 0; i < 8 * 30; i++) {
        const float away = (float)(i / 8) * 60.0f;
        const struct vec3 point = {(i & 1) != 0 ? away : -away, (i & 2) != 0 ? away : -away,
                                   (i & 4) != 0 ? away : -away};
        struct fault fault;
        uint32_t id = 0;
        struct sim_world *world = new_world();
        const uint32_t nail = spawn_nails(world, (const float[]){0.0f, 2.0f, 0.0f}, 1);
        const uint32_t body = spawn_box(world, (struct vec3){1.0f, 1.0f, 1.0f}, still, 1.0f);
        struct sim_stick_desc desc = sim_stick_desc_default();
        desc.a = (struct sim_stick_end){nail, 0};
        desc.b = (struct sim_stick_end){body, 0};
        desc.b_place = anchored(point);
        if (sim_stick_join(world, &desc, &id, &fault) == RESULT_OK) {
            const size_t length = sim_world_archive_length(world);
            void *bytes = malloc(length);
            assert_non_null(bytes);
            sim_world_archive(world, bytes);
            MUST(sim_world_unarchive(world, bytes, length, &fault));
            free(bytes);
            taken++;
        } else {
            assert_string_equal(fault.pointer, "/b/anchor");
        }
        sim_world_destroy(world);
    }
    assert_in_range(taken, 8, 8 * 25); // near anchors are taken, far ones refused
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stick_may_shrink_to_a_joint_of_ends_that_coincide),
        cmocka_unit_test(every_anchor_that_is_taken_can_be_archived),
        cmocka_unit_test(a_box_swings_as_a_compound_pendulum),
        cmocka_unit_test(two_bodies_on_a_joint_keep_energy_and_momentum),
        cmocka_unit_test(a_muscle_has_the_torque_and_does_the_work_of_its_load),
        cmocka_unit_test(a_length_moves_at_its_rate),
        cmocka_unit_test(two_swinging_muscles_turn_a_wheel),
        cmocka_unit_test(a_stick_breaks_above_its_load_and_tells),
        cmocka_unit_test(a_catapult_has_the_energy_of_its_spring),
        cmocka_unit_test(degenerate_sticks_are_refused),
        cmocka_unit_test(impossible_changes_are_refused),
        cmocka_unit_test(saved_and_archived_machines_go_on_alike),
        cmocka_unit_test(a_stick_that_moves_keeps_its_island_awake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
