// SPDX-License-Identifier: MIT
// Contacts: the one interface between collision detection and the solver (PHYSICS.md 4).
//
// A contact is a point p of A, carried by up to four particles with weights c_i that add up to 1, kept on the outer
// side of a point q: a fixed one of an obstacle or of the bounds, or one of B, carried by up to four particles with
// weights e_j. B's weights are stored negated, so that one sum is the way from q to p and one loop moves both:
//
//   D = offset − n·Σ weight·p       how deep; D ≤ 0: nothing, contacts push and never pull
//   λ = 1 / Σ w·weight²             which is 1/(Σ w·c² + Σ w·e²)
//   p_i += λ·w_i·weight_i·D·n       puts p exactly on q and, between bodies, keeps momentum
//
// Detection adds contacts once a substep, after `integrate`, in a fixed order; normal, weights and offset hold for all
// its sweeps. The list is scratch: nothing in it outlives the substep. When it is full the contacts that come later
// are left out, the same ones everywhere; the bounds are kept all the same.
#ifndef WEFT_SIM_CONTACT_CONTACT_H
#define WEFT_SIM_CONTACT_CONTACT_H

#include "sim/geometry/point.h"
#include "sim/world/world.h"

#define CONTACT_CARRIERS_MAX 8u
#define CONTACTS_MAX 262144u         // at once
#define CONTACTS_PER_PARTICLE 8u     // in a world of few particles
#define CONTACTS_MIN 512u            // in one of next to none
#define CONTACTS_GUARD 256u          // of them for the guard alone
#define CONTACT_NO_OBJECT UINT32_MAX // the other side is an obstacle or the bounds

// A carrier is not moved by more than this many times the depth: what can move only so has too little weight in the
// point to be meant, as the free corner of a triangle has in a point beside its two pinned ones.
#define CONTACT_LEVER_MAX 1e4f

struct contact {
    // Set by detection.
    uint32_t slot[CONTACT_CARRIERS_MAX]; // particles: A's, then B's
    float weight[CONTACT_CARRIERS_MAX];  // A's add up to 1, B's to −1
    uint32_t carriers;                   // of both
    uint32_t object_a, object_b;         // places in world->object, or CONTACT_NO_OBJECT
    struct vec3 normal;                  // unit, from B or the obstacle towards A
    float offset;                        // m: n·q of a fixed q; between bodies the distance to keep
    float friction;                      // μ of the pair
    float restitution;                   // e of the pair
    // Set by contact_add and kept by the solver.
    float lambda;               // kg
    float approach;             // m per substep, towards q, before relaxation
    float contact_time;         // share of the substep after which the two points meet
    float initial_depth;        // m of D that lay there at the substep's start: given back without gaining speed
    float pushed;               // m, all D of this substep that came of motion: what friction's licence is μ times of
    struct vec3 friction_shift; // m, the tangential change so far: at most μ·pushed long
    // Set in each round of bounces (bounce.h): `target_speed` is to be its speed apart, in m per substep,
    // `normal_impulse` the impulse along the normal so far, in kg·m per substep, `friction_impulse` that across it. In
    // double: gcc 12 drops a rounding to float32 that is undone in the same place when it makes vectors of three
    // components.
    bool struck, bouncing;
    bool stacked; // pushed by stack_relax in this substep: rubs in every sweep, deep or not
    double target_speed, normal_impulse;
    double impact_time; // when they touch, as a share of the substep
    struct point friction_impulse;
};

// Two materials that meet: √(μ₁μ₂), and the larger restitution.
static inline float contact_friction(float a, float b) {
    return sqrtf(a * b);
}
static inline float contact_restitution(float a, float b) {
    return scalar_max(a, b);
}

// What lies deeper in something already when a substep begins than a speed would have brought it was put there by a
// command. Pushed out at once, each point its own way, it would be bent or stretched, and fly off when it recovers. So
// it is only kept from going deeper, and eased out before the sweeps, which may take that back.
#define CONTACT_DEEP_SPEED 10.0f                                  // m/s
#define CONTACT_EASING_SPEED 3.0f                                 // m/s
static inline float contact_deep(const struct sim_world *world) { // m in a substep
    return CONTACT_DEEP_SPEED * world_substep_seconds(world);
}
static inline float contact_easing(const struct sim_world *world) { // m in a substep
    return CONTACT_EASING_SPEED * world_substep_seconds(world);
}

// How a particle has moved in this substep so far: what `finish` in step.c will make of it. A contact changes this, to
// the last bit: rounding the change to where the position can lie would bend friction by per cents, the same way in
// every substep. Nothing gets faster by it than SIM_SPEED_MAX: of several contacts that throw a particle at one another
// each would multiply what the last has done.
static inline struct vec3 contact_displacement(const struct sim_world *world, uint32_t i) {
    return vec3_of(scalar_displacement(world->x[i], world->low_x[i], world->dx[i], world->ahead_x[i], world->off_x[i]),
                   scalar_displacement(world->y[i], world->low_y[i], world->dy[i], world->ahead_y[i], world->off_y[i]),
                   scalar_displacement(world->z[i], world->low_z[i], world->dz[i], world->ahead_z[i], world->off_z[i]));
}
static inline void contact_displace(struct sim_world *world, uint32_t i, struct vec3 u) {
    const float rate = world->tick_hz * (float)world->state.parameters.substeps;
    if (vec3_dot(u, u) * (rate * rate) > SIM_SPEED_MAX * SIM_SPEED_MAX) {
        u = vec3_shortened(u, SIM_SPEED_MAX / rate);
    }
    const struct place x = scalar_ahead(world->x[i], world->low_x[i], u.x);
    const struct place y = scalar_ahead(world->y[i], world->low_y[i], u.y);
    const struct place z = scalar_ahead(world->z[i], world->low_z[i], u.z);
    world->dx[i] = u.x;
    world->dy[i] = u.y;
    world->dz[i] = u.z;
    world->ahead_x[i] = x.at;
    world->ahead_y[i] = y.at;
    world->ahead_z[i] = z.at;
    world->off_x[i] = x.low;
    world->off_y[i] = y.low;
    world->off_z[i] = z.low;
}

// Whether the object does not feel the obstacle in this tick.
static inline bool contact_is_ignored(const struct sim_world *world, const struct object *object,
                                      const struct obstacle *obstacle) {
    return object->ignored_obstacle != 0 && &world->obstacle[object->ignored_obstacle - 1] == obstacle;
}

// How many there may be in a world of so many particles. A world reserves room for as many particles as it may have and
// fills only what those take that it has: what happens is the same in every world that has the room.
uint32_t contact_capacity(uint32_t particles);
// Copies what detection set and fills in the rest. False, and nothing done, when the list is full or no carrier can
// move, or only ones that have next to no share in the point.
bool contact_add(struct sim_world *world, const struct contact *contact);

// How deep it is where p and q are being relaxed to, in m.
float contact_depth(const struct sim_world *world, const struct contact *contact);
// How fast d takes p away from q, in m per substep.
float contact_speed(const struct sim_world *world, const struct contact *contact);

// Every contact once; from the list's end to its beginning when `iteration` is odd.
void contact_relax(struct sim_world *world, uint32_t iteration);
// After detection, before anything is moved: notes where the particles start, and eases out what is deep.
void contact_begin(struct sim_world *world);
// One contact once, without friction. Whether it had to push.
bool contact_push(struct sim_world *world, struct contact *contact);
// Every contact from `first` on, once; only those that had to push stay in the list. Whether anything had to.
bool contact_relax_from(struct sim_world *world, uint32_t first);

#endif
