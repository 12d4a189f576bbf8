// SPDX-License-Identifier: MIT
// The bones of a figure: no bone may become flat or its own mirror image.
#ifndef WEFT_SIM_SPAWN_RAGDOLL_H
#define WEFT_SIM_SPAWN_RAGDOLL_H

#include "sim/world/world.h"

// True if it has the number of parts that the functions below rely on.
bool ragdoll_has_its_parts(const struct object *figure);
// True if no bone is flat or its own mirror image; and one iteration of the constraint that forbids it (PHYSICS.md
// 6.2).
bool ragdoll_bones_are_upright(const struct sim_world *world, const struct object *figure);
void ragdoll_relax_bones(struct sim_world *world, const struct object *figure);

#endif
