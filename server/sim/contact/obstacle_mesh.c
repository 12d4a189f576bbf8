// SPDX-License-Identifier: MIT
// Obstacle meshes: the checks, and what is computed once when a mesh is added: its vertices in world coordinates, its
// sharp edges, whether it is closed, its hierarchy of boxes.
#include "sim/contact/obstacle_mesh.h"

#include <stdlib.h>

#include "sim/geometry/point.h"
#include "sim/world/check.h"

// An edge is sharp when the neighbouring triangle falls behind this triangle's plane by more than this share of its
// edge.
#define SHARP_SHARE 1e-3

struct mesh_numbers obstacle_mesh_numbers(const struct sim_world *world, const struct obstacle *obstacle) {
    const size_t vertices = obstacle->shape.vertices;
    const size_t triangles = obstacle->shape.triangle_count;
    float *real = world->shape_real + obstacle->data.first_real;
    uint32_t *index = world->shape_index + obstacle->data.first_index;
    return (struct mesh_numbers){
        .local = real,
        .placed = real + 3 * vertices,
        .triangle = index,
        .sharp = index + 3 * triangles,
        .bvh = {.box = real + 6 * vertices, .order = index + 4 * triangles, .node = index + 5 * triangles},
    };
}

// ---- checks ------------------------------------------------------------------------------------------------------

static struct vec3 corner_at(const float *positions, uint32_t vertex) {
    const float *at = positions + 3 * (size_t)vertex;
    return vec3_of(at[0], at[1], at[2]);
}

static enum result check_triangle(const struct sim_obstacle *shape, uint32_t triangle, struct fault *fault) {
    const uint32_t *corner = shape->triangles + 3 * (size_t)triangle;
    for (unsigned k = 0; k < 3; k++) {
        if (corner[k] >= shape->vertices) {
            return fault_set(fault, RESULT_INVALID, "/triangles",
                             "corner %u of triangle %u is vertex %u, but there are only %u vertices", k, triangle,
                             corner[k], shape->vertices);
        }
    }
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) {
        return fault_set(fault, RESULT_INVALID, "/triangles",
                         "triangle %u has a vertex twice: its corners are vertices %u, %u and %u", triangle, corner[0],
                         corner[1], corner[2]);
    }
    const struct point a = point_of(corner_at(shape->positions, corner[0]));
    const struct point ab = point_sub(point_of(corner_at(shape->positions, corner[1])), a);
    const struct point ac = point_sub(point_of(corner_at(shape->positions, corner[2])), a);
    const double longest = point_dot(ab, ab) > point_dot(ac, ac) ? point_dot(ab, ab) : point_dot(ac, ac);
    if (!(point_length(point_cross(ab, ac)) > 1e-6 * longest)) {
        return fault_set(fault, RESULT_INVALID, "/triangles", "triangle %u has no area: its corners lie in a line",
                         triangle);
    }
    return RESULT_OK;
}

enum result obstacle_mesh_check(const struct sim_obstacle *shape, struct fault *fault) {
    if (shape->positions == NULL || shape->vertices < 3 || shape->vertices > UINT32_MAX / 8) {
        return fault_set(fault, RESULT_INVALID, "/positions", "a mesh needs at least 3 vertices, got %u",
                         shape->positions == NULL ? 0 : shape->vertices);
    }
    if (shape->triangles == NULL || shape->triangle_count < 1 || shape->triangle_count > UINT32_MAX / 8) {
        return fault_set(fault, RESULT_INVALID, "/triangles", "a mesh needs at least 1 triangle, got %u",
                         shape->triangles == NULL ? 0 : shape->triangle_count);
    }
    enum result result = check_array(shape->positions, 3 * shape->vertices, -SIM_POSITION_MAX, SIM_POSITION_MAX, "m",
                                     "/positions", fault);
    for (uint32_t i = 0; i < shape->triangle_count && result == RESULT_OK; i++) {
        result = check_triangle(shape, i, fault);
    }
    return result;
}

// ---- building ----------------------------------------------------------------------------------------------------

static void place(const struct obstacle *obstacle, const struct mesh_numbers *mesh) {
    for (uint32_t i = 0; i < obstacle->shape.vertices; i++) {
        const struct vec3 at =
            vec3_add(obstacle->shape.position, mat3_apply(&obstacle->axes, corner_at(mesh->local, i)));
        float *placed = mesh->placed + 3 * (size_t)i;
        placed[0] = at.x;
        placed[1] = at.y;
        placed[2] = at.z;
    }
}

void obstacle_mesh_place(const struct sim_world *world, const struct obstacle *obstacle) {
    const struct mesh_numbers mesh = obstacle_mesh_numbers(world, obstacle);
    place(obstacle, &mesh);
    bvh_refit(&mesh.bvh, mesh.placed, mesh.triangle, bvh_nodes(obstacle->shape.triangle_count));
}

