// SPDX-License-Identifier: MIT
// Leaving: cloth, meshes, ropes and plants that a command has put into an obstacle, or an obstacle around them.
//
// Contacts push each particle its own way. In a box the ways lead through opposite faces, the object is stretched
// between them, and neither side ever wins. So before a tick an object that lies deep in a box, ball, capsule or plane
// is moved out as a whole, at LEAVING_SPEED at most and without gaining speed, and does not feel that obstacle during
// the tick: out of a box by the face by which it leaves soonest, else along the normal at its middle. What is pinned
// deep in an obstacle of any simple shape, and has half of its particles in there, cannot leave: it does not feel that
// obstacle for as long as it lies so. Nothing gets so deep by moving (contact_guard.c).
#include "sim/contact.h"
#include "sim/mover.h"
#include "sim/obstacle.h"
#include "sim/wide.h"
#include "sim/work.h"

#define LEAVING_SPEED CONTACT_EASING_SPEED
#define UPWARDS_SHARE 0.5f // ways against gravity count as so much shorter: on the ground there is a way up

struct box {
    struct vec3 min, max; // m
};

// How an object lies in an obstacle.
struct depths {
    uint32_t inside;      // particles
    float deepest;        // m, of those that can move
    float deepest_pinned; // m
    struct vec3 middle;   // m, of its particles
    float way[6]; // m, until no particle is in the box: by the faces at −x, +x, −y, +y, −z, +z of its axes
};

static struct box box_around(const struct sim_world *world, const struct object *object) {
    const struct wide_axes axes = world_axes(world);
    float min[3];
    float max[3];
    world->wide->box(&axes, WIDE_START, object->first, object->first + object->particles, min, max);
    return (struct box){vec3_of(min[0], min[1], min[2]), vec3_of(max[0], max[1], max[2])};
}

// Whether anything in the box around it can be deeper than `deep` in the obstacle.
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

// The direction of the face by which it leaves soonest; `way` in m.
static struct vec3 way_out(const struct sim_world *world, const struct obstacle *obstacle, const struct depths *depths,
                           float *way) {
    const struct vec3 gravity = world->state.parameters.gravity;
    const float strength = vec3_length(gravity);
    struct vec3 best = {0};
    float least = 0.0f;
    for (unsigned face = 0; face < 6; face++) {
        const float sign = face % 2 == 0 ? -1.0f : 1.0f;
        const struct vec3 local =
            vec3_of(face / 2 == 0 ? sign : 0.0f, face / 2 == 1 ? sign : 0.0f, face / 2 == 2 ? sign : 0.0f);
        const struct vec3 normal = mat3_apply(&obstacle->axes, local);
        const float up = strength > 0.0f ? -vec3_dot(normal, gravity) / strength : 0.0f;
        const float counts = depths->way[face] * (up > 0.7f ? UPWARDS_SHARE : 1.0f);
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
        const struct vec3 d = vec3_of(world->dx[i], world->dy[i], world->dz[i]);
        if (world->w[i] > 0.0f && vec3_is_finite(d)) { // what is not finite stays as it is, to be found
            particle_carry(world, i, step);
            particle_set_displacement(world, i, vec3_of(0.0f, 0.0f, 0.0f));
        }
    }
}

static void leave(struct sim_world *world, uint32_t place, const void *context) {
    struct object *object = &world->object[place];
    (void)context;
    object->leaves = 0;
    if (!object_is_active(object) || object->sticks == 0 || object->kind == SIM_KIND_BODY ||
        object->kind == SIM_KIND_RAGDOLL) {
        return;
    }
    const float deep = contact_deep(world);
    const struct box box = box_around(world, object);
    for (uint32_t k = 0; k < world->state.obstacles && object->leaves == 0; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        const bool is_box = obstacle->shape.shape == SIM_OBSTACLE_BOX;
        if (!obstacle_is_simple(obstacle) || !may_be_deep(&box, obstacle, deep, contact_reach(object, obstacle))) {
            continue;
        }
        const struct depths depths = depths_of(world, object, obstacle);
        if (depths.deepest_pinned > deep && 2 * depths.inside >= object->particles) {
            object->leaves = k + 1;
        } else if (depths.deepest > deep && depths.deepest_pinned <= deep) {
            float way = depths.deepest;
            const struct vec3 direction =
                is_box ? way_out(world, obstacle, &depths, &way) : obstacle_touch(obstacle, depths.middle, 0.0f).normal;
            move_out(world, object, direction, way);
            object->leaves = k + 1;
        }
    }
}

void contact_leave(struct sim_world *world) {
    work_objects(world, leave, NULL);
}
