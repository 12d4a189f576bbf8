// SPDX-License-Identifier: MIT
// Out of an overlap: the separating axes test (S. Gottschalk, 1996). The directions tried are the normals of both
// shapes' faces and the cross products of their edges; the one with the least overlap wins, the first of equals.
#include "sim/collide.h"

// Edges are crossed only while that is a bounded number of directions; the faces of a finer hull are dense enough.
#define CROSSED_TRIANGLES_MAX 24u

struct escape {
    struct point normal;
    double depth;
    const struct point *outward;
};

static void reach_along(const struct convex *shape, struct point axis, double *low, double *high) {
    *low = *high = point_dot(shape->vertex[0], axis);
    for (uint32_t i = 1; i < shape->vertices; i++) {
        const double along = point_dot(shape->vertex[i], axis);
        *low = along < *low ? along : *low;
        *high = along > *high ? along : *high;
    }
}

static void try_sense(struct escape *best, struct point axis, double depth) {
    const bool allowed = best->outward == NULL || point_dot(axis, *best->outward) > 0.0;
    if (allowed && depth < best->depth) {
        best->depth = depth;
        best->normal = axis;
    }
}

static void try_axis(struct escape *best, const struct convex *a, const struct convex *b, struct point axis) {
    const double length = point_length(axis);
    if (!(length > 1e-12)) {
        return;
    }
    const struct point unit = point_scale(axis, 1.0 / length);
    double low_a, high_a, low_b, high_b;
    reach_along(a, unit, &low_a, &high_a);
    reach_along(b, unit, &low_b, &high_b);
    try_sense(best, unit, high_b - low_a);
    try_sense(best, point_scale(unit, -1.0), high_a - low_b);
}

static struct point face_normal(const struct convex *shape, uint32_t triangle) {
    const uint32_t *corner = shape->triangle + 3 * (size_t)triangle;
    const struct point origin = shape->vertex[corner[0]];
    return point_cross(point_sub(shape->vertex[corner[1]], origin), point_sub(shape->vertex[corner[2]], origin));
}

static uint32_t edge_count(const struct convex *shape) {
    return shape->triangles > 0 ? 3 * shape->triangles : shape->vertices - 1;
}

static struct point edge_of(const struct convex *shape, uint32_t edge) {
    if (shape->triangles == 0) {
        return point_sub(shape->vertex[1], shape->vertex[0]);
    }
    const uint32_t *corner = shape->triangle + 3 * (size_t)(edge / 3);
    return point_sub(shape->vertex[corner[(edge + 1) % 3]], shape->vertex[corner[edge % 3]]);
}

static void try_faces(struct escape *best, const struct convex *a, const struct convex *b, const struct convex *of) {
    for (uint32_t f = 0; f < of->triangles; f++) {
        try_axis(best, a, b, face_normal(of, f));
    }
}

static void try_edges(struct escape *best, const struct convex *a, const struct convex *b) {
    if (a->triangles > CROSSED_TRIANGLES_MAX || b->triangles > CROSSED_TRIANGLES_MAX) {
        return;
    }
    for (uint32_t i = 0; i < edge_count(a); i++) {
        for (uint32_t j = 0; j < edge_count(b); j++) {
            try_axis(best, a, b, point_cross(edge_of(a, i), edge_of(b, j)));
        }
    }
}

struct point collide_escape(const struct convex *a, const struct convex *b, const struct point *outward,
                            double *depth) {
    struct escape best = {.depth = 1e30, .outward = outward};
    try_faces(&best, a, b, a);
    try_faces(&best, a, b, b);
    try_edges(&best, a, b);
    if (best.depth == 1e30) { // nothing but points and segments in line: any direction across will do
        static const struct point axis[3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
        const struct point along = a->vertices > 1 ? edge_of(a, 0) : (struct point){0};
        for (unsigned k = 0; k < 3; k++) {
            const double squared = point_dot(along, along);
            const double share = squared > 0.0 ? point_dot(axis[k], along) / squared : 0.0;
            try_axis(&best, a, b, point_sub(axis[k], point_scale(along, share)));
        }
    }
    *depth = best.depth;
    return best.normal;
}
