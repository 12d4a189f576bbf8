// SPDX-License-Identifier: MIT
// Tearing: at the end of a tick sticks that are stretched too far break.
#ifndef WEFT_SIM_TEAR_TEAR_H
#define WEFT_SIM_TEAR_TEAR_H

#include "sim/world/world.h"

void tear_update(struct sim_world *world); // called at the end of a tick: breaks sticks that are stretched too far

#endif
