// SPDX-License-Identifier: MIT
// The forces of the air on triangles.
#ifndef WEFT_SIM_FORCE_WIND_H
#define WEFT_SIM_FORCE_WIND_H

#include "sim/world/world.h"

// Called before substep `k` of a tick: adds the forces of the air to objects on which they are due.
void wind_apply(struct sim_world *world, const struct substep *substep, uint32_t k);

#endif
