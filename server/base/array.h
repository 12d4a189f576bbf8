// SPDX-License-Identifier: MIT
// Arrays that double.
#ifndef WEFT_BASE_ARRAY_H
#define WEFT_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

// Makes room for one item more in an array of `count` items of `size` bytes, which has grown only by this function: its
// capacity follows from its count. Returns the array, which may lie elsewhere now; NULL when memory is out: then it is
// as it was.
void *array_grow(void *items, uint32_t count, size_t size);

#endif
