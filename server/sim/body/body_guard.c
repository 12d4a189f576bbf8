// SPDX-License-Identifier: MIT
// The guard against bodies: a point that is on one side of a body when the substep begins is not on another side when
// the substep ends (PHYSICS.md 4.7).
//
// The path of a point is taken relative to the moving body, as its heights above the planes of the body's faces at the
// start and at the end. As the body is moved and turned, and bent at most a little, each height changes linearly in
// between, so the path is a segment and the body a convex polyhedron that it may enter and leave (M. Cyrus, J. Beck,
// "Generalized two- and three-dimensional clipping", 1978). The face by which the path enters is the side that the
// point came from; for a point that is a little deep at the start, it is the nearest face.
//
// A point may end a little deep in the body: contacts push it out in the next substep, softly. A deeper point is moved
// back to the face, or to its place at the start if it was deep already. Bodies are moved as a whole, which neither
// bends nor turns them.
//
// The edges of two bodies may cross, and a corner may go through the middle of a face, with no vertex of one body
// passing through the other. So two bodies are followed to where they first touch (conservative advancement; B.
// Mirtich, 1996). If they are deep in one another at the end, they part along the direction in which they touched.
#include "sim/body/body_guard.h"

#include "sim/body/body_broad.h"
#include "sim/body/body_part.h"
#include "sim/body/body_shape.h"
#include "sim/contact/contact.h"
#include "sim/geometry/collide_gjk.h"
#include "sim/geometry/convex.h"
#include "sim/geometry/hull.h"
#include "sim/geometry/penetration.h"
#include "sim/geometry/point.h"
#include "sim/world/particle.h"

#define DEEP_SHARE 0.25f // share of a body's thickness
#define TOUCHING 1e-4    // m
#define ADVANCES_MAX 24u
#define LOOKS_MAX 128u  // on the rest of the path
#define HULL_REACH 3.0f // times the spread of its particles; the tip of a cone is the extreme

// ---- walls -------------------------------------------------------------------------------------------------------

struct plane {
    struct point normal; // unit, outward; zero where a face is crushed to a line
    double offset;       // m
};

// A body as a wall: the planes of its faces at the substep's start and now.
struct wall {
    uint32_t place;
    struct vec3 min, max; // m, box around its whole path
    double deep;          // m; deeper points are pushed out
    uint32_t planes;
    struct plane start[HULL_TRIANGLES_MAX], end[HULL_TRIANGLES_MAX];
};

// The smallest height of a tetrahedron; for an embedded shape that of its particles, which is less than its own.
float body_thickness(const struct object *object) {
    const struct vec3 *e = object->rest_edge;
    const struct vec3 face[4] = {vec3_cross(e[0], e[1]), vec3_cross(e[1], e[2]), vec3_cross(e[2], e[0]),
                                 vec3_cross(vec3_sub(e[1], e[0]), vec3_sub(e[2], e[0]))};
    float largest = 0.0f;
    for (unsigned k = 0; k < 4; k++) {
        largest = scalar_max(largest, vec3_length(face[k]));
    }
    return scalar_abs(object->determinant) / largest;
}

static double height_above(const struct plane *plane, struct point p) {
    return point_dot(plane->normal, p) - plane->offset;
}

static void set_planes(const struct convex *shape, struct plane *plane) {
    for (uint32_t i = 0; i < shape->triangles; i++) {
        const uint32_t *corner = shape->triangle + 3 * (size_t)i;
        const struct point a = shape->vertex[corner[0]];
        const struct point across =
            point_cross(point_sub(shape->vertex[corner[1]], a), point_sub(shape->vertex[corner[2]], a));
        const double length = point_length(across);
        plane[i].normal = length > 0.0 ? point_scale(across, 1.0 / length) : (struct point){0};
        plane[i].offset = point_dot(plane[i].normal, a);
    }
}

static void include(struct wall *wall, const struct convex *shape) {
    for (uint32_t i = 0; i < shape->vertices; i++) {
        const struct vec3 p = point_rounded(shape->vertex[i]);
        wall->min = vec3_of(scalar_min(wall->min.x, p.x), scalar_min(wall->min.y, p.y), scalar_min(wall->min.z, p.z));
        wall->max = vec3_of(scalar_max(wall->max.x, p.x), scalar_max(wall->max.y, p.y), scalar_max(wall->max.z, p.z));
    }
}

static void wall_of(const struct sim_world *world, const struct start_positions *from, const struct body_part *body,
                    struct wall *wall) {
    struct body_shape shape;
    struct point carrier[4];
    for (unsigned k = 0; k < 4; k++) {
        carrier[k] = point_of(start_position(from, body->slot[k]));
    }
    body_shape_carried(world, body, carrier, &shape);
    wall->place = body->object;
    wall->deep = (double)(DEEP_SHARE * body_thickness(&world->object[body->object]));
    wall->planes = shape.convex.triangles;
    wall->min = wall->max = point_rounded(shape.vertex[0]);
    include(wall, &shape.convex);
    set_planes(&shape.convex, wall->start);
    body_shape_set(world, body, 1.0, &shape);
    include(wall, &shape.convex);
    set_planes(&shape.convex, wall->end);
}

