// SPDX-License-Identifier: MIT
// Leaving obstacles: cloth, meshes, ropes and plants that a command has put into an obstacle of any shape (or an
// obstacle around them), and single particles, bodies and ragdolls in a closed mesh or under a height field.
//
// Contacts push each particle out by its own way. In a box these ways lead through opposite faces, the object is
// stretched between them, and neither side ever wins. So before a tick an object that lies deep in a box, ball, capsule
// or plane is moved out as a whole, at LEAVING_SPEED at most and without gaining speed, and ignores that obstacle
// during the tick: out of a box by the face by which it leaves soonest, otherwise along the normal at its middle. An
// object that is pinned deep in an obstacle of any simple shape, with half of its particles inside, cannot leave: it
// ignores that obstacle for as long as it lies so. No object gets so deep by moving (contact_guard.c).
//
// An object leaves a closed mesh by the nearest side of the box around the mesh, and a height field upwards. A way that
// leads out of the bounds is only taken when there is no other.
#include "sim/contact/contact_leave.h"

#include "sim/contact/contact.h"
#include "sim/contact/contact_particle.h"
#include "sim/contact/obstacle_point.h"
#include "sim/contact/obstacle_surface.h"
#include "sim/geometry/point.h"
#include "sim/simd/simd.h"
#include "sim/world/box.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

#define LEAVING_SPEED CONTACT_EASING_SPEED
// A way against gravity counts as shorter by this factor, since there is room above the ground.
#define UPWARDS_SHARE 0.5f
#define BLOCKED_SHARE 1e6f // a way that leads out of the bounds counts as longer by this factor
#define SURFACE_DEEP 0.02f // m: contacts push out particles that lie less deep in a mesh or under a height field
#define LIFT_FALL 5e-3f    // m: where gravity moves objects by more than this in a substep, pressed solids are lifted
#define LIFT_DEPTH 1e-3f   // m: depth that a lifted solid may keep

// How deep an object lies in an obstacle.
struct depths {
    uint32_t inside;      // number of particles inside
    float deepest;        // m, of the particles that can move
    float deepest_pinned; // m
    struct vec3 middle;   // m, mean of its particles
    float way[6];         // m, way out of the box by the faces at −x, +x, −y, +y, −z, +z of its axes
};

// True if anything in the box around the object can be deeper than `deep` in the obstacle.
static bool may_be_deep(const struct box *box, const struct obstacle *obstacle, float deep, float reach) {
    const float margin = deep - reach;
    return box->max.x > obstacle->box_min.x + margin && box->min.x < obstacle->box_max.x - margin &&
           box->max.y > obstacle->box_min.y + margin && box->min.y < obstacle->box_max.y - margin &&
           box->max.z > obstacle->box_min.z + margin && box->min.z < obstacle->box_max.z - margin;
}

static void add_ways(struct depths *depths, const struct obstacle *obstacle, struct vec3 p, float reach) {
    const struct vec3 local = mat3_apply_transposed(&obstacle->axes, vec3_sub(p, obstacle->shape.position));
    const float at[3] = {local.x, local.y, local.z};
    const float size[3] = {obstacle->shape.size.x, obstacle->shape.size.y, obstacle->shape.size.z};
    for (unsigned axis = 0; axis < 3; axis++) {
        const float out = 0.5f * size[axis] + reach;
        depths->way[2 * axis] = scalar_max(depths->way[2 * axis], at[axis] + out);
        depths->way[2 * axis + 1] = scalar_max(depths->way[2 * axis + 1], out - at[axis]);
    }
}

// Depth of p in a closed mesh or under a height field, in m; 0 outside. Under a field the way up is stored.
static float depth_under(const struct sim_world *world, const struct obstacle *obstacle, struct vec3 p,
                         struct depths *depths) {
    struct point surface;
    struct point normal;
    if (!obstacle_encloses(world, obstacle, point_of(p), &surface, &normal)) {
        return 0.0f;
    }
    const double depth = point_dot(normal, point_sub(surface, point_of(p)));
    if (obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD && normal.y > 0.0) {
        depths->way[3] = scalar_max(depths->way[3], (float)(depth / normal.y));
    }
    return (float)depth;
}

