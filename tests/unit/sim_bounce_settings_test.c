// SPDX-License-Identifier: MIT
// Restitution (server/sim/PHYSICS.md 5) at every setting of the solver, from 1 substep of 1 iteration to 64 substeps of
// 16: what lands flat rises by e² of its height and does not turn, two that meet exchange their velocities whenever in
// a substep they touch, and of a row of boxes that touch the last ones take over all of the motion.
#include "sim_bounce.h"

static const struct setting few_settings[] = {{1, 1}, {8, 4}, {32, 8}, {64, 16}};

// ---- dropped flat ------------------------------------------------------------------------------------------------

static void drop(struct figures *figures, enum ground ground, enum thing thing, const struct sim_body_desc *like,
                 struct setting setting, double height) {
    struct sim_world *world = ground_world(setting.substeps, setting.iterations);
    (void)ground_add(world, ground, 0.0, 0.5f);
    const uint32_t id = thing_spawn(world, thing, *like);
    const struct state start = state_of(world, id);
    const double radius = thing == THING_PARTICLE ? 0.05 : 0.0;
    const double moved = height + radius - start.lowest;
    struct sim_body_desc desc = *like;
    struct fault fault;
    MUST(sim_object_remove(world, id, &fault));
    desc.position.y += (float)moved;
    const uint32_t dropped = thing_spawn(world, thing, desc);
    const struct state from = state_of(world, dropped);
    const double rest = from.height - from.lowest + radius;
    double highest = 0.0;
    double turning = 0.0;
    bool rising = false;
    for (unsigned tick = 0; tick < 240; tick++) {
        step(world, 1);
        const struct state now = state_of(world, dropped);
        rising = rising || now.velocity[1] > 0.0;
        if (rising && now.velocity[1] < 0.0) {
            break;
        }
        highest = rising ? fmax(highest, now.height - rest) : 0.0;
        turning = rising ? fmax(turning, turning_of(world, dropped)) : 0.0;
    }
    const double e = (double)desc.restitution;
    note_drop(figures, highest / ((from.height - rest) * e * e), turning);
    sim_world_destroy(world);
}

static void a_cube_dropped_flat_from_40_heights_rises_by_e_squared_at_every_setting(void **state) {
    (void)state;
    const struct sim_body_desc desc = body_with(0.8f);
    struct figures figures = no_figures();
    for (unsigned k = 0; k < COUNT(all_settings); k++) {
        for (unsigned i = 0; i < 40; i++) {
            drop(&figures, GROUND_PLANE, THING_CUBE, &desc, all_settings[k], 0.5 + 0.0625 * i);
        }
    }
    check("a cube on a plane", &figures);
}

static void whatever_lands_flat_on_whatever_ground_rises_by_e_squared(void **state) {
    (void)state;
    static const float all_e[4] = {0.3f, 0.5f, 0.8f, 1.0f};
    for (enum ground ground = 0; ground < GROUND_COUNT; ground++) {
        struct figures figures = no_figures();
        for (enum thing thing = 0; thing < THING_COUNT && ground != GROUND_HEAVY_BODY; thing++) {
            for (unsigned k = 0; k < 4 * COUNT(few_settings); k++) {
                const struct sim_body_desc desc = body_with(all_e[k % 4]);
                drop(&figures, ground, thing, &desc, few_settings[k / 4], 0.7 + 0.13 * (k % 7));
            }
        }
        if (figures.drops > 0) {
            char what[40];
            (void)snprintf(what, sizeof what, "six kinds of things on a %s", ground_name[ground]);
            check(what, &figures);
        }
    }
}

static void boxes_of_other_sizes_and_masses_rise_by_e_squared(void **state) {
    (void)state;
    static const struct vec3 extents[6] = {{0.05f, 0.05f, 0.05f}, {0.1f, 0.02f, 0.1f}, {5.0f, 5.0f, 5.0f},
                                           {2.0f, 0.1f, 2.0f},    {0.2f, 1.0f, 0.2f},  {4.0f, 0.2f, 0.3f}};
    static const float masses[3] = {1e-3f, 1.0f, 1e3f};
    struct figures figures = no_figures();
    for (unsigned k = 0; k < 18 * COUNT(few_settings); k++) {
        struct sim_body_desc desc = body_with(0.8f);
        desc.extents = extents[k % 6];
        desc.mass = masses[k / 6 % 3];
        drop(&figures, GROUND_PLANE, THING_BOX, &desc, few_settings[k / 18], 0.7 + 0.13 * (k % 7));
    }
    check("boxes of 5 cm to 5 m, 1 g to 1 t", &figures);
}

