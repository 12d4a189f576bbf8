// SPDX-License-Identifier: MIT
// The form of a body: the places and masses of its four particles and, of an embedded shape, its hull and the weights
// of the hull's vertices in the particles.
#include "sim/spawn/body_form.h"

#include "sim/geometry/mass.h"
#include "sim/spawn/body_embed.h"
#include "sim/spawn/body_round.h"
#include "sim/world/check.h"

#define FLAT_SHARE 1e-6f // share of the longest edge's cube: a smaller determinant is flat
#define SIZE_MIN_M 1e-3f // m, of embedded shapes
#define SIZE_MAX_M 1000.0f

float body_determinant(struct vec3 p0, struct vec3 p1, struct vec3 p2, struct vec3 p3) {
    return vec3_dot(vec3_cross(vec3_sub(p1, p0), vec3_sub(p2, p0)), vec3_sub(p3, p0));
}

static struct vec3 centre_of_mass(const struct body_form *form) {
    struct vec3 sum = {0};
    float mass = 0.0f;
    for (unsigned i = 0; i < 4; i++) {
        sum = vec3_add(sum, vec3_scale(form->corner[i], form->mass[i]));
        mass += form->mass[i];
    }
    return vec3_of(sum.x / mass, sum.y / mass, sum.z / mass);
}

// ---- bare particles: tetrahedron and frame -----------------------------------------------------------------------

static enum result check_size(float size, struct fault *fault) {
    return check_range(size, 1e-4f, SIZE_MAX_M, "m", "/size", fault);
}

static enum result check_not_flat(const struct body_form *form, struct fault *fault) {
    const struct vec3 *corner = form->corner;
    float longest = 0.0f;
    float shortest = SIM_POSITION_MAX;
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = i + 1; j < 4; j++) {
            const float length = vec3_length(vec3_sub(corner[j], corner[i]));
            longest = scalar_max(longest, length);
            shortest = scalar_min(shortest, length);
        }
    }
    const float volume = scalar_abs(body_determinant(corner[0], corner[1], corner[2], corner[3]));
    if (!(shortest >= 1e-5f) || !(volume > FLAT_SHARE * longest * longest * longest)) {
        return fault_set(fault, RESULT_INVALID, "/vertices",
                         "the four vertices must not lie in a plane: their tetrahedron has edges of %g to %g m and a "
                         "volume of %g m³",
                         (double)shortest, (double)longest, (double)volume / 6.0);
    }
    return RESULT_OK;
}

static void set_masses(const struct sim_body_desc *desc, struct body_form *form) {
    for (unsigned i = 0; i < 4; i++) {
        form->mass[i] = desc->masses != NULL ? desc->masses[i] : desc->mass / 4.0f;
    }
}

static enum result make_tetrahedron(const struct sim_body_desc *desc, struct body_form *form, struct fault *fault) {
    const float half_side = desc->size / 2.82842712f; // half the side of the cube whose face diagonal is the edge
    enum result result = desc->vertices == NULL ? check_size(desc->size, fault)
                                                : check_array(desc->vertices, 12, -SIM_POSITION_MAX, SIM_POSITION_MAX,
                                                              "m", "/vertices", fault);
    if (result != RESULT_OK) {
        return result;
    }
    for (unsigned i = 0; i < 4; i++) {
        const float *corner = desc->vertices != NULL ? desc->vertices + 3 * (size_t)i : body_corner_signs[i];
        const float scale = desc->vertices != NULL ? 1.0f : half_side;
        form->corner[i] = vec3_of(scale * corner[0], scale * corner[1], scale * corner[2]);
    }
    set_masses(desc, form);
    form->centre = centre_of_mass(form);
    form->origin = desc->vertices != NULL ? vec3_of(0.0f, 0.0f, 0.0f) : form->centre;
    return check_not_flat(form, fault);
}

