// SPDX-License-Identifier: MIT
// Contacts of rigid bodies with one another and with particles, sticks and triangles of other objects: the data that
// the broad phase (body_broad.c) gives to the narrow phase (body_pair.c).
#ifndef WEFT_SIM_BODY_BODY_DETECT_H
#define WEFT_SIM_BODY_BODY_DETECT_H

#include "sim/world/world.h"

void body_detect_begin_tick(struct sim_world *world);
// Adds the contacts of bodies with one another and with the features of other objects.
void body_detect(struct sim_world *world);

#endif
