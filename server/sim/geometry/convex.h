// SPDX-License-Identifier: MIT
// The narrow phase between convex shapes: distance (GJK), penetration (separating axes), the patch in which faces meet
// (PHYSICS.md 4.5).
//
// Computed in double, so that a distance of a tenth of a millimetre keeps its direction 100 km from the origin. Shapes
// are vertices, and triangles where they have faces; a point, a segment and a triangle are shapes too. All functions
// are pure, with a fixed order of arithmetic. Lengths in m.
#ifndef WEFT_SIM_GEOMETRY_CONVEX_H
#define WEFT_SIM_GEOMETRY_CONVEX_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/geometry/point.h"

#define COLLIDE_VERTICES_MAX 256u
#define COLLIDE_PATCH_MAX 4u

struct convex {
    const struct point *vertex;
    const uint32_t *triangle; // 3 vertices each; NULL for a point or a segment
    uint32_t vertices, triangles;
};

// A point of a shape as a weighted mean of up to four of its vertices.
struct mixture {
    uint32_t vertices;
    uint32_t vertex[4];
    double weight[4];
};

struct separation {
    double distance;     // 0 when the shapes overlap
    struct point normal; // unit, from B to A; zero when the shapes overlap
    struct mixture a, b; // the nearest points; not set when the shapes overlap
};

// A pair of points that face one another along a normal.
struct patch_point {
    struct mixture a, b;
    struct point on_b;
    double gap; // distance along the normal from B to A; negative when the shapes overlap
};

static inline struct point point_mix(const struct mixture *mixture, const struct point *vertex) {
    struct point sum = {0};
    for (uint32_t k = 0; k < mixture->vertices; k++) {
        sum = point_add(sum, point_scale(vertex[mixture->vertex[k]], mixture->weight[k]));
    }
    return sum;
}

#endif
