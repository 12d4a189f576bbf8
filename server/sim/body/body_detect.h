// SPDX-License-Identifier: MIT
// Contacts of rigid bodies with one another and with particles, sticks and triangles of other objects: what the broad
// phase (body_broad.c) hands to the narrow phase (body_pair.c).
#ifndef WEFT_SIM_BODY_BODY_DETECT_H
#define WEFT_SIM_BODY_BODY_DETECT_H

#include "sim/geometry/hull.h"
#include "sim/geometry/penetration.h"
#include "sim/world/world.h"

// A convex part that moves with up to four particles: a body, a bone, or a particle, stick or triangle of another
// object. The box holds it from the substep's start to where it is now, with its radius.
struct body_part {
    uint32_t object; // place in world->object
    uint32_t particles;
    uint32_t slot[4];
    float radius;          // m, kept around it
    struct vec3 low, high; // m
};

// A part's box as the sweep reads it: the axis of the sweep first, then that of the slabs.
struct body_interval {
    float low[3], high[3]; // m
    uint32_t slab, part;
};

_Static_assert(HULL_POINTS_MAX <= COLLIDE_VERTICES_MAX, "a hull is a convex shape");

// ---- body_shape.c ---------------------------------------------------------------------------------------------------
// A part as a convex shape somewhere between the substep's start and now.
struct body_shape {
    struct convex convex;
    struct point vertex[HULL_POINTS_MAX];
    const float *weight; // 4 per vertex, of an embedded shape; NULL where vertices are particles
};
// `share` of the way from the substep's start (x, 0) to now (p, 1).
void body_shape_set(const struct sim_world *world, const struct body_part *part, double share,
                    struct body_shape *shape);
// And with its particles anywhere.
void body_shape_carried(const struct sim_world *world, const struct body_part *part, const struct point carrier[4],
                        struct body_shape *shape);
struct point body_particle_between(const struct sim_world *world, uint32_t slot, double share);
void body_shape_bound(const struct sim_world *world, struct body_part *part);
// A box by the part's radius and by more than the rounding of a coordinate.
void body_part_widen(struct body_part *part);

// ---- body_broad.c ---------------------------------------------------------------------------------------------------
void body_broad_sort(struct sim_world *world);
// Hands over every pair of bodies whose boxes meet, or every body whose box meets that of another object's part.
void body_broad_pairs(struct sim_world *world);
typedef void body_visit(struct sim_world *world, const struct body_part *body, const struct body_part *part,
                        void *context);
void body_broad_meet(struct sim_world *world, const struct body_part *part, body_visit *visit, void *context);

// ---- body_pair.c ----------------------------------------------------------------------------------------------------
// Finds where the two meet, or would pass one another, and adds the contacts.
void body_pair_detect(struct sim_world *world, const struct body_part *a, const struct body_part *b);

#endif
