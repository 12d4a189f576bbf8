// SPDX-License-Identifier: MIT
// The active particles: those of objects that neither sleep nor are quarantined.
#ifndef WEFT_SIM_WORLD_ACTIVE_H
#define WEFT_SIM_WORLD_ACTIVE_H

#include "sim/world/world.h"

// Declares that an object has fallen asleep, woken up or been quarantined.
void active_changed(struct sim_world *world);

// Computes spans when stale, and sets ahead and off of inactive particles.
void active_resolve(struct sim_world *world);

#endif
