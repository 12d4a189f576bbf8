// SPDX-License-Identifier: MIT
// Creates rigid bodies: four particles and six sticks, which leave 4·3 − 6 = 6 degrees of freedom (PHYSICS.md 6.1). A
// basis frame has three sticks and three right angles instead.
//
// Opposite edges share no particle, so there are three colours of two sticks. Triangles wind outward.
#include "sim/geometry/hull.h"
#include "sim/spawn/body_form.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/part.h"
#include "sim/world/particle.h"

struct sim_body_desc sim_body_desc_default(void) {
    return (struct sim_body_desc){
        .size = 0.4f,
        .extents = {0.4f, 0.4f, 0.4f},
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .mass = 1.0f,
        .friction = 0.5f,
        .projection = SIM_PROJECTION_START,
    };
}

// A frame has every second stick, each in a colour of its own.
static const uint32_t edge_ends[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}};

// ---- checks ------------------------------------------------------------------------------------------------------

static enum result check_masses(const struct sim_body_desc *desc, struct fault *fault) {
    const bool embedded = desc->shape != SIM_BODY_TETRAHEDRON && desc->shape != SIM_BODY_FRAME;
    if (desc->masses != NULL && !embedded) {
        return check_array(desc->masses, 4, SIM_MASS_MIN, SIM_MASS_MAX, "kg", "/masses", fault);
    }
    if (desc->masses != NULL) {
        return fault_set(fault, RESULT_INVALID, "/masses",
                         "masses are for a tetrahedron or a frame: those of any other body follow from its shape");
    }
    return check_range(desc->mass, 1e-6f, 1e6f, "kg", "/mass", fault);
}

