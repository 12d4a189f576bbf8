// SPDX-License-Identifier: MIT
// Obstacles: adding, removing and viewing them. The numbers of a height field or a mesh lie in the storage of shapes.
#include "sim/contact/obstacle.h"

#include <assert.h>

#include "sim/contact/obstacle_mesh.h"
#include "sim/contact/obstacle_point.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

// Margin of an obstacle's box, greater than any rounding of a contact, so that skipping objects outside the box changes
// no result: contacts are computed in float32 from coordinates up to SIM_POSITION_MAX.
#define BOX_MARGIN 0.05f // m
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

// The box around a mesh's vertices, or around a height field and the solid under it.
static void bound_numbers(const struct sim_world *world, struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    if (shape->shape == SIM_OBSTACLE_MESH) {
        const struct mesh_numbers mesh = obstacle_mesh_numbers(world, obstacle); // the box of the root
        obstacle->box_min = vec3_of(mesh.bvh.box[0], mesh.bvh.box[1], mesh.bvh.box[2]);
        obstacle->box_max = vec3_of(mesh.bvh.box[3], mesh.bvh.box[4], mesh.bvh.box[5]);
        return;
    }
    const float *height = world->shape_real + obstacle->data.first_real;
    float top = height[0];
    for (uint32_t i = 1; i < shape->columns * shape->rows; i++) {
        top = scalar_max(top, height[i]);
    }
    const float x = 0.5f * shape->spacing * (float)(shape->columns - 1);
    const float z = 0.5f * shape->spacing * (float)(shape->rows - 1);
    obstacle->box_min = vec3_of(shape->position.x - x, -4.0f * SIM_POSITION_MAX, shape->position.z - z);
    obstacle->box_max = vec3_of(shape->position.x + x, shape->position.y + top, shape->position.z + z);
}

static void bound_capsule(struct obstacle *obstacle) {
    const struct vec3 a = obstacle->shape.from;
    const struct vec3 b = obstacle->shape.to;
    const float r = obstacle->shape.radius;
    obstacle->box_min = vec3_of(scalar_min(a.x, b.x) - r, scalar_min(a.y, b.y) - r, scalar_min(a.z, b.z) - r);
    obstacle->box_max = vec3_of(scalar_max(a.x, b.x) + r, scalar_max(a.y, b.y) + r, scalar_max(a.z, b.z) + r);
}

static void find_box(const struct sim_world *world, struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    float reach = 4.0f * SIM_POSITION_MAX; // a plane is infinite
    if (shape->shape == SIM_OBSTACLE_SPHERE) {
        reach = shape->radius;
    } else if (shape->shape == SIM_OBSTACLE_BOX) {
        reach = 0.5f * vec3_length(shape->size);
    }
    obstacle->box_min = vec3_sub(shape->position, vec3_of(reach, reach, reach));
    obstacle->box_max = vec3_add(shape->position, vec3_of(reach, reach, reach));
    if (shape->shape == SIM_OBSTACLE_CAPSULE) {
        bound_capsule(obstacle);
    } else if (!obstacle_is_simple(obstacle)) {
        bound_numbers(world, obstacle);
    }
    const struct vec3 margin = vec3_of(BOX_MARGIN, BOX_MARGIN, BOX_MARGIN);
    obstacle->box_min = vec3_sub(obstacle->box_min, margin);
    obstacle->box_max = vec3_add(obstacle->box_max, margin);
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

void obstacle_refresh(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.obstacles; i++) {
        struct obstacle *obstacle = &world->obstacle[i];
        if (obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD) {
            obstacle->shape.heights = world->shape_real + obstacle->data.first_real;
        } else if (obstacle->shape.shape == SIM_OBSTACLE_MESH) {
            const struct mesh_numbers mesh = obstacle_mesh_numbers(world, obstacle);
            obstacle->shape.positions = mesh.local;
            obstacle->shape.triangles = mesh.triangle;
        }
    }
}

// Points the view at its numbers. Returns false if their count is not the shape's.
static bool find_numbers(const struct sim_world *world, struct obstacle *obstacle) {
    struct sim_obstacle *shape = &obstacle->shape;
    const struct shape_span *data = &obstacle->data;
    if (shape->shape == SIM_OBSTACLE_MESH) {
        if (!obstacle_mesh_fits(obstacle)) {
            return false;
        }
        const struct mesh_numbers mesh = obstacle_mesh_numbers(world, obstacle);
        shape->positions = mesh.local;
        shape->triangles = mesh.triangle;
        return true;
    }
    shape->vertices = 0;
    shape->triangle_count = 0;
    if (shape->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        shape->heights = world->shape_real + data->first_real;
        return data->indices == 0 && data->reals == (uint64_t)shape->columns * shape->rows;
    }
    return data->reals == 0 && data->indices == 0;
}

enum result obstacle_resume(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) {
    const struct sim_obstacle *shape = &obstacle->shape;
    if (!find_numbers(world, obstacle)) {
        return fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: obstacle %u is impossible",
                         shape->id);
    }
    enum result result = check_obstacle(world, shape, fault);
    if (result == RESULT_OK && (shape->shape == SIM_OBSTACLE_BOX || shape->shape == SIM_OBSTACLE_MESH)) {
        result = check_rotation(shape->rotation, &obstacle->axes, fault);
    }
    if (result == RESULT_OK && shape->shape == SIM_OBSTACLE_MESH) {
        result = obstacle_mesh_derive(world, obstacle, fault);
    }
    if (result == RESULT_OK) {
        obstacle->grain = shape->shape == SIM_OBSTACLE_HEIGHTFIELD ? shape->spacing : obstacle->grain;
        find_box(world, obstacle);
    }
    return result;
}

enum result sim_obstacle_add(struct sim_world *world, const struct sim_obstacle *shape, uint32_t *obstacle,
                             struct fault *fault) {
    struct obstacle made = {0};
    enum result result = check_obstacle(world, shape, fault);
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
    find_box(world, &made);
    shape_commit(world, &made.data);
    made.shape.id = sequence_next(world);
    world->obstacle[world->state.obstacles] = made;
    world->state.obstacles++;
    wake_box(world, made.box_min, made.box_max);
    obstacle_refresh(world);
    layout_changed(world);
    *obstacle = made.shape.id;
    return RESULT_OK;
}

enum result sim_obstacle_remove(struct sim_world *world, uint32_t obstacle, struct fault *fault) {
    const uint32_t count = world->state.obstacles;
    for (uint32_t i = 0; i < count; i++) {
        if (world->obstacle[i].shape.id == obstacle) {
            wake_box(world, world->obstacle[i].box_min, world->obstacle[i].box_max);
            const struct shape_span data = world->obstacle[i].data;
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

uint32_t sim_world_obstacle_count(const struct sim_world *world) {
    return world->state.obstacles;
}

const struct sim_obstacle *sim_world_obstacle_at(const struct sim_world *world, uint32_t index) {
    assert(index < world->state.obstacles);
    return &world->obstacle[index].shape;
}
