// SPDX-License-Identifier: MIT
// Mass properties of a solid of uniform density bounded by triangles.
#ifndef WEFT_SIM_GEOMETRY_MASS_H
#define WEFT_SIM_GEOMETRY_MASS_H

#include "sim/geometry/hull.h"

// In the axes of the points. `spread` is √(∫x² dm / M) along each principal axis: a, b and c of PHYSICS.md 6.4.
struct mass_properties {
    double volume;     // m³
    double centre[3];  // m
    double axis[3][3]; // unit, right-handed
    double spread[3];  // m, longest first
};

// A solid of uniform density: the mean of (x − centre)·(x − centre)ᵀ over its volume.
struct solid {
    double volume;       // m³
    double centre[3];    // m
    double second[3][3]; // m²
};

// Integrals over tetrahedra between the origin and triangles that wind outward (PHYSICS.md 6.4).
struct moments {
    double volume, first[3], second[3][3];
};
void moments_add(struct moments *sum, double corner[3][3]);
struct solid moments_solid(const struct moments *sum, const float origin[3]); // about `origin`, which is added

// `points` has 3 coordinates each.
struct solid solid_of_hull(const float *points, const struct hull *hull);
struct mass_properties mass_of_solid(const struct solid *solid);
struct mass_properties mass_of_hull(const float *points, const struct hull *hull);

// Eigenvalues and eigenvectors (rows of `vector`, right-handed) of a symmetric matrix, largest first.
void mass_principal_axes(double matrix[3][3], double value[3], double vector[3][3]);

#endif
