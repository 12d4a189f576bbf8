// SPDX-License-Identifier: MIT
// Motions of obstacles as they are given: the checks, and the storage of the points of paths.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_PATH_H
#define WEFT_SIM_CONTACT_OBSTACLE_PATH_H

#include "sim/world/world.h"

// Checks `base->motion`, which begins at the place of `base`. Rotations of points that are all zeros are still so.
enum result obstacle_motion_check(const struct sim_obstacle *base, struct fault *fault) WEFT_MUST_USE;
// Fails with the limit if so many points of paths are too many beside those of others.
enum result obstacle_path_room(uint32_t points, uint32_t others, struct fault *fault) WEFT_MUST_USE;
// Replaces the points of the obstacle at this place by those of `motion`, with the rotations that they take over from
// the point before, and points the motions of all obstacles at the storage.
void obstacle_path_store(struct sim_world *world, uint32_t place, const struct sim_motion *motion);
void obstacle_path_refresh(struct sim_world *world); // points the motions of all obstacles at the storage

#endif
