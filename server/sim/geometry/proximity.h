// SPDX-License-Identifier: MIT
// Distance of a vertex from a triangle and of an edge from an edge, and how far four particles may move before two such
// features meet. Computed in double from float32 coordinates: features that are reported to be apart are apart.
//
// A pair of features is four particles: a vertex and a triangle, the vertex first, or two edges. The nearest points p
// (of the first feature) and q (of the second) are Σ weight·particle over each feature. The weights of the second
// feature are negative, so that p − q = Σ weight·particle over all four.
#ifndef WEFT_SIM_GEOMETRY_PROXIMITY_H
#define WEFT_SIM_GEOMETRY_PROXIMITY_H

#include <stdbool.h>

#include "sim/geometry/point.h"

// Edges are parallel if the square of the sine of the angle between them is less than this: no points inside both are
// then nearer than their ends, to within a millionth of their length.
#define PROXIMITY_PARALLEL_SINE_SQUARED 1e-12

enum proximity_kind { PROXIMITY_VERTEX_TRIANGLE, PROXIMITY_EDGE_EDGE };

struct proximity {
    double weight[4];
    struct point apart; // m, p − q
    double distance;    // m
};

struct proximity proximity_of(enum proximity_kind kind, const struct point at[4]);

// An upper bound of the change of the distance while the particles move straight by `moved`, without their common
// motion.
double proximity_reach(enum proximity_kind kind, const struct point moved[4]);

// The share of the straight path from `start` to `end` that certainly keeps the features more than `floor` m apart; 1
// if all of it does. Conservative advancement: while no particle crosses a plane between the two, they stay apart. (B.
// Mirtich, "Impulse-based Dynamic Simulation", 1996; M. Li et al., "Codimensional IPC", 2021.)
double proximity_advance(enum proximity_kind kind, const struct point start[4], const struct point end[4],
                         double floor);

// The particles at a share of the path.
void proximity_between(const struct point start[4], const struct point end[4], double share, struct point at[4]);

#endif
