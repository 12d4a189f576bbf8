// SPDX-License-Identifier: MIT
// True if another iteration would correct nothing by more than the tolerance.
#ifndef WEFT_SIM_STEP_TOLERANCE_H
#define WEFT_SIM_STEP_TOLERANCE_H

#include "sim/world/world.h"

bool tolerance_is_met(const struct sim_world *world);

#endif
