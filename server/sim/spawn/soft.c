// SPDX-License-Identifier: MIT
// Creates soft bodies: a quarter of the mass of each tetrahedron goes to each of its corners.
#include <stdlib.h>

#include "sim/cloth_contact/cloth_contact_mesh.h"
#include "sim/spawn/soft_form.h"
#include "sim/volume/tetrahedron.h"
#include "sim/volume/tetrahedron_plan.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define CELLS_MAX 256u
#define SIDE_MIN 1e-3f     // m
#define SIDE_MAX 1e4f      // m
#define THICKNESS_MAX 1.0f // m

struct sim_soft_desc sim_soft_desc_default(void) {
    return (struct sim_soft_desc){
        .extents = {0.4f, 0.4f, 0.4f},
        .radius = 0.2f,
        .cells = {4, 4, 4},
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .young = 2e4f,
        .poisson = 0.4f,
        .density = 1000.0f,
        .viscosity = 0.002f,
        .pins = {.preset = SIM_PIN_NONE},
        .friction = 0.5f,
        .thickness = 0.01f,
        .projection = SIM_PROJECTION_START,
    };
}

// ---- checks ------------------------------------------------------------------------------------------------------

static enum result check_cells(const struct sim_soft_desc *desc, struct fault *fault) {
    const bool ball = desc->shape == SIM_SOFT_BALL;
    for (unsigned axis = 0; axis < (ball ? 1 : 3); axis++) {
        if (desc->cells[axis] < 1 || desc->cells[axis] > CELLS_MAX) {
            return fault_set(fault, RESULT_INVALID, "/cells", "cells must be 1 to %u along each axis, got %u",
                             CELLS_MAX, desc->cells[axis]);
        }
    }
    return !ball || desc->cells[0] % 2 == 0
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "/cells", "cells of a ball must be an even number, got %u",
                           desc->cells[0]);
}

static enum result check_shape(const struct sim_soft_desc *desc, struct fault *fault) {
    if ((uint32_t)desc->shape >= SIM_SOFT_SHAPE_COUNT) {
        return fault_set(fault, RESULT_INVALID, "/shape", "shape must be box, ball or tetrahedra");
    }
    if (desc->shape == SIM_SOFT_TETRAHEDRA) {
        return desc->particles >= 4 && desc->tetrahedron_count >= 1
                   ? RESULT_OK
                   : fault_set(fault, RESULT_INVALID, desc->particles < 4 ? "/positions" : "/tetrahedra",
                               "a soft body needs at least 4 positions and 1 tetrahedron, got %u and %u",
                               desc->particles, desc->tetrahedron_count);
    }
    enum result result = RESULT_OK;
    if (desc->shape == SIM_SOFT_BALL) {
        result = check_range(desc->radius, SIDE_MIN, SIDE_MAX, "m", "/radius", fault);
    } else {
        const float sides[3] = {desc->extents.x, desc->extents.y, desc->extents.z};
        static const char *const names[3] = {"/size/0", "/size/1", "/size/2"};
        for (unsigned axis = 0; axis < 3 && result == RESULT_OK; axis++) {
            result = check_range(sides[axis], SIDE_MIN, SIDE_MAX, "m", names[axis], fault);
        }
    }
    return result == RESULT_OK ? check_cells(desc, fault) : result;
}

static enum result check_material(const struct sim_soft_desc *desc, struct fault *fault) {
    enum result result = check_elasticity(desc->young, desc->poisson, desc->viscosity, fault);
    if (result == RESULT_OK) {
        result = check_range(desc->density, 1e-3f, 1e5f, "kg/m³", "/density", fault);
    }
    if (result == RESULT_OK) {
        result = check_friction(desc->friction, fault);
    }
    if (result == RESULT_OK) {
        result = check_range(desc->restitution, 0.0f, 1.0f, "", "/restitution", fault);
    }
    if (result == RESULT_OK) {
        result = check_projection(desc->projection, fault);
    }
    return result;
}

