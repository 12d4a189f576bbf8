// SPDX-License-Identifier: MIT
// Impacts: how impulses at contacts change the motion of objects. A free rigid body moves as a whole by Newton's and
// Euler's laws; any other object by the weights of the contact. The structures are scratch of one substep; each object
// has one, at its place.
//
// The path of a body is followed through the substep: pose and motion are those at the share `now` of it. A body may
// turn by a large angle within a substep, so a displacement is the chord arm − R(−spin)·arm rather than spin × arm
// (PHYSICS.md 5.3). All motion is per substep.
#ifndef WEFT_SIM_CONTACT_IMPACT_H
#define WEFT_SIM_CONTACT_IMPACT_H

#include "sim/geometry/point.h"
#include "sim/world/world.h"

struct contact;

#define IMPACT_NEVER 2.0

struct rigid_motion {
    struct point velocity;         // m per substep, of the centre of mass
    struct point angular_momentum; // kg·m² per substep, about the centre of mass
};

struct impact_body {
    bool known;      // the members below are set
    bool rigid;      // the members after `time` are set
    bool struck;     // an impulse acts on it in this round
    bool was_struck; // in any round of this substep
    uint32_t points; // number of points at which it is struck in this round
    double time;     // share of the substep at which it first bounces, or IMPACT_NEVER
    double now;
    struct point centre, arm[4]; // m
    double inverse_mass;
    struct point inverse_inertia[3]; // columns, 1/(kg·m²)
    struct rigid_motion motion;
    struct point spin;             // rad
    bool is_followed;              // impact_finish has to set its motion
    struct rigid_motion predicted; // motion that the displacements had before the first iteration
    struct point end[4];           // m, positions of its particles at the substep's end
};

// One side of a contact.
struct impact_side {
    struct impact_body *body;
    const struct object *object; // NULL for an obstacle or the bounds
    double sign;                 // 1 for side A, −1 for side B
    struct point arm;            // m, from the centre to the contact's point; of rigid bodies
};

// True if an object can move freely as a rigid body: a body, or up to four particles that rigid sticks join to one
// another.
bool impact_is_rigid(const struct sim_world *world, const struct object *object);
// True if a particle belongs to the object on this side, which must not be NULL.
bool impact_carries(const struct impact_side *side, uint32_t slot);
struct impact_side impact_side_of(struct sim_world *world, const struct contact *contact, bool first);
// Inverse effective mass K of the contact's points along a unit direction, in 1/kg.
double impact_inverse_mass(const struct sim_world *world, const struct contact *contact,
                           const struct impact_side sides[2], struct point direction);
// Velocity of A's point against B's, in m per substep.
struct point impact_velocity(const struct sim_world *world, const struct contact *contact,
                             const struct impact_side sides[2]);
// Distance of A's point from B's along the normal at a share of the substep, in m; bodies turn on their way.
double impact_gap(const struct sim_world *world, const struct contact *contact, const struct impact_side sides[2],
                  double time);
// The same distance at the substep's end.
double impact_gap_at_end(const struct sim_world *world, const struct contact *contact,
                         const struct impact_side sides[2]);
// Applies an impulse to A and its opposite to B, in kg·m per substep.
void impact_apply(struct sim_world *world, const struct contact *contact, const struct impact_side sides[2],
                  struct point impulse);
// Advances a body to `time`, if it is not there yet.
void impact_advance(const struct sim_world *world, const struct object *object, struct impact_body *body, double time);
// Moves a body to the end of the substep: sets p, and d = p − x.
void impact_place_at_end(struct sim_world *world, const struct object *object, struct impact_body *body);
// Called when the substep is over: sets d to the body's motion plus what the iterations have changed of it.
void impact_finish(struct sim_world *world, const struct object *object, const struct impact_body *body);

#endif