// The points of contact lie close together against the size of the box.
static void a_box_that_lands_on_a_small_pedestal_does_not_turn(void **state) {
    (void)state;
    static const struct vec3 extents[3] = {{1.0f, 0.1f, 1.0f}, {1.0f, 1.0f, 1.0f}, {2.0f, 0.05f, 2.0f}};
    static const float widths[3] = {0.02f, 0.1f, 0.3f};
    double off = 0.0;
    double turning = 0.0;
    for (unsigned k = 0; k < 9 * COUNT(few_settings); k++) {
        const struct sim_obstacle pedestal = {.shape = SIM_OBSTACLE_BOX,
                                              .friction = 0.5f,
                                              .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                                              .size = {widths[k % 3], 1.0f, widths[k % 3]},
                                              .position = {0.0f, -0.5f, 0.0f}};
        struct sim_world *world = ground_world(few_settings[k / 9].substeps, few_settings[k / 9].iterations);
        struct sim_body_desc desc = body_with(0.8f);
        ground_obstacle(world, &pedestal);
        desc.extents = extents[k / 3 % 3];
        desc.position = (struct vec3){0.0f, 1.0f + 0.5f * desc.extents.y, 0.0f};
        const uint32_t id = thing_spawn(world, THING_BOX, desc);
        double highest = 0.0;
        for (unsigned tick = 0; tick < 55; tick++) {
            step(world, 1);
            const bool back = tick > 28; // it has fallen for 27 ticks
            highest = back ? fmax(highest, state_of(world, id).height - 0.5 * (double)desc.extents.y) : 0.0;
            turning = back ? fmax(turning, turning_of(world, id)) : 0.0;
        }
        off = fmax(off, fabs(highest / 0.64 - 1.0));
        sim_world_destroy(world);
    }
    print_message("boxes of 1 and 2 m on pedestals of 2 to 30 cm: height within %.2f %%, turning by %.4f rad/s\n",
                  100.0 * off, turning);
    assert_true(off < 0.01);
    assert_true(turning < 0.02);
}

// Its weight is borne by what it lies on: it does not count as a speed, however long the substep is.
static void what_lands_on_a_heavy_box_that_rests_rises_by_e_squared(void **state) {
    (void)state;
    struct figures figures = no_figures();
    for (unsigned k = 0; k < 5 * COUNT(few_settings); k++) {
        const struct sim_body_desc desc = body_with(0.8f);
        const struct setting setting = few_settings[k / 5];
        if (setting.substeps >= 4) { // with fewer the heavy box itself does not lie still
            drop(&figures, GROUND_HEAVY_BODY, (enum thing)(1 + k % 5), &desc, setting, 0.7 + 0.13 * (k % 7));
        }
    }
    check("five kinds of things on a heavy box", &figures);
}

// ---- rows of boxes without gravity -------------------------------------------------------------------------------

#define ROW_MAX 8u

struct row {
    struct sim_world *world;
    uint32_t boxes, id[ROW_MAX];
    double speed[ROW_MAX], turning; // m/s, rad/s
    double momentum, energy;        // as shares of those at the beginning
};

// `coming` boxes fly at 3 m/s towards the rest, which touch, and reach them after so many substeps.
static struct row row_of(uint32_t boxes, uint32_t coming, float side, float e, struct setting setting,
                         double after_substeps) {
    struct row row = {ground_world(setting.substeps, setting.iterations), boxes, {0}, {0}, 0.0, 0.0, 0.0};
    const double way = 3.0 / (double)TICK_HZ / (double)setting.substeps * after_substeps;
    set_gravity(row.world, 0.0f, 0.0f, 0.0f);
    for (uint32_t k = 0; k < boxes; k++) {
        struct sim_body_desc desc = sim_body_desc_default();
        const bool comes = k < coming;
        desc.shape = SIM_BODY_BOX;
        desc.extents = (struct vec3){side, side, side};
        desc.position = (struct vec3){(float)((double)side * k - (comes ? way : 0.0)), 0.0f, 0.0f};
        desc.velocity = (struct vec3){comes ? 3.0f : 0.0f, 0.0f, 0.0f};
        desc.restitution = e;
        row.id[k] = ground_spawn(row.world, &desc);
    }
    return row;
}

