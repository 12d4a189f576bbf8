// SPDX-License-Identifier: MIT
// The guard: nothing ends a substep on the other side of an obstacle or a body.
#ifndef WEFT_SIM_STEP_CONTACT_GUARD_H
#define WEFT_SIM_STEP_CONTACT_GUARD_H

#include "sim/world/world.h"

// Called after the last iteration: moves particles that relaxation has pushed through an obstacle or a body back to the
// side that they came from. Its contacts stand at the end of the list, from `contacts_found` on. Returns true if
// anything moved.
bool contact_guard(struct sim_world *world);

#endif
