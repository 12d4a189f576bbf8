// SPDX-License-Identifier: MIT
#include "sim/geometry/sort.h"

#include <assert.h>
#include <string.h>

static void exchange(char *a, char *b, size_t size) {
    char kept[SORT_SIZE_MAX];
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

// Lets the element at `root` sink below all that come after it.
static void sink(char *elements, size_t root, size_t count, size_t size, sort_compare compare) {
    while (2 * root + 1 < count) {
        size_t child = 2 * root + 1;
        if (child + 1 < count && compare(elements + child * size, elements + (child + 1) * size) < 0) {
            child++;
        }
        if (compare(elements + root * size, elements + child * size) >= 0) {
            return;
        }
        exchange(elements + root * size, elements + child * size, size);
        root = child;
    }
}

void sort_elements(void *elements, size_t count, size_t size, sort_compare compare) {
    char *at = elements;
    assert(size <= SORT_SIZE_MAX);
    for (size_t root = count / 2; root > 0; root--) {
        sink(at, root - 1, count, size, compare);
    }
    for (size_t left = count; left > 1; left--) {
        exchange(at, at + (left - 1) * size, size);
        sink(at, 0, left - 1, size, compare);
    }
}
