// SPDX-License-Identifier: MIT
// Notes which kinds of objects a world has, for passes that few worlds need.
#ifndef WEFT_SIM_STEP_PRESENT_H
#define WEFT_SIM_STEP_PRESENT_H

#include "sim/world/world.h"

// Called at the start of a tick, within which no object comes or goes.
void present_note(struct sim_world *world);

#endif
