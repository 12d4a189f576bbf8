// SPDX-License-Identifier: MIT
// Colouring sticks: no two sticks of a colour share a particle.
#ifndef WEFT_SIM_STICK_COLOUR_H
#define WEFT_SIM_STICK_COLOUR_H

#include "sim/world/world.h"

struct stick_list {
    const uint32_t *a, *b;
    uint32_t count;
};

// Greedy colouring: each stick in turn gets the lowest colour that is free at both ends, in `colour`. `taken` is a
// zeroed set per particle and is zeroed again. Returns the number of colours.
uint32_t colour_sticks(struct stick_list sticks, uint64_t *taken, uint32_t *colour);
// Sorts stick indices by colour, keeping their order within a colour: `order` has one per stick, `end` the end of each
// colour in it.
void colour_sort(const uint32_t *colour, uint32_t count, uint32_t colours, uint32_t *end, uint32_t *order);

// Adds sticks of one class to a new object, in colours of their own after the present ones. `colour` and `order` have
// room for one number per stick.
struct stick_batch {
    const uint32_t *a, *b; // local
    const float *rest;     // m
    uint32_t count;
    uint8_t class;
    uint32_t *colour, *order;
};

void colour_append(struct sim_world *world, struct object *object, const struct stick_batch *batch);

#endif
