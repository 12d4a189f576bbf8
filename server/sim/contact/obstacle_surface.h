// SPDX-License-Identifier: MIT
// The triangles of height fields and meshes.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_SURFACE_H
#define WEFT_SIM_CONTACT_OBSTACLE_SURFACE_H

#include "sim/geometry/bvh.h"
#include "sim/geometry/point.h"
#include "sim/world/world.h"

// A triangle of a height field or a mesh, wound outward. Edge k leads from corner k to the next. It is sharp where the
// surface bends away from the triangle or ends: only there may a contact's normal differ from the triangle's.
struct facet {
    uint32_t index; // index in the obstacle
    struct point corner[3];
    struct point normal; // unit
    bool sharp[3];
};

// An iterator over the facets that may meet a box, in a fixed order.
struct facet_walk {
    const struct sim_world *world;
    const struct obstacle *obstacle;
    struct bvh bvh;
    struct bvh_walk mesh;
    struct vec3 min, max;                                          // m
    uint32_t column_first, column_end, row_end, column, row, half; // of the cells of a height field
};

void facet_walk_begin(struct facet_walk *walk, const struct sim_world *world, const struct obstacle *obstacle,
                      struct vec3 min, struct vec3 max);
bool facet_walk_next(struct facet_walk *walk, struct facet *facet);
// True if p lies in the solid: under a height field or in a closed mesh. Then sets the nearest point of the surface and
// its normal.
bool obstacle_encloses(const struct sim_world *world, const struct obstacle *obstacle, struct point p,
                       struct point *surface, struct point *normal);

#endif
