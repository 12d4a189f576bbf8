// SPDX-License-Identifier: MIT
// Free sticks: sticks that a command adds between any two particles or points of the world.
#ifndef WEFT_SIM_STICK_FREE_STICK_H
#define WEFT_SIM_STICK_FREE_STICK_H

#include "sim/world/world.h"

void free_stick_resolve(struct sim_world *world); // computes slots and colours, when stale
void free_stick_begin_tick(struct sim_world *world);
void free_stick_begin(struct sim_world *world, uint32_t k); // of the tick's k-th substep: lengths, multipliers
void free_stick_relax(struct sim_world *world);
void free_stick_break(struct sim_world *world); // after a tick: removes those that have borne too much
void free_stick_drop_object(struct sim_world *world, uint32_t object);

#endif
