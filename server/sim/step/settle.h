// SPDX-License-Identifier: MIT
// Called after the iterations: particles stay on their side of obstacles, and bones keep their lengths.
#ifndef WEFT_SIM_STEP_SETTLE_H
#define WEFT_SIM_STEP_SETTLE_H

#include "sim/world/world.h"

void settle_after_sweeps(struct sim_world *world); // called after the iterations: guard, and lengths of figures' bones

#endif
