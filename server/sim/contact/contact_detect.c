// SPDX-License-Identifier: MIT
// Finds the contacts of objects with obstacles in a substep, in the order of objects, obstacles, then particles,
// sticks, triangles; added sticks last.
//
// Objects collide between their particles too: by the sticks of a rope and added sticks, the triangles of a sheet,
// plant or figure, a bare tetrahedron as a whole, and the vertices, edges and faces of an embedded hull. Where the
// triangles of a sheet are small against the obstacle (a quarter of a ball's radius, half of the triangles of a height
// field or a mesh), its particles are enough and cost less.
#include "sim/contact/contact_detect.h"

#include "sim/contact/contact.h"
#include "sim/contact/contact_particle.h"
#include "sim/contact/extent.h"
#include "sim/contact/grip.h"
#include "sim/contact/impact.h"
#include "sim/contact/sweep.h"
#include "sim/contact/sweep_hit.h"
#include "sim/simd/simd.h"
#include "sim/world/axes.h"
#include "sim/world/layout.h"
#include "sim/world/part.h"

// A stick or triangle shorter than this share of a ball's radius sinks into the ball between its ends by less than a
// hundredth of that radius.
#define SMALL_TO_BALL 0.25f
#define SMALL_TO_FACETS 0.5f

// ---- features of an object ---------------------------------------------------------------------------------------

static void sweep_particles(struct sim_world *world, uint32_t place, const struct obstacle *obstacle,
                            struct sweep *sweep) {
    const struct object *object = &world->object[place];
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        if (world->w[i] > 0.0f) {
            sweep->slots = 1;
            sweep->slot[0] = i;
            sweep_of_particles(sweep, world, place);
            sweep_hit(sweep, world, obstacle);
        }
    }
}

// Marks the particles that stay beyond a side of the obstacle's box. A stick or a triangle all of whose corners stay
// beyond the same side cannot touch the obstacle; that is most of a large sheet.
static void note_outcodes(struct sim_world *world, const struct object *object, const struct obstacle *obstacle) {
    const struct simd_axes axes = world_axes(world);
    world->simd->outcodes(&axes, obstacle->box_min, obstacle->box_max, sweep_margin(object->radius), object->first,
                          object->first + object->particles, world->outcode);
}

static void sweep_sticks(struct sim_world *world, uint32_t place, const struct obstacle *obstacle,
                         struct sweep *sweep) {
    const struct object *object = &world->object[place];
    note_outcodes(world, object, obstacle);
    for (uint32_t i = object->first_stick; i < object->first_stick + object->sticks; i++) {
        sweep->slots = 2;
        sweep->slot[0] = object->first + world->stick_a[i];
        sweep->slot[1] = object->first + world->stick_b[i];
        if ((world->outcode[sweep->slot[0]] & world->outcode[sweep->slot[1]]) != 0) {
            continue;
        }
        sweep_of_particles(sweep, world, place);
        sweep_hit(sweep, world, obstacle);
    }
}

static void sweep_triangles(struct sim_world *world, uint32_t place, const struct obstacle *obstacle,
                            struct sweep *sweep) {
    const struct object *object = &world->object[place];
    const uint32_t *triangle = world->triangle + 3 * (size_t)object->first_triangle;
    const uint8_t *outcode = world->outcode + object->first;
    note_outcodes(world, object, obstacle);
    for (uint32_t i = 0; i < object->triangles; i++) {
        const uint32_t *corner = triangle + 3 * (size_t)i;
        if ((outcode[corner[0]] & outcode[corner[1]] & outcode[corner[2]]) != 0) {
            continue;
        }
        sweep->slots = 3;
        for (unsigned k = 0; k < 3; k++) {
            sweep->slot[k] = object->first + corner[k];
        }
        sweep_of_particles(sweep, world, place);
        sweep_hit(sweep, world, obstacle);
    }
}

static void sweep_tetrahedron(struct sim_world *world, uint32_t place, const struct obstacle *obstacle,
                              struct sweep *sweep) {
    sweep->slots = 4;
    for (uint32_t k = 0; k < 4; k++) {
        sweep->slot[k] = world->object[place].first + k;
    }
    sweep_of_particles(sweep, world, place);
    sweep_hit(sweep, world, obstacle);
}

