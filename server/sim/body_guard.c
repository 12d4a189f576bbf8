// SPDX-License-Identifier: MIT
// The guard against bodies: a point that was on one side of a body when the substep began is not on another when it
// ends.
//
// The way of a point is seen from the body, as the body moves: its heights above the planes of the body's faces, at the
// start and at the end. As the body is moved and turned, and bent at most a little, they change in proportion between
// the two, so the way is a segment and the body a convex polyhedron it may enter and leave (M. Cyrus, J. Beck,
// "Generalized two- and three-dimensional clipping", 1978). The face it enters by is the side it came from; of what is
// inside to begin with, a little deep, it is the nearest face.
//
// A point may end a little deep within the body: contacts push that out in the next substep, and softly. What is deeper
// is pushed back to the face. Bodies are moved as a whole, which neither bends nor turns them.
#include "sim/body_guard.h"
#include "sim/body_detect.h"

#define DEEP_SHARE 0.25f // of a body's thickness
#define HULL_REACH 3.0f  // times the spread of its particles: at the tip of a cone, the extreme

// ---- walls -------------------------------------------------------------------------------------------------------

struct plane {
    struct point normal; // unit, outward; zero where a face is crushed to a line
    double offset;       // m
};

// A body as a wall: its planes where it was and where it is.
struct wall {
    uint32_t place;
    struct vec3 min, max; // m, around all of its way
    double deep;          // m, deeper points are pushed out
    uint32_t planes;
    struct plane start[HULL_TRIANGLES_MAX], end[HULL_TRIANGLES_MAX];
};

// Of a tetrahedron its smallest height; of an embedded shape that of its particles, which is less than its own.
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

static void wall_of(const struct sim_world *world, const struct start *from, const struct body_part *body,
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

// Whether a point has come through from the side of a plane, and how far beneath that it is.
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
    const double allowed = enters < 0.0 && -nearest > wall->deep ? -nearest : wall->deep;
    *depth = -height_above(&wall->end[*side], to);
    return *depth > allowed;
}

// ---- what came through -------------------------------------------------------------------------------------------

static struct point now(const struct sim_world *world, uint32_t i) {
    return (struct point){(double)world->px[i], (double)world->py[i], (double)world->pz[i]};
}

static bool may_give_way(const struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    bool free = object_is_active(object);
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        free = free && world->w[i] > 0.0f;
    }
    return free;
}

// A particle alone, or all of a body by its masses.
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

// Parts the two by `depth`, as their masses have it.
static bool part(struct sim_world *world, uint32_t place, uint32_t slot, const struct wall *wall, uint32_t side,
                 double depth) {
    const struct object *object = &world->object[place];
    const struct object *body = &world->object[wall->place];
    const uint32_t first = world->contacts;
    struct contact contact = {
        .object_a = place, .object_b = wall->place, .normal = point_rounded(wall->end[side].normal)};
    if (object->kind != SIM_KIND_BODY) {
        carry(world, slot, 1, 1.0f, &contact);
    } else if (may_give_way(world, place)) {
        carry(world, object->first, 4, 1.0f, &contact);
    }
    if (may_give_way(world, wall->place)) {
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

// Each goes back alone; the wall has moved then.
static void guard_particles(struct sim_world *world, const struct body_part *body, struct passer *passer,
                            struct wall *wall) {
    const struct object *object = &world->object[passer->place];
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 from = start_position(&passer->guard->from, i);
        const struct point to = now(world, i);
        uint32_t side = 0;
        double depth = 0.0;
        if (!misses(wall, from, point_rounded(to)) && has_passed(wall, point_of(from), to, &side, &depth) &&
            part(world, passer->place, i, wall, side, depth)) {
            passer->back = true;
            wall_of(world, &passer->guard->from, body, wall);
        }
    }
}

// By the vertex that has come farthest.
static void guard_body(struct sim_world *world, struct passer *passer, const struct wall *wall) {
    const struct object *object = &world->object[passer->place];
    const struct body_part own = {.object = passer->place,
                                  .particles = 4,
                                  .slot = {object->first, object->first + 1, object->first + 2, object->first + 3}};
    struct body_shape before;
    struct body_shape after;
    struct point carrier[4];
    uint32_t deepest_side = 0;
    double deepest = 0.0;
    for (uint32_t k = 0; k < 4; k++) {
        carrier[k] = point_of(start_position(&passer->guard->from, own.slot[k]));
    }
    body_shape_carried(world, &own, carrier, &before);
    body_shape_set(world, &own, 1.0, &after);
    for (uint32_t i = 0; i < after.convex.vertices; i++) {
        uint32_t side = 0;
        double depth = 0.0;
        if (!misses(wall, point_rounded(before.vertex[i]), point_rounded(after.vertex[i])) &&
            has_passed(wall, before.vertex[i], after.vertex[i], &side, &depth) && depth > deepest) {
            deepest = depth;
            deepest_side = side;
        }
    }
    passer->back |= deepest > 0.0 && part(world, passer->place, 0, wall, deepest_side, deepest);
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
        guard_body(world, passer, &wall);
    } else {
        guard_particles(world, body, passer, &wall);
    }
}

// ---- what is fast ------------------------------------------------------------------------------------------------

// An embedded hull reaches beyond its particles.
static struct extent whole_extent_of(const struct sim_world *world, uint32_t place, const struct start *from) {
    const struct object *object = &world->object[place];
    struct extent extent = extent_of(world, object, from);
    const float reach = object->hull_vertices > 0 ? HULL_REACH : 0.0f;
    const struct vec3 margin = vec3_scale(vec3_sub(extent.max, extent.min), reach);
    extent.min = vec3_sub(extent.min, margin);
    extent.max = vec3_add(extent.max, margin);
    return extent;
}

// Two of which neither goes farther than this do not pass one another.
static bool is_fast(const struct body_guard *guard, const struct extent *extent) {
    return extent->moved > 0.5f * DEEP_SHARE * guard->thinnest;
}

struct body_guard body_guard_of(const struct sim_world *world, const struct start *from) {
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

bool body_guard_object(struct sim_world *world, const struct body_guard *guard, uint32_t place,
                       const struct extent *extent) {
    if (world->body_parts == 0 || (!is_fast(guard, extent) && is_beside(guard, extent))) {
        return false;
    }
    struct passer passer = {.guard = guard, .place = place};
    const struct extent whole = whole_extent_of(world, place, &guard->from);
    const struct body_part around = {.object = place, .low = whole.min, .high = whole.max};
    body_broad_meet(world, &around, guard_pair, &passer);
    return passer.back;
}
