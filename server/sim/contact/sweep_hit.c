// SPDX-License-Identifier: MIT
// A sweep against an obstacle (PHYSICS.md 4.5): the time at which they first come within reach of one another in this
// substep, the normal of the surface there, and the points that have to stay outside.
//
// The time is found by conservative advancement (B. Mirtich, "Impulse-based Dynamic Simulation", 1996): the plane
// through the obstacle's nearest point, across the direction to it, separates the two until the first vertex reaches
// it, so that much of the path is safe. Nothing that moves can jump over an obstacle, however thin. A shape that comes
// near without touching gets a contact as well: relaxation may push it in, and a contact that does nothing costs
// nothing.
//
// A shape that overlaps the obstacle when the substep begins leaves by the shortest way (collide_axes.c); a vertex deep
// in a closed mesh or under a height field goes to the nearest surface.
#include "sim/contact/sweep_hit.h"

#include "sim/contact/obstacle_surface.h"
#include "sim/contact/sweep_candidates.h"
#include "sim/contact/sweep_cull.h"
#include "sim/geometry/collide_axes.h"
#include "sim/geometry/collide_gjk.h"
#include "sim/geometry/collide_patch.h"

#define TOUCHING 2e-5 // m
// In m: within this depth in a closed mesh or under a height field, the surface above is the one to leave by.
#define SHALLOW 2.5e-3
#define ADVANCES_MAX 32u
#define LEAN 1e-6 // smallest weight that is not taken as 0

// A convex piece of an obstacle, with a radius. `facet`: index in a height field or a mesh; `solid`: only the outer
// side counts.
struct piece {
    const struct obstacle *obstacle;
    struct convex shape;
    double radius;
    const struct facet *facet;
    bool solid;
};

struct moment {
    struct separation apart; // no nearest points where they overlap
    struct point now[COLLIDE_VERTICES_MAX];
};

static struct convex shape_of(const struct sweep *sweep, const struct point *vertex) {
    return (struct convex){vertex, sweep->triangle, sweep->vertices, sweep->triangles};
}

// ---- at the start ------------------------------------------------------------------------------------------------

// The cache entry of a piece; NULL for pieces that are not cached.
static struct sweep_cache *cache_entry(const struct sweep *sweep, const struct piece *piece) {
    if (sweep->cache == NULL || sweep->weight == NULL || sweep->ring) {
        return NULL;
    }
    const uint32_t facet = piece->facet != NULL ? piece->facet->index : 0;
    struct sweep_cache *cache = &sweep->cache[facet % SWEEP_CACHE_SIZE];
    if (cache->obstacle != piece->obstacle || cache->facet != facet || cache->place != sweep->place ||
        cache->part != sweep->part) {
        cache->obstacle = NULL;
        cache->facet = facet;
        cache->place = sweep->place;
        cache->part = sweep->part;
        cache->escaped = false;
    }
    return cache;
}

static struct separation apart_at_start(const struct sweep *sweep, const struct piece *piece) {
    const struct convex shape = shape_of(sweep, sweep->start);
    struct sweep_cache *cache = cache_entry(sweep, piece);
    if (cache == NULL) {
        return collide_distance(&shape, &piece->shape);
    }
    if (cache->obstacle == NULL) {
        cache->apart = collide_distance(&shape, &piece->shape);
        cache->obstacle = piece->obstacle;
    }
    return cache->apart;
}

static struct point escape_at_start(const struct sweep *sweep, const struct piece *piece, const struct point *outward) {
    const struct convex shape = shape_of(sweep, sweep->start);
    struct sweep_cache *cache = cache_entry(sweep, piece);
    if (cache == NULL) {
        return collide_escape(&shape, &piece->shape, outward);
    }
    if (!cache->escaped) {
        cache->normal = collide_escape(&shape, &piece->shape, outward);
        cache->escaped = true;
    }
    return cache->normal;
}

// ---- time of contact ---------------------------------------------------------------------------------------------

static void place_at(const struct sweep *sweep, double time, struct point *now) {
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        const struct point way = point_sub(sweep->end[i], sweep->start[i]);
        now[i] = point_add(sweep->start[i], point_scale(way, time));
    }
}

