// SPDX-License-Identifier: MIT
// How an object answers a blow: a free rigid body as a whole, by Newton's and Euler's laws; anything else by the
// weights of the contact. Scratch of one substep, one per object, at its place.
//
// A body is followed through the substep: it is kept as it lies at the share `now` of it, with its momenta. It may turn
// by a large angle on the way, so turning is taken as what it is, not as spin × arm; a displacement is the chord from
// where a particle came from, arm − R(−spin)·arm. All motion is per substep.
#ifndef WEFT_SIM_CONTACT_IMPACT_H
#define WEFT_SIM_CONTACT_IMPACT_H

#include "sim/geometry/point.h"
#include "sim/world/world.h"

struct contact;

#define IMPACT_NEVER 2.0

struct rigid_motion {
    struct point velocity;         // m, of the centre
    struct point angular_momentum; // kg·m², angular momentum about it
};

struct impact_body {
    bool known;      // what follows is set
    bool rigid;      // what follows `time` is set
    bool struck;     // in this round
    bool was_struck; // in any round
    uint32_t points; // at which it is struck in this round
    double time;     // share of the substep at which it first bounces, else IMPACT_NEVER
    double now;
    struct point centre, arm[4]; // m
    double inverse_mass;
    struct point inverse_inertia[3]; // columns, 1/(kg·m²)
    struct rigid_motion motion;
    struct point spin;             // rad
    bool is_followed;              // by an impulse
    struct rigid_motion predicted; // as the displacements have it before the first sweep
    struct point end[4];           // m, where its particles are sent to
};

// One side of a contact.
struct impact_side {
    struct impact_body *body;
    const struct object *object; // NULL: an obstacle or the bounds
    double sense;                // 1 of A, −1 of B
    struct point arm;            // m, from the centre to the contact's point, of what is rigid
};

// Whether an object can move freely as a rigid body: a body, or up to four particles that rigid sticks join to each
// other.
bool impact_is_rigid(const struct sim_world *world, const struct object *object);
// Whether a particle is one of the object on this side, which must not be NULL.
bool impact_carries(const struct impact_side *side, uint32_t slot);
struct impact_side impact_side_of(struct sim_world *world, const struct contact *contact, bool first);
// What the contact's points give along a unit direction, in 1/kg.
double impact_inverse_mass(const struct sim_world *world, const struct contact *contact,
                           const struct impact_side sides[2], struct point direction);
// How A's point moves against B's, in m per substep.
struct point impact_velocity(const struct sim_world *world, const struct contact *contact,
                             const struct impact_side sides[2]);
// How far A's point is above B's along the normal at a share of the substep, in m: a body's turns on its way.
double impact_gap(const struct sim_world *world, const struct contact *contact, const struct impact_side sides[2],
                  double time);
// The same where both are sent to, as the substep ends.
double impact_gap_at_end(const struct sim_world *world, const struct contact *contact,
                         const struct impact_side sides[2]);
// An impulse on A, and against B, in kg·m per substep.
void impact_apply(struct sim_world *world, const struct contact *contact, const struct impact_side sides[2],
                  struct point impulse);
// Follows a body to `time`, if it is not there yet.
void impact_advance(const struct sim_world *world, const struct object *object, struct impact_body *body, double time);
// Sends a body the rest of its way: p, and d = p − x.
void impact_place_at_end(struct sim_world *world, const struct object *object, struct impact_body *body);
// When the substep is over: gives it its motion, and what the sweeps have changed of it.
void impact_finish(struct sim_world *world, const struct object *object, const struct impact_body *body);

#endif
