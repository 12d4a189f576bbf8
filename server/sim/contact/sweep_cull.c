// SPDX-License-Identifier: MIT
// Early rejection of obstacles that a sweep does not come near. Boxes around paths and facets overlap far more often
// than a sweep hits a facet; where the whole path lies beyond one plane, a few products show it without finding nearest
// points.
//
// The tests are conservative: they leave a margin greater than the rounding of the distances in sweep_hit.c.
#include "sim/contact/sweep_cull.h"

#define ROUNDING 1e-6 // m; for the axes of a box, which are float32, a share of its size

// The extent of a sweep's start and end along an axis, from a point.
struct shadow {
    double start_low, start_high, end_low, end_high; // m
};

static struct shadow shadow_on(const struct sweep *sweep, struct point axis, struct point from) {
    struct shadow shadow = {1e30, -1e30, 1e30, -1e30};
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        const double start = point_dot(axis, point_sub(sweep->start[i], from));
        const double end = point_dot(axis, point_sub(sweep->end[i], from));
        shadow.start_low = start < shadow.start_low ? start : shadow.start_low;
        shadow.start_high = start > shadow.start_high ? start : shadow.start_high;
        shadow.end_low = end < shadow.end_low ? end : shadow.end_low;
        shadow.end_high = end > shadow.end_high ? end : shadow.end_high;
    }
    return shadow;
}

static bool is_above(const struct shadow *shadow, double height) {
    return shadow->start_low > height && shadow->end_low > height;
}

static bool is_below(const struct shadow *shadow, double height) {
    return shadow->start_high < height && shadow->end_high < height;
}

bool sweep_culls_facet(const struct sweep *sweep, const struct facet *facet, bool solid) {
    const double far = sweep_near_distance(sweep, sweep_gap(sweep, 0.0)) + ROUNDING;
    const struct shadow over = shadow_on(sweep, facet->normal, facet->corner[0]);
    if (is_above(&over, far) || is_below(&over, solid ? -0.5 * SWEEP_SKIN - ROUNDING : -far)) {
        return true;
    }
    for (unsigned k = 0; k < 3; k++) {
        const struct point edge = point_sub(facet->corner[(k + 1) % 3], facet->corner[k]);
        const struct point across = point_cross(edge, facet->normal);
        const struct shadow beside = shadow_on(sweep, across, facet->corner[k]);
        if (is_above(&beside, far * point_length(across))) {
            return true;
        }
    }
    return false;
}

bool sweep_culls_box(const struct sweep *sweep, const struct obstacle *obstacle) {
    const double half[3] = {0.5 * (double)obstacle->shape.size.x, 0.5 * (double)obstacle->shape.size.y,
                            0.5 * (double)obstacle->shape.size.z};
    const double near_by = sweep_near_distance(sweep, sweep_gap(sweep, 0.0));
    const double far = near_by + ROUNDING * (1.0 + near_by + half[0] + half[1] + half[2]);
    for (unsigned axis = 0; axis < 3; axis++) {
        const double rim = half[axis] + far;
        const struct shadow at =
            shadow_on(sweep, point_of(obstacle->axes.column[axis]), point_of(obstacle->shape.position));
        if (is_above(&at, rim) || is_below(&at, -rim)) {
            return true;
        }
    }
    return false;
}

bool sweep_stays_above_a_face(const struct sweep *sweep, const struct obstacle *obstacle) {
    const struct point middle = point_of(obstacle->shape.position);
    const double half[3] = {0.5 * (double)obstacle->shape.size.x, 0.5 * (double)obstacle->shape.size.y,
                            0.5 * (double)obstacle->shape.size.z};
    bool above[3];
    bool within[3];
    for (unsigned axis = 0; axis < 3; axis++) {
        const struct shadow at = shadow_on(sweep, point_of(obstacle->axes.column[axis]), middle);
        const double rim = half[axis];
        above[axis] = (at.start_low > rim - 1e-6 * rim && at.end_low > rim - SWEEP_NEAR_MAX) ||
                      (at.start_high < -rim + 1e-6 * rim && at.end_high < -rim + SWEEP_NEAR_MAX);
        within[axis] = at.start_low > -rim && at.start_high < rim && at.end_low > -rim && at.end_high < rim;
    }
    return (above[0] && within[1] && within[2]) || (above[1] && within[2] && within[0]) ||
           (above[2] && within[0] && within[1]);
}
