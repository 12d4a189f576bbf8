// SPDX-License-Identifier: MIT
// Arrays that grow item by item and double their capacity.
#ifndef WEFT_BASE_ARRAY_H
#define WEFT_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

// Makes room for one more item in an array of `count` items of `size` bytes that has grown by this function only: its
// capacity follows from its count. Returns the array, which may have moved; NULL when memory runs out, and then the
// array is unchanged.
void *array_grow(void *items, uint32_t count, size_t size);

#endif
