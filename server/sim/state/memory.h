// SPDX-License-Identifier: MIT
// Reserves and releases the arrays of a world (memory.c).
#ifndef WEFT_SIM_STATE_MEMORY_H
#define WEFT_SIM_STATE_MEMORY_H

#include "sim/world/world.h"

// After a failure the caller releases it all the same.
enum result memory_reserve(struct sim_world *world) WEFT_MUST_USE;
void memory_release(struct sim_world *world);

#endif
