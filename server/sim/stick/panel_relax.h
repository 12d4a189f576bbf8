// SPDX-License-Identifier: MIT
// Relaxing the panels of fabric.
#ifndef WEFT_SIM_STICK_PANEL_RELAX_H
#define WEFT_SIM_STICK_PANEL_RELAX_H

#include "sim/world/world.h"

void panel_begin(struct sim_world *world); // starts a substep: λ = 0
void panel_relax(const struct sim_world *world, const struct object *object);

#endif
