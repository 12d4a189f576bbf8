// SPDX-License-Identifier: MIT
// Parts of objects as convex shapes in double.
#ifndef WEFT_SIM_BODY_BODY_SHAPE_H
#define WEFT_SIM_BODY_BODY_SHAPE_H

#include "sim/body/body_part.h"
#include "sim/world/world.h"

// A part as a convex shape at a time between the substep's start and now.
struct body_shape {
    struct convex convex;
    struct point vertex[HULL_POINTS_MAX];
    const float *weight; // 4 per vertex of an embedded shape; NULL where vertices are particles
};

// Sets the shape at the share `share` of the path from the substep's start (x, 0) to now (p, 1).
void body_shape_set(const struct sim_world *world, const struct body_part *part, double share,
                    struct body_shape *shape);
// Sets the shape with its particles at given places.
void body_shape_carried(const struct sim_world *world, const struct body_part *part, const struct point carrier[4],
                        struct body_shape *shape);
struct point body_particle_between(const struct sim_world *world, uint32_t slot, double share);
void body_shape_bound(const struct sim_world *world, struct body_part *part);
// Widens the box by the part's radius and by more than the rounding of a coordinate.
void body_part_widen(struct body_part *part);

#endif