// True if a point has come through the wall. Sets the face on whose side it was, and its depth beneath that face.
static bool has_passed(const struct wall *wall, struct point from, struct point to, uint32_t *side, double *depth) {
    double enters = -1.0;
    double leaves = 1.0;
    double nearest = -1e30;
    for (uint32_t i = 0; i < wall->planes; i++) {
        const double before = height_above(&wall->start[i], from);
        const double after = height_above(&wall->end[i], to);
        if (before > 0.0 && after > 0.0) {
            return false;
        }
        if (before > 0.0) {
            const double share = before / (before - after);
            *side = share > enters ? i : *side;
            enters = share > enters ? share : enters;
        } else if (after > 0.0) {
            const double share = before / (before - after);
            leaves = share < leaves ? share : leaves;
        }
        if (enters < 0.0 && before > nearest && point_dot(wall->start[i].normal, wall->start[i].normal) > 0.0) {
            nearest = before;
            *side = i;
        }
    }
    if (enters >= leaves || (enters < 0.0 && nearest == -1e30)) {
        return false;
    }
    *depth = -height_above(&wall->end[*side], to);
    if (enters < 0.0 && -nearest > wall->deep) {
        *depth += nearest;
        return *depth > 0.0;
    }
    return *depth > wall->deep;
}

// ---- moving back -------------------------------------------------------------------------------------------------

static struct point now(const struct sim_world *world, uint32_t i) {
    return point_of(particle_relaxed(world, i));
}

static bool may_give_way(const struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    bool free = object_is_active(object);
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        free = free && world->w[i] > 0.0f;
    }
    return free;
}

// Moves a particle alone, or all particles of a body.
static void carry(const struct sim_world *world, uint32_t first, uint32_t count, float sign, struct contact *contact) {
    float mass = 0.0f;
    for (uint32_t i = first; i < first + count; i++) {
        mass += 1.0f / world->own_w[i];
    }
    for (uint32_t i = first; i < first + count; i++) {
        contact->slot[contact->carriers] = i;
        contact->weight[contact->carriers] = sign / (world->own_w[i] * mass);
        contact->carriers++;
    }
}

// Moves the two apart by `depth`, in inverse proportion to their masses.
static bool part(struct sim_world *world, uint32_t place, uint32_t slot, uint32_t wall, struct point normal,
                 double depth) {
    const struct object *object = &world->object[place];
    const struct object *body = &world->object[wall];
    const uint32_t first = world->contacts;
    struct contact contact = {.object_a = place, .object_b = wall, .normal = point_rounded(normal)};
    if (object->kind != SIM_KIND_BODY) {
        carry(world, slot, 1, 1.0f, &contact);
    } else if (may_give_way(world, place)) {
        carry(world, object->first, 4, 1.0f, &contact);
    }
    if (may_give_way(world, wall)) {
        carry(world, body->first, 4, -1.0f, &contact);
    }
    struct point apart = {0};
    for (uint32_t k = 0; k < contact.carriers; k++) {
        apart = point_add(apart, point_scale(now(world, contact.slot[k]), (double)contact.weight[k]));
    }
    contact.offset = (float)(point_dot(point_of(contact.normal), apart) + depth);
    return contact_add(world, &contact) && contact_relax_from(world, first);
}

// ---- over objects ------------------------------------------------------------------------------------------------

static bool misses(const struct wall *wall, struct vec3 a, struct vec3 b) {
    return scalar_max(a.x, b.x) < wall->min.x || scalar_min(a.x, b.x) > wall->max.x ||
           scalar_max(a.y, b.y) < wall->min.y || scalar_min(a.y, b.y) > wall->max.y ||
           scalar_max(a.z, b.z) < wall->min.z || scalar_min(a.z, b.z) > wall->max.z;
}

struct passer {
    const struct body_guard *guard;
    uint32_t place;
    bool back;
};

// Each particle moves back alone; the wall may have moved after that.
static void guard_particles(struct sim_world *world, const struct body_part *body, struct passer *passer,
                            struct wall *wall) {
    const struct object *object = &world->object[passer->place];
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 from = start_position(&passer->guard->from, i);
        const struct point to = now(world, i);
        uint32_t side = 0;
        double depth = 0.0;
        if (!misses(wall, from, point_rounded(to)) && has_passed(wall, point_of(from), to, &side, &depth) &&
            part(world, passer->place, i, wall->place, wall->end[side].normal, depth)) {
            passer->back = true;
            wall_of(world, &passer->guard->from, body, wall);
        }
    }
}

