// SPDX-License-Identifier: MIT
// A bounding volume hierarchy over the triangles of an obstacle's mesh: boxes are halved at the median of the
// triangles' centres along the longest axis, down to leaves of a few triangles. Built once, when the obstacle is added;
// the same triangles give the same tree on every machine (ties are decided by index). Nodes lie in depth-first order:
// the first child of a node follows it.
#ifndef WEFT_SIM_GEOMETRY_BVH_H
#define WEFT_SIM_GEOMETRY_BVH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

#define BVH_LEAF_MAX 4u
#define BVH_DEPTH_MAX 40u

// Sorts numbers by (key, index) in place: integer keys with distinct indices have no ties.
struct keyed {
    uint64_t key;
    uint32_t index;
};
void bvh_sort(struct keyed *items, uint32_t count);

struct bvh {
    float *box; // 6 per node: min, max
    // 2 per node: the number of triangles of a leaf, or 0; then their first index in `order`, or the second child.
    uint32_t *node;
    uint32_t *order; // the triangles, leaf by leaf
};

uint32_t bvh_nodes(uint32_t triangles);
// `scratch` holds one number per triangle.
void bvh_build(const struct bvh *bvh, const float *positions, const uint32_t *triangle, uint32_t triangles,
               struct keyed *scratch);
// Computes the boxes anew after the positions have changed; the tree stays.
void bvh_refit(const struct bvh *bvh, const float *positions, const uint32_t *triangle, uint32_t nodes);

// An iterator over the triangles whose boxes overlap a box.
struct bvh_walk {
    const struct bvh *bvh;
    struct vec3 min, max; // m
    uint32_t stack[BVH_DEPTH_MAX];
    uint32_t depth;
    uint32_t next, end; // in `order`, of the present leaf
};
struct bvh_walk bvh_walk_begin(const struct bvh *bvh, struct vec3 min, struct vec3 max);
bool bvh_walk_next(struct bvh_walk *walk, uint32_t *triangle);

#endif
