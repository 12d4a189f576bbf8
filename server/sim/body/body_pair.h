// SPDX-License-Identifier: MIT
// Contacts between two convex parts that move.
#ifndef WEFT_SIM_BODY_BODY_PAIR_H
#define WEFT_SIM_BODY_BODY_PAIR_H

#include "sim/body/body_part.h"
#include "sim/world/world.h"

// Finds where the two parts touch, or would pass one another, and adds the contacts.
void body_pair_detect(struct sim_world *world, const struct body_part *a, const struct body_part *b);

#endif
