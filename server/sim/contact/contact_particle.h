// SPDX-License-Identifier: MIT
// Particles against simple obstacles and the bounds, without a list.
#ifndef WEFT_SIM_CONTACT_CONTACT_PARTICLE_H
#define WEFT_SIM_CONTACT_CONTACT_PARTICLE_H

#include "sim/world/world.h"

// True if the particles of an object collide with an obstacle through the list of contacts; otherwise
// contact_particles_relax keeps them out.
static inline bool contact_pair_is_listed(const struct object *object, const struct obstacle *obstacle) {
    return object->restitution > 0.0f || obstacle->shape.restitution > 0.0f ||
           obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD || obstacle->shape.shape == SIM_OBSTACLE_MESH;
}

// In m: distance kept between the obstacle and the object's particles.
float contact_reach(const struct object *object, const struct obstacle *obstacle);
// An iteration over all objects that are not alone, over one that is, and after the iterations over all objects.
// `first`: in the first iteration.
void contact_particles_relax(struct sim_world *world, bool first);
void contact_particles_relax_alone(struct sim_world *world, uint32_t place, bool first);
void contact_particles_relax_again(struct sim_world *world);
// Called after the last iteration: moves particles of bodies and figures and vertices of hulls that are outside the
// bounds back inside.
void contact_confine(struct sim_world *world);
// Called before the first substep of a tick: moves a body or figure that a command has put across the bounds, or the
// bounds across it, inside as a whole. Pushing in its corners one by one would bend it, and it would fly off when it
// straightens. Contacts handle bodies that are pinned, held or larger than the bounds.
void contact_bring_in(struct sim_world *world);

#endif
