// SPDX-License-Identifier: MIT
// The guard: nothing ends a substep on the other side of an obstacle or a body.
#ifndef WEFT_SIM_STEP_CONTACT_GUARD_H
#define WEFT_SIM_STEP_CONTACT_GUARD_H

#include "sim/body/body_guard.h"
#include "sim/world/world.h"

// Called after the last iteration: moves particles that relaxation has pushed through an obstacle or a body back to the
// side that they came from. Its contacts stand at the end of the list, from `contacts_found` on. Returns true if
// anything moved.
bool contact_guard(struct sim_world *world);

// True if the guard has to check an object with this extent.
bool contact_guard_concerns(const struct sim_world *world, uint32_t place, const struct body_guard *bodies,
                            const struct extent *extent);

#endif
