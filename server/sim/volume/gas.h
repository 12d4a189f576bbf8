// SPDX-License-Identifier: MIT
// Gas in a closed mesh: a balloon, a cushion (PHYSICS.md 17.5).
#ifndef WEFT_SIM_VOLUME_GAS_H
#define WEFT_SIM_VOLUME_GAS_H

#include "sim/world/world.h"

void gas_begin(struct sim_world *world); // clears the multipliers of a new substep
void gas_relax(struct sim_world *world); // one iteration over all active objects with gas

// Pa above the pressure outside, of the gas at a volume.
double gas_pressure_at(const struct object *object, double volume);
double gas_energy(const struct sim_world *world, const struct object *object); // J, work to be had back to rest

#endif