static enum result check_desc(const struct sim_body_desc *desc, struct mat3 *rotation, struct fault *fault) {
    enum result result = check_masses(desc, fault);
    if (result == RESULT_OK) {
        result = check_motion(desc->position, desc->rotation, desc->velocity, rotation, fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(desc->angular_velocity, 1000.0f, "rad/s", "/angularVelocity", fault);
    }
    if (result == RESULT_OK) {
        result = check_projection(desc->projection, fault);
    }
    if (result == RESULT_OK) {
        result = check_range(desc->restitution, 0.0f, 1.0f, "", "/restitution", fault);
    }
    return result == RESULT_OK ? check_friction(desc->friction, fault) : result;
}

// ---- building ----------------------------------------------------------------------------------------------------

static void add_sticks(struct sim_world *world, struct object *object, const struct body_form *form) {
    const uint32_t stride = object->shape == SIM_BODY_FRAME ? 2 : 1;
    for (uint32_t i = 0; i < object->sticks; i++) {
        const uint32_t stick = object->first_stick + i;
        const uint32_t a = edge_ends[stride * i][0];
        const uint32_t b = edge_ends[stride * i][1];
        world->stick_a[stick] = a;
        world->stick_b[stick] = b;
        world->stick_rest[stick] = vec3_length(vec3_sub(form->corner[b], form->corner[a]));
    }
    object->colours = 3;
    for (uint32_t colour = 0; colour < 3; colour++) {
        world->colour_end[object->first_colour + colour] = (colour + 1) * object->sticks / 3;
        world->colour_class[object->first_colour + colour] = SIM_STICK_EQUAL;
    }
}

static void add_triangles(struct sim_world *world, const struct object *object) {
    static const uint32_t outward[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}; // for a negative determinant
    const bool turned = object->determinant > 0.0f;
    uint32_t *at = world->triangle + 3 * (size_t)object->first_triangle;
    for (unsigned i = 0; i < 4; i++) {
        at[3 * i] = outward[i][0];
        at[3 * i + 1] = turned ? outward[i][2] : outward[i][1];
        at[3 * i + 2] = turned ? outward[i][1] : outward[i][2];
    }
}

// d = (velocity + ω × arm)·h, the arm from the centre of mass.
static void add_particles(struct sim_world *world, const struct object *object, const struct sim_body_desc *desc,
                          const struct body_form *form, const struct mat3 *rotation) {
    const float h = world_substep_seconds(world);
    for (unsigned i = 0; i < 4; i++) {
        const struct vec3 arm = mat3_apply(rotation, vec3_sub(form->corner[i], form->centre));
        const struct vec3 local = mat3_apply(rotation, vec3_sub(form->corner[i], form->origin));
        const struct vec3 velocity = vec3_add(desc->velocity, vec3_cross(desc->angular_velocity, arm));
        particle_init_apart(world, object->first + i, desc->position, local, 1.0f / form->mass[i]);
        particle_set_displacement(world, object->first + i, vec3_scale(velocity, h));
    }
}

static void add_hull(struct sim_world *world, const struct object *object, const struct body_form *form) {
    const struct hull *hull = &form->hull;
    uint32_t *index = world->shape_index + object->hull.first_index;
    memcpy(world->shape_real + object->hull.first_real, form->weight, object->hull.reals * sizeof(float));
    memcpy(index, hull->triangle, 3 * hull->triangles * sizeof *index);
    memcpy(index + 3 * (size_t)hull->triangles, hull->face_end, hull->faces * sizeof *index);
    memcpy(index + 3 * (size_t)hull->triangles + hull->faces, hull->corner, hull->corners * sizeof *index);
}

// The table of parts (part.h) stands behind the weights and the triangles.
static void add_parts(struct sim_world *world, const struct object *object, const struct body_form *form) {
    float *real = world->shape_real + object->hull.first_real;
    uint32_t *index = world->shape_index + object->hull.first_index;
    memcpy(real, form->weight, 4 * form->vertices * sizeof *real);
    memcpy(index, form->triangle, 3 * form->triangles * sizeof *index);
    real += 4 * (size_t)form->vertices;
    index += 3 * (size_t)form->triangles;
    for (uint32_t k = 0; k < form->parts; k++) {
        const struct form_part *part = &form->part[k];
        const float reals[PART_REALS] = {part->radius, part->thickness, part->rim};
        const uint32_t row[PART_INDICES] = {part->vertex_end, part->triangle_end, part->ring ? 1 : 0};
        memcpy(real + PART_REALS * (size_t)k, reals, sizeof reals);
        memcpy(index + PART_INDICES * (size_t)k, row, sizeof row);
    }
}

static enum result reserve(const struct sim_world *world, const struct body_form *form, enum sim_body_shape shape,
                           struct object *object, struct fault *fault) {
    const struct object_size size = {.particles = 4, .sticks = shape == SIM_BODY_FRAME ? 3 : 6, .triangles = 4};
    enum result result = layout_reserve(world, size, object, fault);
    if (result != RESULT_OK || !form->embedded) {
        return result;
    }
    if (form->parts > 0) {
        object->hull_vertices = form->vertices;
        object->hull_triangles = form->triangles;
        object->hull_parts = form->parts;
        return shape_reserve(world, 4 * (uint64_t)form->vertices + PART_REALS * (uint64_t)form->parts,
                             3 * (uint64_t)form->triangles + PART_INDICES * (uint64_t)form->parts, &object->hull,
                             fault);
    }
    const struct hull *hull = &form->hull;
    object->hull_vertices = hull->vertices;
    object->hull_triangles = hull->triangles;
    object->hull_faces = hull->faces;
    return shape_reserve(world, 4 * (uint64_t)hull->vertices,
                         3 * (uint64_t)hull->triangles + hull->faces + hull->corners, &object->hull, fault);
}

enum result sim_body_spawn(struct sim_world *world, const struct sim_body_desc *desc, uint32_t *object,
                           struct fault *fault) {
    struct object made = {0};
    struct mat3 rotation;
    struct body_form form;
    enum result result = check_desc(desc, &rotation, fault);
    if (result == RESULT_OK) {
        result = body_form_make(desc, &form, fault);
    }
    if (result == RESULT_OK) {
        result = reserve(world, &form, desc->shape, &made, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    made.kind = SIM_KIND_BODY;
    made.shape = desc->shape;
    made.friction = desc->friction;
    made.restitution = desc->restitution;
    made.projection = desc->projection;
    made.determinant = body_determinant(form.corner[0], form.corner[1], form.corner[2], form.corner[3]);
    for (unsigned i = 0; i < 3; i++) {
        made.rest_edge[i] = vec3_sub(form.corner[i + 1], form.corner[0]);
    }
    add_particles(world, &made, desc, &form, &rotation);
    add_sticks(world, &made, &form);
    add_triangles(world, &made);
    result = check_positions(world, &made, "/position", fault);
    if (result == RESULT_OK && form.embedded) {
        (form.parts > 0 ? add_parts : add_hull)(world, &made, &form);
        shape_commit(world, &made.hull);
    }
    if (result == RESULT_OK) {
        *object = layout_commit(world, &made);
    }
    return result;
}
