// SPDX-License-Identifier: MIT
// Contacts of a moving convex shape with an obstacle.
#ifndef WEFT_SIM_CONTACT_SWEEP_HIT_H
#define WEFT_SIM_CONTACT_SWEEP_HIT_H

#include "sim/contact/sweep.h"

// Adds the contacts of a sweep with an obstacle that is not a plane to the world's list.
void sweep_hit(const struct sweep *sweep, struct sim_world *world, const struct obstacle *obstacle);
// For a sweep that has hit an obstacle and reaches past the surface: sets the displacement that brings all of it back
// and returns true.
bool sweep_way_out(const struct sweep *sweep, const struct sim_world *world, const struct obstacle *obstacle,
                   struct vec3 *way);
// Adds its contacts with the plane through `fixed`.
void sweep_hit_plane(const struct sweep *sweep, struct sim_world *world, struct vec3 fixed, struct vec3 normal,
                     float friction, float restitution);

#endif
