// SPDX-License-Identifier: MIT
// The boxes around obstacles.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_BOX_H
#define WEFT_SIM_CONTACT_OBSTACLE_BOX_H

#include "sim/world/world.h"

// Sets the box around the obstacle where it is.
void obstacle_find_box(const struct sim_world *world, struct obstacle *obstacle);
// Widens the box by the way of the substep; `start` is the obstacle with its box when the substep began.
void obstacle_widen_box(struct obstacle *obstacle, const struct obstacle *start);
// m, from the position (of a capsule the middle of its axis) to the farthest point; 0 for a plane and a height field.
float obstacle_reach(const struct sim_obstacle *shape);

#endif