// True if the corner of triangle `other` that is not on the edge `edge` lies behind the plane of the edge's triangle.
static bool bends_away(const struct mesh_numbers *mesh, uint32_t edge, uint32_t other) {
    const uint32_t *corner = mesh->triangle + 3 * (size_t)(edge / 3);
    const struct point a = point_of(corner_at(mesh->placed, corner[0]));
    const struct point normal = point_cross(point_sub(point_of(corner_at(mesh->placed, corner[1])), a),
                                            point_sub(point_of(corner_at(mesh->placed, corner[2])), a));
    const struct point opposite =
        point_of(corner_at(mesh->placed, mesh->triangle[3 * (size_t)(other / 3) + (other + 2) % 3]));
    const struct point way = point_sub(opposite, point_of(corner_at(mesh->placed, corner[edge % 3])));
    return point_dot(normal, way) < -SHARP_SHARE * point_length(normal) * point_length(way);
}

static uint32_t edge_from(const struct mesh_numbers *mesh, uint32_t edge) {
    return mesh->triangle[edge];
}

static void mark_sharp(const struct mesh_numbers *mesh, uint32_t edge) {
    mesh->sharp[edge / 3] |= 1u << (edge % 3);
}

// Sorted by their ends, equal edges stand side by side. Two triangles with the same winding traverse their common edge
// in opposite directions; a mesh is closed when every edge is such a pair.
static bool find_sharp_edges(const struct mesh_numbers *mesh, uint32_t triangles, struct keyed *edges) {
    const uint32_t count = 3 * triangles;
    for (uint32_t e = 0; e < count; e++) {
        const uint64_t a = mesh->triangle[e];
        const uint64_t b = mesh->triangle[e % 3 == 2 ? e - 2 : e + 1];
        edges[e] = (struct keyed){a < b ? a << 32 | b : b << 32 | a, e};
    }
    bvh_sort(edges, count);
    memset(mesh->sharp, 0, triangles * sizeof *mesh->sharp);
    bool closed = true;
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i + 1;
        while (end < count && edges[end].key == edges[i].key) {
            end++;
        }
        const uint32_t first = edges[i].index;
        const uint32_t second = edges[end - 1].index;
        const bool paired = end == i + 2 && edge_from(mesh, first) != edge_from(mesh, second);
        closed &= paired;
        for (uint32_t k = i; k < end; k++) {
            if (!paired || bends_away(mesh, edges[k].index, edges[k].index == first ? second : first)) {
                mark_sharp(mesh, edges[k].index);
            }
        }
        i = end;
    }
    return closed;
}

static float mean_edge(const struct mesh_numbers *mesh, uint32_t triangles) {
    float sum = 0.0f;
    for (uint32_t e = 0; e < 3 * triangles; e++) {
        const uint32_t next = e % 3 == 2 ? e - 2 : e + 1;
        sum += vec3_length(
            vec3_sub(corner_at(mesh->placed, mesh->triangle[next]), corner_at(mesh->placed, mesh->triangle[e])));
    }
    return sum / (float)(3 * triangles);
}

bool obstacle_mesh_fits(const struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    if (shape->vertices > UINT32_MAX / 8 || shape->triangle_count > UINT32_MAX / 8 || shape->triangle_count == 0) {
        return false;
    }
    const uint64_t nodes = bvh_nodes(shape->triangle_count);
    return obstacle->data.reals == 6 * (uint64_t)shape->vertices + 6 * nodes &&
           obstacle->data.indices == 5 * (uint64_t)shape->triangle_count + 2 * nodes;
}

enum result obstacle_mesh_derive(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) {
    const uint32_t triangles = obstacle->shape.triangle_count;
    struct keyed *scratch = malloc(3 * (size_t)triangles * sizeof *scratch);
    if (scratch == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "no memory to sort %u triangles", triangles);
    }
    const struct mesh_numbers mesh = obstacle_mesh_numbers(world, obstacle);
    place(obstacle, &mesh);
    obstacle->closed = find_sharp_edges(&mesh, triangles, scratch);
    obstacle->grain = mean_edge(&mesh, triangles);
    bvh_build(&mesh.bvh, mesh.placed, mesh.triangle, triangles, scratch);
    free(scratch);
    return RESULT_OK;
}

enum result obstacle_mesh_build(struct sim_world *world, const struct sim_obstacle *shape, struct obstacle *obstacle,
                                struct fault *fault) {
    const uint64_t nodes = bvh_nodes(shape->triangle_count);
    const enum result result = shape_reserve(world, 6 * (uint64_t)shape->vertices + 6 * nodes,
                                             5 * (uint64_t)shape->triangle_count + 2 * nodes, &obstacle->data, fault);
    if (result != RESULT_OK) {
        return result;
    }
    obstacle->shape.vertices = shape->vertices;
    obstacle->shape.triangle_count = shape->triangle_count;
    const struct mesh_numbers mesh = obstacle_mesh_numbers(world, obstacle);
    memcpy(mesh.local, shape->positions, 3 * (size_t)shape->vertices * sizeof *mesh.local);
    memcpy(mesh.triangle, shape->triangles, 3 * (size_t)shape->triangle_count * sizeof *mesh.triangle);
    return obstacle_mesh_derive(world, obstacle, fault);
}
