// SPDX-License-Identifier: MIT
// Tethers: each particle of a sheet stays within reach of its nearest pin.
#ifndef WEFT_SIM_STICK_TETHER_H
#define WEFT_SIM_STICK_TETHER_H

#include "sim/world/world.h"

#define TETHER_NONE UINT32_MAX
void tether_refresh(struct sim_world *world, struct object *object); // computes anchors and paths where stale
void tether_resolve(struct sim_world *world);                        // of all objects
// Called after a tear, which has split particles: computes the paths anew that led through it.
void tether_cut(struct sim_world *world, const struct object *object, uint32_t particles_before);
void tether_relax(struct sim_world *world);

#endif
