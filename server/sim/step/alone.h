// SPDX-License-Identifier: MIT
// Which objects are alone in a substep.
#ifndef WEFT_SIM_STEP_ALONE_H
#define WEFT_SIM_STEP_ALONE_H

#include "sim/world/world.h"

// Called after detection: sets `alone` and `start_late` of all objects.
void alone_choose(struct sim_world *world);

#endif
