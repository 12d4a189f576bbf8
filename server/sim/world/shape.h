// SPDX-License-Identifier: MIT
// Storage of data that only some shapes have: the weights and triangles of embedded hulls, the samples of height
// fields, the vertices, triangles and hierarchies of obstacle meshes.
//
// Two arrays, one of reals and one of indices, reserved once for `capacity.shape_words` numbers in all. Every object
// and obstacle owns one contiguous span of each (often empty); spans lie in the order in which their owners were
// created. Removing a span closes the gap and moves the spans behind it, so no pointer into the storage is valid across
// a removal.
#ifndef WEFT_SIM_WORLD_SHAPE_H
#define WEFT_SIM_WORLD_SHAPE_H

#include <stdint.h>

#include "base/result.h"

struct sim_world;

struct shape_span {
    uint32_t first_real, reals;
    uint32_t first_index, indices;
};

// Reserves a span at the end of the storage, or fails with the limit. The span may be filled at once
// (world->shape_real, world->shape_index); it is taken only by the commit.
enum result shape_reserve(const struct sim_world *world, uint64_t reals, uint64_t indices, struct shape_span *span,
                          struct fault *fault) WEFT_MUST_USE;
void shape_commit(struct sim_world *world, const struct shape_span *span);
// A copy, since the owner's span is moved too.
void shape_remove(struct sim_world *world, const struct shape_span *span);

#endif
