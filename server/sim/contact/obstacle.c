// SPDX-License-Identifier: MIT
// Obstacles: adding, removing and viewing them. The numbers of a height field or a mesh lie in the storage of shapes.
#include "sim/contact/obstacle.h"

#include <assert.h>

#include "sim/contact/obstacle_box.h"
#include "sim/contact/obstacle_mesh.h"
#include "sim/contact/obstacle_motion.h"
#include "sim/contact/obstacle_path.h"
#include "sim/contact/obstacle_point.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

#define HEIGHTFIELD_SIDE_MAX 16384u

static enum result check_radius(const struct sim_obstacle *shape, struct fault *fault) {
    if (shape->radius > 0.0f && shape->radius <= SIM_POSITION_MAX) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_INVALID, "/radius", "radius must be above 0 and at most %g m, got %g",
                     (double)SIM_POSITION_MAX, (double)shape->radius);
}

static enum result check_box(const struct sim_obstacle *shape, struct fault *fault) {
    const enum result result = check_vector(shape->size, SIM_POSITION_MAX, "m", "/size", fault);
    if (result == RESULT_OK && !(shape->size.x > 0.0f && shape->size.y > 0.0f && shape->size.z > 0.0f)) {
        return fault_set(fault, RESULT_INVALID, "/size", "size must be above 0 on every axis, got %g × %g × %g m",
                         (double)shape->size.x, (double)shape->size.y, (double)shape->size.z);
    }
    return result;
}

static enum result check_plane(const struct sim_obstacle *shape, struct fault *fault) {
    const enum result result = check_vector(shape->normal, SIM_POSITION_MAX, "", "/normal", fault);
    if (result == RESULT_OK && !(vec3_length(shape->normal) > 1e-6f)) {
        return fault_set(fault, RESULT_INVALID, "/normal", "normal must not be zero");
    }
    return result;
}

