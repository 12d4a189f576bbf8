// SPDX-License-Identifier: MIT
// Two bodies on their paths through a substep (PHYSICS.md 4.7).
//
// The edges of two bodies may cross, and a corner may go through the middle of a face, with no vertex of one body
// passing through the other. So two bodies are followed to where they first touch (conservative advancement; B.
// Mirtich, 1996). If they are deep in one another at the end, they part along the direction in which they touched.
//
// Most pairs are far from that, and one direction shows it: the distance of two convex shapes along a fixed direction
// is the least of heights that change evenly less the greatest of such heights, so it is nowhere less than at one of
// the two ends.
#include "sim/body/body_ways.h"

#include "sim/geometry/collide_gjk.h"
#include "sim/geometry/penetration.h"
#include "sim/world/particle.h"

#define TOUCHING 1e-4 // m
#define CLEAR 1e-5    // m, more than any rounding of a height
#define ADVANCES_MAX 24u
#define LOOKS_MAX 128u  // on the rest of the path
#define ALL_CORNERS 90u // of a difference, which penetration_find examines completely

void body_ways_set(const struct sim_world *world, const struct start_positions *start, const struct body_part *part,
                   struct body_ways *ways) {
    struct point carrier[4];
    for (uint32_t k = 0; k < 4; k++) {
        carrier[k] = point_of(start_position(start, part->slot[k]));
    }
    body_shape_carried(world, part, carrier, &ways->from);
    body_shape_set(world, part, 1.0, &ways->to);
}

static struct point way_of(const struct body_ways *ways, uint32_t vertex) {
    return point_sub(ways->to.vertex[vertex], ways->from.vertex[vertex]);
}

static void lie_at(const struct body_ways *ways, double share, struct point shift, struct body_shape *now) {
    now->convex = ways->from.convex;
    now->convex.vertex = now->vertex;
    for (uint32_t i = 0; i < now->convex.vertices; i++) {
        const struct point way = point_add(point_scale(way_of(ways, i), share), shift);
        now->vertex[i] = point_add(ways->from.vertex[i], way);
    }
}

static struct separation apart_at(const struct body_ways ways[2], double share, struct point shift) {
    struct body_shape now[2];
    lie_at(&ways[0], share, shift, &now[0]);
    lie_at(&ways[1], share, (struct point){0}, &now[1]);
    return collide_distance(&now[0].convex, &now[1].convex);
}

// The depth of two that are kept `keep` apart.
static double depth_at(const struct body_ways ways[2], double share, double keep) {
    struct body_shape now[2];
    struct penetration deep;
    lie_at(&ways[0], share, (struct point){0}, &now[0]);
    lie_at(&ways[1], share, (struct point){0}, &now[1]);
    const double distance = collide_distance(&now[0].convex, &now[1].convex).distance;
    if (distance > 0.0) {
        return keep > distance ? keep - distance : 0.0;
    }
    return penetration_find(&now[0].convex, &now[1].convex, &deep) ? keep + deep.depth : keep;
}

// The greatest distance by which their vertices can approach.
static double reach_of(const struct body_ways ways[2]) {
    const struct point common = way_of(&ways[0], 0);
    double reach = 0.0;
    for (unsigned side = 0; side < 2; side++) {
        double longest = 0.0;
        for (uint32_t i = 0; i < ways[side].from.convex.vertices; i++) {
            const double length = point_length(point_sub(way_of(&ways[side], i), common));
            longest = length > longest ? length : longest;
        }
        reach += longest;
    }
    return reach;
}

// The distance of the two along a direction, at a share of their paths; below 0 where they overlap along it.
static double gap_along(const struct body_ways ways[2], struct point normal, double share) {
    const struct point origin = ways[1].from.vertex[0];
    double low = 1e30;
    double high = -1e30;
    for (uint32_t i = 0; i < ways[0].to.convex.vertices; i++) {
        const double from = point_dot(normal, point_sub(ways[0].from.vertex[i], origin));
        const double to = point_dot(normal, point_sub(ways[0].to.vertex[i], origin));
        const double height = from * (1.0 - share) + to * share;
        low = height < low ? height : low;
    }
    for (uint32_t i = 0; i < ways[1].to.convex.vertices; i++) {
        const double from = point_dot(normal, point_sub(ways[1].from.vertex[i], origin));
        const double to = point_dot(normal, point_sub(ways[1].to.vertex[i], origin));
        const double height = from * (1.0 - share) + to * share;
        high = height > high ? height : high;
    }
    return low - high;
}

// The depth that two bodies are known not to exceed where they reach no deeper than half of `deep` into one another
// along one direction at both ends of a part of their paths: vertices move straight, so that they reach no deeper in
// between. Half, since the depth that penetration_find gives is rounded; and of shapes with many vertices it may be
// greater, so these have to be apart.
static double harmless(const struct body_ways ways[2], double deep) {
    const uint32_t corners = ways[0].from.convex.vertices * ways[1].from.convex.vertices;
    return corners <= ALL_CORNERS ? 0.5 * deep : -CLEAR;
}

// True if they reach no deeper than `most` into one another between a share of their paths and the end.
static bool stay_apart(const struct body_ways ways[2], struct point normal, double share, double most) {
    return gap_along(ways, normal, 1.0) > -most && gap_along(ways, normal, share) > -most;
}

// The normal of a face, not of unit length.
static struct point across(const struct body_shape *shape, const uint32_t corner[3]) {
    const struct point a = shape->vertex[corner[0]];
    return point_cross(point_sub(shape->vertex[corner[1]], a), point_sub(shape->vertex[corner[2]], a));
}

