// SPDX-License-Identifier: MIT
// Cutting a sheet along the sides of its triangles that `cut_sides` of the world marks.
#ifndef WEFT_SIM_TEAR_CUT_H
#define WEFT_SIM_TEAR_CUT_H

#include "sim/world/world.h"

// The number of particles, and of sticks, that the cut may add at most; 0 where no side is marked.
uint64_t cut_sides_room(struct sim_world *world, struct object *object);
// Cuts, with the room that cut_sides_room asked for. Returns the number of new particles. The caller declares the
// layout changed.
uint32_t cut_along_sides(struct sim_world *world, struct object *object, uint32_t room);

#endif
