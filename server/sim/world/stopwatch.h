// SPDX-License-Identifier: MIT
// Measures the stages of a tick by the clock that the world's owner provides (sim.h).
#ifndef WEFT_SIM_WORLD_STOPWATCH_H
#define WEFT_SIM_WORLD_STOPWATCH_H

#include "sim/world/world.h"

void stopwatch_begin(struct sim_world *world); // starts a tick
// Adds the time since the last lap to `stage`.
void stopwatch_lap(struct sim_world *world, enum sim_stage stage);

#endif
