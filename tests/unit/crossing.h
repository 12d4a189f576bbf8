// SPDX-License-Identifier: MIT
// Counts, exactly, the edges of triangle meshes that cross triangles they share no corner with.
//
// Whether an edge crosses a triangle is told by signs of determinants of float32 coordinates. A determinant is
// evaluated in double first; where its rounding could hide the sign, it is summed exactly as an expansion of doubles
// (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997). A touch
// counts as a crossing. Shares no code with the core.
#ifndef WEFT_TESTS_CROSSING_H
#define WEFT_TESTS_CROSSING_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct crossing_point {
    float at[3];
};

struct crossing_triangle {
    uint32_t corner[3]; // of all points, whatever object they belong to
};

// A sum of doubles without any rounding: parts do not overlap and grow in magnitude.
struct crossing_sum {
    double part[64];
    unsigned parts;
};

static inline void crossing_add(struct crossing_sum *sum, double value) {
    unsigned kept = 0;
    double carry = value;
    for (unsigned i = 0; i < sum->parts; i++) { // Knuth's two-sum
        const double total = carry + sum->part[i];
        const double virtual = total - carry;
        const double rest = (carry - (total - virtual)) + (sum->part[i] - virtual);
        carry = total;
        if (rest != 0.0) {
            sum->part[kept++] = rest;
        }
    }
    sum->part[kept++] = carry;
    sum->parts = kept;
}

// ±a·b·c: the product of two float32 is exact in double, that of three in two doubles.
static inline void crossing_add_product(struct crossing_sum *sum, float a, float b, float c, bool minus) {
    const double ab = (double)a * (double)b;
    const double high = ab * (double)c;
    const double low = fma(ab, (double)c, -high);
    crossing_add(sum, minus ? -low : low);
    crossing_add(sum, minus ? -high : high);
}

static inline int crossing_sign(double value) {
    return (value > 0.0) - (value < 0.0);
}

static inline int crossing_sum_sign(const struct crossing_sum *sum) {
    return sum->parts > 0 ? crossing_sign(sum->part[sum->parts - 1]) : 0;
}

// Adds ±det[a b c].
static inline void crossing_add_minor(struct crossing_sum *sum, const float *a, const float *b, const float *c,
                                      bool minus) {
    crossing_add_product(sum, a[0], b[1], c[2], minus);
    crossing_add_product(sum, a[1], b[2], c[0], minus);
    crossing_add_product(sum, a[2], b[0], c[1], minus);
    crossing_add_product(sum, a[0], b[2], c[1], !minus);
    crossing_add_product(sum, a[1], b[0], c[2], !minus);
    crossing_add_product(sum, a[2], b[1], c[0], !minus);
}

// The sign of det[a − d, b − d, c − d]: on which side of the plane through a, b, c the point d lies.
static inline int crossing_side(const struct crossing_point *pa, const struct crossing_point *pb,
                                const struct crossing_point *pc, const struct crossing_point *pd) {
    const float *a = pa->at;
    const float *b = pb->at;
    const float *c = pc->at;
    const float *d = pd->at;
    double u[3];
    double v[3];
    double w[3];
    for (unsigned k = 0; k < 3; k++) {
        u[k] = (double)a[k] - (double)d[k];
        v[k] = (double)b[k] - (double)d[k];
        w[k] = (double)c[k] - (double)d[k];
    }
    double value = 0.0;
    double magnitude = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        const unsigned i = (k + 1) % 3;
        const unsigned j = (k + 2) % 3;
        value += u[k] * (v[i] * w[j] - v[j] * w[i]);
        magnitude += fabs(u[k]) * (fabs(v[i] * w[j]) + fabs(v[j] * w[i]));
    }
    if (fabs(value) > 1e-14 * magnitude) { // Shewchuk's bound is 7.8e-16
        return crossing_sign(value);
    }
    struct crossing_sum sum = {.parts = 0};
    crossing_add_minor(&sum, a, b, c, false);
    crossing_add_minor(&sum, b, c, d, true);
    crossing_add_minor(&sum, c, d, a, false);
    crossing_add_minor(&sum, d, a, b, true);
    return crossing_sum_sign(&sum);
}

// The sign of twice the area of a, b, c seen along one axis.
static inline int crossing_turn(const struct crossing_point *a, const struct crossing_point *b,
                                const struct crossing_point *c, unsigned axis) {
    const unsigned x = (axis + 1) % 3;
    const unsigned y = (axis + 2) % 3;
    struct crossing_sum sum = {.parts = 0};
    crossing_add_product(&sum, a->at[x], b->at[y], 1.0f, false);
    crossing_add_product(&sum, a->at[y], b->at[x], 1.0f, true);
    crossing_add_product(&sum, b->at[x], c->at[y], 1.0f, false);
    crossing_add_product(&sum, b->at[y], c->at[x], 1.0f, true);
    crossing_add_product(&sum, c->at[x], a->at[y], 1.0f, false);
    crossing_add_product(&sum, c->at[y], a->at[x], 1.0f, true);
    return crossing_sum_sign(&sum);
}

