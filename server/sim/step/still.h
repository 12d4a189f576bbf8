// SPDX-License-Identifier: MIT
// The time for which objects have been still.
#ifndef WEFT_SIM_STEP_STILL_H
#define WEFT_SIM_STEP_STILL_H

#include "sim/world/world.h"

// Counts the ticks for which each active object has been still. Returns true if one has been still long enough to fall
// asleep.
bool still_count(struct sim_world *world);
uint32_t still_ticks_until_sleep(const struct sim_world *world);

#endif
