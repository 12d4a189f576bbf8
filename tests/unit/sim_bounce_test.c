// SPDX-License-Identifier: MIT
// Restitution (server/sim/PHYSICS.md 5): what is dropped leaves with e times its speed, pairs keep their momentum,
// nothing gains energy; on every kind of ground, with 1, 4 and 8 substeps.
#include "sim_ground.h"

enum attitude { ATTITUDE_FLAT, ATTITUDE_EDGE, ATTITUDE_CORNER, ATTITUDE_COUNT };

static const uint32_t all_substeps[3] = {1, 4, 8};
static const float all_e[4] = {0.3f, 0.5f, 0.8f, 1.0f};

// Of a cube: flat, on one edge, on one corner under its centre.
static struct quat attitude_of(enum attitude attitude) {
    const float sine = 0.38268343f; // of 22.5°
    const float cosine = 0.92387953f;
    if (attitude == ATTITUDE_EDGE) {
        return (struct quat){0.0f, 0.0f, sine, cosine};
    }
    if (attitude == ATTITUDE_CORNER) { // by 45° about y, then by atan √2 about x
        const float half = 0.5f * atanf(sqrtf(2.0f));
        return (struct quat){sinf(half) * cosine, cosf(half) * sine, sinf(half) * sine, cosf(half) * cosine};
    }
    return (struct quat){0.0f, 0.0f, 0.0f, 1.0f};
}

static struct quat random_rotation(uint64_t *seed) {
    const struct vec3 v = random_point(seed, 1.0f);
    const float w = random_between(seed, 0.2f, 1.0f);
    const float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z + w * w);
    return (struct quat){v.x / length, v.y / length, v.z / length, w / length};
}

// ---- dropped -----------------------------------------------------------------------------------------------------

// Dropped from 2 m: the speed with which it leaves as a share of that with which it came, from how high it rises.
static double rebound(enum ground ground, enum thing thing, enum attitude attitude, uint32_t substeps, float e) {
    struct sim_world *world = ground_world(substeps, 4);
    (void)ground_add(world, ground, 0.0, 0.5f);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.position = (struct vec3){0.3f, 2.5f, 0.2f};
    desc.rotation = attitude_of(attitude);
    desc.extents = (struct vec3){0.6f, 0.1f, 0.5f};
    desc.restitution = e;
    const uint32_t id = thing_spawn(world, thing, desc);
    const struct state start = state_of(world, id);
    const double rest = start.height - start.lowest + (thing == THING_PARTICLE ? 0.05 : 0.0);
    double highest = 0.0;
    bool rising = false;
    for (unsigned tick = 0; tick < 150; tick++) {
        step(world, 1);
        const struct state now = state_of(world, id);
        rising = rising || now.velocity[1] > 0.0;
        if (rising && now.velocity[1] < 0.0) {
            break;
        }
        highest = rising ? fmax(highest, now.height - rest) : 0.0;
    }
    sim_world_destroy(world);
    return sqrt(highest / (start.height - rest));
}

static void what_is_dropped_flat_on_an_edge_or_a_corner_leaves_with_e(void **state) {
    (void)state;
    for (enum ground ground = 0; ground < GROUND_COUNT; ground++) {
        double low = 0.0;
        double high = 0.0;
        for (enum thing thing = 0; thing < THING_FRAME; thing++) { // a frame lies on none of its sides in balance
            for (enum attitude attitude = 0; attitude < (thing == THING_CUBE ? ATTITUDE_COUNT : 1); attitude++) {
                for (unsigned k = 0; k < 12; k++) {
                    const float e = all_e[k % 4];
                    const double off = rebound(ground, thing, attitude, all_substeps[k / 4], e) / (double)e - 1.0;
                    low = fmin(low, off);
                    high = fmax(high, off);
                    // A block that lies free gives way itself, with 1 substep.
                    assert_true(fabs(off) < (ground == GROUND_HEAVY_BODY ? 0.06 : 0.02));
                    assert_true(e < 1.0f || ground == GROUND_HEAVY_BODY || off < 0.01);
                }
            }
        }
        print_message("on a %s: e between %+.1f %% and %+.1f %% of what it should be\n", ground_name[ground],
                      100.0 * low, 100.0 * high);
    }
}