static bool is_above(const struct body_shape *shape, const struct body_shape *of, uint32_t corner,
                     struct point normal) {
    const double least = CLEAR * CLEAR * point_dot(normal, normal);
    bool above = true;
    for (uint32_t i = 0; i < shape->convex.vertices && above; i++) {
        const double height = point_dot(normal, point_sub(shape->vertex[i], of->vertex[corner]));
        above = height > 0.0 && height * height > least;
    }
    return above;
}

bool body_ways_above_a_face(const struct body_ways ways[2], struct point *normal) {
    const struct convex *wall = &ways[1].from.convex;
    for (uint32_t i = 0; i < wall->triangles; i++) {
        const uint32_t *corner = wall->triangle + 3 * (size_t)i;
        if (is_above(&ways[0].from, &ways[1].from, corner[0], across(&ways[1].from, corner))) {
            corner = ways[1].to.convex.triangle + 3 * (size_t)i;
            const struct point end = across(&ways[1].to, corner);
            if (is_above(&ways[0].to, &ways[1].to, corner[0], end)) {
                *normal = point_scale(end, 1.0 / point_length(end));
                return true;
            }
        }
    }
    return false;
}

// True if one direction, across a face of one of the two, shows that they get no deeper than `most`.
static bool stay_at_a_face(const struct body_ways ways[2], unsigned side, double most) {
    const struct body_shape *of = &ways[side].from;
    const struct body_shape *other = &ways[1 - side].from;
    for (uint32_t i = 0; i < of->convex.triangles; i++) {
        const uint32_t *corner = of->convex.triangle + 3 * (size_t)i;
        const struct point normal = across(of, corner);
        const double length = point_length(normal);
        const double least = -most * length;
        bool above = length > 0.0;
        for (uint32_t k = 0; k < other->convex.vertices && above; k++) {
            above = point_dot(normal, point_sub(other->vertex[k], of->vertex[corner[0]])) > least;
        }
        if (above && stay_apart(ways, point_scale(normal, (side == 1 ? 1.0 : -1.0) / length), 0.0, most)) {
            return true;
        }
    }
    return false;
}

// Finds where two bodies first touch, and the direction from the second to the first there. `allowed` is the depth at
// which they lay in one another at the start. Returns false if they get no deeper than `most`.
static bool find_touch(const struct body_ways ways[2], double keep, double most, struct point *normal, double *share,
                       double *allowed) {
    const double reach = reach_of(ways);
    struct penetration begun;
    *share = 0.0;
    *allowed = 0.0;
    for (unsigned round = 0; round < ADVANCES_MAX && *share < 1.0; round++) {
        const struct separation apart = apart_at(ways, *share, (struct point){0});
        if (!(apart.distance > 0.0)) {
            if (round == 0 && penetration_find(&ways[0].from.convex, &ways[1].from.convex, &begun)) {
                *normal = begun.normal;
                *allowed = keep + begun.depth;
            }
            return round > 0 || *allowed > 0.0; // the result of the round before holds
        }
        *normal = apart.normal;
        if (apart.distance - keep <= TOUCHING) {
            *allowed = round == 0 && keep > apart.distance ? keep - apart.distance : 0.0;
            return true;
        }
        if (stay_apart(ways, apart.normal, *share, most)) {
            return false;
        }
        *share += (apart.distance - keep - 0.5 * TOUCHING) / reach;
    }
    return *share < 1.0;
}

// The distance that the first has to move along the normal to be beyond all of the second.
static double depth_along(const struct body_ways ways[2], struct point normal) {
    double low = 1e30;
    double high = -1e30;
    for (uint32_t i = 0; i < ways[0].to.convex.vertices; i++) {
        const double height = point_dot(normal, ways[0].to.vertex[i]);
        low = height < low ? height : low;
    }
    for (uint32_t i = 0; i < ways[1].to.convex.vertices; i++) {
        const double height = point_dot(normal, ways[1].to.vertex[i]);
        high = height > high ? height : high;
    }
    return high - low;
}

// The distance that puts the first just outside: from beyond all of the second back until they touch.
static double way_out(const struct body_ways ways[2], double keep, struct point normal, double depth) {
    double way = depth + TOUCHING;
    for (unsigned round = 0; round < ADVANCES_MAX && way > 0.0; round++) {
        const struct separation apart = apart_at(ways, 1.0, point_scale(normal, way));
        if (apart.distance - keep <= TOUCHING) {
            break;
        }
        way -= apart.distance - keep - 0.5 * TOUCHING;
    }
    return way;
}

bool body_ways_apart(const struct body_ways ways[2], struct point normal) {
    return stay_apart(ways, normal, 0.0, -CLEAR);
}

double body_ways_out(const struct body_ways ways[2], double keep, double deep, struct point *normal) {
    const double most = harmless(ways, deep) - keep; // of the shapes without their radii
    double allowed = 0.0;
    double share = 0.0;
    if (stay_at_a_face(ways, 0, most) || stay_at_a_face(ways, 1, most) ||
        !find_touch(ways, keep, most, normal, &share, &allowed)) {
        return 0.0;
    }
    const double least = allowed > deep ? allowed : deep;
    const double depth = depth_along(ways, *normal) + keep;
    const double wanted = reach_of(ways) * (1.0 - share) / (2.0 * least) + 1.0;
    const unsigned looks = wanted < (double)LOOKS_MAX ? (unsigned)wanted : LOOKS_MAX;
    bool crosses = false;
    for (unsigned look = 1; look <= looks && depth > least && !crosses; look++) {
        crosses = depth_at(ways, share + (1.0 - share) * (double)look / (double)looks, keep) > least;
    }
    const double way = crosses ? way_out(ways, keep, *normal, depth) : 0.0;
    return way > least ? way : 0.0;
}
