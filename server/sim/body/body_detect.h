// SPDX-License-Identifier: MIT
// Contacts of rigid bodies with one another and with particles, sticks and triangles of other objects: what the broad
// phase (body_broad.c) hands to the narrow phase (body_pair.c).
#ifndef WEFT_SIM_BODY_BODY_DETECT_H
#define WEFT_SIM_BODY_BODY_DETECT_H

#include "sim/world/world.h"

// Adds the contacts of bodies with one another and with what other objects are made of.
void body_detect(struct sim_world *world);

#endif
