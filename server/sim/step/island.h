// SPDX-License-Identifier: MIT
// Islands: objects that contacts and added sticks join.
#ifndef WEFT_SIM_STEP_ISLAND_H
#define WEFT_SIM_STEP_ISLAND_H

#include "sim/world/world.h"

// Computes the islands: objects that contacts and free sticks join have the same root.
void island_find(struct sim_world *world);
uint32_t island_root(const struct sim_world *world, uint32_t place);

#endif
