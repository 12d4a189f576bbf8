// SPDX-License-Identifier: MIT
// Where a world's arrays come from and go to (memory.c).
#ifndef WEFT_SIM_STATE_MEMORY_H
#define WEFT_SIM_STATE_MEMORY_H

#include "sim/world/world.h"

// An array of zeros that begins with a cache line; NULL when memory is out. Arrays that are read side by side get
// different `turn`s, so that they do not begin in the same sets of a cache: large blocks all begin with a page.
void *memory_reserve_array(size_t count, size_t size, unsigned turn);
void memory_release_array(void *array); // NULL is allowed
// Of an array of `count` elements, what lies beyond the first `needed` and half as many again. Nothing if as many or
// more are needed.
void memory_give_back(void *array, size_t count, size_t size, uint64_t needed);

enum result memory_reserve(struct sim_world *world) WEFT_MUST_USE; // on failure release it all the same
void memory_release(struct sim_world *world);

#endif