static struct depths depths_in_surface(const struct sim_world *world, const struct object *object,
                                       const struct obstacle *obstacle, const struct box *box) {
    struct depths depths = {0};
    for (uint32_t i = object->first; i < object->first + object->particles && object->hull_vertices == 0; i++) {
        const float depth = depth_under(world, obstacle, particle_position(world, i), &depths);
        depths.inside += depth > 0.0f ? 1 : 0;
        if (world->w[i] > 0.0f) {
            depths.deepest = scalar_max(depths.deepest, depth);
        } else if ((world->flags[i] & PARTICLE_PINNED) != 0) {
            depths.deepest_pinned = scalar_max(depths.deepest_pinned, depth);
        }
    }
    bool free = true;
    for (uint32_t i = object->first; i < object->first + object->particles && object->hull_vertices > 0; i++) {
        free = free && world->w[i] > 0.0f;
    }
    for (uint32_t v = 0; v < object->hull_vertices && free; v++) { // contacts handle hulls that are pinned or held
        const float depth = depth_under(world, obstacle, box_hull_vertex(world, object, v, SIMD_START), &depths);
        depths.deepest = scalar_max(depths.deepest, depth);
    }
    if (obstacle->shape.shape == SIM_OBSTACLE_MESH) {
        const float ways[6] = {box->max.x - obstacle->box_min.x, obstacle->box_max.x - box->min.x,
                               box->max.y - obstacle->box_min.y, obstacle->box_max.y - box->min.y,
                               box->max.z - obstacle->box_min.z, obstacle->box_max.z - box->min.z};
        memcpy(depths.way, ways, sizeof ways);
    }
    return depths;
}

static struct depths depths_of(const struct sim_world *world, const struct object *object,
                               const struct obstacle *obstacle) {
    const float reach = contact_reach(object, obstacle);
    struct depths depths = {0};
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 p = particle_position(world, i);
        const float depth = obstacle_touch(obstacle, p, reach).depth;
        depths.middle = vec3_add(depths.middle, vec3_scale(p, 1.0f / (float)object->particles));
        if (!(depth > 0.0f)) {
            continue;
        }
        depths.inside++;
        if (world->w[i] > 0.0f) {
            depths.deepest = scalar_max(depths.deepest, depth);
        } else if ((world->flags[i] & PARTICLE_PINNED) != 0) {
            depths.deepest_pinned = scalar_max(depths.deepest_pinned, depth);
        }
        if (obstacle->shape.shape == SIM_OBSTACLE_BOX) {
            add_ways(&depths, obstacle, p, reach);
        }
    }
    return depths;
}

// True if the object would be outside the bounds after this step.
static bool is_blocked(const struct sim_world *world, const struct box *box, struct vec3 step) {
    const struct sim_parameters *bounds = &world->state.parameters;
    const struct vec3 min = vec3_add(box->min, step);
    const struct vec3 max = vec3_add(box->max, step);
    return min.x < bounds->bounds_min.x || min.y < bounds->bounds_min.y || min.z < bounds->bounds_min.z ||
           max.x > bounds->bounds_max.x || max.y > bounds->bounds_max.y || max.z > bounds->bounds_max.z;
}

// The direction of the face by which the object leaves soonest; sets `way` in m. The faces are those of a box with
// these axes.
static struct vec3 way_out(const struct sim_world *world, const struct mat3 *axes, const struct box *box,
                           const struct depths *depths, float *way) {
    const struct vec3 gravity = world->state.parameters.gravity;
    const float strength = vec3_length(gravity);
    struct vec3 best = {0};
    float least = 0.0f;
    for (unsigned face = 0; face < 6; face++) {
        const float sign = face % 2 == 0 ? -1.0f : 1.0f;
        const struct vec3 local =
            vec3_of(face / 2 == 0 ? sign : 0.0f, face / 2 == 1 ? sign : 0.0f, face / 2 == 2 ? sign : 0.0f);
        const struct vec3 normal = mat3_apply(axes, local);
        const float up = strength > 0.0f ? -vec3_dot(normal, gravity) / strength : 0.0f;
        const bool blocked = is_blocked(world, box, vec3_scale(normal, depths->way[face]));
        const float counts = depths->way[face] * (up > 0.7f ? UPWARDS_SHARE : 1.0f) * (blocked ? BLOCKED_SHARE : 1.0f);
        if (face == 0 || counts < least) {
            least = counts;
            best = normal;
            *way = depths->way[face];
        }
    }
    return best;
}

static void move_out(struct sim_world *world, const struct object *object, struct vec3 direction, float way) {
    const struct vec3 step = vec3_scale(direction, scalar_min(way, LEAVING_SPEED / world->tick_hz));
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 d = particle_displacement(world, i);
        if (world->w[i] > 0.0f && vec3_is_finite(d)) { // positions that are not finite stay, for quarantine.c to find
            particle_carry(world, i, step);
            particle_set_displacement(world, i, vec3_of(0.0f, 0.0f, 0.0f));
        }
    }
}

static bool bends(const struct object *object) {
    return object_is_tied(object) && object->kind != SIM_KIND_BODY && object->kind != SIM_KIND_RAGDOLL;
}

