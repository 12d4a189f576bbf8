// SPDX-License-Identifier: MIT
// Which objects ball joints join: solids on a joint do not collide with one another, since they overlap where they turn
// (PHYSICS.md 3.10).
#ifndef WEFT_SIM_WORLD_JOINT_H
#define WEFT_SIM_WORLD_JOINT_H

#include "sim/world/world.h"

void joint_note(struct sim_world *world); // finds the joints among the added sticks
// Of objects by their places. False for a cloth, mesh, rope or plant, which may wind around what it hangs on.
bool joint_is_between(const struct sim_world *world, uint32_t a, uint32_t b);

#endif
