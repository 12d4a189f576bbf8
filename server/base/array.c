// SPDX-License-Identifier: MIT
#include "base/array.h"

#include <stdlib.h>

void *array_grow(void *items, uint32_t count, size_t size) {
    if (count > 0 && (count & (count - 1)) != 0) {
        return items; // its capacity is the next power of two
    }
    return realloc(items, (count == 0 ? 1 : (size_t)count * 2) * size);
}
