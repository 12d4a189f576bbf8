// SPDX-License-Identifier: MIT
// Forces that commands apply for a number of ticks.
#ifndef WEFT_SIM_FORCE_FORCE_H
#define WEFT_SIM_FORCE_FORCE_H

#include "sim/world/world.h"

void force_accumulate(struct sim_world *world);                         // called at the start of a tick
void force_clear(const struct sim_world *world, struct slot_span span); // zeroes the accumulators of these particles
// Sets the accumulators of the objects whose `wind_due` is `k` to the values of force_accumulate again.
void force_accumulate_again(struct sim_world *world, uint32_t k);
void force_expire(struct sim_world *world); // called at the end of a tick: removes forces that have expired
void force_drop_object(struct sim_world *world, uint32_t object);

#endif
