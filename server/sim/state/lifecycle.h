// SPDX-License-Identifier: MIT
// Creating, clearing and destroying a world.
#ifndef WEFT_SIM_STATE_LIFECYCLE_H
#define WEFT_SIM_STATE_LIFECYCLE_H

#include "sim/world/world.h"

void lifecycle_own_room(struct sim_world *world); // sheets may tear as far as the world's own capacity
// After the state was replaced: what follows from it is found again, at once or where it is needed next.
void lifecycle_refresh(struct sim_world *world);

#endif
