// SPDX-License-Identifier: MIT
// The guard: nothing ends a substep on the other side of an obstacle or a body.
#ifndef WEFT_SIM_STEP_CONTACT_GUARD_H
#define WEFT_SIM_STEP_CONTACT_GUARD_H

#include "sim/world/world.h"

// After the last sweep: what relaxation has pushed through an obstacle or a body goes back to the side it came from, by
// contacts at the end of the list, from `contacts_found` on. Whether anything had to.
bool contact_guard(struct sim_world *world);

#endif
