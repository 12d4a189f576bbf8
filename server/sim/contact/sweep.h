// SPDX-License-Identifier: MIT
// Sweeps: convex shapes that move against obstacles in a substep, from their place at the substep's start to where they
// would go. A sweep is a particle, a stick, a triangle, a tetrahedron or an embedded hull; up to four particles carry
// its vertices.
#ifndef WEFT_SIM_CONTACT_SWEEP_H
#define WEFT_SIM_CONTACT_SWEEP_H

#include "sim/contact/contact.h"
#include "sim/contact/extent.h"
#include "sim/geometry/convex.h"
#include "sim/geometry/round.h"
#include "sim/world/part.h"

// Surfaces without a radius are kept this far apart, since only a distance above 0 has a direction.
#define SWEEP_SKIN 2.5e-4 // m
// A shape that comes near an obstacle has a contact too, since relaxation may push it in.
#define SWEEP_NEAR_MIN 1e-3 // m, at any speed
#define SWEEP_NEAR_MAX 1e-2 // m

// Distance around a sweep of this radius within which obstacles are searched, in m.
static inline float sweep_margin(float radius) {
    return radius + 2.0f * (float)SWEEP_SKIN;
}

// Results for hulls at the start of their paths. The caller keeps this cache while it examines the same starts with
// other ends, and no longer.
#define SWEEP_CACHE_SIZE 64u
struct sweep_cache {
    const struct obstacle *obstacle; // NULL: unused
    uint32_t facet;                  // index in a height field or a mesh
    uint32_t place;                  // of the hull's object in world->object
    uint32_t part;                   // of the object
    bool escaped;                    // `normal` is set
    struct separation apart;
    struct point normal; // direction out of an overlap
};

struct sweep {
    struct sweep_cache *cache;        // SWEEP_CACHE_SIZE entries, or NULL
    struct start_positions from;      // set by the caller, for all shapes
    const struct obstacle_step *step; // of the obstacle from which the path is seen (sweep_seen_from); NULL: at rest
    uint32_t place;                   // of its object in world->object
    uint32_t slots;
    uint32_t slot[4];
    uint32_t vertices, triangles;
    const float *weight; // 4 per vertex; NULL where vertex i is the particle slot[i]
    const uint32_t *triangle;
    uint32_t part; // of an embedded shape (part.h)
    bool round;    // it has a radius that turns with its body
    bool ring;     // a cylinder, which sweep_turn turns towards the surface in its way
    double rim;    // m, radius of a ring
    float turned[4 * 2 * RING_SIDES];
    float radius; // m
    float friction, restitution;
    struct vec3 min, max; // m, box around the whole path, radius and skin included
    double moved;         // m, the longest path of a vertex
    struct point start[COLLIDE_VERTICES_MAX], end[COLLIDE_VERTICES_MAX];
};

// Distance to keep from an obstacle of this radius, in m.
static inline double sweep_gap(const struct sweep *sweep, double radius) {
    const double reach = (double)sweep->radius + radius;
    return reach > SWEEP_SKIN ? reach : SWEEP_SKIN;
}
// Distance within which a sweep has a contact, touching or not, in m.
static inline double sweep_near_distance(const struct sweep *sweep, double gap) {
    const double distance = 0.5 * sweep->moved;
    return gap + (distance < SWEEP_NEAR_MIN ? SWEEP_NEAR_MIN : distance > SWEEP_NEAR_MAX ? SWEEP_NEAR_MAX : distance);
}

// Makes a sweep of particles, one vertex each; the caller sets `slot` and `slots`.
void sweep_of_particles(struct sweep *sweep, const struct sim_world *world, uint32_t place);
void sweep_of_hull(struct sweep *sweep, const struct sim_world *world, uint32_t place, uint32_t part);
// Sees the path of `from` from an obstacle that moves: its starts are displaced with the obstacle's material.
void sweep_seen_from(struct sweep *sweep, const struct sweep *from, const struct obstacle *obstacle);
// Turns the vertices of a ring about its axis, so that one of each rim lies farthest along `direction`.
void sweep_turn(struct sweep *sweep, const struct sim_world *world, struct point direction);
// The way along the normal from a point of the sweep to the axis of a ring that lies on its side; 0 elsewhere.
struct part_lift sweep_lift(const struct sweep *sweep, const struct mixture *point, struct point normal);
// The weights of a point of the sweep in its particles.
void sweep_weights(const struct sweep *sweep, const struct mixture *point, double weight[4]);
// The contact of a point of the sweep with these weights with a fixed point of an obstacle with this normal, kept `gap`
// apart.
struct contact sweep_contact(const struct sweep *sweep, const double weight[4], struct point fixed, struct point normal,
                             double gap);

#endif
