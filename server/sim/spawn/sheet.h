// SPDX-License-Identifier: MIT
// The common part of creating cloth and mesh.
#ifndef WEFT_SIM_SPAWN_SHEET_H
#define WEFT_SIM_SPAWN_SHEET_H

#include "sim/world/world.h"

// Completes an object from local positions in x, y, z, sticks and triangles: masses, pins, its place in the world.
enum result sheet_finish(struct sim_world *world, struct object *object, const struct sim_sheet_desc *sheet,
                         struct fault *fault) WEFT_MUST_USE;

// Whether it has bending sticks; panels of fabric bend without.
bool sheet_bends(const struct sim_sheet_desc *sheet);

#endif