static void measure_row(struct row *row, uint32_t coming) {
    row->momentum = row->energy = row->turning = 0.0;
    for (uint32_t k = 0; k < row->boxes; k++) {
        const struct state state = state_of(row->world, row->id[k]);
        row->speed[k] = state.velocity[0];
        row->momentum += state.mass * state.velocity[0] / (3.0 * state.mass * coming);
        row->energy += state.energy / (4.5 * state.mass * coming);
        row->turning = fmax(row->turning, turning_of(row->world, row->id[k]));
    }
}

static void two_that_touch_anywhere_in_a_substep_exchange_their_velocities(void **state) {
    (void)state;
    static const float sides[3] = {0.3f, 0.25f, 1.0f};
    double off = 0.0;
    double turning = 0.0;
    double momentum = 0.0;
    double gained = 0.0;
    for (unsigned k = 0; k < COUNT(all_settings); k++) {
        for (unsigned i = 0; i < 48; i++) { // at the end of a substep, and a quarter, a half … of one later
            const unsigned quarters = i / 3;
            struct row row = row_of(2, 1, sides[i % 3], 1.0f, all_settings[k], 1.0 + 0.25 * quarters);
            step(row.world, 12);
            measure_row(&row, 1);
            off = fmax(off, fmax(fabs(row.speed[0]), fabs(row.speed[1] - 3.0)));
            turning = fmax(turning, row.turning);
            momentum = fmax(momentum, fabs(row.momentum - 1.0));
            gained = fmax(gained, row.energy - 1.0);
            sim_world_destroy(row.world);
        }
    }
    print_message("head-on pairs, e = 1: speeds within %.1e m/s, turning by %.1e rad/s, momentum within %.1e, "
                  "energy gained %.1e\n",
                  off, turning, momentum, gained);
    assert_true(off < 1e-3);
    assert_true(turning < 0.01);
    assert_true(momentum < 1e-5);
    assert_true(gained < 1e-4);
}

// Of sides from 5 cm to 2 m, masses from 10 g to 100 kg, at 0.7 to 60 m/s.
static void pairs_of_other_sizes_and_masses_part_as_newton_says(void **state) {
    (void)state;
    uint64_t seed = new_seed("pairs_of_other_sizes_and_masses_part_as_newton_says");
    double off = 0.0;
    double momentum = 0.0;
    double gained = 0.0;
    for (unsigned round = 0; round < 600; round++) {
        const struct setting setting = all_settings[random_below(&seed, COUNT(all_settings))];
        const double speed = exp(log(0.7) + log(60.0 / 0.7) * (double)random_between(&seed, 0.0f, 1.0f));
        const double e = round % 3 == 0 ? 1.0 : (double)random_between(&seed, 0.2f, 1.0f);
        const double way = speed / (double)TICK_HZ / setting.substeps * random_below(&seed, 12) / 4.0;
        struct sim_world *world = ground_world(setting.substeps, setting.iterations);
        struct state after[2];
        double mass[2];
        uint32_t id[2];
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        for (unsigned k = 0; k < 2; k++) {
            struct sim_body_desc desc = body_with((float)e);
            const float side = expf(logf(0.05f) + logf(40.0f) * random_between(&seed, 0.0f, 1.0f));
            desc.mass = expf(logf(0.01f) + logf(1e4f) * random_between(&seed, 0.0f, 1.0f));
            desc.extents = (struct vec3){side, side, 0.7f * side};
            desc.position = (struct vec3){k == 0 ? (float)(-0.5 * (double)side - way) : 0.5f * side, 0.0f, 0.0f};
            desc.velocity = (struct vec3){k == 0 ? (float)speed : 0.0f, 0.0f, 0.0f};
            id[k] = thing_spawn(world, THING_BOX, desc);
            mass[k] = (double)desc.mass;
        }
        step(world, 5);
        after[0] = state_of(world, id[0]);
        after[1] = state_of(world, id[1]);
        const double all = mass[0] + mass[1];
        off = fmax(off, fabs(after[0].velocity[0] / speed - (mass[0] - e * mass[1]) / all));
        off = fmax(off, fabs(after[1].velocity[0] / speed - mass[0] * (1.0 + e) / all));
        momentum =
            fmax(momentum,
                 fabs((mass[0] * after[0].velocity[0] + mass[1] * after[1].velocity[0]) / (mass[0] * speed) - 1.0));
        gained = fmax(gained, (after[0].energy + after[1].energy) / (0.5 * mass[0] * speed * speed) - 1.0);
        sim_world_destroy(world);
    }
    print_message("600 pairs of any size and mass: speeds within %.1e of what Newton says, momentum within %.1e, "
                  "energy gained %.1e\n",
                  off, momentum, gained);
    assert_true(off < 1e-3);
    assert_true(momentum < 1e-4);
    assert_true(gained < 1e-4);
}

