// SPDX-License-Identifier: MIT
// Pendulums of ropes and of added sticks, with `start` projection: they keep their energy and have the period that
// mechanics gives them (server/sim/PHYSICS.md 3.3). With `current` they lose both, which the last test shows.
#include "sim_fixture.h"

#include "sim/probe.h"

#define PI 3.14159265358979323846
#define LENGTH 1.0
#define GRAVITY 9.81

enum made_of { PAIR, ROPE_OF_TWO, ROPE_OF_TEN, MADE_OF };
static const char *const names[MADE_OF] = {"a particle on a stick", "a rope of two particles", "a rope of ten"};

// The period of a pendulum that is let go at `angle` (rad), by the arithmetic-geometric mean.
static double period_at(double angle) {
    double a = 1.0, b = cos(0.5 * angle);
    for (unsigned i = 0; i < 8; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * PI * sqrt(LENGTH / GRAVITY) / a;
}

static struct vec3 bob_at(double angle) {
    return (struct vec3){(float)(LENGTH * sin(angle)), (float)(-LENGTH * cos(angle)), 0.0f};
}

static uint32_t hang_on_stick(struct sim_world *world, struct vec3 bob, const struct sim_stick_desc *like) {
    struct fault fault;
    uint32_t id = 0, stick = 0;
    const uint32_t nail = 0;
    const float positions[6] = {0.0f, 0.0f, 0.0f, bob.x, bob.y, bob.z};
    struct sim_particles_desc particles = sim_particles_desc_default();
    particles.positions = positions;
    particles.particles = 2;
    MUST(sim_particles_spawn(world, &particles, &id, &fault));
    MUST(sim_particle_pin(world, id, &nail, 1, NULL, &fault));
    struct sim_stick_desc desc = *like;
    desc.a = (struct sim_stick_end){id, 0};
    desc.b = (struct sim_stick_end){id, 1};
    MUST(sim_stick_join(world, &desc, &stick, &fault));
    return id;
}

static uint32_t hang_on_rope(struct sim_world *world, struct vec3 bob, uint32_t particles,
                             enum sim_projection projection) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_rope_desc desc = sim_rope_desc_default();
    desc.to = bob;
    desc.particles = particles;
    desc.mass = (float)particles;
    desc.projection = projection;
    MUST(sim_rope_spawn(world, &desc, &id, &fault));
    return id;
}

static uint32_t hang(struct sim_world *world, enum made_of made_of, double angle, enum sim_projection projection) {
    struct sim_stick_desc like = sim_stick_desc_default();
    like.projection = projection;
    if (made_of == PAIR) {
        return hang_on_stick(world, bob_at(angle), &like);
    }
    return hang_on_rope(world, bob_at(angle), made_of == ROPE_OF_TWO ? 2 : 10, projection);
}

struct swung {
    double lost;   // of its energy above the lowest point, over 20 swings
    double period; // s, the mean of them
};

// Until the bob has come back 20 times: a swing ends when it passes the lowest point towards +x.
static struct swung swing(enum made_of made_of, double angle, enum sim_projection projection, uint32_t substeps,
                          uint32_t iterations) {
    struct sim_world *world = new_world();
    set_vacuum(world);
    set_solver(world, substeps, iterations, 0.0f);
    set_gravity(world, 0.0f, (float)-GRAVITY, 0.0f);
    const uint32_t id = hang(world, made_of, angle, projection);
    const uint32_t last = view_of(world, id).particles - 1;
    const struct sim_measure before = sim_world_measure(world);
    // Of all but the nail, which is at 0 and counts for nothing; of a rope half of it hangs above.
    const double lowest = -LENGTH * GRAVITY * (made_of == ROPE_OF_TEN ? 0.5 * before.mass : before.mass - 1.0);
    double first = 0.0, at = 0.0, x = (double)position_of(world, id, last).x;
    unsigned passed = 0;
    for (unsigned tick = 1; passed <= 20 && tick < 60 * 200; tick++) {
        step(world, 1);
        const double now = (double)position_of(world, id, last).x;
        if (x < 0.0 && now >= 0.0 && (double)position_of(world, id, last).y < 0.0) {
            at = ((double)tick - now / (now - x)) / (double)TICK_HZ;
            first = passed == 0 ? at : first;
            passed++;
        }
        x = now;
    }
    const struct sim_measure after = sim_world_measure(world);
    const double had = before.kinetic + before.potential - lowest;
    const struct swung swung = {
        .lost = (before.kinetic + before.potential - after.kinetic - after.potential) / had,
        .period = passed > 20 ? (at - first) / 20.0 : HUGE_VAL,
    };
    sim_world_destroy(world);
    return swung;
}

