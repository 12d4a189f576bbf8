// SPDX-License-Identifier: MIT
// The direction out of an overlap, by the separating axes test (S. Gottschalk, 1996). The directions tried are the
// normals of both shapes' faces and the cross products of their edges; the one with the least overlap is chosen, the
// first of equals.
#include "sim/geometry/collide_axes.h"

// Edges are crossed only while the number of directions is small; the faces of a finer hull are dense enough.
#define CROSSED_TRIANGLES_MAX 24u

// Number of vertices between two checks whether an axis can still be the best.
#define STRIDE 4u

struct escape {
    struct point normal;
    double depth;
    const struct point *outward;
};

struct range {
    double low, high;
};

static inline void widen(struct range *range, const struct convex *shape, struct point axis, uint32_t from,
                         uint32_t end) {
    for (uint32_t i = from; i < end; i++) {
        const double along = point_dot(shape->vertex[i], axis);
        range->low = along < range->low ? along : range->low;
        range->high = along > range->high ? along : range->high;
    }
}

// Tries both senses of the axis. The overlap along an axis grows with every vertex examined; most axes are rejected
// after a few.
static void try_axis(struct escape *best, const struct convex *a, const struct convex *b, struct point axis) {
    const double length = point_length(axis);
    if (!(length > 1e-12)) {
        return;
    }
    const struct point unit = point_scale(axis, 1.0 / length);
    const double side = best->outward != NULL ? point_dot(unit, *best->outward) : 0.0;
    const bool forth = best->outward == NULL || side > 0.0;
    const bool back = best->outward == NULL || side < 0.0;
    struct range of_a = {1e30, -1e30};
    struct range of_b = {1e30, -1e30};
    widen(&of_b, b, unit, 0, b->vertices);
    for (uint32_t i = 0; i < a->vertices; i += STRIDE) {
        widen(&of_a, a, unit, i, i + STRIDE < a->vertices ? i + STRIDE : a->vertices);
        if (!(forth && of_b.high - of_a.low < best->depth) && !(back && of_a.high - of_b.low < best->depth)) {
            return;
        }
    }
    if (forth && of_b.high - of_a.low < best->depth) {
        best->depth = of_b.high - of_a.low;
        best->normal = unit;
    }
    if (back && of_a.high - of_b.low < best->depth) {
        best->depth = of_a.high - of_b.low;
        best->normal = point_scale(unit, -1.0);
    }
}

static struct point face_normal(const struct convex *shape, uint32_t triangle) {
    const uint32_t *corner = shape->triangle + 3 * (size_t)triangle;
    const struct point origin = shape->vertex[corner[0]];
    return point_cross(point_sub(shape->vertex[corner[1]], origin), point_sub(shape->vertex[corner[2]], origin));
}

struct edges {
    uint32_t count;
    struct point way[3 * CROSSED_TRIANGLES_MAX]; // m
};

// Lists each edge once: of two triangles that share it, one traverses it forwards and the other backwards.
static void list_edges(struct edges *edges, const struct convex *shape) {
    uint32_t ends[3 * CROSSED_TRIANGLES_MAX];
    edges->count = 0;
    for (uint32_t k = 0; k < 3 * shape->triangles; k++) {
        const uint32_t from = shape->triangle[k];
        const uint32_t to = shape->triangle[k % 3 == 2 ? k - 2 : k + 1];
        const uint32_t pair = from < to ? from * COLLIDE_VERTICES_MAX + to : to * COLLIDE_VERTICES_MAX + from;
        bool known = false;
        for (uint32_t i = 0; i < edges->count; i++) {
            known |= ends[i] == pair;
        }
        if (!known) {
            ends[edges->count] = pair;
            edges->way[edges->count] = point_sub(shape->vertex[to], shape->vertex[from]);
            edges->count++;
        }
    }
    if (shape->triangles == 0 && shape->vertices > 1) {
        edges->way[0] = point_sub(shape->vertex[1], shape->vertex[0]);
        edges->count = 1;
    }
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
    struct edges of_a;
    struct edges of_b;
    list_edges(&of_a, a);
    list_edges(&of_b, b);
    for (uint32_t i = 0; i < of_a.count; i++) {
        for (uint32_t j = 0; j < of_b.count; j++) {
            try_axis(best, a, b, point_cross(of_a.way[i], of_b.way[j]));
        }
    }
}

static struct point first_edge(const struct convex *shape) {
    const bool faces = shape->triangles > 0;
    return point_sub(shape->vertex[faces ? shape->triangle[1] : 1], shape->vertex[faces ? shape->triangle[0] : 0]);
}

struct point collide_escape(const struct convex *a, const struct convex *b, const struct point *outward) {
    struct escape best = {.depth = 1e30, .outward = outward};
    try_faces(&best, a, b, a);
    try_faces(&best, a, b, b);
    try_edges(&best, a, b);
    if (best.depth == 1e30) { // only points and segments in line: any perpendicular direction is right
        static const struct point axis[3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
        const struct point along = a->vertices > 1 ? first_edge(a) : (struct point){0};
        for (unsigned k = 0; k < 3; k++) {
            const double squared = point_dot(along, along);
            const double share = squared > 0.0 ? point_dot(axis[k], along) / squared : 0.0;
            try_axis(&best, a, b, point_sub(axis[k], point_scale(along, share)));
        }
    }
    return best.normal;
}