static enum result make_frame(const struct sim_body_desc *desc, struct body_form *form, struct fault *fault) {
    const enum result result = check_size(desc->size, fault);
    if (result != RESULT_OK) {
        return result;
    }
    form->corner[0] = vec3_of(0.0f, 0.0f, 0.0f);
    form->corner[1] = vec3_of(desc->size, 0.0f, 0.0f);
    form->corner[2] = vec3_of(0.0f, desc->size, 0.0f);
    form->corner[3] = vec3_of(0.0f, 0.0f, desc->size);
    set_masses(desc, form);
    form->centre = centre_of_mass(form);
    form->origin = form->centre;
    return RESULT_OK;
}

// ---- embedded shapes: box and hull -------------------------------------------------------------------------------

static enum result embed(const float *points, uint32_t count, float total, struct body_form *form, const char *member,
                         struct fault *fault) {
    if (!hull_build(points, count, &form->hull)) {
        return fault_set(fault, RESULT_INVALID, member, "the %u vertices of a hull must not all lie in a plane", count);
    }
    const struct mass_properties mass = mass_of_hull(points, &form->hull);
    const enum result result = body_embed(&mass, total, form, member, fault);
    for (uint32_t i = 0; i < form->hull.vertices && result == RESULT_OK; i++) {
        body_embed_vertex(&mass, points + 3 * (size_t)form->hull.vertex[i], form->weight[i]);
    }
    return result;
}

static enum result make_box(const struct sim_body_desc *desc, struct body_form *form, struct fault *fault) {
    const float sides[3] = {desc->extents.x, desc->extents.y, desc->extents.z};
    float points[8][3];
    const enum result result = check_array(sides, 3, SIZE_MIN_M, SIZE_MAX_M, "m", "/size", fault);
    if (result != RESULT_OK) {
        return result;
    }
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            points[i][axis] = (i >> axis & 1u) != 0 ? 0.5f * sides[axis] : -0.5f * sides[axis];
        }
    }
    return embed(points[0], 8, desc->mass, form, "/size", fault);
}

static enum result make_hull(const struct sim_body_desc *desc, struct body_form *form, struct fault *fault) {
    if (desc->vertices == NULL || desc->vertex_count < 4 || desc->vertex_count > HULL_POINTS_MAX) {
        return fault_set(fault, RESULT_INVALID, "/vertices", "a hull needs 4 to %u vertices, got %u", HULL_POINTS_MAX,
                         desc->vertices == NULL ? 0 : desc->vertex_count);
    }
    const enum result result =
        check_array(desc->vertices, 3 * desc->vertex_count, -SIZE_MAX_M, SIZE_MAX_M, "m", "/vertices", fault);
    return result == RESULT_OK ? embed(desc->vertices, desc->vertex_count, desc->mass, form, "/vertices", fault)
                               : result;
}

enum result body_form_make(const struct sim_body_desc *desc, struct body_form *form, struct fault *fault) {
    static enum result (*const make[SIM_BODY_SHAPE_COUNT])(const struct sim_body_desc *, struct body_form *,
                                                           struct fault *) = {
        [SIM_BODY_TETRAHEDRON] = make_tetrahedron,
        [SIM_BODY_BOX] = make_box,
        [SIM_BODY_HULL] = make_hull,
        [SIM_BODY_FRAME] = make_frame,
        [SIM_BODY_SPHERE] = body_round_make,
        [SIM_BODY_CAPSULE] = body_round_make,
        [SIM_BODY_CYLINDER] = body_round_make,
        [SIM_BODY_COMPOUND] = body_round_make,
    };
    if ((uint32_t)desc->shape >= SIM_BODY_SHAPE_COUNT) {
        return fault_set(fault, RESULT_INVALID, "/shape",
                         "shape must be tetrahedron, box, hull, frame, sphere, capsule, cylinder or compound");
    }
    form->embedded = false;
    form->parts = 0;
    const bool rounded = desc->radius > 0.0f && (desc->shape == SIM_BODY_BOX || desc->shape == SIM_BODY_HULL);
    return rounded ? body_round_make(desc, form, fault) : make[desc->shape](desc, form, fault);
}