// An edge in the triangle's plane, seen along one axis: they are apart if a side of either has the other beyond it.
static inline bool crossing_apart_in_plane(const struct crossing_point edge[2], const struct crossing_point face[3],
                                           unsigned axis) {
    const int facing = crossing_turn(&face[0], &face[1], &face[2], axis);
    for (unsigned k = 0; k < 3; k++) {
        const int p = crossing_turn(&face[k], &face[(k + 1) % 3], &edge[0], axis);
        const int q = crossing_turn(&face[k], &face[(k + 1) % 3], &edge[1], axis);
        if (p * facing < 0 && q * facing < 0) {
            return true;
        }
    }
    const int a = crossing_turn(&edge[0], &edge[1], &face[0], axis);
    return a != 0 && a == crossing_turn(&edge[0], &edge[1], &face[1], axis) &&
           a == crossing_turn(&edge[0], &edge[1], &face[2], axis);
}

static inline bool crossing_in_plane(const struct crossing_point edge[2], const struct crossing_point face[3]) {
    for (unsigned axis = 0; axis < 3; axis++) {
        if (crossing_turn(&face[0], &face[1], &face[2], axis) != 0) {
            return !crossing_apart_in_plane(edge, face, axis);
        }
    }
    return true; // a triangle without area: nothing better than the boxes is known
}

static inline bool crossing_of(const struct crossing_point edge[2], const struct crossing_point face[3]) {
    const int p = crossing_side(&face[0], &face[1], &face[2], &edge[0]);
    const int q = crossing_side(&face[0], &face[1], &face[2], &edge[1]);
    if (p == 0 && q == 0) {
        return crossing_in_plane(edge, face);
    }
    if (p == q) {
        return false;
    }
    const int around[3] = {crossing_side(&edge[0], &edge[1], &face[0], &face[1]),
                           crossing_side(&edge[0], &edge[1], &face[1], &face[2]),
                           crossing_side(&edge[0], &edge[1], &face[2], &face[0])};
    const bool left = around[0] < 0 || around[1] < 0 || around[2] < 0;
    const bool right = around[0] > 0 || around[1] > 0 || around[2] > 0;
    return !(left && right);
}

struct crossing_box {
    float low[3], high[3];
};

static inline struct crossing_box crossing_box_of(const struct crossing_point *point, unsigned points) {
    struct crossing_box box;
    for (unsigned k = 0; k < 3; k++) {
        box.low[k] = point[0].at[k];
        box.high[k] = point[0].at[k];
        for (unsigned i = 1; i < points; i++) {
            box.low[k] = point[i].at[k] < box.low[k] ? point[i].at[k] : box.low[k];
            box.high[k] = point[i].at[k] > box.high[k] ? point[i].at[k] : box.high[k];
        }
    }
    return box;
}

static inline bool crossing_boxes_meet(const struct crossing_box *a, const struct crossing_box *b) {
    for (unsigned k = 0; k < 3; k++) {
        if (a->low[k] > b->high[k] || a->high[k] < b->low[k]) {
            return false;
        }
    }
    return true;
}

static inline bool crossing_shares(const struct crossing_triangle *triangle, uint32_t point) {
    return triangle->corner[0] == point || triangle->corner[1] == point || triangle->corner[2] == point;
}

// Pairs of an edge of a triangle and a triangle that cross. An edge of two triangles counts for each of them.
static inline uint32_t crossing_count(const struct crossing_point *point, const struct crossing_triangle *triangle,
                                      uint32_t triangles) {
    uint32_t count = 0;
    struct crossing_box *box = malloc(triangles * sizeof *box);
    if (box == NULL) {
        abort();
    }
    for (uint32_t k = 0; k < triangles; k++) {
        const uint32_t *corner = triangle[k].corner;
        box[k] = crossing_box_of((struct crossing_point[3]){point[corner[0]], point[corner[1]], point[corner[2]]}, 3);
    }
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        const uint32_t a = triangle[i / 3].corner[i % 3];
        const uint32_t b = triangle[i / 3].corner[(i + 1) % 3];
        const struct crossing_point edge[2] = {point[a], point[b]};
        const struct crossing_box around = crossing_box_of(edge, 2);
        for (uint32_t k = 0; k < triangles; k++) {
            const struct crossing_triangle *other = &triangle[k];
            if (!crossing_boxes_meet(&around, &box[k]) || crossing_shares(other, a) || crossing_shares(other, b)) {
                continue;
            }
            const struct crossing_point face[3] = {point[other->corner[0]], point[other->corner[1]],
                                                   point[other->corner[2]]};
            count += crossing_of(edge, face) ? 1 : 0;
        }
    }
    free(box);
    return count;
}

#endif
