// SPDX-License-Identifier: MIT
// Internals of obstacles: distances of points from the simple shapes, and the facets of height fields and meshes.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_H
#define WEFT_SIM_CONTACT_OBSTACLE_H

#include "sim/world/world.h"

// Points the views of height fields and meshes at the present place of their numbers.
void obstacle_refresh(struct sim_world *world);
// Checks an obstacle whose shape and numbers were read from an archive, and computes everything else.
enum result obstacle_resume(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) WEFT_MUST_USE;

#endif
