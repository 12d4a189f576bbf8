// SPDX-License-Identifier: MIT
// Restitution.
#ifndef WEFT_SIM_CONTACT_RESTITUTION_H
#define WEFT_SIM_CONTACT_RESTITUTION_H

#include "sim/world/world.h"

// Restitution above 0.5 m/s (PHYSICS.md 5). restitution_strike handles free rigid bodies before the first iteration;
// restitution_finish handles all other contacts after the substep, and the changes that the iterations made to the
// bodies, and returns true if it changed a displacement.
void restitution_strike(struct sim_world *world, const struct substep *substep);
bool restitution_finish(struct sim_world *world, const struct substep *substep);

#endif
