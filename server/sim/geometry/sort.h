// SPDX-License-Identifier: MIT
// Sorting in place, the same on every machine: heap sort. (J. W. J. Williams, "Algorithm 232: Heapsort", 1964.)
#ifndef WEFT_SIM_GEOMETRY_SORT_H
#define WEFT_SIM_GEOMETRY_SORT_H

#include <stddef.h>

#define SORT_SIZE_MAX 64u // bytes of an element

// Below 0 where the first comes before the second. Which of two equal ones comes first is the same everywhere, but not
// said.
typedef int (*sort_compare)(const void *first, const void *second);
void sort_elements(void *elements, size_t count, size_t size, sort_compare compare);

#endif
