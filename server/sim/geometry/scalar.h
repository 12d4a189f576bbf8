// SPDX-License-Identifier: MIT
// Float32 arithmetic that gives the same bits on every machine: + − × ÷ √, comparisons, and vectors of three
// components.
//
// `sqrtf` is the only function of libm used in the simulation, because IEEE 754 defines its result exactly.
#ifndef WEFT_SIM_GEOMETRY_SCALAR_H
#define WEFT_SIM_GEOMETRY_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/vector.h"

// m: smaller displacements become 0, since arithmetic with denormals is a hundred times slower (PHYSICS.md 2.4).
#define SIM_DISPLACEMENT_MIN 1e-20f

static inline float scalar_abs(float value) {
    return value < 0.0f ? -value : value;
}

static inline float scalar_min(float a, float b) {
    return a < b ? a : b;
}

static inline float scalar_max(float a, float b) {
    return a > b ? a : b;
}

// A value that is not a number becomes `low`.
static inline float scalar_clamp(float value, float low, float high) {
    const float raised = value >= low ? value : low;
    return raised <= high ? raised : high;
}

// Added to a number, it rounds the fraction away.
#define SCALAR_NO_FRACTION 12582912.0f // 1.5·2²³

// |value| < 2²². Halves are rounded to the even number.
static inline float scalar_nearest_whole(float value) {
    return (value + SCALAR_NO_FRACTION) - SCALAR_NO_FRACTION;
}

// The rounding error of `sum`, which is a + b: sum plus the error equals a + b exactly (D. E. Knuth's TwoSum).
static inline float scalar_sum_error(float a, float b, float sum) {
    const float added = sum - a;
    return (a - (sum - added)) + (b - added);
}

// A position with more digits than one float: at + low, where `at` is the rounded sum.
struct place {
    float at, low;
};
// The position d away from x + low.
static inline struct place scalar_ahead(float x, float low, float d) {
    const float way = low + d;
    const float at = x + way;
    return (struct place){at, scalar_sum_error(x, way, at)};
}
// The displacement from x + low to at + off, given a displacement d to about there. Only the difference from the
// position that d leads to is added to d, so that without a difference d keeps all its digits.
static inline float scalar_displacement(float x, float low, float d, float at, float off) {
    const struct place ahead = scalar_ahead(x, low, d);
    return d + ((at - ahead.at) + (off - ahead.low));
}

static inline bool scalar_is_finite(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7f800000u) != 0x7f800000u;
}

static inline struct vec3 vec3_of(float x, float y, float z) {
    return (struct vec3){x, y, z};
}

static inline struct vec3 vec3_add(struct vec3 a, struct vec3 b) {
    return vec3_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b) {
    return vec3_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline struct vec3 vec3_scale(struct vec3 a, float s) {
    return vec3_of(a.x * s, a.y * s, a.z * s);
}

static inline float vec3_dot(struct vec3 a, struct vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b) {
    return vec3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float vec3_length(struct vec3 a) {
    return sqrtf(vec3_dot(a, a));
}

static inline bool vec3_is_finite(struct vec3 a) {
    return scalar_is_finite(a.x) && scalar_is_finite(a.y) && scalar_is_finite(a.z);
}

// The largest magnitude of the components.
static inline float vec3_reach(struct vec3 a) {
    return scalar_max(scalar_abs(a.x), scalar_max(scalar_abs(a.y), scalar_abs(a.z)));
}

// A vector shortened to `length`.
static inline struct vec3 vec3_shortened(struct vec3 u, float length) {
    const struct vec3 way = vec3_scale(u, 1.0f / vec3_reach(u)); // the square of the length may overflow
    return vec3_scale(way, length / vec3_length(way));
}

// A rotation as a matrix: columns are the images of the axes.
struct mat3 {
    struct vec3 column[3];
};

static inline struct mat3 mat3_of_unit_quat(struct quat q) {
    const float xx = q.x * q.x;
    const float yy = q.y * q.y;
    const float zz = q.z * q.z;
    return (struct mat3){{
        {1.0f - 2.0f * (yy + zz), 2.0f * (q.x * q.y + q.w * q.z), 2.0f * (q.x * q.z - q.w * q.y)},
        {2.0f * (q.x * q.y - q.w * q.z), 1.0f - 2.0f * (xx + zz), 2.0f * (q.y * q.z + q.w * q.x)},
        {2.0f * (q.x * q.z + q.w * q.y), 2.0f * (q.y * q.z - q.w * q.x), 1.0f - 2.0f * (xx + yy)},
    }};
}

static inline struct vec3 mat3_apply(const struct mat3 *m, struct vec3 v) {
    const struct vec3 xy = vec3_add(vec3_scale(m->column[0], v.x), vec3_scale(m->column[1], v.y));
    return vec3_add(xy, vec3_scale(m->column[2], v.z));
}

static inline struct vec3 mat3_apply_transposed(const struct mat3 *m, struct vec3 v) {
    return vec3_of(vec3_dot(m->column[0], v), vec3_dot(m->column[1], v), vec3_dot(m->column[2], v));
}

#endif
