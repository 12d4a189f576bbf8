// SPDX-License-Identifier: MIT
// Friction of round surfaces. The point of a ball that touches is not a vertex: contacts hold the vertex (its centre)
// at the distance of its radius from the surface, since a push along the normal has the same line of action from there,
// and turns nothing. Friction acts at the point of the surface, so it has weights of its own: a grip.
//
// Between the substep's start and its end that point of the surface runs along an arc. The part of its displacement
// that rotation adds is not the arc's chord r − R(−s)·r but s × r, as long as the surface rolls: `roll` is the
// difference (PHYSICS.md 6.10). With it a ball that rolls without slipping does not slip here either, however far it
// turns.
#ifndef WEFT_SIM_CONTACT_GRIP_H
#define WEFT_SIM_CONTACT_GRIP_H

#include "sim/contact/contact.h"

struct grip {
    uint32_t slot[CONTACT_CARRIERS_MAX]; // carriers of the points of the surfaces, as in a contact
    float weight[CONTACT_CARRIERS_MAX];
    uint32_t carriers;
    float lambda;     // kg
    float share;      // λ of the contact's pushes over this λ: friction is limited by momentum, not by displacement
    struct vec3 roll; // m
    float arm[2];     // m, of sides A and B: from the contact's point to the surface, along the normal
};

// Adds a contact and its grip. `arm`: as in a grip, 0 where a side is not round. Four particles of a body carry every
// round side. Returns the result of contact_add.
bool grip_add_contact(struct sim_world *world, struct contact *contact, const float arm[2]);
// The weights with which a body's four particles, from slot `first` on, carry the vector `way` now: their sum is 0.
// Returns false when the particles lie in a plane.
bool grip_weights(const struct sim_world *world, uint32_t first, struct point way, double weight[4]);
// Called after the last iteration: round bodies that creep or pivot where they touch lose the part of their turn that
// the moment of the ground takes (PHYSICS.md 6.10).
void grip_resist(struct sim_world *world);

#endif
