// SPDX-License-Identifier: MIT
// After the sweeps: obstacles keep their sides and bones their lengths.
#ifndef WEFT_SIM_STEP_SETTLE_H
#define WEFT_SIM_STEP_SETTLE_H

#include "sim/world/world.h"

void settle_after_sweeps(struct sim_world *world); // called after the iterations: guard, and lengths of figures' bones

#endif