static void no_bounce_gains_energy_in_any_attitude(void **state) {
    (void)state;
    uint64_t seed = new_seed("no_bounce_gains_energy_in_any_attitude");
    double most = -1.0;
    double least = 1.0;
    for (unsigned round = 0; round < 240; round++) {
        const bool rough = round % 2 == 1;
        struct sim_world *world = ground_world(all_substeps[round / 2 % 3], 4);
        (void)ground_add(world, (enum ground)(round / 6 % 4), 0.0, rough ? 0.6f : 0.0f);
        struct sim_body_desc desc = sim_body_desc_default();
        desc.position = (struct vec3){0.3f, 1.5f, 0.2f};
        desc.rotation = random_rotation(&seed);
        desc.extents = (struct vec3){0.6f, 0.1f, 0.5f};
        desc.velocity = random_point(&seed, 3.0f);
        desc.friction = rough ? 0.6f : 0.0f;
        desc.restitution = 1.0f;
        const uint32_t id = thing_spawn(world, (enum thing)(1 + round % 5), desc);
        const double before = state_of(world, id).energy;
        step(world, 60);
        const double change = state_of(world, id).energy / before - 1.0;
        most = fmax(most, change);
        least = rough ? least : fmin(least, change);
        sim_world_destroy(world);
    }
    print_message("e = 1, 240 random drops: energy %+.1f %% at most; without friction %+.1f %% at least\n",
                  100.0 * most, 100.0 * least);
    assert_true(most < 0.02);
    assert_true(least > -0.1);
}

static void a_slow_touch_does_not_bounce(void **state) {
    (void)state;
    struct sim_world *world = ground_world(8, 1);
    (void)ground_add(world, GROUND_PLANE, 0.0, 0.5f);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.position = (struct vec3){0.0f, 0.06f, 0.0f}; // 0.44 m/s when it has fallen 1 cm
    desc.restitution = 1.0f;
    const uint32_t particle = thing_spawn(world, THING_PARTICLE, desc);
    desc.position = (struct vec3){3.0f, 0.16f, 0.0f};
    const uint32_t cube = thing_spawn(world, THING_CUBE, desc);
    step(world, 10);
    assert_true(fabs((double)position_of(world, particle, 0).y - 0.05) < 1e-5);
    assert_true(fabs(state_of(world, cube).height - 0.15) < 1e-4);
    sim_world_destroy(world);
}

// ---- pairs -------------------------------------------------------------------------------------------------------

static void sum_up(const struct sim_world *world, const uint32_t id[2], double momentum[3], double *energy) {
    momentum[0] = momentum[1] = momentum[2] = *energy = 0.0;
    for (unsigned k = 0; k < 2; k++) {
        const struct state state = state_of(world, id[k]);
        *energy += state.energy;
        for (unsigned i = 0; i < 3; i++) {
            momentum[i] += state.mass * state.velocity[i];
        }
    }
}

// `central`: along the line of their centres, as they lie.
static struct sim_world *pair_of(unsigned round, bool central, float e, uint32_t id[2], uint64_t *seed) {
    struct sim_world *world = ground_world(all_substeps[round % 3], 4);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.extents = (struct vec3){0.6f, 0.5f, 0.4f};
    desc.position = (struct vec3){-1.0f, 0.0f, 0.0f};
    desc.velocity = (struct vec3){5.0f, 0.0f, 0.0f};
    desc.restitution = e;
    desc.friction = round % 2 == 0 ? 0.5f : 0.0f;
    if (!central) {
        desc.rotation = random_rotation(seed);
        desc.angular_velocity = random_point(seed, 4.0f);
    }
    id[0] = thing_spawn(world, central ? THING_BOX : (enum thing)(1 + round % 5), desc);
    desc.position = (struct vec3){0.3f, central ? 0.0f : random_between(seed, -0.2f, 0.2f), 0.0f};
    desc.velocity = (struct vec3){0.0f, 0.0f, 0.0f};
    desc.mass = random_between(seed, 0.2f, 5.0f);
    id[1] = thing_spawn(world, central ? THING_BOX : (enum thing)(1 + round / 5 % 5), desc);
    return world;
}

