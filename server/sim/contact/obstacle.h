// SPDX-License-Identifier: MIT
// Obstacles from inside: how far points are from the simple shapes, and the triangles of height fields and meshes.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_H
#define WEFT_SIM_CONTACT_OBSTACLE_H

#include "sim/world/world.h"

// Points the views of height fields and meshes at where their numbers lie now.
void obstacle_refresh(struct sim_world *world);
// Of one whose shape and numbers were read from an archive: checks them and works out the rest.
enum result obstacle_resume(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) WEFT_MUST_USE;

#endif
