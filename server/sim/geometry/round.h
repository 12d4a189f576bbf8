// SPDX-License-Identifier: MIT
// Round solids: sphere, capsule, cylinder, and the sum of a hull and a ball (a rounded hull). The axis of a capsule and
// of a cylinder is y, their centre the origin. Lengths in m.
#ifndef WEFT_SIM_GEOMETRY_ROUND_H
#define WEFT_SIM_GEOMETRY_ROUND_H

#include "sim/geometry/mass.h"

#define RING_SIDES 32u // vertices of a rim

// Exact (PHYSICS.md 6.9). A capsule of length 0 is a sphere.
struct solid solid_of_capsule(double radius, double length);
struct solid solid_of_cylinder(double radius, double height);
// Within 0.3 % of the exact sum: of a polyhedron of 2048 triangles.
struct solid solid_of_rounded(const float *points, const struct hull *hull, double radius);
// Turns a solid by a rotation, given by its columns, then moves it.
void solid_place(struct solid *solid, double column[3][3], const double shift[3]);

// The cosine of k of RING_SIDES equal shares of a full turn; the sine is that of RING_SIDES / 4 shares less.
double ring_cosine(uint32_t k);
// The 2·RING_SIDES vertices of a cylinder, lower rim first, and its triangles, outward.
#define RING_TRIANGLES (4u * RING_SIDES - 4u)
void ring_points(double radius, double height, float points[2 * RING_SIDES][3]);
void ring_triangles(uint32_t triangle[RING_TRIANGLES][3]);

#endif
