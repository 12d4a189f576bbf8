// SPDX-License-Identifier: MIT
// Objects at rest fall asleep, and contacts wake them.
#ifndef WEFT_SIM_STEP_SLEEP_H
#define WEFT_SIM_STEP_SLEEP_H

#include "sim/world/world.h"

// Wakes objects that touch an awake object; returns true if there were any.
bool sleep_wake_touched(struct sim_world *world);
void sleep_update(struct sim_world *world); // called at the end of a tick

#endif