// The rest of the substep relative to the plane through B's nearest point, across the normal. Vertices move straight.
struct rest {
    double first; // share of the rest until a vertex is `gap` from the plane; 1 when none comes that near
    double least; // m, distance from the plane to the nearest vertex at the end
};

static struct rest rest_of(const struct sweep *sweep, const struct moment *moment, double gap) {
    const struct point normal = moment->apart.normal;
    const struct point nearest = point_mix(&moment->apart.a, moment->now);
    struct rest rest = {1.0, 1e30};
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        const double now = point_dot(normal, point_sub(moment->now[i], nearest)) + moment->apart.distance;
        const double end = point_dot(normal, point_sub(sweep->end[i], nearest)) + moment->apart.distance;
        if (end < gap && now - gap < rest.first * (now - end)) {
            rest.first = (now - gap) / (now - end);
        }
        rest.least = end < rest.least ? end : rest.least;
    }
    return rest;
}

// Finds the first time at which the two touch, or the substep's end if they are near then. Returns false if they stay
// apart.
static bool find_moment(const struct sweep *sweep, const struct piece *piece, double gap, struct moment *moment) {
    const struct convex shape = shape_of(sweep, moment->now);
    const double near_by = sweep_near_distance(sweep, gap);
    double time = 0.0;
    place_at(sweep, 0.0, moment->now);
    for (unsigned round = 0; round < ADVANCES_MAX; round++) {
        const struct separation apart =
            round == 0 ? apart_at_start(sweep, piece) : collide_distance(&shape, &piece->shape);
        if (!(apart.distance > 0.0) && round > 0) {
            return true; // rounding: the result of the round before holds
        }
        moment->apart = apart;
        if (apart.distance - gap <= TOUCHING) {
            return true;
        }
        if (time >= 1.0) {
            return apart.distance <= near_by;
        }
        const struct rest rest = rest_of(sweep, moment, gap);
        if (rest.least > near_by) {
            return false;
        }
        time = rest.first < 1.0 ? time + rest.first * (1.0 - time) : 1.0;
        place_at(sweep, time, moment->now);
    }
    return true;
}

// ---- normal and points -------------------------------------------------------------------------------------------

// True if the nearest point lies on a sharp edge or corner, where the normal may differ from the facet's.
static bool may_lean(const struct facet *facet, const struct mixture *nearest) {
    bool at[3] = {false, false, false};
    uint32_t corners = 0;
    for (uint32_t k = 0; k < nearest->vertices; k++) {
        if (nearest->weight[k] > LEAN) {
            at[nearest->vertex[k]] = true;
            corners++;
        }
    }
    for (uint32_t edge = 0; edge < 3; edge++) {
        const bool along = at[edge] && at[(edge + 1) % 3];
        const bool beside = at[edge] || at[(edge + 1) % 3];
        if (facet->sharp[edge] && (corners == 1 ? beside : corners == 2 && along)) {
            return true;
        }
    }
    return false;
}

// The side of a facet's plane on which the sweep was when the substep began. Where it lay across the plane, the nearest
// points decide. At an edge between facets in one plane they do not: when the sweep comes over that edge, it may have
// sunk through the facet that it was over before.
static double side_of(const struct sweep *sweep, const struct facet *facet, struct point normal) {
    double low = 1e30;
    double high = -1e30;
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        const double height = point_dot(facet->normal, point_sub(sweep->start[i], facet->corner[0]));
        low = height < low ? height : low;
        high = height > high ? height : high;
    }
    if (low > -0.5 * SWEEP_SKIN) { // on the plane but for rounding: outside
        return 1.0;
    }
    if (high < 0.0) {
        return -1.0;
    }
    return point_dot(normal, facet->normal) < 0.0 ? -1.0 : 1.0;
}

// Sets the normal of the contact. Returns false when the sweep is on the inner side of a facet of a solid, whose other
// facets push it out.
static bool find_normal(const struct sweep *sweep, const struct moment *moment, const struct piece *piece,
                        struct point *normal) {
    *normal = moment->apart.normal;
    if (piece->facet == NULL) {
        return true;
    }
    if (!may_lean(piece->facet, &moment->apart.b)) {
        *normal = point_scale(piece->facet->normal, side_of(sweep, piece->facet, *normal));
    }
    return !piece->solid || point_dot(*normal, piece->facet->normal) > 0.0;
}

