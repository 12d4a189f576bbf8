// SPDX-License-Identifier: MIT
// Arrays that are reserved once, with the world.
#ifndef WEFT_SIM_WORLD_ARRAY_H
#define WEFT_SIM_WORLD_ARRAY_H

#include <stddef.h>
#include <stdint.h>

// An array of zeros that begins at a cache line; NULL when memory runs out. Arrays that are read side by side get
// different `turn`s, so that they do not begin in the same sets of a cache: large blocks all begin at a page.
void *array_reserve(size_t count, size_t size, unsigned turn);
// Three such arrays in one block, equally far apart: the rows of a matrix. Returns the first, and sets `stride` to the
// bytes from one to the next. The first is to be released last.
void *array_reserve_rows(size_t count, size_t size, unsigned turn, size_t *stride);
void array_release(void *array); // NULL is allowed
// Releases the pages of an array of `count` elements beyond the first `needed` and half as many again.
void array_give_back(void *array, size_t count, size_t size, uint64_t needed);

#endif