static enum result check_start(const struct sim_soft_desc *desc, struct mat3 *rotation, struct fault *fault) {
    enum result result = check_motion(desc->position, desc->rotation, desc->velocity, rotation, fault);
    if (result == RESULT_OK) {
        result = check_vector(desc->angular_velocity, 1000.0f, "rad/s", "/angularVelocity", fault);
    }
    if (result == RESULT_OK && desc->pins.preset != SIM_PIN_NONE && desc->pins.preset != SIM_PIN_LIST) {
        result = fault_set(fault, RESULT_INVALID, "/pin", "pin of a soft body must be none or a list of indices");
    }
    return result;
}

static enum result check_thickness(const struct sim_soft_desc *desc, const struct object *object, struct fault *fault) {
    const float most = scalar_min(object->grain, THICKNESS_MAX);
    if (!(desc->thickness >= 0.0f && desc->thickness <= most)) {
        return fault_set(fault, RESULT_INVALID, "/thickness",
                         "thickness must be 0 to %g m, the longest side of the surface's triangles or %g m, got %g",
                         (double)most, (double)THICKNESS_MAX, (double)desc->thickness);
    }
    if (desc->self_collision && !(desc->thickness > 0.0f)) {
        return fault_set(fault, RESULT_INVALID, "/thickness", "selfCollision needs a thickness above 0 m");
    }
    return RESULT_OK;
}

// ---- building ----------------------------------------------------------------------------------------------------

static struct point corner_at(const struct soft_form *form, uint32_t particle) {
    const float *p = form->position + 3 * (size_t)particle;
    return (struct point){(double)p[0], (double)p[1], (double)p[2]};
}

// The tetrahedra in their new order, with their rest shapes and masses: `mass` has one number per particle.
static void add_tetrahedra(struct sim_world *world, const struct object *object, const struct soft_form *form,
                           double density, double *mass) {
    tetrahedron_sort(form->corner, form->tetrahedra, world->colours_taken, form->colour, form->order);
    for (uint32_t i = 0; i < form->tetrahedra; i++) {
        const uint32_t place = object->first_tetrahedron + i;
        const uint32_t *from = form->corner + 4 * (size_t)form->order[i];
        struct point corner[4];
        for (unsigned k = 0; k < 4; k++) {
            world->tetrahedron[4 * (size_t)place + k] = from[k];
            corner[k] = corner_at(form, from[k]);
        }
        tetrahedron_set_rest(world, place, corner);
        const double volume = tetrahedron_six_volumes(corner[0], corner[1], corner[2], corner[3]) / 6.0;
        for (unsigned k = 0; k < 4; k++) {
            mass[from[k]] += density * volume / 4.0;
        }
    }
    memcpy(world->triangle + 3 * (size_t)object->first_triangle, form->triangle,
           3 * (size_t)form->triangles * sizeof *form->triangle);
}

static struct vec3 centre_of(const struct soft_form *form, const double *mass) {
    struct point moment = {0};
    double all = 0.0;
    for (uint32_t i = 0; i < form->particles; i++) {
        moment = point_add(moment, point_scale(corner_at(form, i), mass[i]));
        all += mass[i];
    }
    return point_rounded(point_scale(moment, 1.0 / all));
}

static enum result add_particles(struct sim_world *world, const struct object *object, const struct sim_soft_desc *desc,
                                 const struct soft_form *form, const double *mass, const struct mat3 *rotation,
                                 struct fault *fault) {
    const float h = world_substep_seconds(world);
    const struct vec3 centre = centre_of(form, mass);
    for (uint32_t i = 0; i < form->particles; i++) {
        if (!(mass[i] >= (double)SIM_MASS_MIN && mass[i] <= (double)SIM_MASS_MAX)) {
            return fault_set(fault, RESULT_INVALID, "/density",
                             "particle %u would weigh %g kg by the volume of its tetrahedra, which must be %g to %g", i,
                             mass[i], (double)SIM_MASS_MIN, (double)SIM_MASS_MAX);
        }
        const struct vec3 local = point_rounded(corner_at(form, i));
        const struct vec3 arm = mat3_apply(rotation, vec3_sub(local, centre));
        const struct vec3 velocity = vec3_add(desc->velocity, vec3_cross(desc->angular_velocity, arm));
        particle_init_apart(world, object->first + i, desc->position, mat3_apply(rotation, local),
                            (float)(1.0 / mass[i]));
        particle_set_displacement(world, object->first + i, vec3_scale(velocity, h));
    }
    return check_positions(world, object, "/position", fault);
}

