// SPDX-License-Identifier: MIT
// Nearest points of two features, and conservative advancement along straight paths (proximity.h).
//
// Where the nearest points are inside both features, they are computed by solving for them; everywhere else one of them
// is an end of its feature, and the result is the least distance of all ends to the other feature. So nearly parallel
// edges and sliver triangles cannot give a wrong distance.
#include "sim/geometry/proximity.h"

#include <math.h>

#define ADVANCE_STEPS_MAX 48u

static struct point along(struct point a, struct point b, double share) {
    return (struct point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z)};
}

static double clamp_share(double value) {
    const double low = value > 0.0 ? value : 0.0;
    return low < 1.0 ? low : 1.0;
}

// An end of one feature against an edge of the other: the nearest point along the edge, and the distance.
struct end {
    double share;
    double squared; // m²
};

static inline struct end end_of(struct point p, struct point a, struct point b) {
    const struct point ab = point_sub(b, a);
    const struct point ap = point_sub(p, a);
    const double length = point_dot(ab, ab);
    const double share = length > 0.0 ? clamp_share(point_dot(ap, ab) / length) : 0.0;
    const struct point away = {ap.x - share * ab.x, ap.y - share * ab.y, ap.z - share * ab.z};
    return (struct end){share, point_dot(away, away)};
}

// Particle index[0] of one feature against the edge from index[1] to index[2] of the other; `sign` is +1 if the
// particle belongs to the first feature.
static struct proximity proximity_at_end(const struct point at[4], const unsigned index[3], double share, double sign) {
    const struct point away = point_sub(at[index[0]], along(at[index[1]], at[index[2]], share));
    struct proximity found = {.weight = {0.0, 0.0, 0.0, 0.0}};
    found.weight[index[0]] = sign;
    found.weight[index[1]] = -sign * (1.0 - share);
    found.weight[index[2]] = -sign * share;
    found.apart = (struct point){sign * away.x, sign * away.y, sign * away.z};
    found.distance = point_dot(away, away);
    return found;
}

static unsigned nearest_of(const struct end *end, unsigned count) {
    unsigned best = 0;
    for (unsigned k = 1; k < count; k++) {
        best = end[k].squared < end[best].squared ? k : best;
    }
    return best;
}

static struct proximity at_ends_of_triangle(const struct point at[4]) {
    static const unsigned index[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    const struct end end[3] = {end_of(at[0], at[1], at[2]), end_of(at[0], at[2], at[3]), end_of(at[0], at[3], at[1])};
    const unsigned best = nearest_of(end, 3);
    return proximity_at_end(at, index[best], end[best].share, 1.0);
}

static struct proximity at_ends_of_edges(const struct point at[4]) {
    static const unsigned index[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
    const struct end end[4] = {end_of(at[0], at[2], at[3]), end_of(at[1], at[2], at[3]), end_of(at[2], at[0], at[1]),
                               end_of(at[3], at[0], at[1])};
    const unsigned best = nearest_of(end, 4);
    return proximity_at_end(at, index[best], end[best].share, best < 2 ? 1.0 : -1.0);
}

// The nearest point inside the triangle. Returns false where the foot of the perpendicular is outside.
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
    if (!(denominator > PROXIMITY_PARALLEL_SINE_SQUARED * uu * vv)) {
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

struct proximity proximity_of(enum proximity_kind kind, const struct point at[4]) {
    struct proximity found;
    if (kind == PROXIMITY_VERTEX_TRIANGLE) {
        if (!inside_triangle(at, &found)) {
            found = at_ends_of_triangle(at);
        }
    } else if (!inside_edges(at, &found)) {
        found = at_ends_of_edges(at);
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
    const unsigned first = kind == PROXIMITY_VERTEX_TRIANGLE ? 1 : 2; // first particle of the second feature
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

// The share of the rest of the path until a particle of one feature is `floor` from one of the other along the
// direction between the nearest points; 1 if none gets there. A plane across that direction separates the two until
// then.
static double safe_share(enum proximity_kind kind, const struct proximity *nearest, const struct point now[4],
                         const struct point end[4], double floor) {
    const unsigned first = kind == PROXIMITY_VERTEX_TRIANGLE ? 1 : 2; // first particle of the second feature
    const struct point normal = point_scale(nearest->apart, 1.0 / nearest->distance);
    double share = 1.0;
    for (unsigned i = 0; i < first; i++) {
        for (unsigned k = first; k < 4; k++) {
            const double gap_now = point_dot(normal, point_sub(now[i], now[k]));
            const double gap_end = point_dot(normal, point_sub(end[i], end[k]));
            if (gap_end < floor && gap_now - floor < share * (gap_now - gap_end)) {
                share = (gap_now - floor) / (gap_now - gap_end);
            }
        }
    }
    return share;
}

double proximity_advance(enum proximity_kind kind, const struct point start[4], const struct point end[4],
                         double floor) {
    double share = 0.0;
    for (unsigned step = 0; step < ADVANCE_STEPS_MAX; step++) {
        struct point at[4];
        proximity_between(start, end, share, at);
        const struct proximity nearest = proximity_of(kind, at);
        if (!(nearest.distance - floor > 0.02 * floor)) {
            return share;
        }
        const double safe = safe_share(kind, &nearest, at, end, floor);
        if (safe >= 1.0) {
            return 1.0;
        }
        if (!(safe > 0.0)) {
            return share;
        }
        share += safe * (1.0 - share);
    }
    return share < 1.0 ? share : 1.0;
}
