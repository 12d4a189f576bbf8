// SPDX-License-Identifier: MIT
// Contacts with obstacles and bounds.
#ifndef WEFT_SIM_CONTACT_CONTACT_DETECT_H
#define WEFT_SIM_CONTACT_CONTACT_DETECT_H

#include "sim/world/world.h"

// Empties the list and adds all contacts with obstacles and bounds. Called once a substep, before any other detection.
void contact_detect(struct sim_world *world);
// Finds the contacts of bodies again that the last round of restitution_strike has struck, since their paths have
// changed.
void contact_detect_struck(struct sim_world *world);

#endif