static enum result check_capsule(const struct sim_obstacle *shape, struct fault *fault) {
    enum result result = check_radius(shape, fault);
    if (result == RESULT_OK) {
        result = check_vector(shape->from, SIM_POSITION_MAX, "m", "/from", fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(shape->to, SIM_POSITION_MAX, "m", "/to", fault);
    }
    const float length = vec3_length(vec3_sub(shape->to, shape->from));
    if (result == RESULT_OK && !(length >= 1e-4f)) {
        return fault_set(fault, RESULT_INVALID, "/to",
                         "the ends of a capsule's axis must be at least 0.0001 m apart, got %g m: use a sphere",
                         (double)length);
    }
    return result;
}

static enum result check_heightfield(const struct sim_obstacle *shape, struct fault *fault) {
    if (shape->columns < 2 || shape->columns > HEIGHTFIELD_SIDE_MAX) {
        return fault_set(fault, RESULT_INVALID, "/columns", "columns must be 2 to %u, got %u", HEIGHTFIELD_SIDE_MAX,
                         shape->columns);
    }
    if (shape->rows < 2 || shape->rows > HEIGHTFIELD_SIDE_MAX) {
        return fault_set(fault, RESULT_INVALID, "/rows", "rows must be 2 to %u, got %u", HEIGHTFIELD_SIDE_MAX,
                         shape->rows);
    }
    const enum result result = check_range(shape->spacing, 1e-4f, 10000.0f, "m", "/spacing", fault);
    if (result != RESULT_OK) {
        return result;
    }
    const float longer = (float)(shape->columns > shape->rows ? shape->columns - 1 : shape->rows - 1);
    if (!(longer * shape->spacing <= 2.0f * SIM_POSITION_MAX)) {
        return fault_set(fault, RESULT_INVALID, "/spacing", "a height field may be %g m long, this one would be %g m",
                         (double)(2.0f * SIM_POSITION_MAX), (double)(longer * shape->spacing));
    }
    if (shape->heights == NULL) {
        return fault_set(fault, RESULT_INVALID, "/heights", "heights must hold %u numbers",
                         shape->columns * shape->rows);
    }
    return check_array(shape->heights, shape->columns * shape->rows, -SIM_POSITION_MAX, SIM_POSITION_MAX, "m",
                       "/heights", fault);
}

static enum result check_shape(const struct sim_obstacle *shape, struct fault *fault) {
    switch (shape->shape) {
    case SIM_OBSTACLE_SPHERE:
        return check_radius(shape, fault);
    case SIM_OBSTACLE_BOX:
        return check_box(shape, fault);
    case SIM_OBSTACLE_PLANE:
        return check_plane(shape, fault);
    case SIM_OBSTACLE_CAPSULE:
        return check_capsule(shape, fault);
    case SIM_OBSTACLE_HEIGHTFIELD:
        return check_heightfield(shape, fault);
    case SIM_OBSTACLE_MESH:
        return obstacle_mesh_check(shape, fault);
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        return fault_set(fault, RESULT_INVALID, "/shape",
                         "shape must be sphere, box, plane, capsule, heightfield or mesh");
    }
}

static enum result check_obstacle(const struct sim_world *world, const struct sim_obstacle *shape,
                                  struct fault *fault) {
    enum result result = check_shape(shape, fault);
    if (result == RESULT_OK) {
        result = check_vector(shape->position, SIM_POSITION_MAX, "m", "/position", fault);
    }
    if (result == RESULT_OK) {
        result = check_friction(shape->friction, fault);
    }
    if (result == RESULT_OK) {
        result = check_range(shape->restitution, 0.0f, 1.0f, "", "/restitution", fault);
    }
    if (result == RESULT_OK) {
        result = obstacle_motion_check(shape, fault);
    }
    if (result == RESULT_OK && world->state.obstacles == world->capacity.obstacles) {
        result = fault_set(fault, RESULT_LIMIT, "", "one more obstacle would exceed this world's limit of %u",
                           world->capacity.obstacles);
    }
    return result == RESULT_OK
               ? layout_check_quota("obstacles", 1, world->quota.used.obstacles, world->quota.most.obstacles, fault)
               : result;
}

// Copies the members that a shape uses and sets the others to zero.
static struct sim_obstacle used_part(const struct sim_obstacle *shape) {
    struct sim_obstacle used = {.shape = shape->shape, .friction = shape->friction, .restitution = shape->restitution};
    used.position = shape->shape == SIM_OBSTACLE_CAPSULE ? used.position : shape->position;
    if (shape->shape == SIM_OBSTACLE_SPHERE || shape->shape == SIM_OBSTACLE_CAPSULE) {
        used.radius = shape->radius;
    }
    if (shape->shape == SIM_OBSTACLE_BOX || shape->shape == SIM_OBSTACLE_MESH) {
        used.rotation = shape->rotation;
    }
    if (shape->shape == SIM_OBSTACLE_BOX) {
        used.size = shape->size;
    } else if (shape->shape == SIM_OBSTACLE_CAPSULE) {
        used.from = shape->from;
        used.to = shape->to;
    } else if (shape->shape == SIM_OBSTACLE_PLANE) {
        const float length = vec3_length(shape->normal);
        used.normal = vec3_of(shape->normal.x / length, shape->normal.y / length, shape->normal.z / length);
    } else if (shape->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        used.columns = shape->columns;
        used.rows = shape->rows;
        used.spacing = shape->spacing;
    }
    return used;
}

static enum result copy_heights(struct sim_world *world, const struct sim_obstacle *shape, struct obstacle *obstacle,
                                struct fault *fault) {
    const uint64_t count = (uint64_t)shape->columns * shape->rows;
    const enum result result = shape_reserve(world, count, 0, &obstacle->data, fault);
    if (result == RESULT_OK) {
        float *heights = world->shape_real + obstacle->data.first_real;
        memcpy(heights, shape->heights, (size_t)count * sizeof *heights);
        obstacle->grain = shape->spacing;
    }
    return result;
}

static enum result copy_numbers(struct sim_world *world, const struct sim_obstacle *shape, struct obstacle *obstacle,
                                struct fault *fault) {
    if (shape->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        return copy_heights(world, shape, obstacle, fault);
    }
    if (shape->shape == SIM_OBSTACLE_MESH) {
        return obstacle_mesh_build(world, shape, obstacle, fault);
    }
    return shape_reserve(world, 0, 0, &obstacle->data, fault);
}

// Points both views at the obstacle's numbers.
static void view_numbers(const struct sim_world *world, struct obstacle *obstacle) {
    struct sim_obstacle *shape = &obstacle->shape;
    if (shape->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        shape->heights = world->shape_real + obstacle->data.first_real;
    } else if (shape->shape == SIM_OBSTACLE_MESH) {
        const struct mesh_numbers mesh = obstacle_mesh_numbers(world, obstacle);
        shape->positions = mesh.local;
        shape->triangles = mesh.triangle;
    }
    obstacle->base.heights = shape->heights;
    obstacle->base.positions = shape->positions;
    obstacle->base.triangles = shape->triangles;
}

void obstacle_refresh(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.obstacles; i++) {
        view_numbers(world, &world->obstacle[i]);
    }
    obstacle_path_refresh(world);
}

