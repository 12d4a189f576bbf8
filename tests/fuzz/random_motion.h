// SPDX-License-Identifier: MIT
// How obstacles of random worlds move: with velocities up to the limits and beyond, as belts, along paths, or not at
// all.
#ifndef WEFT_TESTS_RANDOM_MOTION_H
#define WEFT_TESTS_RANDOM_MOTION_H

#include "dice.h"
#include "sim/sim.h"

#define RANDOM_PATH_POINTS_MAX 5u

// A motion in a world of this size. `path` is where the points of a path are put.
static inline struct sim_motion random_motion(struct dice *dice, float reach,
                                              struct sim_path_point path[RANDOM_PATH_POINTS_MAX]) {
    struct sim_motion motion = {0};
    if (dice_percent(dice, 15)) {
        return motion;
    }
    const float speed =
        dice_percent(dice, 70) ? dice_between(dice, 0.0f, 5.0f) * reach : dice_scale(dice, 1e-6f, 200.0f);
    if (dice_percent(dice, 20)) {
        motion.surface_velocity = dice_vector(dice, speed);
        return motion;
    }
    if (dice_percent(dice, 70)) {
        motion.velocity = dice_vector(dice, speed);
        motion.angular_velocity = dice_vector(dice, dice_percent(dice, 50) ? 0.0f : dice_between(dice, 0.0f, 20.0f));
        motion.pivot = dice_vector(dice, dice_percent(dice, 50) ? 0.0f : reach);
        return motion;
    }
    motion.points = 1 + dice_below(dice, RANDOM_PATH_POINTS_MAX);
    motion.path = path;
    motion.loop = dice_percent(dice, 50);
    float time = 0.0f;
    for (uint32_t i = 0; i < motion.points; i++) {
        time += dice_percent(dice, 90) ? dice_between(dice, 0.01f, 2.0f) : dice_real(dice, -1.0f, 1.0f);
        path[i] = (struct sim_path_point){.time = time, .position = dice_vector(dice, reach)};
        if (dice_percent(dice, 30)) {
            path[i].rotation = dice_rotation(dice);
        }
    }
    motion.path_time = dice_percent(dice, 80) ? 0.0f : dice_between(dice, 0.0f, 5.0f);
    return motion;
}

#endif
