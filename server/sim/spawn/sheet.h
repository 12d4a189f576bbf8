// SPDX-License-Identifier: MIT
// What cloth and mesh have in common when they are made.
#ifndef WEFT_SIM_SPAWN_SHEET_H
#define WEFT_SIM_SPAWN_SHEET_H

#include "sim/world/world.h"

// Completes an object from local positions in x, y, z, sticks and triangles: masses, pins, its place in the world.
enum result sheet_finish(struct sim_world *world, struct object *object, const struct sim_sheet_desc *sheet,
                         struct fault *fault) WEFT_MUST_USE;

#endif
