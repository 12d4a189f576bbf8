// SPDX-License-Identifier: MIT
// Gathering candidates by a tree of boxes.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_TREE_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_TREE_H

#include "sim/world/world.h"

// Both return false if candidates may not all have fitted.
bool cloth_contact_gather(struct sim_world *world);       // gathers all candidates; all particles are loose
bool cloth_contact_gather_loose(struct sim_world *world); // gathers those of faces with loose corners; the others stay

#endif
