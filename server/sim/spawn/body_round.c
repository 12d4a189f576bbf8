// SPDX-License-Identifier: MIT
// Forms of round and of compound bodies (PHYSICS.md 6.9): convex parts, each with vertices and a radius around them,
// and the mass properties of all together.
//
// A sphere is one vertex, a capsule two, a rounded box or hull its vertices; a cylinder is a ring of vertices on each
// rim. Of several parts the masses m_k, centres c_k and second moments S_k/m_k give the whole by the parallel axis
// theorem: S/M = Σ m_k/M·(S_k/m_k + (c_k − c)·(c_k − c)ᵀ). Where parts overlap, both masses count.
#include "sim/spawn/body_round.h"

#include <stdio.h>

#include "sim/geometry/point.h"
#include "sim/geometry/round.h"
#include "sim/spawn/body_embed.h"
#include "sim/world/check.h"

#define SIZE_MIN_M 1e-3f // m, of a part; radii half of it
#define SIZE_MAX_M 1000.0f
#define WEIGHT_MIN 1e-6f // of densities and shares
#define WEIGHT_MAX 1e9f

// The part that is made, and where its members stand in the request.
struct making {
    const struct sim_body_part *part;
    struct body_form *form;
    struct fault *fault;
    char at[24]; // "" or "/parts/3"
    char member[48];
    struct solid solid;
};

static const char *member_of(struct making *making, const char *name) {
    (void)snprintf(making->member, sizeof making->member, "%s/%s", making->at, name);
    return making->member;
}

static enum result check_size(struct making *making, float value, float low, const char *name) {
    return check_range(value, low, SIZE_MAX_M, "m", member_of(making, name), making->fault);
}

// ---- vertices and triangles --------------------------------------------------------------------------------------

static enum result check_room(struct making *making, uint32_t vertices, uint32_t triangles) {
    const struct body_form *form = making->form;
    if (form->vertices + vertices > SIM_BODY_VERTICES_MAX || form->triangles + triangles > SIM_BODY_TRIANGLES_MAX) {
        return fault_set(making->fault, RESULT_INVALID, "/parts",
                         "the parts of a body may have %u vertices and %u triangles together, these have more",
                         SIM_BODY_VERTICES_MAX, SIM_BODY_TRIANGLES_MAX);
    }
    return RESULT_OK;
}

static void add_vertex(struct body_form *form, double x, double y, double z) {
    const float at[3] = {(float)x, (float)y, (float)z};
    memcpy(form->point[form->vertices], at, sizeof at);
    form->vertices++;
}

static enum result add_axis(struct making *making, double length) {
    const enum result result = check_room(making, 2, 0);
    if (result == RESULT_OK && length > 0.0) {
        add_vertex(making->form, 0.0, -0.5 * length, 0.0);
        add_vertex(making->form, 0.0, 0.5 * length, 0.0);
    } else if (result == RESULT_OK) {
        add_vertex(making->form, 0.0, 0.0, 0.0);
    }
    return result;
}

static enum result make_ball(struct making *making) {
    const float radius = making->part->radius;
    enum result result = check_size(making, radius, 0.5f * SIZE_MIN_M, "radius");
    making->solid = solid_of_capsule((double)radius, 0.0);
    return result == RESULT_OK ? add_axis(making, 0.0) : result;
}

static enum result make_capsule(struct making *making) {
    const struct sim_body_part *part = making->part;
    enum result result = check_size(making, part->radius, 0.5f * SIZE_MIN_M, "radius");
    if (result == RESULT_OK) {
        result = check_size(making, part->length, SIZE_MIN_M, "length");
    }
    making->solid = solid_of_capsule((double)part->radius, (double)part->length);
    return result == RESULT_OK ? add_axis(making, (double)part->length) : result;
}

static enum result make_cylinder(struct making *making) {
    const struct sim_body_part *part = making->part;
    struct body_form *form = making->form;
    enum result result = check_size(making, part->radius, 0.5f * SIZE_MIN_M, "radius");
    if (result == RESULT_OK) {
        result = check_size(making, part->length, SIZE_MIN_M, "length");
    }
    if (result == RESULT_OK) {
        result = check_room(making, 2 * RING_SIDES, RING_TRIANGLES);
    }
    if (result != RESULT_OK) {
        return result;
    }
    making->solid = solid_of_cylinder((double)part->radius, (double)part->length);
    ring_points((double)part->radius, (double)part->length, form->point + form->vertices);
    ring_triangles(form->triangle + form->triangles);
    form->vertices += 2 * RING_SIDES;
    form->triangles += RING_TRIANGLES;
    return RESULT_OK;
}