static double support(const struct convex *shape, struct point direction, uint32_t *vertex) {
    *vertex = 0;
    double most = point_dot(shape->vertex[0], direction);
    for (uint32_t i = 1; i < shape->vertices; i++) {
        const double along = point_dot(shape->vertex[i], direction);
        if (along > most) {
            most = along;
            *vertex = i;
        }
    }
    return most;
}

static void propose_patch(struct candidates *candidates, const struct sweep *sweep, const struct piece *piece,
                          const struct moment *moment, struct point normal, double gap) {
    const struct convex shape = shape_of(sweep, moment->now);
    struct patch_point patch[COLLIDE_PATCH_MAX];
    const bool extended = sweep->vertices > 1 && piece->shape.vertices > 1;
    const bool lies = sweep->ring && sweep_lift(sweep, &(struct mixture){1, {0}, {1.0}}, normal).way > 0.0;
    const struct point barrel[2] = {moment->now[0], moment->now[sweep->ring ? RING_SIDES : 0]};
    const struct convex line = {.vertex = barrel, .vertices = 2};
    const uint32_t points = extended ? collide_patch(lies ? &line : &shape, &piece->shape, normal, patch) : 0;
    for (uint32_t i = 0; i < points; i++) {
        for (uint32_t k = 0; k < patch[i].a.vertices && lies; k++) {
            patch[i].a.vertex[k] *= RING_SIDES;
        }
        candidates_propose(candidates, sweep, &patch[i].a, patch[i].on_b, normal, gap);
    }
    if (points > 0) {
        return;
    }
    if (moment->apart.distance > 0.0) {
        candidates_propose(candidates, sweep, &moment->apart.a, point_mix(&moment->apart.b, piece->shape.vertex),
                           normal, gap);
        return;
    }
    struct mixture deepest = {.vertices = 1, .weight = {1.0}};
    uint32_t top = 0;
    (void)support(&shape, point_scale(normal, -1.0), &deepest.vertex[0]);
    (void)support(&piece->shape, normal, &top);
    candidates_propose(candidates, sweep, &deepest, piece->shape.vertex[top], normal, gap);
}

static void meet_hull(struct candidates *candidates, const struct sweep *sweep, const struct piece *piece) {
    const double gap = sweep_gap(sweep, piece->radius);
    struct moment moment;
    if (!find_moment(sweep, piece, gap, &moment)) {
        return;
    }
    struct point normal;
    if (moment.apart.distance > 0.0) {
        if (!find_normal(sweep, &moment, piece, &normal)) {
            return;
        }
    } else {
        const bool outward =
            piece->facet != NULL && (piece->solid || side_of(sweep, piece->facet, piece->facet->normal) > 0.0);
        normal = escape_at_start(sweep, piece, outward ? &piece->facet->normal : NULL);
    }
    propose_patch(candidates, sweep, piece, &moment, normal, gap);
}

// A ring turns towards the piece first: along the way from its axis.
static void meet_ring(struct candidates *candidates, const struct sweep *sweep, const struct sim_world *world,
                      const struct piece *piece) {
    const struct point axis[2] = {
        point_scale(point_add(sweep->start[0], sweep->start[RING_SIDES / 2]), 0.5),
        point_scale(point_add(sweep->start[RING_SIDES], sweep->start[RING_SIDES + RING_SIDES / 2]), 0.5)};
    const struct convex line = {.vertex = axis, .vertices = 2};
    const struct separation apart = collide_distance(&line, &piece->shape);
    struct sweep turned = *sweep;
    if (apart.distance > 0.0) {
        sweep_turn(&turned, world, point_scale(apart.normal, -1.0));
    }
    meet_hull(candidates, &turned, piece);
}

static void meet_piece(struct candidates *candidates, const struct sweep *sweep, const struct sim_world *world,
                       const struct piece *piece) {
    if (sweep->ring) {
        meet_ring(candidates, sweep, world, piece);
    } else {
        meet_hull(candidates, sweep, piece);
    }
}

// ---- obstacles ---------------------------------------------------------------------------------------------------

