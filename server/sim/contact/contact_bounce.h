// SPDX-License-Identifier: MIT
// Restitution.
#ifndef WEFT_SIM_CONTACT_CONTACT_BOUNCE_H
#define WEFT_SIM_CONTACT_CONTACT_BOUNCE_H

#include "sim/world/world.h"

// Restitution, none under 0.5 m/s: of free rigid bodies before the first sweep; of the rest, and what rigid bodies
// still lack, when d is what was gone; whether that changed any d.
void contact_strike(struct sim_world *world, const struct substep *substep);
bool contact_restore(struct sim_world *world, const struct substep *substep);

#endif