static void two_that_meet_part_with_e_keep_their_momentum_and_gain_no_energy(void **state) {
    (void)state;
    uint64_t seed = new_seed("two_that_meet_part_with_e_keep_their_momentum_and_gain_no_energy");
    double worst = 0.0;
    double gained = -1.0;
    double off = 0.0;
    for (unsigned round = 0; round < 240; round++) {
        const bool central = round % 4 == 0;
        const float e = all_e[round / 4 % 4];
        uint32_t id[2];
        double before[3], after[3], energy_before, energy_after;
        struct sim_world *world = pair_of(round, central, e, id, &seed);
        sum_up(world, id, before, &energy_before);
        for (unsigned tick = 0; tick < 30; tick++) {
            step(world, 1);
            sum_up(world, id, after, &energy_after);
            for (unsigned i = 0; i < 3; i++) {
                worst = fmax(worst, fabs(after[i] - before[i]) / before[0]);
            }
        }
        gained = fmax(gained, energy_after / energy_before - 1.0);
        if (central) {
            const double parted = state_of(world, id[1]).velocity[0] - state_of(world, id[0]).velocity[0];
            off = fmax(off, fabs(parted / (5.0 * (double)e) - 1.0));
        }
        sim_world_destroy(world);
    }
    print_message("240 pairs, e 0.3 to 1: momentum within %.1e over the whole, energy %+.2f %% at most; "
                  "head-on they part with e within %.2f %%\n",
                  worst, 100.0 * gained, 100.0 * off);
    assert_true(worst < 1e-5);
    assert_true(gained < 0.01);
    assert_true(off < 0.01);
}

// What is struck leans on the floor, which it cannot give way to.
static void a_ball_bounces_off_a_box_that_rests_on_the_floor(void **state) {
    (void)state;
    struct sim_world *world = ground_world(8, 4);
    (void)ground_add(world, GROUND_PLANE, 0.0, 0.5f);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.position = (struct vec3){0.0f, 0.15f, 0.0f};
    const uint32_t box = thing_spawn(world, THING_CUBE, desc);
    desc.position.y = 1.45f;
    desc.restitution = 0.8f;
    const uint32_t cube = thing_spawn(world, THING_CUBE, desc);
    double highest = 0.0;
    for (unsigned tick = 0; tick < 60; tick++) {
        step(world, 1);
        highest = tick > 30 ? fmax(highest, state_of(world, cube).height) : 0.0;
    }
    print_message("a cube dropped by 1 m on one that rests, e = 0.8: rises to %.3f m of 0.640 m\n", highest - 0.45);
    assert_true(fabs(highest - 0.45 - 0.64) < 0.03);
    assert_true(fabs(state_of(world, box).height - 0.15) < 1e-3);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_dropped_flat_on_an_edge_or_a_corner_leaves_with_e),
        cmocka_unit_test(no_bounce_gains_energy_in_any_attitude),
        cmocka_unit_test(a_slow_touch_does_not_bounce),
        cmocka_unit_test(two_that_meet_part_with_e_keep_their_momentum_and_gain_no_energy),
        cmocka_unit_test(a_ball_bounces_off_a_box_that_rests_on_the_floor),
    };
    return cmocka_run_group_tests_name("bounce", tests, NULL, NULL);
}
