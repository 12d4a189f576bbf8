// SPDX-License-Identifier: MIT
// Grabs: particles and points of a surface that follow a hand.
#ifndef WEFT_SIM_FORCE_GRAB_H
#define WEFT_SIM_FORCE_GRAB_H

#include "sim/world/world.h"

void grab_resolve(struct sim_world *world); // the slots of carriers, when stale
void grab_advance(struct sim_world *world, const struct substep *substep, uint32_t substeps_left);
void grab_relax(struct sim_world *world);
void grab_remember(struct sim_world *world);
void grab_follow_particle(struct sim_world *world, uint32_t object, uint32_t index, struct vec3 position);
void grab_drop_object(struct sim_world *world, uint32_t object);

#endif
