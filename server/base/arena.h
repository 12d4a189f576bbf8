// SPDX-License-Identifier: MIT
// Memory that is freed all at once: a list of chunks, handed out from the newest. Everything of one request lives here.
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *newest;
};

void arena_init(struct arena *arena);
void arena_free(struct arena *arena);
// `size` bytes, aligned for any type, not cleared; NULL when memory is out. 0 bytes is a valid pointer.
void *arena_take(struct arena *arena, size_t size);

#endif
