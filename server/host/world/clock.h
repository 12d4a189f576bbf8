// SPDX-License-Identifier: MIT
// The clock of a world's ticks.
#ifndef WEFT_HOST_WORLD_CLOCK_H
#define WEFT_HOST_WORLD_CLOCK_H

#include "host/world/world_state.h"

void world_follow_clock(struct world *world); // after commands that may have set the world to run or stand

#endif
