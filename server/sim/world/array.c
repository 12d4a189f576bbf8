// SPDX-License-Identifier: MIT
// Arrays that begin with a cache line.
#include "sim/world/array.h"

#include <stdint.h>

#include "base/pages.h"

#define CACHE_LINE 64u
#define PAGE 4096u
#define TURN_LINES 5u  // cache lines from one array to the next
#define TURN_ROUND 64u // cache lines that lie in different sets of the first cache

// The pointer to the block stands before the array.
static void *reserve(size_t count, size_t size, unsigned turn) {
    const size_t before = sizeof(void *) + CACHE_LINE - 1 + (size_t)CACHE_LINE * (turn * TURN_LINES % TURN_ROUND);
    if (count > (SIZE_MAX - before) / size) {
        return NULL;
    }
    unsigned char *block = pages_reserve(before + count * size);
    if (block == NULL) {
        return NULL;
    }
    const size_t over = ((uintptr_t)block + before) % CACHE_LINE;
    void **array = (void **)(void *)(block + before - over);
    array[-1] = block;
    return array;
}

void *array_reserve(size_t count, size_t size, unsigned turn) {
    return reserve(count > 0 ? count : 1, size, turn);
}

// Behind each row lie at least TURN_LINES cache lines of zeros, which end in what array_release takes for "no block".
void *array_reserve_rows(size_t count, size_t size, unsigned turn, size_t *stride) {
    if (count > (SIZE_MAX / 4 - PAGE) / size) {
        return NULL;
    }
    *stride = (count * size + PAGE - 1) / PAGE * PAGE + (size_t)CACHE_LINE * TURN_LINES;
    return reserve(3 * *stride, 1, turn);
}

void array_release(void *array) {
    pages_release(array != NULL ? ((void **)array)[-1] : NULL);
}

void array_give_back(void *array, size_t count, size_t size, uint64_t needed) {
    const uint64_t kept = needed + needed / 2; // contacts come and go, and using a released page again takes time
    if (needed < count && kept < count) {
        pages_give_back((unsigned char *)array + kept * size, (count - kept) * size);
    }
}
