// SPDX-License-Identifier: MIT
// Nearest points of two features, and conservative advancement along straight ways (proximity.h).
//
// Where the nearest points are inside both features one solves for them; everywhere else one of them is an end of its
// feature, and the least distance of all ends to the other feature is it. This leaves no case in which nearly parallel
// edges or a sliver of a triangle make up a distance.
#include "sim/proximity.h"

#include <math.h>

// Edges whose sine of the angle between them is less than its root count as parallel: between their insides nothing
// is then nearer than between their ends, to within a millionth of their length.
#define PARALLEL_SINE_SQUARED 1e-12
#define ADVANCE_STEPS_MAX 48u

static struct point along(struct point a, struct point b, double share) {
    return (struct point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z)};
}

static double clamp_share(double value) {
    const double low = value > 0.0 ? value : 0.0;
    return low < 1.0 ? low : 1.0;
}

// Point p against the segment from a to b: how far along it the nearest point lies.
static double nearest_share(struct point p, struct point a, struct point b) {
    const struct point ab = point_sub(b, a);
    const double squared = point_dot(ab, ab);
    return squared > 0.0 ? clamp_share(point_dot(point_sub(p, a), ab) / squared) : 0.0;
}

static void take_nearer(struct proximity *best, struct point apart, const double weight[4]) {
    const double squared = point_dot(apart, apart);
    if (squared < best->distance) {
        best->distance = squared;
        best->apart = apart;
        for (unsigned k = 0; k < 4; k++) {
            best->weight[k] = weight[k];
        }
    }
}

// Particle `p` of one feature against the edge from `a` to `b` of the other; `sign` is +1 if p is of the first.
static void try_end(struct proximity *best, const struct point at[4], const unsigned index[3], double sign) {
    const struct point p = at[index[0]];
    const struct point a = at[index[1]];
    const struct point b = at[index[2]];
    const double share = nearest_share(p, a, b);
    const struct point away = point_sub(p, along(a, b, share));
    double weight[4] = {0.0, 0.0, 0.0, 0.0};
    weight[index[0]] = sign;
    weight[index[1]] = -sign * (1.0 - share);
    weight[index[2]] = -sign * share;
    take_nearer(best, (struct point){sign * away.x, sign * away.y, sign * away.z}, weight);
}

// Over the inside of the triangle; false where the foot of the perpendicular is not in it.
static bool inside_triangle(const struct point at[4], struct proximity *found) {
    const struct point ab = point_sub(at[2], at[1]);
    const struct point ac = point_sub(at[3], at[1]);
    const struct point ap = point_sub(at[0], at[1]);
    const struct point normal = point_cross(ab, ac);
    const double squared = point_dot(normal, normal);
    const double b = point_dot(point_cross(ap, ac), normal);
    const double c = point_dot(point_cross(ab, ap), normal);
    if (!(squared > 0.0) || b < 0.0 || c < 0.0 || b + c > squared) {
        return false;
    }
    const double height = point_dot(ap, normal) / squared;
    *found = (struct proximity){
        .weight = {1.0, b / squared + c / squared - 1.0, -b / squared, -c / squared},
        .apart = {height * normal.x, height * normal.y, height * normal.z},
        .distance = height * height * squared,
    };
    return true;
}

static bool inside_edges(const struct point at[4], struct proximity *found) {
    const struct point u = point_sub(at[1], at[0]);
    const struct point v = point_sub(at[3], at[2]);
    const struct point r = point_sub(at[0], at[2]);
    const double uu = point_dot(u, u);
    const double vv = point_dot(v, v);
    const double uv = point_dot(u, v);
    const double ur = point_dot(u, r);
    const double vr = point_dot(v, r);
    const double denominator = uu * vv - uv * uv;
    if (!(denominator > PARALLEL_SINE_SQUARED * uu * vv)) {
        return false;
    }
    const double s = (uv * vr - ur * vv) / denominator;
    const double t = (uu * vr - uv * ur) / denominator;
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) {
        return false;
    }
    const struct point normal = point_cross(u, v);
    const double height = point_dot(r, normal) / point_dot(normal, normal);
    found->weight[0] = 1.0 - s;
    found->weight[1] = s;
    found->weight[2] = t - 1.0;
    found->weight[3] = -t;
    found->apart = (struct point){height * normal.x, height * normal.y, height * normal.z};
    found->distance = point_dot(found->apart, found->apart);
    return true;
}

static void try_ends(enum proximity_kind kind, const struct point at[4], struct proximity *best) {
    static const unsigned of_triangle[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    static const unsigned of_edges[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
    if (kind == PROXIMITY_VERTEX_TRIANGLE) {
        for (unsigned k = 0; k < 3; k++) {
            try_end(best, at, of_triangle[k], 1.0);
        }
        return;
    }
    for (unsigned k = 0; k < 4; k++) {
        try_end(best, at, of_edges[k], k < 2 ? 1.0 : -1.0);
    }
}

struct proximity proximity_of(enum proximity_kind kind, const struct point at[4]) {
    struct proximity found = {.distance = HUGE_VAL};
    const bool inside = kind == PROXIMITY_VERTEX_TRIANGLE ? inside_triangle(at, &found) : inside_edges(at, &found);
    if (!inside) {
        try_ends(kind, at, &found);
    }
    found.distance = sqrt(found.distance);
    return found;
}

double proximity_reach(enum proximity_kind kind, const struct point moved[4]) {
    struct point mean = {0.0, 0.0, 0.0};
    for (unsigned k = 0; k < 4; k++) {
        mean.x += 0.25 * moved[k].x;
        mean.y += 0.25 * moved[k].y;
        mean.z += 0.25 * moved[k].z;
    }
    const unsigned first = kind == PROXIMITY_VERTEX_TRIANGLE ? 1 : 2; // of the second feature
    double most[2] = {0.0, 0.0};
    for (unsigned k = 0; k < 4; k++) {
        const struct point own = point_sub(moved[k], mean);
        const double squared = point_dot(own, own);
        const unsigned feature = k < first ? 0 : 1;
        most[feature] = squared > most[feature] ? squared : most[feature];
    }
    return sqrt(most[0]) + sqrt(most[1]);
}

void proximity_between(const struct point start[4], const struct point end[4], double share, struct point at[4]) {
    for (unsigned k = 0; k < 4; k++) {
        at[k] = along(start[k], end[k], share);
    }
}

double proximity_advance(enum proximity_kind kind, const struct point start[4], const struct point end[4],
                         double floor) {
    struct point moved[4];
    for (unsigned k = 0; k < 4; k++) {
        moved[k] = point_sub(end[k], start[k]);
    }
    const double reach = proximity_reach(kind, moved);
    double share = 0.0;
    for (unsigned step = 0; step < ADVANCE_STEPS_MAX; step++) {
        struct point at[4];
        proximity_between(start, end, share, at);
        const double room = proximity_of(kind, at).distance - floor;
        if (room > reach * (1.0 - share)) {
            return 1.0;
        }
        if (!(room > 0.02 * floor)) {
            return share;
        }
        share += room / reach;
    }
    return share < 1.0 ? share : 1.0;
}