// False if the count of an obstacle's numbers is not its shape's.
static bool numbers_fit(struct obstacle *obstacle) {
    struct sim_obstacle *shape = &obstacle->shape;
    const struct shape_span *data = &obstacle->data;
    if (shape->shape == SIM_OBSTACLE_MESH) {
        return obstacle_mesh_fits(obstacle);
    }
    shape->vertices = obstacle->base.vertices = 0;
    shape->triangle_count = obstacle->base.triangle_count = 0;
    if (shape->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        return data->indices == 0 && data->reals == (uint64_t)shape->columns * shape->rows;
    }
    return data->reals == 0 && data->indices == 0;
}

// Computes the derived members of an obstacle's base, whose numbers are known.
static enum result derive(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) {
    const struct sim_obstacle *shape = &obstacle->shape;
    enum result result = RESULT_OK;
    if (shape->shape == SIM_OBSTACLE_BOX || shape->shape == SIM_OBSTACLE_MESH) {
        result = check_rotation(shape->rotation, &obstacle->axes, fault);
    }
    if (result == RESULT_OK && shape->shape == SIM_OBSTACLE_MESH) {
        result = obstacle_mesh_derive(world, obstacle, fault);
    }
    if (result == RESULT_OK) {
        obstacle->grain = shape->shape == SIM_OBSTACLE_HEIGHTFIELD ? shape->spacing : obstacle->grain;
        obstacle->reach = obstacle_reach(shape);
        obstacle_motion_place(world, obstacle);
    }
    return result;
}

enum result obstacle_resume(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) {
    obstacle->shape = obstacle->base;
    const uint64_t start = (uint64_t)obstacle->start_high << 32 | obstacle->start_low;
    if (!numbers_fit(obstacle) || start > world->state.tick) {
        return fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: obstacle %u is impossible",
                         obstacle->base.id);
    }
    view_numbers(world, obstacle);
    const uint32_t count = world->state.obstacles;
    world->state.obstacles = (uint32_t)(obstacle - world->obstacle) + 1;
    obstacle_path_refresh(world);
    world->state.obstacles = count;
    const enum result result = check_obstacle(world, &obstacle->base, fault);
    return result == RESULT_OK ? derive(world, obstacle, fault) : result;
}

// The tick before which the motion begins is the next one. What has no motion has no such tick.
static void note_start(const struct sim_world *world, struct obstacle *obstacle) {
    const uint64_t tick = obstacle_has_motion(&obstacle->base.motion) ? world->state.tick : 0;
    obstacle->start_low = (uint32_t)tick;
    obstacle->start_high = (uint32_t)(tick >> 32);
}

// The members that a motion uses.
static struct sim_motion used_motion(const struct sim_motion *motion) {
    struct sim_motion used = *motion;
    used.pivot = vec3_reach(used.angular_velocity) > 0.0f ? used.pivot : (struct vec3){0};
    used.loop = used.points > 0 && used.loop;
    used.path_time = used.points > 0 ? used.path_time : 0.0f;
    used.path = used.points > 0 ? used.path : NULL;
    return used;
}

