// SPDX-License-Identifier: MIT
// The numbers of an obstacle that is a mesh.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_MESH_H
#define WEFT_SIM_CONTACT_OBSTACLE_MESH_H

#include "sim/geometry/bvh.h"
#include "sim/world/world.h"

// Layout of a mesh's numbers in its spans. Reals: vertices as given, vertices in world coordinates, boxes of the
// hierarchy. Indices: triangles, 3 bits per triangle for its sharp edges, the hierarchy's order and nodes.
struct mesh_numbers {
    float *local, *placed;
    uint32_t *triangle, *sharp;
    struct bvh bvh;
};

struct mesh_numbers obstacle_mesh_numbers(const struct sim_world *world, const struct obstacle *obstacle);
enum result obstacle_mesh_check(const struct sim_obstacle *shape, struct fault *fault) WEFT_MUST_USE;
// True if the obstacle's spans have the length that its mesh needs.
bool obstacle_mesh_fits(const struct obstacle *obstacle);
// Computes the vertices in world coordinates, the sharp edges and the hierarchy of a checked mesh.
enum result obstacle_mesh_derive(struct sim_world *world, struct obstacle *obstacle, struct fault *fault) WEFT_MUST_USE;
// Computes the vertices in world coordinates and the boxes of the hierarchy after the mesh has moved.
void obstacle_mesh_place(const struct sim_world *world, const struct obstacle *obstacle);
// Reserves and fills the spans of a checked mesh. `obstacle->axes` is its rotation.
enum result obstacle_mesh_build(struct sim_world *world, const struct sim_obstacle *shape, struct obstacle *obstacle,
                                struct fault *fault) WEFT_MUST_USE;

#endif
