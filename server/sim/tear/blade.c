// SPDX-License-Identifier: MIT
// The surface that a blade sweeps (PHYSICS.md 9): between two places of its path, two triangles that share a diagonal.
//
// A line crosses a triangle if its ends lie on different sides of the triangle's plane, and it turns about all three
// sides of the triangle the same way. All of these are signs of volumes of tetrahedra,
//
//   V(p, a, b, c) = (a − p)·((b − p) × (c − p))
//
// in double. A volume of 0 counts as positive. The volume of a line and a side is always computed with the ends of the
// side in the same order, so that a line that meets a side exactly crosses one of the two triangles there and not the
// other: a path drawn exactly along particles cuts as one beside them.
#include "sim/tear/blade.h"

// A place on the rim of the surface: on the blade's one side the path, on its other `far`.
struct rim {
    uint32_t index; // 2·place, plus 1 on the far side
    struct point at;
};

static struct rim rim_at(const struct sim_blade *blade, uint32_t place, unsigned far) {
    const float *xyz = (far == 0 ? blade->path : blade->far_path) + 3 * (size_t)place;
    return (struct rim){2 * place + far, {(double)xyz[0], (double)xyz[1], (double)xyz[2]}};
}

static double volume(struct point p, struct point a, struct point b, struct point c) {
    return point_dot(point_sub(a, p), point_cross(point_sub(b, p), point_sub(c, p)));
}

// Whether the line from p to q turns about the side from a to b to the left.
static bool turns_left(struct point p, struct point q, const struct rim *a, const struct rim *b) {
    return a->index < b->index ? volume(p, q, a->at, b->at) >= 0.0 : !(volume(p, q, b->at, a->at) >= 0.0);
}

static bool crosses_triangle(struct point p, struct point q, const struct rim corner[3]) {
    const bool before = volume(p, corner[0].at, corner[1].at, corner[2].at) >= 0.0;
    const bool after = volume(q, corner[0].at, corner[1].at, corner[2].at) >= 0.0;
    if (before == after) {
        return false;
    }
    const bool left = turns_left(p, q, &corner[0], &corner[1]);
    return left == turns_left(p, q, &corner[1], &corner[2]) && left == turns_left(p, q, &corner[2], &corner[0]);
}

static double least(double a, double b) {
    return a < b ? a : b;
}

static double most(double a, double b) {
    return a > b ? a : b;
}

static struct point low_of(struct point a, struct point b) {
    return (struct point){least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)};
}

static struct point high_of(struct point a, struct point b) {
    return (struct point){most(a.x, b.x), most(a.y, b.y), most(a.z, b.z)};
}

static bool boxes_meet(struct point low, struct point high, struct point p, struct point q) {
    const struct point from = low_of(p, q), to = high_of(p, q);
    return from.x <= high.x && to.x >= low.x && from.y <= high.y && to.y >= low.y && from.z <= high.z && to.z >= low.z;
}

struct blade_sweep blade_sweep_of(const struct sim_blade *blade) {
    struct blade_sweep sweep = {.blade = blade, .low = rim_at(blade, 0, 0).at, .high = rim_at(blade, 0, 0).at};
    for (uint32_t i = 0; i < 2 * blade->places; i++) {
        const struct point at = rim_at(blade, i / 2, i % 2).at;
        sweep.low = low_of(sweep.low, at);
        sweep.high = high_of(sweep.high, at);
    }
    return sweep;
}

bool blade_crosses(const struct blade_sweep *sweep, struct point p, struct point q) {
    if (!boxes_meet(sweep->low, sweep->high, p, q)) {
        return false;
    }
    for (uint32_t i = 0; i + 1 < sweep->blade->places; i++) {
        const struct rim near = rim_at(sweep->blade, i, 0), far = rim_at(sweep->blade, i, 1);
        const struct rim near_on = rim_at(sweep->blade, i + 1, 0), far_on = rim_at(sweep->blade, i + 1, 1);
        const struct point low = low_of(low_of(near.at, far.at), low_of(near_on.at, far_on.at));
        const struct point high = high_of(high_of(near.at, far.at), high_of(near_on.at, far_on.at));
        if (boxes_meet(low, high, p, q) && (crosses_triangle(p, q, (const struct rim[3]){near, near_on, far_on}) ||
                                            crosses_triangle(p, q, (const struct rim[3]){near, far_on, far}))) {
            return true;
        }
    }
    return false;
}
