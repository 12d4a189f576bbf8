// SPDX-License-Identifier: MIT
// Contacts: the interface between collision detection and the solver (PHYSICS.md 4).
//
// A contact keeps a point p of side A on the outer side of a point q. Up to four particles carry p, with weights c_i
// that add up to 1. q is fixed (on an obstacle or on the bounds) or carried by up to four particles of side B with
// weights e_j. B's weights are stored negated, so that one sum is the vector from q to p and one loop moves both sides:
//
//   D = offset − n·Σ weight·p       depth; only D > 0 pushes, contacts never pull
//   λ = 1 / Σ w·weight²             which is 1/(Σ w·c² + Σ w·e²)
//   p_i += λ·w_i·weight_i·D·n       puts p exactly on q and, between bodies, keeps momentum
//
// Where an obstacle moves, q is where its material is when the substep ends. The start of p is displaced by `surface`,
// so that the way from there is the way relative to the obstacle; speeds and friction are relative to it too.
//
// Detection adds contacts once a substep, after `integrate`, in a fixed order. Normal, weights and offset hold for all
// iterations of the substep. The list is scratch: nothing in it outlives the substep. When the list is full, later
// contacts are left out, the same ones on every machine; the bounds hold all the same.
#ifndef WEFT_SIM_CONTACT_CONTACT_H
#define WEFT_SIM_CONTACT_CONTACT_H

#include "sim/geometry/point.h"
#include "sim/world/world.h"

#define CONTACT_CARRIERS_MAX 8u
#define CONTACTS_MAX 262144u         // at once
#define CONTACTS_PER_PARTICLE 8u     // in a world with few particles
#define CONTACTS_MIN 512u            // in the smallest world
#define CONTACTS_GUARD 256u          // places reserved for the guard
#define CONTACT_NO_OBJECT UINT32_MAX // object_b where side B is an obstacle or the bounds

// No carrier moves by more than this many times the depth. A carrier that would have to move farther has too little
// weight in the point, as the free corner of a triangle has in a point beside its two pinned corners.
#define CONTACT_LEVER_MAX 1e4f

struct contact {
    // Set by detection.
    uint32_t slot[CONTACT_CARRIERS_MAX]; // particles: A's, then B's
    float weight[CONTACT_CARRIERS_MAX];  // A's add up to 1, B's to −1
    uint32_t carriers;                   // of both sides
    uint32_t object_a, object_b;         // places in world->object, or CONTACT_NO_OBJECT
    struct vec3 normal;                  // unit, from B or the obstacle towards A
    float offset;                        // m: n·q where q is fixed; between bodies the distance to keep
    float friction;                      // μ of the pair
    float restitution;                   // e of the pair
    uint32_t moving;                     // 1 + the index of a moving obstacle that is side B, or 0
    struct vec3 surface;                 // m per substep: way of the obstacle's material where p touches it
    uint32_t grip; // 1 + the index in world->grip where friction acts at a round surface (grip.h), or 0
    // Set by contact_add and updated by the solver.
    float lambda;               // kg
    float approach;             // m per substep: speed of p towards q before relaxation
    float contact_time;         // share of the substep after which p and q meet
    float initial_depth;        // m: depth at the substep's start, removed without gaining speed
    float pushed;               // m: sum of the depths removed in this substep; friction is limited to μ times this
    struct vec3 friction_shift; // m: tangential displacement by friction so far, at most μ·pushed long
    // Set in each round of bounces (bounce.h). `target_speed` is the speed at which the points shall part, in m per
    // substep; `normal_impulse` and `friction_impulse` are the impulses so far along and across the normal, in kg·m per
    // substep. They are double, because gcc 12 drops a rounding to float32 that is undone in the same place when it
    // vectorises three components.
    bool struck, bouncing;
    bool stacked; // pushed by stack_relax in this substep: friction acts in every iteration, deep or not
    double target_speed, normal_impulse;
    double impact_time; // share of the substep at which the points touch
    struct point friction_impulse;
};

// Friction and restitution of two materials: √(μ₁·μ₂), and the larger restitution.
static inline float contact_friction(float a, float b) {
    return sqrtf(a * b);
}
static inline float contact_restitution(float a, float b) {
    return scalar_max(a, b);
}

// An object that lies deeper than this when a substep begins was put there by a command. Pushing every point out at
// once would bend or stretch the object, and it would fly off when it recovers. So the contact only keeps it from going
// deeper, and moves it out slowly before the iterations.
#define CONTACT_DEEP_SPEED 10.0f                                  // m/s
#define CONTACT_EASING_SPEED 3.0f                                 // m/s
static inline float contact_deep(const struct sim_world *world) { // m in a substep
    return CONTACT_DEEP_SPEED * world_substep_seconds(world);
}
static inline float contact_easing(const struct sim_world *world) { // m in a substep
    return CONTACT_EASING_SPEED * world_substep_seconds(world);
}

// The displacement of a particle in this substep so far, as `finish` in step.c will compute it. contact_displace sets
// it without rounding: rounding the change to the grid of coordinates would change friction by per cents, the same way
// in every substep. No particle becomes faster than SIM_SPEED_MAX: several contacts that throw a particle at one
// another would each multiply its speed.
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

// True if the object does not collide with the obstacle in this tick.
static inline bool contact_is_ignored(const struct sim_world *world, const struct object *object,
                                      const struct obstacle *obstacle) {
    return object->ignored_obstacle != 0 && &world->obstacle[object->ignored_obstacle - 1] == obstacle;
}

// The greatest number of contacts in a world with so many particles. A world reserves memory for its capacity but uses
// only what its present particles allow, so that results do not depend on the capacity.
uint32_t contact_capacity(uint32_t particles);
// Copies what detection has set and computes the other members. Returns false and adds nothing when the list is full,
// when no carrier can move, or when only carriers with next to no weight can.
bool contact_add(struct sim_world *world, const struct contact *contact);

// Depth at the relaxed positions, in m.
float contact_depth(const struct sim_world *world, const struct contact *contact);
// Speed at which p moves away from q by d, in m per substep; where an obstacle moves, away from its material.
float contact_speed(const struct sim_world *world, const struct contact *contact);

// Relaxes every contact once, from the end of the list to its beginning when `iteration` is odd.
void contact_relax(struct sim_world *world, uint32_t iteration);
// Called after detection, before relaxation moves anything: stores the particles' positions and eases out what is deep.
// Positions of objects with `start_late` are stored by contact_note_start, before anything moves their start.
void contact_begin(struct sim_world *world);
void contact_note_start(struct sim_world *world, struct object *object);
// Relaxes one contact once, without friction. Returns true if the contact was deep.
bool contact_push(struct sim_world *world, struct contact *contact);
// Relaxes every contact from `first` on once and keeps only the deep ones in the list. Returns true if there was one.
bool contact_relax_from(struct sim_world *world, uint32_t first);

#endif
