// SPDX-License-Identifier: MIT
// What moves against obstacles in a substep: a particle, a stick, a triangle, a tetrahedron or an embedded hull, from
// where it was at the substep's start to where it would go. Convex; its vertices are carried by up to four particles.
#ifndef WEFT_SIM_CONTACT_SWEEP_H
#define WEFT_SIM_CONTACT_SWEEP_H

#include "sim/contact/contact.h"
#include "sim/contact/extent.h"
#include "sim/geometry/convex.h"

// Surfaces without a radius are kept this far apart: a distance that is not zero has a direction.
#define SWEEP_SKIN 2.5e-4 // m
// What comes near has a contact too: relaxation may yet push it in.
#define SWEEP_NEAR_MIN 1e-3 // m, whatever its speed
#define SWEEP_NEAR_MAX 1e-2 // m

// How far around a mover of this radius obstacles are looked for, in m.
static inline float sweep_margin(float radius) {
    return radius + 2.0f * (float)SWEEP_SKIN;
}

// What has been found out about hulls where their ways start. Who looks at the same ways again, to other ends, keeps it
// from one look to the next, and no longer.
#define SWEEP_CACHE_SIZE 64u
struct sweep_cache {
    const struct obstacle *obstacle; // NULL: nothing
    uint32_t facet;                  // of a height field or a mesh
    uint32_t place;                  // of the hull's object
    bool escaped;                    // `normal` was looked for
    struct separation apart;
    struct point normal; // out of an overlap
};

struct sweep {
    struct sweep_cache *cache;   // SWEEP_CACHE_SIZE; NULL: looks only once
    struct start_positions from; // set by the caller, for all that the mover becomes
    uint32_t place;              // of its object
    uint32_t slots;
    uint32_t slot[4];
    uint32_t vertices, triangles;
    const float *weight; // 4 per vertex; NULL: vertex i is carried by slot i alone
    const uint32_t *triangle;
    float radius; // m
    float friction, restitution;
    struct vec3 min, max; // m, around its whole way, radius and skin included
    double moved;         // m, the longest way of a vertex
    struct point start[COLLIDE_VERTICES_MAX], end[COLLIDE_VERTICES_MAX];
};

// How far it is to stay from an obstacle of this radius, in m.
static inline double sweep_gap(const struct sweep *sweep, double radius) {
    const double reach = (double)sweep->radius + radius;
    return reach > SWEEP_SKIN ? reach : SWEEP_SKIN;
}
// Up to what distance it comes near, touching or not.
static inline double sweep_near_distance(const struct sweep *sweep, double gap) {
    const double distance = 0.5 * sweep->moved;
    return gap + (distance < SWEEP_NEAR_MIN ? SWEEP_NEAR_MIN : distance > SWEEP_NEAR_MAX ? SWEEP_NEAR_MAX : distance);
}

// Of particles, one vertex each; `sweep->slot` and `slots` are set.
void sweep_of_particles(struct sweep *sweep, const struct sim_world *world, uint32_t place);
void sweep_of_hull(struct sweep *sweep, const struct sim_world *world, uint32_t place);
// The contact of a point of the mover with a fixed point of `normal`, kept `gap` apart.
struct contact sweep_contact(const struct sweep *sweep, const struct mixture *point, struct point fixed,
                             struct point normal, double gap);

#endif