static enum result add_hull(struct making *making, const float *points, uint32_t count, const char *name) {
    struct body_form *form = making->form;
    struct hull *hull = &form->hull;
    const float radius = making->part->radius;
    if (!hull_build(points, count, hull)) {
        return fault_set(making->fault, RESULT_INVALID, member_of(making, name),
                         "the %u vertices of a hull must not all lie in a plane", count);
    }
    enum result result = check_room(making, hull->vertices, hull->triangles);
    if (result == RESULT_OK && radius != 0.0f) {
        result = check_size(making, radius, 0.5f * SIZE_MIN_M, "radius");
    }
    if (result != RESULT_OK) {
        return result;
    }
    making->solid = radius > 0.0f ? solid_of_rounded(points, hull, (double)radius) : solid_of_hull(points, hull);
    for (uint32_t i = 0; i < hull->vertices; i++) {
        memcpy(form->point[form->vertices + i], points + 3 * (size_t)hull->vertex[i], sizeof form->point[0]);
    }
    memcpy(form->triangle[form->triangles], hull->triangle, hull->triangles * sizeof hull->triangle[0]);
    form->vertices += hull->vertices;
    form->triangles += hull->triangles;
    return RESULT_OK;
}

static enum result make_box(struct making *making) {
    const struct vec3 size = making->part->extents;
    const float sides[3] = {size.x, size.y, size.z};
    float points[8][3];
    const enum result result =
        check_array(sides, 3, SIZE_MIN_M, SIZE_MAX_M, "m", member_of(making, "size"), making->fault);
    for (unsigned i = 0; i < 24; i++) {
        points[i / 3][i % 3] = (i / 3 >> i % 3 & 1u) != 0 ? 0.5f * sides[i % 3] : -0.5f * sides[i % 3];
    }
    return result == RESULT_OK ? add_hull(making, points[0], 8, "size") : result;
}

static enum result make_hull(struct making *making) {
    const struct sim_body_part *part = making->part;
    if (part->vertices == NULL || part->vertex_count < 4 || part->vertex_count > HULL_POINTS_MAX) {
        return fault_set(making->fault, RESULT_INVALID, member_of(making, "vertices"),
                         "a hull needs 4 to %u vertices, got %u", HULL_POINTS_MAX,
                         part->vertices == NULL ? 0 : part->vertex_count);
    }
    const enum result result = check_array(part->vertices, 3 * part->vertex_count, -SIZE_MAX_M, SIZE_MAX_M, "m",
                                           member_of(making, "vertices"), making->fault);
    return result == RESULT_OK ? add_hull(making, part->vertices, part->vertex_count, "vertices") : result;
}

// ---- a part ------------------------------------------------------------------------------------------------------

// The least width of a part: across the faces of a hull; of anything else it follows from its measures.
static float thickness_of(const struct making *making, uint32_t first_vertex, uint32_t first_triangle) {
    const struct body_form *form = making->form;
    const struct sim_body_part *part = making->part;
    if (part->shape == SIM_BODY_CYLINDER) {
        return scalar_min(2.0f * part->radius, part->length);
    }
    double least = form->triangles > first_triangle ? 1e30 : 0.0;
    for (uint32_t t = first_triangle; t < form->triangles; t++) {
        struct point corner[3];
        for (unsigned k = 0; k < 3; k++) {
            const float *at = form->point[first_vertex + form->triangle[t][k]];
            corner[k] = (struct point){(double)at[0], (double)at[1], (double)at[2]};
        }
        const struct point across = point_cross(point_sub(corner[1], corner[0]), point_sub(corner[2], corner[0]));
        double deepest = 0.0;
        for (uint32_t v = first_vertex; v < form->vertices; v++) {
            const struct point at = {(double)form->point[v][0], (double)form->point[v][1], (double)form->point[v][2]};
            const double depth = -point_dot(across, point_sub(at, corner[0]));
            deepest = depth > deepest ? depth : deepest;
        }
        const double width = deepest / point_length(across);
        least = width < least ? width : least;
    }
    return (float)least + 2.0f * part->radius;
}

static enum result check_place(struct making *making, struct mat3 *rotation) {
    const struct sim_body_part *part = making->part;
    enum result result = check_vector(part->position, SIZE_MAX_M, "m", member_of(making, "position"), making->fault);
    if (result == RESULT_OK) {
        result = check_rotation(part->rotation, rotation, making->fault);
    }
    if (result == RESULT_OK) {
        result = check_range(part->density, WEIGHT_MIN, WEIGHT_MAX, "", member_of(making, "density"), making->fault);
    }
    return result == RESULT_OK && part->share != 0.0f
               ? check_range(part->share, WEIGHT_MIN, WEIGHT_MAX, "", member_of(making, "share"), making->fault)
               : result;
}

// Moves the part to its place in the body.
static void place(struct making *making, const struct mat3 *rotation, uint32_t first_vertex) {
    struct body_form *form = making->form;
    const struct vec3 to = making->part->position;
    const double shift[3] = {(double)to.x, (double)to.y, (double)to.z};
    double column[3][3];
    for (unsigned k = 0; k < 3; k++) {
        const struct point axis = point_of(rotation->column[k]);
        column[k][0] = axis.x;
        column[k][1] = axis.y;
        column[k][2] = axis.z;
    }
    for (uint32_t v = first_vertex; v < form->vertices; v++) {
        double at[3];
        for (unsigned i = 0; i < 3; i++) {
            at[i] = shift[i];
            for (unsigned k = 0; k < 3; k++) {
                at[i] += column[k][i] * (double)form->point[v][k];
            }
        }
        for (unsigned i = 0; i < 3; i++) {
            form->point[v][i] = (float)at[i];
        }
    }
    solid_place(&making->solid, column, shift);
}

