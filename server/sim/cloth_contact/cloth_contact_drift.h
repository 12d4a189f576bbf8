// SPDX-License-Identifier: MIT
// Measures how far particles have moved since candidates were gathered.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_DRIFT_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_DRIFT_H

#include "sim/world/world.h"

// Measures `moved` and `path` on the path from the substep's start to the present positions, and gathers candidates
// anew if they do not hold for it. Returns true if the order of contacts has changed.
bool cloth_contact_refresh(struct sim_world *world);

#endif
