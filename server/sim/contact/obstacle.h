// SPDX-License-Identifier: MIT
// Obstacles from inside: how far points are from the simple shapes, and the triangles of height fields and meshes.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_H
#define WEFT_SIM_CONTACT_OBSTACLE_H

#include "sim/geometry/bvh.h"
#include "sim/geometry/collide.h"
#include "sim/world/world.h"

// ---- obstacle.c -----------------------------------------------------------------------------------------------------
// Points the views of height fields and meshes at where their numbers lie now.
void obstacle_refresh(struct sim_world *world);
// Of one whose shape and numbers were read from an archive: checks them and works out the rest.
enum result obstacle_resume(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) WEFT_MUST_USE;

// ---- obstacle_point.c -----------------------------------------------------------------------------------------------
struct touch {
    struct vec3 normal; // outward
    float depth;        // m; > 0 inside
};
// Of a ball about p in a sphere, box, plane or capsule.
struct touch obstacle_touch(const struct obstacle *obstacle, struct vec3 p, float radius);
static inline bool obstacle_is_simple(const struct obstacle *obstacle) {
    return obstacle->shape.shape != SIM_OBSTACLE_HEIGHTFIELD && obstacle->shape.shape != SIM_OBSTACLE_MESH;
}

// ---- obstacle_surface.c ---------------------------------------------------------------------------------------------
// A triangle of a height field or a mesh, outward. An edge k, from corner k to the next, is sharp when the surface
// bends away from it or ends there: only there may a contact lean away from the triangle's own normal.
struct facet {
    uint32_t index; // which of the obstacle's it is
    struct point corner[3];
    struct point normal; // unit
    bool sharp[3];
};

// A walk over the facets that may meet a box, in a fixed order.
struct facet_walk {
    const struct sim_world *world;
    const struct obstacle *obstacle;
    struct bvh bvh;
    struct bvh_walk mesh;
    struct vec3 min, max;                                          // m
    uint32_t column_first, column_end, row_end, column, row, half; // of a height field's cells
};
void facet_walk_begin(struct facet_walk *walk, const struct sim_world *world, const struct obstacle *obstacle,
                      struct vec3 min, struct vec3 max);
bool facet_walk_next(struct facet_walk *walk, struct facet *facet);
// Whether p lies in the solid: under a height field, in a closed mesh. Then the way out: a point of the surface and its
// normal.
bool obstacle_encloses(const struct sim_world *world, const struct obstacle *obstacle, struct point p,
                       struct point *surface, struct point *normal);

// ---- obstacle_mesh.c ------------------------------------------------------------------------------------------------
// How a mesh's numbers lie in its spans. Reals: vertices as given, vertices in the world, boxes of the hierarchy.
// Indices: triangles, 3 bits per triangle for its sharp edges, the hierarchy's order and nodes.
struct mesh_numbers {
    float *local, *placed;
    uint32_t *triangle, *sharp;
    struct bvh bvh;
};
struct mesh_numbers obstacle_mesh_numbers(const struct sim_world *world, const struct obstacle *obstacle);
enum result obstacle_mesh_check(const struct sim_obstacle *shape, struct fault *fault) WEFT_MUST_USE;
// Whether the obstacle's spans are as long as its mesh says.
bool obstacle_mesh_fits(const struct obstacle *obstacle);
// From a checked mesh in its place: vertices in the world, sharp edges, hierarchy.
enum result obstacle_mesh_derive(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) WEFT_MUST_USE;
// Reserves and fills the spans of a checked mesh; `obstacle->axes` is its rotation.
enum result obstacle_mesh_build(struct sim_world *world, const struct sim_obstacle *shape, struct obstacle *obstacle,
                                struct fault *fault) WEFT_MUST_USE;

#endif
