// SPDX-License-Identifier: MIT
// The convex hull of up to 256 points, exact on a grid of 2^−19 of their extent: the same points give the same hull on
// every machine, and no rounding can turn a face inside out.
#ifndef WEFT_SIM_GEOMETRY_HULL_H
#define WEFT_SIM_GEOMETRY_HULL_H

#include <stdbool.h>
#include <stdint.h>

#define HULL_POINTS_MAX 256u
#define HULL_TRIANGLES_MAX (2u * HULL_POINTS_MAX - 4u)

struct hull {
    uint32_t vertices;
    uint32_t vertex[HULL_POINTS_MAX]; // indices of the given points
    uint32_t triangles;
    uint32_t triangle[HULL_TRIANGLES_MAX][3]; // indices of `vertex`, outward
    // Triangles in one plane joined to faces: convex loops, counter-clockwise seen from outside.
    uint32_t faces;
    uint32_t face_end[HULL_TRIANGLES_MAX]; // in `corner`
    uint32_t corners;
    uint32_t corner[3 * HULL_TRIANGLES_MAX]; // indices of `vertex`
};

// `points` has 3 coordinates each, in m. Returns false when all points lie in a plane.
bool hull_build(const float *points, uint32_t count, struct hull *hull);

#endif
