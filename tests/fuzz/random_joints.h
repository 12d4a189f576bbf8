// SPDX-License-Identifier: MIT
// Sticks between points, ball joints, muscles and loads in random worlds. They are drawn from dice of their own, so
// that all else in the world of a seed is drawn as before there were such sticks.
#ifndef WEFT_TESTS_RANDOM_JOINTS_H
#define WEFT_TESTS_RANDOM_JOINTS_H

#include "random_objects.h"

// The dice of the world of this seed, which has such sticks one time in three.
static inline struct dice joint_dice(uint64_t seed) {
    return (struct dice){seed * 0xA0761D6478BD642Fu + 7};
}

static inline struct sim_stick_place random_stick_place(struct random_world *r, struct dice *dice,
                                                        struct sim_stick_end *end) {
    struct sim_stick_place place = {.at = (enum sim_stick_at)dice_below(dice, 4)};
    const uint32_t count = sim_world_object_count(r->world);
    const struct sim_object_view view =
        count > 0 ? sim_world_object_at(r->world, dice_below(dice, count)) : (struct sim_object_view){.particles = 1};
    *end = (struct sim_stick_end){view.id, dice_below(dice, view.particles)};
    place.point = dice_vector(dice, r->reach);
    place.weights.carriers = dice_percent(dice, 95) ? 1 + dice_below(dice, SIM_STICK_CARRIERS) : dice_below(dice, 7);
    float rest = 1.0f;
    for (uint32_t k = 0; k < SIM_STICK_CARRIERS; k++) {
        const bool last = k + 1 == place.weights.carriers;
        place.weights.particle[k] = (end->particle + k) % view.particles;
        place.weights.weight[k] = last ? rest : dice_real(dice, -1.0f, 2.0f);
        rest -= place.weights.weight[k];
    }
    return place;
}

static inline struct sim_stick_swing random_swing(struct dice *dice) {
    struct sim_stick_swing swing = {0};
    if (dice_percent(dice, 30)) {
        swing = (struct sim_stick_swing){dice_scale(dice, 1e-4f, 1.0f), dice_scale(dice, 1e-3f, 1e3f),
                                         dice_real(dice, -3.0f, 3.0f)};
    }
    return swing;
}

static inline void join_points(struct random_world *r, struct dice *dice) {
    uint32_t id = 0;
    struct fault fault;
    struct sim_stick_desc desc = sim_stick_desc_default();
    desc.a_place = random_stick_place(r, dice, &desc.a);
    desc.b_place = random_stick_place(r, dice, &desc.b);
    if (dice_percent(dice, 30)) { // a ball joint, mostly where it is
        desc.b_place.point = dice_percent(dice, 80) ? desc.a_place.point : desc.b_place.point;
        desc.rest_length = 0.0f;
    } else {
        desc.rest_length = dice_percent(dice, 60) ? -1.0f : dice_scale(dice, 1e-6f, 1e5f);
        desc.kind = (enum sim_stick_kind)dice_below(dice, SIM_STICK_KIND_COUNT);
    }
    desc.projection = (enum sim_projection)dice_below(dice, SIM_PROJECTION_COUNT);
    desc.compliance = dice_percent(dice, 30) ? dice_scale(dice, 1e-9f, 1e3f) : 0.0f;
    desc.swing = random_swing(dice);
    desc.break_force = dice_percent(dice, 30) ? dice_scale(dice, 1e-3f, 1e9f) : 0.0f;
    count_result(r, sim_stick_join(r->world, &desc, &id, &fault));
}

static inline void change_a_stick(struct random_world *r, struct dice *dice) {
    struct fault fault;
    const uint32_t count = sim_world_stick_count(r->world);
    const uint32_t id = count > 0 ? sim_world_stick_at(r->world, dice_below(dice, count)).id : 1;
    const float length = dice_percent(dice, 20) ? 0.0f : dice_scale(dice, 1e-6f, 1e5f);
    const float rate = dice_scale(dice, 1e-3f, 1e3f), load = dice_scale(dice, 1e-3f, 1e9f);
    const float compliance = dice_scale(dice, 1e-9f, 1e3f);
    const enum sim_stick_kind kind = (enum sim_stick_kind)dice_below(dice, SIM_STICK_KIND_COUNT);
    const struct sim_stick_swing swing = random_swing(dice);
    const uint32_t what = dice_below(dice, 64);
    const struct sim_stick_change change = {
        .rest_length = (what & 1) != 0 ? &length : NULL,
        .rate = (what & 2) != 0 ? &rate : NULL,
        .kind = what % 11 == 0 ? &kind : NULL,
        .swing = (what & 4) != 0 ? &swing : NULL,
        .compliance = (what & 8) != 0 ? &compliance : NULL,
        .break_force = what % 7 == 0 ? &load : NULL,
    };
    count_result(r, sim_stick_set(r->world, id, change, &fault));
}

// Before a tick.
static inline void move_joints(struct random_world *r, struct dice *dice, uint64_t seed) {
    if (seed % 3 != 0 || !dice_percent(dice, 8)) {
        return;
    }
    if (dice_percent(dice, 60)) {
        join_points(r, dice);
    } else {
        change_a_stick(r, dice);
    }
}

#endif
