// SPDX-License-Identifier: MIT
// Freezing objects whose motion is not finite.
#ifndef WEFT_SIM_STEP_QUARANTINE_H
#define WEFT_SIM_STEP_QUARANTINE_H

#include "sim/world/world.h"

// Freezes every active object with a displacement that is not finite where `good` has its particles. One that is
// `ahead` is left for the next substep.
void quarantine_find(struct sim_world *world, float *const good[3]);

#endif
