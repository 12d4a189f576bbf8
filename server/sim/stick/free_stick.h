// SPDX-License-Identifier: MIT
// Free sticks: sticks that a command adds between any two particles of the world.
#ifndef WEFT_SIM_STICK_FREE_STICK_H
#define WEFT_SIM_STICK_FREE_STICK_H

#include "sim/world/world.h"

void free_stick_resolve(struct sim_world *world); // computes slots and colours, when stale
void free_stick_relax(struct sim_world *world);
void free_stick_drop_object(struct sim_world *world, uint32_t object);

#endif
