// SPDX-License-Identifier: MIT
// Sticks of an object whose particles are copied into a block.
#ifndef WEFT_SIM_STICK_STICK_BLOCK_H
#define WEFT_SIM_STICK_STICK_BLOCK_H

#include "sim/world/world.h"

// The block of an object, SIMD_BLOCK numbers for each of its particles and for whole batches, to use as the caller
// likes until sticks are relaxed again.
float *stick_block_borrow(const struct sim_world *world, const struct object *object);

// All passes over an object planned as STICK_BLOCK, on this thread or, where it is worth their waits, on all threads.
bool stick_block_is_divided(const struct sim_world *world, const struct object *object);
void stick_block_relax(const struct sim_world *world, const struct object *object);
void stick_block_relax_divided(const struct sim_world *world, const struct object *object);
// True if the object and the objects after it, one for each lane of a vector, can be relaxed at once; and the function
// that does so.
bool stick_block_is_shared(const struct sim_world *world, const struct object *object);
void stick_block_relax_shared(const struct sim_world *world, const struct object *object);

#endif