static float longest_side(const struct soft_form *form) {
    double longest = 0.0;
    for (size_t i = 0; i < 3 * (size_t)form->triangles; i++) {
        const struct point a = corner_at(form, form->triangle[i]);
        const struct point b = corner_at(form, form->triangle[i % 3 < 2 ? i + 1 : i - 2]);
        const double length = point_length(point_sub(b, a));
        longest = length > longest ? length : longest;
    }
    return (float)longest;
}

static enum result build(struct sim_world *world, const struct sim_soft_desc *desc, const struct soft_form *form,
                         const struct mat3 *rotation, double *mass, struct object *made, struct fault *fault) {
    made->kind = SIM_KIND_SOFT;
    made->friction = desc->friction;
    made->restitution = desc->restitution;
    made->projection = desc->projection;
    made->young = desc->young;
    made->poisson = desc->poisson;
    made->viscosity = desc->viscosity;
    made->radius = desc->thickness;
    made->self_collision = desc->self_collision;
    made->grain = longest_side(form);
    add_tetrahedra(world, made, form, (double)desc->density, mass);
    enum result result = check_thickness(desc, made, fault);
    if (result == RESULT_OK) {
        result = add_particles(world, made, desc, form, mass, rotation, fault);
    }
    if (result == RESULT_OK && desc->pins.preset == SIM_PIN_LIST) {
        result = layout_check_indices(made, desc->pins.indices, desc->pins.count, "/pin", fault);
    }
    for (uint32_t i = 0; result == RESULT_OK && desc->pins.preset == SIM_PIN_LIST && i < desc->pins.count; i++) {
        particle_set_pinned(world, made, desc->pins.indices[i], true);
    }
    made->height = result == RESULT_OK ? cloth_contact_height(world, made) : 0.0f;
    return result;
}

static enum result make(struct sim_world *world, const struct sim_soft_desc *desc, const struct mat3 *rotation,
                        struct object *made, struct fault *fault) {
    struct soft_form form;
    enum result result = soft_form_make(desc, &form, fault);
    if (result == RESULT_OK) {
        const struct object_size size = {
            .particles = form.particles, .triangles = form.triangles, .tetrahedra = form.tetrahedra};
        result = layout_reserve(world, size, made, fault);
    }
    if (result == RESULT_OK) {
        double *mass = calloc(form.particles, sizeof *mass);
        result = mass != NULL ? build(world, desc, &form, rotation, mass, made, fault)
                              : fault_set(fault, RESULT_MEMORY, "", "out of memory for %u particles", form.particles);
        free(mass);
    }
    soft_form_free(&form);
    return result;
}

enum result sim_soft_spawn(struct sim_world *world, const struct sim_soft_desc *desc, uint32_t *object,
                           struct fault *fault) {
    struct object made = {0};
    struct mat3 rotation;
    enum result result = check_shape(desc, fault);
    if (result == RESULT_OK) {
        // Room for particles and tetrahedra is reserved first: it bounds the size of temporary memory.
        const struct soft_size size = soft_form_size(desc);
        result = layout_reserve(world, (struct object_size){.particles = size.particles, .tetrahedra = size.tetrahedra},
                                &made, fault);
    }
    if (result == RESULT_OK) {
        result = check_material(desc, fault);
    }
    if (result == RESULT_OK) {
        result = check_start(desc, &rotation, fault);
    }
    if (result == RESULT_OK) {
        result = make(world, desc, &rotation, &made, fault);
    }
    if (result == RESULT_OK) {
        *object = layout_commit(world, &made);
    }
    return result;
}
