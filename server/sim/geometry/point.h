// SPDX-License-Identifier: MIT
// Points and directions in double, for collision geometry.
#ifndef WEFT_SIM_GEOMETRY_POINT_H
#define WEFT_SIM_GEOMETRY_POINT_H

#include "sim/geometry/scalar.h"

struct point {
    double x, y, z; // m
};

static inline struct point point_of(struct vec3 v) {
    return (struct point){(double)v.x, (double)v.y, (double)v.z};
}
static inline struct vec3 point_rounded(struct point p) {
    return vec3_of((float)p.x, (float)p.y, (float)p.z);
}
static inline struct point point_add(struct point a, struct point b) {
    return (struct point){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline struct point point_sub(struct point a, struct point b) {
    return (struct point){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline struct point point_scale(struct point a, double s) {
    return (struct point){a.x * s, a.y * s, a.z * s};
}
static inline double point_dot(struct point a, struct point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline struct point point_cross(struct point a, struct point b) {
    return (struct point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double point_length(struct point a) {
    return sqrt(point_dot(a, a));
}
#endif
