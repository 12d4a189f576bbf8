// SPDX-License-Identifier: MIT
// Particles against simple obstacles and the bounds, without a list.
#ifndef WEFT_SIM_CONTACT_CONTACT_PARTICLE_H
#define WEFT_SIM_CONTACT_CONTACT_PARTICLE_H

#include "sim/world/world.h"

// Whether the particles of an object meet an obstacle through the list; else `contact_particles_relax` keeps them out.
static inline bool contact_pair_is_listed(const struct object *object, const struct obstacle *obstacle) {
    return object->restitution > 0.0f || obstacle->shape.restitution > 0.0f ||
           obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD || obstacle->shape.shape == SIM_OBSTACLE_MESH;
}

float contact_reach(const struct object *object, const struct obstacle *obstacle); // m, how far it keeps its particles
void contact_particles_relax(struct sim_world *world, bool first);                 // whether this is the first sweep
// After the last sweep: no particle of a body or a figure and no vertex of a hull outside the bounds, whatever
// relaxation left undone and settling did.
void contact_confine(struct sim_world *world);
// Before the first substep of a tick: a body or figure that a command has put across the bounds, or the bounds across
// it, starts within them, moved as a whole. Were its corners pushed in one by one, it would be bent, and fly off when
// it straightens. What is pinned, held or larger than the bounds is left to contacts.
void contact_bring_in(struct sim_world *world);

#endif
