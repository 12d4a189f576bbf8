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
// Two bodies may also cross with no vertex of one passing through the other: body_ways.c.
#include "sim/body/body_guard.h"

#include <assert.h>

#include "sim/body/body_broad.h"
#include "sim/body/body_part.h"
#include "sim/body/body_ways.h"
#include "sim/contact/contact.h"
#include "sim/world/box.h"
#include "sim/world/joint.h"
#include "sim/world/part.h"
#include "sim/world/particle.h"

#define DEEP_SHARE 0.25f // share of a body's thickness
#define HULL_REACH 3.0f  // times the spread of its particles; the tip of a cone is the extreme

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

// The smallest height of a tetrahedron.
static float height_of(const struct object *object) {
    const struct vec3 *e = object->rest_edge;
    const struct vec3 face[4] = {vec3_cross(e[0], e[1]), vec3_cross(e[1], e[2]), vec3_cross(e[2], e[0]),
                                 vec3_cross(vec3_sub(e[1], e[0]), vec3_sub(e[2], e[0]))};
    float largest = 0.0f;
    for (unsigned k = 0; k < 4; k++) {
        largest = scalar_max(largest, vec3_length(face[k]));
    }
    return scalar_abs(object->determinant) / largest;
}

// For a box or a hull that of its particles, which is less than its own; else that of the thinnest part.
float body_thickness(const struct sim_world *world, const struct object *object) {
    float thinnest = 8.0f * SIM_POSITION_MAX;
    for (uint32_t k = 0; k < object->hull_parts; k++) {
        thinnest = scalar_min(thinnest, part_at(world, object, k).thickness);
    }
    return object->hull_parts > 0 ? thinnest : height_of(object);
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

static void include(struct body_part *body, const struct convex *shape) {
    for (uint32_t i = 0; i < shape->vertices; i++) {
        const struct vec3 p = point_rounded(shape->vertex[i]);
        body->low = vec3_of(scalar_min(body->low.x, p.x), scalar_min(body->low.y, p.y), scalar_min(body->low.z, p.z));
        body->high =
            vec3_of(scalar_max(body->high.x, p.x), scalar_max(body->high.y, p.y), scalar_max(body->high.z, p.z));
    }
}

static void wall_of(const struct sim_world *world, const struct body_part *body, const struct body_ways *ways,
                    struct wall *wall) {
    wall->place = body->object;
    wall->deep = (double)(DEEP_SHARE * body_thickness(world, &world->object[body->object]));
    wall->planes = ways->from.convex.triangles;
    wall->min = body->low;
    wall->max = body->high;
    set_planes(&ways->from.convex, wall->start);
    set_planes(&ways->to.convex, wall->end);
}

// True if a point has come through the wall. Sets the face on whose side it was, and its depth beneath that face.
static bool has_passed(const struct wall *wall, struct point from, struct point to, uint32_t *side, double *depth) {
    double enters = -1.0;
    double leaves = 1.0;
    double nearest = -1e30;
    assert(wall->planes > 0); // of a hull; round bodies are guarded otherwise
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

static struct vec3 least_of(struct vec3 a, struct vec3 b) {
    return vec3_of(scalar_min(a.x, b.x), scalar_min(a.y, b.y), scalar_min(a.z, b.z));
}

static struct vec3 most_of(struct vec3 a, struct vec3 b) {
    return vec3_of(scalar_max(a.x, b.x), scalar_max(a.y, b.y), scalar_max(a.z, b.z));
}

// ---- boxes -------------------------------------------------------------------------------------------------------

// Sets the box of a body's part to the one around its vertices at the substep's start and now, which is that of its
// wall.
static void bound_path(const struct sim_world *world, const struct start_positions *from, struct body_part *body) {
    struct body_ways ways;
    body_ways_set(world, from, body, &ways);
    body->low = body->high = point_rounded(ways.from.vertex[0]);
    include(body, &ways.from.convex);
    include(body, &ways.to.convex);
    if (body->radius > 0.0f) {
        const struct vec3 margin = vec3_of(body->radius, body->radius, body->radius);
        body->low = vec3_sub(body->low, margin);
        body->high = vec3_add(body->high, margin);
    }
}

// The first part of an object; NULL if it has none. Parts are in the order of their objects.
static struct body_part *part_of(const struct sim_world *world, uint32_t place) {
    uint32_t low = 0;
    uint32_t high = world->body_parts;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (world->body_part[middle].object < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < world->body_parts && world->body_part[low].object == place ? &world->body_part[low] : NULL;
}

void body_guard_moved(struct sim_world *world, const struct body_guard *guard, uint32_t place) {
    if (!guard->bounded || world->object[place].kind != SIM_KIND_BODY) {
        return;
    }
    struct body_part *part = part_of(world, place);
    const struct body_part *end = world->body_part + world->body_parts;
    for (; part != end && part->object == place; part++) {
        bound_path(world, &guard->from, part);
    }
}

static void bound_all(struct sim_world *world, struct body_guard *guard) {
    for (uint32_t i = 0; i < world->body_parts && !guard->bounded; i++) {
        if (world->object[world->body_part[i].object].kind == SIM_KIND_BODY) {
            bound_path(world, &guard->from, &world->body_part[i]);
        }
    }
    guard->bounded = true;
    world->solids_rest = false; // the boxes are no longer those of detection
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

struct passer {
    struct body_guard *guard;
    uint32_t place;
    const struct body_part *own; // its part, where it is a body
    struct vec3 low, high;       // m, box around its path
    struct body_ways ways[2];    // its own, where it is a body, and those of the body that it may have passed
    bool back;
};

static bool misses(const struct wall *wall, struct vec3 a, struct vec3 b) {
    return scalar_max(a.x, b.x) < wall->min.x || scalar_min(a.x, b.x) > wall->max.x ||
           scalar_max(a.y, b.y) < wall->min.y || scalar_min(a.y, b.y) > wall->max.y ||
           scalar_max(a.z, b.z) < wall->min.z || scalar_min(a.z, b.z) > wall->max.z;
}

// Sets the path of a passer at first, and after it has moved.
static void follow_passer(const struct sim_world *world, struct passer *passer) {
    const struct object *object = &world->object[passer->place];
    if (object->kind == SIM_KIND_BODY) {
        assert(passer->own != NULL);
        passer->low = passer->own->low;
        passer->high = passer->own->high;
        body_ways_set(world, &passer->guard->from, passer->own, &passer->ways[0]);
    } else {
        const struct extent extent = extent_of_object(world, object, &passer->guard->from);
        passer->low = extent.min;
        passer->high = extent.max;
    }
}

// After a body has pushed the passer back, which moves both.
static void note_parted(struct sim_world *world, struct passer *passer, uint32_t wall) {
    passer->back = true;
    body_guard_moved(world, passer->guard, wall);
    body_guard_moved(world, passer->guard, passer->place);
    follow_passer(world, passer);
}

// Each particle moves back alone; the wall may have moved after that.
static void guard_particles(struct sim_world *world, struct passer *passer, const struct body_part *body) {
    const struct object *object = &world->object[passer->place];
    struct wall wall;
    wall_of(world, body, &passer->ways[1], &wall);
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 from = start_position(&passer->guard->from, i);
        const struct point to = now(world, i);
        uint32_t side = 0;
        double depth = 0.0;
        if (!misses(&wall, from, point_rounded(to)) && has_passed(&wall, point_of(from), to, &side, &depth) &&
            part(world, passer->place, i, wall.place, wall.end[side].normal, depth)) {
            note_parted(world, passer, wall.place);
            body_ways_set(world, &passer->guard->from, body, &passer->ways[1]);
            wall_of(world, body, &passer->ways[1], &wall);
        }
    }
}

// ---- two bodies --------------------------------------------------------------------------------------------------

// `slot`: the particle that may have passed, where the passer is no body.
static void guard_crossing(struct sim_world *world, struct passer *passer, uint32_t slot,
                           const struct body_part *body) {
    const float other = body_thickness(world, &world->object[body->object]);
    const float own = passer->own != NULL ? body_thickness(world, &world->object[passer->place]) : other;
    const double keep = (double)body->radius + (passer->own != NULL ? (double)passer->own->radius : 0.0);
    struct point normal;
    const double way = body_ways_out(passer->ways, keep, (double)(DEEP_SHARE * scalar_min(own, other)), &normal);
    if (way > 0.0 && part(world, passer->place, slot, body->object, normal, way)) {
        note_parted(world, passer, body->object);
        body_ways_set(world, &passer->guard->from, body, &passer->ways[1]);
    }
}

// Particles that may have come through a ball, a capsule or a rounded hull: each is followed as a point.
static void guard_from_round(struct sim_world *world, struct passer *passer, const struct body_part *body) {
    const struct object *object = &world->object[passer->place];
    struct body_ways *own = &passer->ways[0];
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 from = start_position(&passer->guard->from, i);
        const struct vec3 to = particle_relaxed(world, i);
        const struct vec3 low = least_of(from, to);
        const struct vec3 high = most_of(from, to);
        if (high.x < body->low.x || low.x > body->high.x || high.y < body->low.y || low.y > body->high.y ||
            high.z < body->low.z || low.z > body->high.z) {
            continue;
        }
        own->from.vertex[0] = point_of(from);
        own->to.vertex[0] = point_of(to);
        own->from.convex = (struct convex){.vertex = own->from.vertex, .vertices = 1};
        own->to.convex = (struct convex){.vertex = own->to.vertex, .vertices = 1};
        guard_crossing(world, passer, i, body);
    }
}

// Finds the vertex that has come farthest through a body. Returns false if none has.
static bool find_deepest(const struct body_ways *ways, const struct wall *wall, struct point *normal, double *deepest) {
    *deepest = 0.0;
    for (uint32_t i = 0; i < ways->to.convex.vertices; i++) {
        const struct point from = ways->from.vertex[i];
        const struct point to = ways->to.vertex[i];
        uint32_t side = 0;
        double depth = 0.0;
        if (!misses(wall, point_rounded(from), point_rounded(to)) && has_passed(wall, from, to, &side, &depth) &&
            depth > *deepest) {
            *deepest = depth;
            *normal = wall->end[side].normal;
        }
    }
    return *deepest > 0.0;
}

// Moves the bodies apart by the depth of the vertex that has come farthest.
static void guard_body(struct sim_world *world, struct passer *passer, const struct body_part *body) {
    const struct body_ways *ways = passer->ways;
    struct point normal;
    double deepest = 0.0;
    if (body->radius > 0.0f || passer->own->radius > 0.0f) {
        guard_crossing(world, passer, 0, body);
        return;
    }
    if (body_ways_above_a_face(ways, &normal)) {
        if (!body_ways_apart(ways, normal)) {
            guard_crossing(world, passer, 0, body);
        }
        return;
    }
    struct wall wall;
    wall_of(world, body, &ways[1], &wall);
    if (!find_deepest(&ways[0], &wall, &normal, &deepest)) {
        guard_crossing(world, passer, 0, body);
    } else if (part(world, passer->place, 0, body->object, normal, deepest)) {
        note_parted(world, passer, body->object);
    }
}

// Nothing can have passed where the boxes around both paths are apart: vertices and particles move straight.
static bool are_apart(const struct passer *passer, const struct body_part *body) {
    return passer->high.x < body->low.x || passer->low.x > body->high.x || passer->high.y < body->low.y ||
           passer->low.y > body->high.y || passer->high.z < body->low.z || passer->low.z > body->high.z;
}

static void guard_pair(struct sim_world *world, const struct body_part *body, const struct body_part *around,
                       void *context) {
    struct passer *passer = context;
    (void)around;
    bound_all(world, passer->guard);
    if (body->object == passer->place || world->object[body->object].kind != SIM_KIND_BODY || are_apart(passer, body) ||
        joint_is_between(world, passer->place, body->object)) {
        return;
    }
    body_ways_set(world, &passer->guard->from, body, &passer->ways[1]);
    if (world->object[passer->place].kind == SIM_KIND_BODY) {
        guard_body(world, passer, body);
    } else if (body->radius > 0.0f) {
        guard_from_round(world, passer, body);
    } else {
        guard_particles(world, passer, body);
    }
}

// ---- fast objects ------------------------------------------------------------------------------------------------

// The box around the paths of an object; an embedded hull reaches beyond its particles.
static struct extent whole_extent_of(const struct sim_world *world, uint32_t place,
                                     const struct start_positions *from) {
    const struct object *object = &world->object[place];
    struct extent extent = extent_of_object(world, object, from);
    if (object->hull_parts > 0) { // its parts may be anywhere
        const struct box ends[2] = {box_around_whole(world, object, SIMD_START),
                                    box_around_whole(world, object, SIMD_RELAXED)};
        extent.min = least_of(extent.min, least_of(ends[0].min, ends[1].min));
        extent.max = most_of(extent.max, most_of(ends[0].max, ends[1].max));
        return extent;
    }
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

void body_guard_begin_tick(struct sim_world *world) {
    world->body_thinnest = INFINITY;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object->kind == SIM_KIND_BODY) {
            world->body_thinnest = scalar_min(world->body_thinnest, body_thickness(world, object));
        }
    }
}

struct body_guard body_guard_of(const struct sim_world *world, const struct start_positions *from) {
    const float far = 8.0f * SIM_POSITION_MAX;
    struct body_guard guard = {
        .from = *from, .thinnest = far, .min = vec3_of(far, far, far), .max = vec3_of(-far, -far, -far)};
    guard.thinnest = scalar_min(far, world->body_thinnest);
    for (uint32_t i = 0; i < world->state.objects && !world->solids_rest; i++) {
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

bool body_guard_object(struct sim_world *world, struct body_guard *guard, uint32_t place, const struct extent *extent) {
    if (!body_guard_concerns(world, guard, extent)) {
        return false;
    }
    struct passer passer;
    passer.guard = guard;
    passer.place = place;
    passer.back = false;
    const bool is_body = world->object[place].kind == SIM_KIND_BODY;
    const struct body_part *end = world->body_part + world->body_parts;
    passer.own = is_body ? part_of(world, place) : NULL;
    do {
        follow_passer(world, &passer);
        const struct extent whole = whole_extent_of(world, place, &guard->from);
        const struct body_part around = {.object = place, .low = whole.min, .high = whole.max};
        body_broad_meet(world, &around, guard_pair, &passer);
        passer.own = is_body ? passer.own + 1 : NULL;
    } while (is_body && passer.own != end && passer.own->object == place);
    return passer.back;
}
