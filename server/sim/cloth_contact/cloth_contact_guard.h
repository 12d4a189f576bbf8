// SPDX-License-Identifier: MIT
// The guard: no pair of features passes through another.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_GUARD_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_GUARD_H

#include "sim/world/world.h"

// Called after the last iteration, before `finish`.
void cloth_contact_guard(struct sim_world *world);

#endif