// ---- two bodies --------------------------------------------------------------------------------------------------

// The path of a body from the substep's start to now.
struct ways {
    struct body_shape from, to;
};

static void ways_of(const struct sim_world *world, const struct start_positions *start, const struct body_part *part,
                    struct ways *ways) {
    struct point carrier[4];
    for (uint32_t k = 0; k < 4; k++) {
        carrier[k] = point_of(start_position(start, part->slot[k]));
    }
    body_shape_carried(world, part, carrier, &ways->from);
    body_shape_set(world, part, 1.0, &ways->to);
}

static struct point way_of(const struct ways *ways, uint32_t vertex) {
    return point_sub(ways->to.vertex[vertex], ways->from.vertex[vertex]);
}

static void lie_at(const struct ways *ways, double share, struct point shift, struct body_shape *now) {
    now->convex = ways->from.convex;
    now->convex.vertex = now->vertex;
    for (uint32_t i = 0; i < now->convex.vertices; i++) {
        const struct point way = point_add(point_scale(way_of(ways, i), share), shift);
        now->vertex[i] = point_add(ways->from.vertex[i], way);
    }
}

static struct separation apart_at(const struct ways ways[2], double share, struct point shift) {
    struct body_shape now[2];
    lie_at(&ways[0], share, shift, &now[0]);
    lie_at(&ways[1], share, (struct point){0}, &now[1]);
    return collide_distance(&now[0].convex, &now[1].convex);
}

static double depth_at(const struct ways ways[2], double share) {
    struct body_shape now[2];
    struct penetration deep;
    lie_at(&ways[0], share, (struct point){0}, &now[0]);
    lie_at(&ways[1], share, (struct point){0}, &now[1]);
    const bool overlap = !(collide_distance(&now[0].convex, &now[1].convex).distance > 0.0);
    return overlap && penetration_find(&now[0].convex, &now[1].convex, &deep) ? deep.depth : 0.0;
}