static void meet_ball(struct candidates *candidates, const struct sweep *sweep, const struct sim_world *world,
                      const struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    const bool sphere = shape->shape == SIM_OBSTACLE_SPHERE;
    const struct point axis[2] = {point_of(sphere ? shape->position : shape->from), point_of(shape->to)};
    const struct piece piece = {
        .obstacle = obstacle, .shape = {axis, NULL, sphere ? 1 : 2, 0}, .radius = (double)shape->radius};
    meet_piece(candidates, sweep, world, &piece);
}

static void meet_box(struct candidates *candidates, const struct sweep *sweep, const struct sim_world *world,
                     const struct obstacle *obstacle) {
    static const uint32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    struct point corner[8];
    for (uint32_t i = 0; i < 8; i++) {
        const struct vec3 local =
            vec3_of((i & 1) != 0 ? 0.5f : -0.5f, (i & 2) != 0 ? 0.5f : -0.5f, (i & 4) != 0 ? 0.5f : -0.5f);
        struct point at = point_of(obstacle->shape.position);
        at = point_add(
            at, point_scale(point_of(obstacle->axes.column[0]), (double)local.x * (double)obstacle->shape.size.x));
        at = point_add(
            at, point_scale(point_of(obstacle->axes.column[1]), (double)local.y * (double)obstacle->shape.size.y));
        corner[i] = point_add(
            at, point_scale(point_of(obstacle->axes.column[2]), (double)local.z * (double)obstacle->shape.size.z));
    }
    const struct piece piece = {.obstacle = obstacle, .shape = {corner, sides, 8, 12}};
    meet_piece(candidates, sweep, world, &piece);
}

// For single particles and the vertices of an embedded hull; the corners of every other shape are particles that are
// handled on their own.
static bool leave_solid(struct candidates *candidates, const struct sweep *sweep, const struct sim_world *world,
                        const struct obstacle *obstacle) {
    bool inside = false;
    if (sweep->vertices > 1 && sweep->weight == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        const struct mixture vertex = {1, {i}, {1.0}};
        struct point surface;
        struct point normal;
        if (obstacle_encloses(world, obstacle, sweep->start[i], &surface, &normal)) {
            candidates_propose(candidates, sweep, &vertex, surface, normal, sweep_gap(sweep, 0.0));
            inside = true;
        }
    }
    return inside;
}

static void meet_surface(struct candidates *candidates, const struct sweep *sweep, const struct sim_world *world,
                         const struct obstacle *obstacle) {
    static const uint32_t corners[3] = {0, 1, 2};
    const bool solid = obstacle->closed || obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD;
    if (leave_solid(candidates, sweep, world, obstacle) && sweep->vertices == 1) {
        return;
    }
    struct facet_walk walk;
    struct facet facet;
    facet_walk_begin(&walk, world, obstacle, sweep->min, sweep->max);
    while (facet_walk_next(&walk, &facet)) {
        if (!sweep_culls_facet(sweep, &facet, solid)) {
            const struct piece piece = {
                .obstacle = obstacle, .shape = {facet.corner, corners, 3, 1}, .facet = &facet, .solid = solid};
            meet_piece(candidates, sweep, world, &piece);
        }
    }
}

static bool overlaps(const struct sweep *sweep, const struct obstacle *obstacle) {
    return sweep->min.x <= obstacle->box_max.x && sweep->min.y <= obstacle->box_max.y &&
           sweep->min.z <= obstacle->box_max.z && sweep->max.x >= obstacle->box_min.x &&
           sweep->max.y >= obstacle->box_min.y && sweep->max.z >= obstacle->box_min.z;
}

static bool find_candidates(struct candidates *candidates, const struct sweep *sweep, const struct sim_world *world,
                            const struct obstacle *obstacle) {
    candidates->count = 0;
    if (!overlaps(sweep, obstacle)) {
        return false;
    }
    switch (obstacle->shape.shape) {
    case SIM_OBSTACLE_SPHERE:
    case SIM_OBSTACLE_CAPSULE:
        meet_ball(candidates, sweep, world, obstacle);
        return true;
    case SIM_OBSTACLE_BOX:
        if (!sweep_culls_box(sweep, obstacle) &&
            (sweep->vertices == 1 || sweep->weight != NULL || !sweep_stays_above_a_face(sweep, obstacle))) {
            meet_box(candidates, sweep, world, obstacle);
        }
        return true;
    case SIM_OBSTACLE_HEIGHTFIELD:
    case SIM_OBSTACLE_MESH:
        meet_surface(candidates, sweep, world, obstacle);
        return true;
    case SIM_OBSTACLE_PLANE:
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        return false;
    }
}