static void of_a_row_of_boxes_that_touch_as_many_leave_as_have_come(void **state) {
    (void)state;
    double off = 0.0;
    double momentum = 0.0;
    double gained = 0.0;
    for (unsigned k = 0; k < COUNT(all_settings); k++) {
        for (unsigned i = 0; i < 24; i++) {
            const uint32_t boxes = i % 2 == 0 ? 5 : 8;
            const uint32_t coming = 1 + i / 2 % 3;
            const unsigned halves = i / 6;
            struct row row = row_of(boxes, coming, 0.3f, 1.0f, all_settings[k], 1.0 + 0.5 * halves);
            step(row.world, 12);
            measure_row(&row, coming);
            for (uint32_t b = 0; b < boxes; b++) {
                off = fmax(off, fabs(row.speed[b] - (b < boxes - coming ? 0.0 : 3.0)));
            }
            momentum = fmax(momentum, fabs(row.momentum - 1.0));
            gained = fmax(gained, row.energy - 1.0);
            sim_world_destroy(row.world);
        }
    }
    print_message("cradles of five and eight boxes, e = 1, one to three come in: speeds within %.1e m/s, momentum "
                  "within %.1e, energy gained %.1e\n",
                  off, momentum, gained);
    assert_true(off < 0.01);
    assert_true(momentum < 1e-5);
    assert_true(gained < 1e-3);
}

static void a_row_with_less_restitution_sends_none_back_and_keeps_its_momentum(void **state) {
    (void)state;
    static const float all_e[3] = {0.3f, 0.6f, 0.9f};
    double backwards = 0.0;
    double momentum = 0.0;
    for (unsigned k = 0; k < 3 * COUNT(all_settings); k++) {
        struct row row = row_of(5, 1, 0.3f, all_e[k % 3], all_settings[k / 3], 2.0);
        double energy = 1.0;
        for (unsigned tick = 0; tick < 12; tick++) {
            step(row.world, 1);
            measure_row(&row, 1);
            assert_true(row.energy < energy + 0.005); // approaches too slow to bounce are left to the sweeps
            energy = row.energy;
            momentum = fmax(momentum, fabs(row.momentum - 1.0));
            for (uint32_t b = 0; b < 5; b++) {
                backwards = fmax(backwards, -row.speed[b]);
            }
        }
        assert_true(row.speed[4] > row.speed[0] - 1e-3);
        sim_world_destroy(row.world);
    }
    print_message("cradles of five boxes, e 0.3 to 0.9: none goes backwards by more than %.1e m/s, momentum within "
                  "%.1e\n",
                  backwards, momentum);
    assert_true(backwards < 1e-3);
    assert_true(momentum < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_dropped_flat_from_40_heights_rises_by_e_squared_at_every_setting),
        cmocka_unit_test(whatever_lands_flat_on_whatever_ground_rises_by_e_squared),
        cmocka_unit_test(boxes_of_other_sizes_and_masses_rise_by_e_squared),
        cmocka_unit_test(a_box_that_lands_on_a_small_pedestal_does_not_turn),
        cmocka_unit_test(what_lands_on_a_heavy_box_that_rests_rises_by_e_squared),
        cmocka_unit_test(two_that_touch_anywhere_in_a_substep_exchange_their_velocities),
        cmocka_unit_test(pairs_of_other_sizes_and_masses_part_as_newton_says),
        cmocka_unit_test(of_a_row_of_boxes_that_touch_as_many_leave_as_have_come),
        cmocka_unit_test(a_row_with_less_restitution_sends_none_back_and_keeps_its_momentum),
    };
    return cmocka_run_group_tests_name("bounce settings", tests, NULL, NULL);
}
