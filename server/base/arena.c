// SPDX-License-Identifier: MIT
// A chunk is as large as the allocation that it is made for, and at least CHUNK_BYTES: a short request costs one
// allocation, and a long array one more.
#include "base/arena.h"

#include <stdlib.h>

#define CHUNK_BYTES 4096u

struct arena_chunk {
    struct arena_chunk *older;
    size_t used, capacity;
    max_align_t data[];
};

void arena_init(struct arena *arena) {
    arena->newest = NULL;
}

void arena_free(struct arena *arena) {
    struct arena_chunk *chunk = arena->newest;
    while (chunk != NULL) {
        struct arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
    arena->newest = NULL;
}

void *arena_take(struct arena *arena, size_t size) {
    size_t rounded = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct arena_chunk *chunk = arena->newest;
    if (chunk == NULL || chunk->capacity - chunk->used < rounded) {
        size_t capacity = rounded > CHUNK_BYTES ? rounded : CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + capacity);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->older = arena->newest;
        chunk->used = 0;
        chunk->capacity = capacity;
        arena->newest = chunk;
    }
    void *taken = (char *)chunk->data + chunk->used;
    chunk->used += rounded;
    return taken;
}