// The longest side of the triangles of a sheet at rest, from its sticks, and of a soft body; 0 where triangles must not
// be left out.
static float find_grain(struct sim_world *world, struct object *object) {
    if (object->kind == SIM_KIND_SOFT) {
        return object->grain;
    }
    if (object->kind != SIM_KIND_CLOTH && object->kind != SIM_KIND_MESH) {
        return 0.0f;
    }
    if (object->kind == SIM_KIND_CLOTH) {
        return 1.5f * object->spacing;
    }
    float longest = 0.0f;
    for (uint32_t i = 0; i < object->sticks && object->grain == 0.0f; i++) {
        longest = scalar_max(longest, world->stick_rest[object->first_stick + i]);
    }
    object->grain = object->grain == 0.0f ? longest : object->grain;
    return object->grain;
}

static bool particles_suffice(struct sim_world *world, struct object *object, const struct obstacle *obstacle) {
    const float grain = find_grain(world, object);
    switch (obstacle->shape.shape) {
    case SIM_OBSTACLE_SPHERE:
    case SIM_OBSTACLE_CAPSULE:
        return grain > 0.0f && grain <= SMALL_TO_BALL * obstacle->shape.radius;
    case SIM_OBSTACLE_HEIGHTFIELD:
    case SIM_OBSTACLE_MESH:
        return grain > 0.0f && grain <= SMALL_TO_FACETS * obstacle->grain;
    case SIM_OBSTACLE_BOX:
        return false;
    case SIM_OBSTACLE_PLANE:
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        return true;
    }
}

static void sweep_features(struct sim_world *world, uint32_t place, const struct obstacle *obstacle,
                           struct sweep *sweep) {
    struct object *object = &world->object[place];
    if (obstacle->shape.shape == SIM_OBSTACLE_PLANE) {
        return; // a plane touches nothing between its corners
    }
    if (object->kind == SIM_KIND_ROPE) {
        sweep_sticks(world, place, obstacle, sweep);
    } else if (object->kind == SIM_KIND_BODY) {
        sweep_tetrahedron(world, place, obstacle, sweep);
    } else if (object->triangles > 0 && !particles_suffice(world, object, obstacle)) {
        sweep_triangles(world, place, obstacle, sweep);
    }
}

static void detect_object(struct sim_world *world, uint32_t place, struct sweep *sweep) {
    if (world->state.obstacles == 0) {
        return;
    }
    const struct object *object = &world->object[place];
    const struct extent extent = extent_known(world, place, &sweep->from);
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (!extent_is_near(&extent, obstacle, object->radius) || contact_is_ignored(world, object, obstacle)) {
            continue;
        }
        if (contact_pair_is_listed(object, obstacle) ||
            extent.moved + obstacle->step.farthest > contact_half_thickness(obstacle)) {
            sweep_particles(world, place, obstacle, sweep);
        }
        sweep_features(world, place, obstacle, sweep);
    }
}

static void detect_part(struct sim_world *world, uint32_t place, uint32_t part, struct sweep *sweep) {
    sweep_of_hull(sweep, world, place, part);
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        if (!contact_is_ignored(world, &world->object[place], &world->obstacle[k])) {
            sweep_hit(sweep, world, &world->obstacle[k]);
        }
    }
}

// ---- bounds ------------------------------------------------------------------------------------------------------

// The six planes of the bounds, where anything comes near. Particles that do not bounce are handled by
// contact_particle.c.
static void sweep_bounds(const struct sweep *sweep, struct sim_world *world) {
    const struct sim_parameters *bounds = &world->state.parameters;
    const float low[3] = {bounds->bounds_min.x, bounds->bounds_min.y, bounds->bounds_min.z};
    const float high[3] = {bounds->bounds_max.x, bounds->bounds_max.y, bounds->bounds_max.z};
    const float first[3] = {sweep->min.x, sweep->min.y, sweep->min.z};
    const float last[3] = {sweep->max.x, sweep->max.y, sweep->max.z};
    for (unsigned axis = 0; axis < 3; axis++) {
        const struct vec3 normal = vec3_of(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f);
        if (first[axis] < low[axis]) {
            sweep_hit_plane(sweep, world, bounds->bounds_min, normal, bounds->friction, 0.0f);
        }
        if (last[axis] > high[axis]) {
            sweep_hit_plane(sweep, world, bounds->bounds_max, vec3_scale(normal, -1.0f), bounds->friction, 0.0f);
        }
    }
}

