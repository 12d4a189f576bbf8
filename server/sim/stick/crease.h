// SPDX-License-Identifier: MIT
// Creases: bending of a fabric beyond its yield stays.
#ifndef WEFT_SIM_STICK_CREASE_H
#define WEFT_SIM_STICK_CREASE_H

#include "sim/world/world.h"

void crease_update(struct sim_world *world); // called at the end of a tick

#endif
