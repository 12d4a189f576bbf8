// SPDX-License-Identifier: MIT
// An arena: memory that is freed all at once, a list of chunks of which the newest is handed out piece by piece.
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *newest;
};

void arena_init(struct arena *arena);
void arena_free(struct arena *arena);
// `size` bytes, aligned for any type, not cleared; NULL when memory runs out. A size of 0 gives a valid pointer.
void *arena_take(struct arena *arena, size_t size);

#endif