static void bounce_particles(struct sim_world *world, uint32_t place, struct sweep *sweep) {
    const struct object *object = &world->object[place];
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        sweep->slots = 1;
        sweep->slot[0] = i;
        sweep_of_particles(sweep, world, place);
        sweep_bounds(sweep, world);
    }
}

// ---- added sticks ------------------------------------------------------------------------------------------------

// An added stick that keeps two particles apart collides like them; one between points, a ball joint, an at-most and an
// at-least stick do not collide.
static void detect_free_stick(struct sim_world *world, uint32_t index, struct sweep *sweep) {
    struct object *a = NULL;
    struct object *b = NULL;
    const struct free_stick *stick = &world->free_stick[index];
    if (stick->kind != SIM_STICK_EQUAL || !(stick->rest_length > 0.0f) ||
        stick->a_point.carriers + stick->b_point.carriers > 0 ||
        layout_find(world, stick->a.object, &a, NULL) != RESULT_OK ||
        layout_find(world, stick->b.object, &b, NULL) != RESULT_OK || (!object_is_active(a) && !object_is_active(b))) {
        return;
    }
    sweep->slots = 2;
    sweep->slot[0] = a->first + stick->a.particle;
    sweep->slot[1] = b->first + stick->b.particle;
    sweep_of_particles(sweep, world, (uint32_t)(a - world->object));
    sweep->friction = contact_friction(a->friction, b->friction);
    sweep->restitution = contact_restitution(a->restitution, b->restitution);
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (obstacle->shape.shape != SIM_OBSTACLE_PLANE && !contact_is_ignored(world, a, obstacle) &&
            !contact_is_ignored(world, b, obstacle)) {
            sweep_hit(sweep, world, obstacle);
        }
    }
}

static void detect_all_of(struct sim_world *world, uint32_t place, struct sweep *sweep) {
    const struct object *object = &world->object[place];
    if (object->hull_vertices > 0) {
        for (uint32_t part = 0; part < part_count(object); part++) {
            detect_part(world, place, part, sweep);
            sweep_bounds(sweep, world);
        }
        return;
    }
    detect_object(world, place, sweep);
    if (object->restitution > 0.0f) {
        bounce_particles(world, place, sweep);
    }
}

void contact_detect(struct sim_world *world) {
    struct sweep sweep = {.from = {world->x, world->y, world->z}};
    world->contacts = 0;
    world->grips = 0;
    world->contacts_reserved = CONTACTS_GUARD;
    const bool touch = world->state.obstacles + world->active_solids > 0 || world->bounces_present;
    for (uint32_t i = 0; i < world->state.objects && touch; i++) {
        if (object_is_active(&world->object[i])) {
            detect_all_of(world, i, &sweep);
        }
    }
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        detect_free_stick(world, i, &sweep);
    }
}

// ---- struck bodies -----------------------------------------------------------------------------------------------

// True if all carriers belong to one struck body: the other end of an added stick may belong to another object.
static bool is_of_struck(const struct sim_world *world, const struct contact *contact) {
    const struct object *object = &world->object[contact->object_a];
    bool own = world->impact_body[contact->object_a].struck && contact->object_b == CONTACT_NO_OBJECT;
    for (uint32_t k = 0; k < contact->carriers; k++) {
        own = own && contact->slot[k] >= object->first && contact->slot[k] < object->first + object->particles;
    }
    return own;
}

static bool is_within_struck(const struct sim_world *world, const struct free_stick *stick) {
    struct object *object = NULL;
    return stick->a.object == stick->b.object && layout_find(world, stick->a.object, &object, NULL) == RESULT_OK &&
           world->impact_body[object - world->object].struck;
}

void contact_detect_struck(struct sim_world *world) {
    struct sweep sweep = {.from = {world->x, world->y, world->z}};
    uint32_t kept = 0;
    uint32_t grips = 0;
    for (uint32_t i = 0; i < world->contacts; i++) {
        if (!is_of_struck(world, &world->contact[i])) {
            world->contact[kept] = world->contact[i];
            if (world->contact[kept].grip != 0) { // grips stand in the order of their contacts
                world->grip[grips] = world->grip[world->contact[kept].grip - 1];
                grips++;
                world->contact[kept].grip = grips;
            }
            kept++;
        }
    }
    world->contacts = kept;
    world->grips = grips;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->impact_body[i].struck) {
            detect_all_of(world, i, &sweep);
        }
    }
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        if (is_within_struck(world, &world->free_stick[i])) {
            detect_free_stick(world, i, &sweep);
        }
    }
}
