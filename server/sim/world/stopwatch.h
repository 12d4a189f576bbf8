// SPDX-License-Identifier: MIT
// Where the time of a tick goes, by the clock that the world's owner gave it (sim.h).
#ifndef WEFT_SIM_WORLD_STOPWATCH_H
#define WEFT_SIM_WORLD_STOPWATCH_H

#include "sim/world/world.h"

void stopwatch_begin(struct sim_world *world); // of a tick
// What has passed since the last lap belongs to `stage`.
void stopwatch_lap(struct sim_world *world, enum sim_stage stage);

#endif
