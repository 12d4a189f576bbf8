// SPDX-License-Identifier: MIT
// The order of the tetrahedra of a soft body, and the batches in it that share no particle.
#ifndef WEFT_SIM_VOLUME_TETRAHEDRON_PLAN_H
#define WEFT_SIM_VOLUME_TETRAHEDRON_PLAN_H

#include "sim/world/world.h"

// Sorts tetrahedra, 4 local indices each, so that long rows of them share no particle. `taken` is a zeroed set per
// particle and is zeroed again; `colour` and `order` have room for one number per tetrahedron. `order` lists the
// tetrahedra in the new order.
void tetrahedron_sort(const uint32_t *corner, uint32_t count, uint64_t *taken, uint32_t *colour, uint32_t *order);
// Called before a tick: finds the batches of all objects where the layout has changed.
void tetrahedron_plan_resolve(struct sim_world *world);

#endif