// ---- tests -------------------------------------------------------------------------------------------------------

static const uint32_t solver[][2] = {{4, 1}, {8, 1}, {8, 4}, {16, 1}, {64, 1}}; // substeps, iterations
static const double angles[] = {10.0, 90.0, 170.0};                             // degrees

static void a_pendulum_keeps_energy_and_period(void **state) {
    (void)state;
    bool all = true;
    for (unsigned made_of = PAIR; made_of <= ROPE_OF_TWO; made_of++) {
        for (unsigned a = 0; a < sizeof angles / sizeof angles[0]; a++) {
            const double angle = angles[a] * PI / 180.0;
            double lost = 0.0, off = 0.0;
            for (unsigned i = 0; i < sizeof solver / sizeof solver[0]; i++) {
                const struct swung swung =
                    swing((enum made_of)made_of, angle, SIM_PROJECTION_START, solver[i][0], solver[i][1]);
                lost = fmax(lost, fabs(swung.lost));
                off = fmax(off, fabs(swung.period / period_at(angle) - 1.0));
            }
            print_message("%s, let go at %.0f degrees: after 20 swings its energy is off by %.4f %%, the period by "
                          "%.4f %%\n",
                          names[made_of], angles[a], 100.0 * lost, 100.0 * off);
            all = all && lost < 0.001 && off < 0.01;
        }
    }
    assert_true(all);
}

// At a small angle; at large ones a rope goes slack and loses energy each time it is pulled taut.
static void a_heavy_rope_keeps_its_energy(void **state) {
    (void)state;
    const double angle = 10.0 * PI / 180.0;
    const struct swung often = swing(ROPE_OF_TEN, angle, SIM_PROJECTION_START, 8, 4);
    const struct swung finely = swing(ROPE_OF_TEN, angle, SIM_PROJECTION_START, 16, 1);
    const struct swung damped = swing(ROPE_OF_TEN, angle, SIM_PROJECTION_CURRENT, 8, 4);
    print_message("a rope of ten let go at 10 degrees: loses %.2f %% of its energy at 8 x 4, %.2f %% at 16 x 1; with "
                  "current %.0f %%\n",
                  100.0 * often.lost, 100.0 * finely.lost, 100.0 * damped.lost);
    assert_true(fabs(often.lost) < 0.1 && fabs(finely.lost) < 0.1);
    assert_true(damped.lost > 5.0 * fabs(often.lost));
}

static void along_their_present_direction_they_lose_both(void **state) {
    (void)state;
    for (unsigned made_of = PAIR; made_of <= ROPE_OF_TWO; made_of++) {
        const double angle = 170.0 * PI / 180.0;
        const struct swung swung = swing((enum made_of)made_of, angle, SIM_PROJECTION_CURRENT, 8, 1);
        assert_true(swung.lost > 0.3);
        assert_true(swung.period < 0.8 * period_at(angle));
    }
}

// Where a pendulum on a stick like this is after 10 s, let go at 60 degrees.
static struct vec3 end_of(const struct sim_stick_desc *like) {
    struct sim_world *world = new_world();
    set_vacuum(world);
    set_solver(world, 8, 1, 0.0f);
    set_gravity(world, 0.0f, (float)-GRAVITY, 0.0f);
    const uint32_t id = hang_on_stick(world, bob_at(PI / 3.0), like);
    step(world, 600);
    const struct vec3 end = position_of(world, id, 1);
    sim_world_destroy(world);
    return end;
}

// A stick that only pulls acts along the same direction; one that gives along its present one, whatever is asked for.
static void kind_and_compliance_go_with_it_as_documented(void **state) {
    (void)state;
    const struct vec3 none = {0.0f, 0.0f, 0.0f};
    struct sim_stick_desc stick = sim_stick_desc_default();
    assert_int_equal(stick.projection, SIM_PROJECTION_START);
    const struct vec3 equal = end_of(&stick);
    stick.kind = SIM_STICK_AT_MOST;
    assert_true(distance_of(end_of(&stick), equal) < 0.01);
    stick.projection = SIM_PROJECTION_CURRENT;
    assert_true(distance_of(end_of(&stick), equal) > 0.05);
    stick = sim_stick_desc_default();
    stick.compliance = 1e-4f;
    const struct vec3 yielding = end_of(&stick);
    stick.projection = SIM_PROJECTION_CURRENT;
    assert_true(distance_of(end_of(&stick), yielding) == 0.0 && distance_of(yielding, none) > 0.9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_keeps_energy_and_period),
        cmocka_unit_test(a_heavy_rope_keeps_its_energy),
        cmocka_unit_test(along_their_present_direction_they_lose_both),
        cmocka_unit_test(kind_and_compliance_go_with_it_as_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
