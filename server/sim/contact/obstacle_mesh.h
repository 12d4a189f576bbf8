// SPDX-License-Identifier: MIT
// The numbers of an obstacle that is a mesh.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_MESH_H
#define WEFT_SIM_CONTACT_OBSTACLE_MESH_H

#include "sim/geometry/bvh.h"
#include "sim/world/world.h"

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
