// SPDX-License-Identifier: MIT
// Memory that is freed all at once: a list of chunks, handed out from the newest. Everything of one request lives here.
#ifndef WEFT_PROTO_ARENA_H
#define WEFT_PROTO_ARENA_H

#include <stddef.h>

struct proto_arena_chunk;

struct proto_arena {
    struct proto_arena_chunk *newest;
};

void proto_arena_init(struct proto_arena *arena);
void proto_arena_free(struct proto_arena *arena);
// `size` bytes, aligned for any type, not cleared; NULL when memory is out. 0 bytes is a valid pointer.
void *proto_arena_take(struct proto_arena *arena, size_t size);

#endif
