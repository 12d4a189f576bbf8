// SPDX-License-Identifier: MIT
// Where a world's arrays come from and go to (memory.c).
#ifndef WEFT_SIM_STATE_MEMORY_H
#define WEFT_SIM_STATE_MEMORY_H

#include "sim/world/world.h"

enum result memory_reserve(struct sim_world *world) WEFT_MUST_USE; // on failure release it all the same
void memory_release(struct sim_world *world);

#endif
