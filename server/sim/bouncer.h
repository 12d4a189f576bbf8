// SPDX-License-Identifier: MIT
// How an object answers a blow: a free rigid body as a whole, by its mass and inertia; anything else by the weights of
// the contact. Scratch of one substep, one per object, at its place.
//
// All motion is per substep. A blow falls somewhere within it: `now` is what is left to go of the change, `late` what
// is added when the substep is over (contact_bounce.c).
#ifndef WEFT_SIM_BOUNCER_H
#define WEFT_SIM_BOUNCER_H

#include "sim/point.h"
#include "sim/world.h"

struct contact;

#define BOUNCER_NEVER 2.0

struct twist {
    struct point going, spin; // m and rad per substep
};

struct bouncer {
    bool known;  // what follows is set
    bool rigid;  // what follows `time` is set
    bool struck; // in this round
    double time; // share of the substep at which it first bounces; else BOUNCER_NEVER
    double inverse_mass;
    struct point centre;
    struct point inverse_inertia[3]; // columns, 1/(kg·m²)
    struct twist motion, now, late;
};

// One side of a contact.
struct grip {
    struct bouncer *bouncer;
    const struct object *object; // NULL: an obstacle or the bounds
    double sense;                // 1 of A, −1 of B
    struct point arm;            // m, from the centre to the contact's point, of what is rigid
};

// Whether an object can move freely as a rigid body.
bool bouncer_is_rigid(const struct sim_world *world, const struct object *object);
struct grip bouncer_grip(struct sim_world *world, const struct contact *contact, bool first);
// What the contact's points give along a unit direction, in 1/kg.
double bouncer_yield(const struct sim_world *world, const struct contact *contact, const struct grip grip[2],
                     struct point direction);
// How A's point moves against B's, in m per substep.
struct point bouncer_speed(const struct sim_world *world, const struct contact *contact, const struct grip grip[2]);
// An impulse on A, and against B, in kg·m per substep, at `time` of the substep.
void bouncer_push(struct sim_world *world, const struct contact *contact, const struct grip grip[2],
                  struct point impulse, double time);
// Adds a twist to the displacements of an object's particles, which lie at x.
void bouncer_turn(struct sim_world *world, const struct object *object, const struct twist *twist);

#endif