enum result sim_obstacle_add(struct sim_world *world, const struct sim_obstacle *shape, uint32_t *obstacle,
                             struct fault *fault) {
    struct obstacle made = {0};
    enum result result = check_obstacle(world, shape, fault);
    if (result == RESULT_OK) {
        result = obstacle_path_room(shape->motion.points, world->state.path_points, fault);
    }
    if (result == RESULT_OK) {
        result = sequence_check(world, fault);
    }
    if (result == RESULT_OK && (shape->shape == SIM_OBSTACLE_BOX || shape->shape == SIM_OBSTACLE_MESH)) {
        result = check_rotation(shape->rotation, &made.axes, fault);
    }
    if (result == RESULT_OK) {
        made.shape = used_part(shape);
        result = copy_numbers(world, shape, &made, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    shape_commit(world, &made.data);
    made.shape.id = sequence_next(world);
    made.base = made.shape;
    struct obstacle *stored = &world->obstacle[world->state.obstacles];
    *stored = made;
    world->state.obstacles++;
    const struct sim_motion motion = used_motion(&shape->motion);
    obstacle_path_store(world, world->state.obstacles - 1, &motion);
    obstacle_refresh(world);
    note_start(world, stored);
    stored->reach = obstacle_reach(&stored->shape);
    obstacle_motion_place(world, stored);
    wake_box(world, stored->box_min, stored->box_max);
    layout_changed(world);
    *obstacle = stored->base.id;
    return RESULT_OK;
}

enum result sim_obstacle_remove(struct sim_world *world, uint32_t obstacle, struct fault *fault) {
    const uint32_t count = world->state.obstacles;
    for (uint32_t i = 0; i < count; i++) {
        if (world->obstacle[i].shape.id == obstacle) {
            wake_box(world, world->obstacle[i].box_min, world->obstacle[i].box_max);
            const struct shape_span data = world->obstacle[i].data;
            obstacle_path_store(world, i, &(struct sim_motion){0});
            memmove(&world->obstacle[i], &world->obstacle[i + 1], (count - i - 1) * sizeof *world->obstacle);
            world->state.obstacles--;
            shape_remove(world, &data);
            obstacle_refresh(world);
            layout_changed(world);
            (void)sequence_next(world);
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_NOT_FOUND, "/obstacle", "there is no obstacle %u in this world", obstacle);
}

// An obstacle as it would stand still where it is.
static struct sim_obstacle place_of(const struct obstacle *obstacle) {
    struct sim_obstacle place = obstacle->shape;
    place.motion = (struct sim_motion){0};
    return place;
}

enum result sim_obstacle_move(struct sim_world *world, uint32_t obstacle, const struct sim_motion *motion,
                              struct fault *fault) {
    uint32_t place = 0;
    while (place < world->state.obstacles && world->obstacle[place].base.id != obstacle) {
        place++;
    }
    if (place == world->state.obstacles) {
        return fault_set(fault, RESULT_NOT_FOUND, "/obstacle", "there is no obstacle %u in this world", obstacle);
    }
    struct obstacle *found = &world->obstacle[place];
    const struct sim_motion used = used_motion(motion);
    struct obstacle next = *found;
    next.base = next.shape = place_of(found);
    next.base.motion = used;
    enum result result = obstacle_motion_check(&next.base, fault);
    if (result == RESULT_OK) {
        result = obstacle_path_room(used.points, world->state.path_points - found->base.motion.points, fault);
    }
    next.base.motion = (struct sim_motion){0};
    if (result == RESULT_OK) {
        result = derive(world, &next, fault); // a mesh is sorted anew where it is, as when it is read from an archive
    }
    if (result != RESULT_OK) {
        return result;
    }
    wake_box(world, found->box_min, found->box_max);
    const uint32_t before = found->base.motion.points;
    *found = next;
    found->base.motion.points = before; // which are to be replaced
    obstacle_path_store(world, place, &used);
    note_start(world, found);
    obstacle_motion_place(world, found);
    wake_box(world, found->box_min, found->box_max);
    (void)sequence_next(world);
    return RESULT_OK;
}

struct sim_obstacle sim_world_obstacle_going_on(const struct sim_world *world, uint32_t index) {
    assert(index < world->state.obstacles);
    const struct obstacle *obstacle = &world->obstacle[index];
    struct sim_obstacle now = obstacle->base.motion.points > 0 ? obstacle->base : obstacle->shape;
    now.motion = obstacle->base.motion;
    now.motion.path_time = (float)obstacle_path_time(world, obstacle);
    now.motion.pivot = obstacle_pivot(world, obstacle);
    return now;
}

const struct sim_obstacle *sim_world_obstacle_start(const struct sim_world *world, uint32_t index, uint64_t *tick) {
    assert(index < world->state.obstacles);
    *tick = (uint64_t)world->obstacle[index].start_high << 32 | world->obstacle[index].start_low;
    return &world->obstacle[index].base;
}

uint32_t sim_world_obstacle_count(const struct sim_world *world) {
    return world->state.obstacles;
}

const struct sim_obstacle *sim_world_obstacle_at(const struct sim_world *world, uint32_t index) {
    assert(index < world->state.obstacles);
    return &world->obstacle[index].shape;
}