// The greatest distance by which their vertices can approach.
static double reach_of(const struct ways ways[2]) {
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

// Finds where two bodies first touch, and the direction from the second to the first there. `allowed` is the depth at
// which they lay in one another at the start.
static bool find_touch(const struct ways ways[2], struct point *normal, double *share, double *allowed) {
    const double reach = reach_of(ways);
    struct penetration begun;
    *share = 0.0;
    *allowed = 0.0;
    for (unsigned round = 0; round < ADVANCES_MAX && *share < 1.0; round++) {
        const struct separation apart = apart_at(ways, *share, (struct point){0});
        if (!(apart.distance > 0.0)) {
            if (round == 0 && penetration_find(&ways[0].from.convex, &ways[1].from.convex, &begun)) {
                *normal = begun.normal;
                *allowed = begun.depth;
            }
            return round > 0 || *allowed > 0.0; // the result of the round before holds
        }
        *normal = apart.normal;
        if (apart.distance <= TOUCHING) {
            return true;
        }
        *share += (apart.distance - 0.5 * TOUCHING) / reach;
    }
    return *share < 1.0;
}

// The distance that the first has to move along the normal to be beyond all of the second.
static double depth_along(const struct ways ways[2], struct point normal) {
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
static double way_out(const struct ways ways[2], struct point normal, double depth) {
    double way = depth + TOUCHING;
    for (unsigned round = 0; round < ADVANCES_MAX && way > 0.0; round++) {
        const struct separation apart = apart_at(ways, 1.0, point_scale(normal, way));
        if (apart.distance <= TOUCHING) {
            break;
        }
        way -= apart.distance - 0.5 * TOUCHING;
    }
    return way;
}

static void guard_crossing(struct sim_world *world, struct passer *passer, const struct wall *wall,
                           const struct ways ways[2]) {
    const double own = (double)(DEEP_SHARE * body_thickness(&world->object[passer->place]));
    double deep = own < wall->deep ? own : wall->deep;
    double allowed = 0.0;
    struct point normal;
    double share = 0.0;
    if (!find_touch(ways, &normal, &share, &allowed)) {
        return;
    }
    deep = allowed > deep ? allowed : deep;
    const double depth = depth_along(ways, normal);
    const double wanted = reach_of(ways) * (1.0 - share) / (2.0 * deep) + 1.0;
    const unsigned looks = wanted < (double)LOOKS_MAX ? (unsigned)wanted : LOOKS_MAX;
    bool crosses = false;
    for (unsigned look = 1; look <= looks && depth > deep && !crosses; look++) {
        crosses = depth_at(ways, share + (1.0 - share) * (double)look / (double)looks) > deep;
    }
    const double way = crosses ? way_out(ways, normal, depth) : 0.0;
    passer->back |= way > deep && part(world, passer->place, 0, wall->place, normal, way);
}

// Moves the bodies apart by the depth of the vertex that has come farthest.
static void guard_body(struct sim_world *world, struct passer *passer, const struct body_part *body,
                       const struct wall *wall) {
    const struct object *object = &world->object[passer->place];
    const struct body_part own = {.object = passer->place,
                                  .particles = 4,
                                  .slot = {object->first, object->first + 1, object->first + 2, object->first + 3}};
    struct ways ways[2];
    uint32_t deepest_side = 0;
    double deepest = 0.0;
    ways_of(world, &passer->guard->from, &own, &ways[0]);
    for (uint32_t i = 0; i < ways[0].to.convex.vertices; i++) {
        const struct point from = ways[0].from.vertex[i];
        const struct point to = ways[0].to.vertex[i];
        uint32_t side = 0;
        double depth = 0.0;
        if (!misses(wall, point_rounded(from), point_rounded(to)) && has_passed(wall, from, to, &side, &depth) &&
            depth > deepest) {
            deepest = depth;
            deepest_side = side;
        }
    }
    if (deepest > 0.0) {
        passer->back |= part(world, passer->place, 0, wall->place, wall->end[deepest_side].normal, deepest);
        return;
    }
    ways_of(world, &passer->guard->from, body, &ways[1]);
    guard_crossing(world, passer, wall, ways);
}

static void guard_pair(struct sim_world *world, const struct body_part *body, const struct body_part *around,
                       void *context) {
    struct passer *passer = context;
    (void)around;
    if (body->object == passer->place || world->object[body->object].kind != SIM_KIND_BODY) {
        return;
    }
    struct wall wall;
    wall_of(world, &passer->guard->from, body, &wall);
    if (world->object[passer->place].kind == SIM_KIND_BODY) {
        guard_body(world, passer, body, &wall);
    } else {
        guard_particles(world, body, passer, &wall);
    }
}

// ---- fast objects ------------------------------------------------------------------------------------------------

// The box around the paths of an object; an embedded hull reaches beyond its particles.
static struct extent whole_extent_of(const struct sim_world *world, uint32_t place,
                                     const struct start_positions *from) {
    const struct object *object = &world->object[place];
    struct extent extent = extent_of_object(world, object, from);
    const float reach = object->hull_vertices > 0 ? HULL_REACH : 0.0f;
    const struct vec3 margin = vec3_scale(vec3_sub(extent.max, extent.min), reach);
    extent.min = vec3_sub(extent.min, margin);
    extent.max = vec3_add(extent.max, margin);
    return extent;
}

// Two bodies that both move less than this cannot pass one another.
static bool is_fast(const struct body_guard *guard, const struct extent *extent) {
    return extent->moved > 0.5f * DEEP_SHARE * guard->thinnest;
}

struct body_guard body_guard_of(const struct sim_world *world, const struct start_positions *from) {
    const float far = 8.0f * SIM_POSITION_MAX;
    struct body_guard guard = {
        .from = *from, .thinnest = far, .min = vec3_of(far, far, far), .max = vec3_of(-far, -far, -far)};
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object->kind == SIM_KIND_BODY) {
            guard.thinnest = scalar_min(guard.thinnest, body_thickness(object));
        }
    }
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object->kind != SIM_KIND_BODY || !object_is_active(object)) {
            continue;
        }
        const struct extent extent = whole_extent_of(world, i, from);
        if (is_fast(&guard, &extent)) {
            guard.min = vec3_of(scalar_min(guard.min.x, extent.min.x), scalar_min(guard.min.y, extent.min.y),
                                scalar_min(guard.min.z, extent.min.z));
            guard.max = vec3_of(scalar_max(guard.max.x, extent.max.x), scalar_max(guard.max.y, extent.max.y),
                                scalar_max(guard.max.z, extent.max.z));
        }
    }
    return guard;
}

static bool is_beside(const struct body_guard *guard, const struct extent *extent) {
    return extent->max.x < guard->min.x || extent->min.x > guard->max.x || extent->max.y < guard->min.y ||
           extent->min.y > guard->max.y || extent->max.z < guard->min.z || extent->min.z > guard->max.z;
}

bool body_guard_concerns(const struct sim_world *world, const struct body_guard *guard, const struct extent *extent) {
    return world->body_parts > 0 && (is_fast(guard, extent) || !is_beside(guard, extent));
}

bool body_guard_object(struct sim_world *world, const struct body_guard *guard, uint32_t place,
                       const struct extent *extent) {
    if (!body_guard_concerns(world, guard, extent)) {
        return false;
    }
    struct passer passer = {.guard = guard, .place = place};
    const struct extent whole = whole_extent_of(world, place, &guard->from);
    const struct body_part around = {.object = place, .low = whole.min, .high = whole.max};
    body_broad_meet(world, &around, guard_pair, &passer);
    return passer.back;
}
