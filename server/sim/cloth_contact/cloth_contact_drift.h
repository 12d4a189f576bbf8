// SPDX-License-Identifier: MIT
// How far particles have moved since candidates were gathered.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_DRIFT_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_DRIFT_H

#include "sim/world/world.h"

// Measures `moved` and `way` on the way from the substep's start to where particles are now, and makes sure that the
// candidates hold for it. True if they had to be gathered anew.
bool cloth_contact_refresh(struct sim_world *world);

#endif