static enum result make_part(struct making *making) {
    static enum result (*const make[SIM_BODY_SHAPE_COUNT])(struct making *) = {
        [SIM_BODY_BOX] = make_box,         [SIM_BODY_HULL] = make_hull,         [SIM_BODY_SPHERE] = make_ball,
        [SIM_BODY_CAPSULE] = make_capsule, [SIM_BODY_CYLINDER] = make_cylinder,
    };
    const struct sim_body_part *part = making->part;
    struct body_form *form = making->form;
    const uint32_t first_vertex = form->vertices;
    const uint32_t first_triangle = form->triangles;
    struct mat3 rotation;
    if ((uint32_t)part->shape >= SIM_BODY_SHAPE_COUNT || make[part->shape] == NULL) {
        return fault_set(making->fault, RESULT_INVALID, member_of(making, "shape"),
                         "a part must be a box, hull, sphere, capsule or cylinder");
    }
    enum result result = check_place(making, &rotation);
    if (result == RESULT_OK) {
        result = make[part->shape](making);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const bool ring = part->shape == SIM_BODY_CYLINDER;
    form->part[form->parts] = (struct form_part){
        .vertex_end = form->vertices,
        .triangle_end = form->triangles,
        .radius = ring ? 0.0f : part->radius,
        .thickness = thickness_of(making, first_vertex, first_triangle),
        .rim = ring ? part->radius : 0.0f,
        .ring = ring,
    };
    form->parts++;
    place(making, &rotation, first_vertex);
    return RESULT_OK;
}

// ---- all parts ---------------------------------------------------------------------------------------------------

static struct solid composed(const struct solid *solids, const double *mass, uint32_t count) {
    struct solid whole = {0};
    double all = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        all += mass[k];
        whole.volume += solids[k].volume;
    }
    for (uint32_t k = 0; k < count; k++) {
        for (unsigned i = 0; i < 3; i++) {
            whole.centre[i] += mass[k] / all * solids[k].centre[i];
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        for (unsigned i = 0; i < 9; i++) {
            const double arm = solids[k].centre[i / 3] - whole.centre[i / 3];
            const double other = solids[k].centre[i % 3] - whole.centre[i % 3];
            whole.second[i / 3][i % 3] += mass[k] / all * (solids[k].second[i / 3][i % 3] + arm * other);
        }
    }
    return whole;
}

static enum result check_parts(const struct sim_body_desc *desc, struct fault *fault) {
    if (desc->parts == NULL || desc->part_count < 1 || desc->part_count > SIM_BODY_PARTS_MAX) {
        return fault_set(fault, RESULT_INVALID, "/parts", "a compound body needs 1 to %u parts, got %u",
                         SIM_BODY_PARTS_MAX, desc->parts == NULL ? 0 : desc->part_count);
    }
    for (uint32_t k = 1; k < desc->part_count; k++) {
        if ((desc->parts[k].share != 0.0f) != (desc->parts[0].share != 0.0f)) {
            return fault_set(fault, RESULT_INVALID, "/parts",
                             "either every part has a share of the mass or none has: part %u differs from the first",
                             k);
        }
    }
    return RESULT_OK;
}

// The one part of a body that is not compound.
static struct sim_body_part only_part(const struct sim_body_desc *desc) {
    return (struct sim_body_part){
        .shape = desc->shape,
        .extents = desc->extents,
        .vertices = desc->vertices,
        .vertex_count = desc->vertex_count,
        .radius = desc->radius,
        .length = desc->length,
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .density = 1.0f,
    };
}

enum result body_round_make(const struct sim_body_desc *desc, struct body_form *form, struct fault *fault) {
    const bool compound = desc->shape == SIM_BODY_COMPOUND;
    const struct sim_body_part only = only_part(desc);
    const uint32_t count = compound ? desc->part_count : 1;
    struct solid solids[SIM_BODY_PARTS_MAX];
    double mass[SIM_BODY_PARTS_MAX];
    enum result result = compound ? check_parts(desc, fault) : RESULT_OK;
    form->vertices = 0;
    form->triangles = 0;
    for (uint32_t k = 0; k < count && result == RESULT_OK; k++) {
        struct making making = {.part = compound ? &desc->parts[k] : &only, .form = form, .fault = fault};
        if (compound) {
            (void)snprintf(making.at, sizeof making.at, "/parts/%u", k);
        }
        result = make_part(&making);
        solids[k] = making.solid;
        mass[k] =
            making.part->share > 0.0f ? (double)making.part->share : (double)making.part->density * making.solid.volume;
    }
    if (result != RESULT_OK) {
        return result;
    }
    const struct solid whole = composed(solids, mass, count);
    const struct mass_properties properties = mass_of_solid(&whole);
    result = body_embed(&properties, desc->mass, form, compound ? "/parts" : "/radius", fault);
    for (uint32_t v = 0; v < form->vertices && result == RESULT_OK; v++) {
        body_embed_vertex(&properties, form->point[v], form->weight[v]);
    }
    return result;
}
