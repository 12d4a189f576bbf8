// SPDX-License-Identifier: MIT
// Puts the particles of a large mesh whose vertices stand in no order, such as one that was scanned, into an order in
// which neighbours stand near each other in the block (stick_block.c): fewer of its lines leave the cache, and the
// sticks can be divided among threads (stick_seam.h). Indices and the order of the sticks outside the block stay.
#ifndef WEFT_SIM_STICK_STICK_ORDER_H
#define WEFT_SIM_STICK_STICK_ORDER_H

#include "sim/world/world.h"

// The sticks of an object in its block: their ends, as places in the block, and rest lengths in m. The sticks of a
// colour stand together, at the same numbers as in the world.
struct stick_ends {
    const uint32_t *a, *b;
    const float *rest;
};

// True if the sticks are many, and their ends far apart in the order of the particles.
bool stick_order_helps(const struct sim_world *world, const struct object *object);

// Computes the places of the object's particles, and lists its sticks by places.
void stick_order_make(const struct sim_world *world, const struct object *object);

// The sticks as the block of an object has them: `ordered` by stick_order_make, or as in the world.
struct stick_ends stick_order_ends(const struct sim_world *world, const struct object *object, bool ordered);

// The place in the block of each of the object's particles, after stick_order_make.
const uint32_t *stick_order_places(const struct sim_world *world, const struct object *object);

#endif
