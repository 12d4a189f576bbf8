// SPDX-License-Identifier: MIT
// For how long objects have been still.
#ifndef WEFT_SIM_STEP_STILL_H
#define WEFT_SIM_STEP_STILL_H

#include "sim/world/world.h"

// Counts for how many ticks each active object has been still; whether one has been for long enough to fall asleep.
bool still_count(struct sim_world *world);
uint32_t still_ticks_until_sleep(const struct sim_world *world);

#endif
