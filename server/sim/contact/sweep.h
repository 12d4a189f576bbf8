// SPDX-License-Identifier: MIT
// What moves against obstacles in a substep: a particle, a stick, a triangle, a tetrahedron or an embedded hull, from
// where it was at the substep's start to where it would go. Convex; its vertices are carried by up to four particles.
#ifndef WEFT_SIM_CONTACT_SWEEP_H
#define WEFT_SIM_CONTACT_SWEEP_H

#include "sim/contact/contact.h"
#include "sim/contact/obstacle.h"
#include "sim/geometry/collide.h"

// Surfaces without a radius are kept this far apart: a distance that is not zero has a direction.
#define SWEEP_SKIN 2.5e-4 // m
// What comes near has a contact too: relaxation may yet push it in.
#define SWEEP_NEAR_MIN 1e-3 // m, whatever its speed
#define SWEEP_NEAR_MAX 1e-2 // m

// How far around a mover of this radius obstacles are looked for, in m.
static inline float sweep_margin(float radius) {
    return radius + 2.0f * (float)SWEEP_SKIN;
}

// Where particles were when the substep began.
struct start_positions {
    float *x, *y, *z; // m, of all
};
static inline struct vec3 start_position(const struct start_positions *start, uint32_t i) {
    return vec3_of(start->x[i], start->y[i], start->z[i]);
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

// ---- sweep.c --------------------------------------------------------------------------------------------------------
// Of particles, one vertex each; `sweep->slot` and `slots` are set.
void sweep_of_particles(struct sweep *sweep, const struct sim_world *world, uint32_t place);
void sweep_of_hull(struct sweep *sweep, const struct sim_world *world, uint32_t place);
// The contact of a point of the mover with a fixed point of `normal`, kept `gap` apart.
struct contact sweep_contact(const struct sweep *sweep, const struct mixture *point, struct point fixed,
                             struct point normal, double gap);

// ---- contact_detect.c -----------------------------------------------------------------------------------------------
// Of particles in the substep: a box around all from start to end, and the longest way of one.
struct extent {
    struct vec3 min, max; // m
    float moved;          // m
};
struct extent extent_of(const struct sim_world *world, uint32_t first, uint32_t end,
                        const struct start_positions *start);
static inline struct extent extent_of_object(const struct sim_world *world, const struct object *object,
                                             const struct start_positions *start) {
    return extent_of(world, object->first, object->first + object->particles, start);
}
bool extent_is_near(const struct extent *extent, const struct obstacle *obstacle, float radius);
float contact_half_thickness(const struct obstacle *obstacle); // m

// ---- sweep_cull.c ---------------------------------------------------------------------------------------------------
// Whether the mover stays out of reach all the way: nearer than sweep_near_distance of its gap it would have a contact.
// What stays under the surface of a solid is turned out by its other facets.
bool sweep_culls_facet(const struct sweep *sweep, const struct facet *facet, bool solid);
bool sweep_culls_box(const struct sweep *sweep, const struct obstacle *obstacle);
// Above one face of a box from start to end, but for what a substep of resting on it adds, and nowhere beyond its rim:
// only its vertices can meet that face. What reaches beyond it may lie on the rim with none of its vertices over the
// face.
bool sweep_stays_above_a_face(const struct sweep *sweep, const struct obstacle *obstacle);

// ---- sweep_hit.c ----------------------------------------------------------------------------------------------------
// Adds the mover's contacts with an obstacle (not a plane) to the world's list.
void sweep_hit(const struct sweep *sweep, struct sim_world *world, const struct obstacle *obstacle);
// Where a mover that has hit an obstacle reaches past the surface it hit: the way that brings all of it back.
bool sweep_way_out(const struct sweep *sweep, const struct sim_world *world, const struct obstacle *obstacle,
                   struct vec3 *way);
// And with the plane through `fixed`.
void sweep_hit_plane(const struct sweep *sweep, struct sim_world *world, struct vec3 fixed, struct vec3 normal,
                     float friction, float restitution);

#endif