static void meet_plane(struct candidates *candidates, const struct sweep *sweep, struct point fixed, struct point n) {
    const double gap = (double)sweep->radius;
    const double near_by = gap + SWEEP_NEAR_MIN + (sweep->moved < SWEEP_NEAR_MAX ? sweep->moved : SWEEP_NEAR_MAX);
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        const struct mixture vertex = {1, {i}, {1.0}};
        const double height = point_dot(n, point_sub(sweep->end[i], fixed));
        if (height < near_by) {
            candidates_propose(candidates, sweep, &vertex, point_sub(sweep->end[i], point_scale(n, height)), n, gap);
        }
    }
}

static void meet_plane_of(struct candidates *candidates, const struct sweep *sweep, const struct sim_world *world,
                          struct vec3 fixed, struct vec3 normal) {
    candidates->count = 0;
    if (sweep->ring) {
        struct sweep turned = *sweep;
        sweep_turn(&turned, world, point_scale(point_of(normal), -1.0));
        meet_plane(candidates, &turned, point_of(fixed), point_of(normal));
    } else {
        meet_plane(candidates, sweep, point_of(fixed), point_of(normal));
    }
}

static void hit(const struct sweep *sweep, struct sim_world *world, const struct obstacle *obstacle) {
    struct candidates candidates;
    if (obstacle->shape.shape == SIM_OBSTACLE_PLANE) {
        meet_plane_of(&candidates, sweep, world, obstacle->shape.position, obstacle->shape.normal);
        candidates_add(&candidates, sweep, world, obstacle, obstacle->shape.friction, obstacle->shape.restitution);
    } else if (find_candidates(&candidates, sweep, world, obstacle)) {
        candidates_add(&candidates, sweep, world, obstacle, obstacle->shape.friction, obstacle->shape.restitution);
    }
}

void sweep_hit(const struct sweep *sweep, struct sim_world *world, const struct obstacle *obstacle) {
    if (obstacle->step.moves) {
        struct sweep seen;
        sweep_seen_from(&seen, sweep, obstacle);
        hit(&seen, world, obstacle);
    } else {
        hit(sweep, world, obstacle);
    }
}

static bool way_out(const struct sweep *sweep, const struct sim_world *world, const struct obstacle *obstacle,
                    struct vec3 *way) {
    struct candidates candidates;
    const bool solid = obstacle->closed || obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD;
    const double least = solid ? SHALLOW : TOUCHING;
    double deepest = least;
    if (!find_candidates(&candidates, sweep, world, obstacle)) {
        return false;
    }
    for (uint32_t k = 0; k < candidates.count; k++) {
        const struct candidate *at = &candidates.list[k];
        for (uint32_t i = 0; i < sweep->vertices; i++) {
            const double depth = at->gap - point_dot(at->normal, point_sub(sweep->end[i], at->fixed));
            if (depth > deepest) {
                deepest = depth;
                *way = point_rounded(point_scale(at->normal, depth));
            }
        }
    }
    return deepest > least;
}

bool sweep_way_out(const struct sweep *sweep, const struct sim_world *world, const struct obstacle *obstacle,
                   struct vec3 *way) {
    if (!obstacle->step.moves) {
        return way_out(sweep, world, obstacle, way);
    }
    struct sweep seen;
    sweep_seen_from(&seen, sweep, obstacle);
    return way_out(&seen, world, obstacle, way);
}

void sweep_hit_plane(const struct sweep *sweep, struct sim_world *world, struct vec3 fixed, struct vec3 normal,
                     float friction, float restitution) {
    struct candidates candidates;
    meet_plane_of(&candidates, sweep, world, fixed, normal);
    candidates_add(&candidates, sweep, world, NULL, friction, restitution);
}