// For a box, sphere, capsule or plane. Returns true if the object ignores the obstacle in this tick.
static bool leave_simple(struct sim_world *world, const struct object *object, const struct obstacle *obstacle,
                         const struct box *box) {
    const float deep = contact_deep(world);
    const bool is_box = obstacle->shape.shape == SIM_OBSTACLE_BOX;
    if (!bends(object) || !may_be_deep(box, obstacle, deep, contact_reach(object, obstacle))) {
        return false;
    }
    const struct depths depths = depths_of(world, object, obstacle);
    if (depths.deepest_pinned > deep && 2 * depths.inside >= object->particles) {
        return true;
    }
    if (!(depths.deepest > deep) || depths.deepest_pinned > deep) {
        return false;
    }
    float way = depths.deepest;
    const struct vec3 direction = is_box ? way_out(world, &obstacle->axes, box, &depths, &way)
                                         : obstacle_touch(obstacle, depths.middle, 0.0f).normal;
    move_out(world, object, direction, way);
    return true;
}

// For a closed mesh or a height field. Each of several particles without sticks has a way of its own, which contacts
// find.
static bool leave_surface(struct sim_world *world, const struct object *object, const struct obstacle *obstacle,
                          const struct box *box) {
    static const struct mat3 upright = {{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};
    const float deep = scalar_max(contact_deep(world), SURFACE_DEEP);
    const bool is_field = obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD;
    if ((!is_field && !obstacle->closed) || (!object_is_tied(object) && object->kind != SIM_KIND_BODY) ||
        !may_be_deep(box, obstacle, deep, 0.0f)) {
        return false;
    }
    const struct box whole = box_around_whole(world, object, SIMD_START);
    const struct depths depths = depths_in_surface(world, object, obstacle, &whole);
    if (depths.deepest_pinned > deep && 2 * depths.inside >= object->particles) {
        return true;
    }
    if (!(depths.deepest > deep) || depths.deepest_pinned > deep) {
        return false;
    }
    float way = depths.way[3];
    const struct vec3 direction =
        is_field ? vec3_of(0.0f, 1.0f, 0.0f) : way_out(world, &upright, &whole, &depths, &way);
    move_out(world, object, direction, way);
    return true;
}

static void leave(struct sim_world *world, uint32_t place, const void *context) {
    struct object *object = &world->object[place];
    (void)context;
    object->ignored_obstacle = 0;
    if (!object_is_active(object) || world->state.obstacles == 0) {
        return;
    }
    const struct box box = box_around(world, object, SIMD_START);
    for (uint32_t k = 0; k < world->state.obstacles && object->ignored_obstacle == 0; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        const bool left = obstacle_is_simple(obstacle) ? leave_simple(world, object, obstacle, &box)
                                                       : leave_surface(world, object, obstacle, &box);
        object->ignored_obstacle = left ? k + 1 : 0;
    }
}

void contact_leave(struct sim_world *world) {
    work_objects(world, leave, NULL);
}

// ---- under extreme gravity -----------------------------------------------------------------------------------------

// The deepest particle of the object in the obstacle, after the iterations.
static struct touch deepest_touch(const struct sim_world *world, const struct object *object,
                                  const struct obstacle *obstacle) {
    struct touch deepest = {0};
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct touch touch = obstacle_touch(obstacle, particle_relaxed(world, i), object->radius);
        if (touch.depth > deepest.depth) {
            deepest = touch;
        }
    }
    return deepest;
}

static bool is_free_solid(const struct sim_world *world, const struct object *object) {
    bool free = object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
    for (uint32_t i = object->first; i < object->first + object->particles && free; i++) {
        free = world->w[i] > 0.0f && vec3_is_finite(contact_displacement(world, i));
    }
    return free;
}

// Moves the object with its start and removes the speed of its centre into the surface.
static void lift(struct sim_world *world, const struct object *object, struct vec3 normal, float way) {
    float mass = 0.0f;
    float momentum = 0.0f;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        mass += 1.0f / world->w[i];
        momentum += vec3_dot(contact_displacement(world, i), normal) / world->w[i];
    }
    const struct vec3 stop = vec3_scale(normal, scalar_max(-momentum / mass, 0.0f));
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 moved = contact_displacement(world, i);
        particle_carry(world, i, vec3_scale(normal, way));
        contact_displace(world, i, vec3_add(moved, stop));
    }
}

static void lift_object(struct sim_world *world, uint32_t place, const void *context) {
    const struct object *object = &world->object[place];
    const float *most = context;
    if (!object_is_active(object) || !is_free_solid(world, object)) {
        return;
    }
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (!obstacle_is_simple(obstacle) || object->ignored_obstacle == k + 1) {
            continue;
        }
        const struct touch touch = deepest_touch(world, object, obstacle);
        if (touch.depth > LIFT_DEPTH) {
            lift(world, object, touch.normal, scalar_min(touch.depth, *most));
        }
    }
}

void contact_lift(struct sim_world *world) {
    const float h = world_substep_seconds(world);
    const float fall = vec3_length(world->state.parameters.gravity) * h * h;
    const float most = contact_easing(world) + fall;
    if (fall > LIFT_FALL) {
        work_objects(world, lift_object, &most);
    }
}
