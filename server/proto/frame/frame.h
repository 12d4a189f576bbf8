// SPDX-License-Identifier: MIT
// Packs binary messages as proto/FRAMES.md lays them out, little-endian on every machine.
#ifndef WEFT_PROTO_FRAME_FRAME_H
#define WEFT_PROTO_FRAME_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTO_HEADER_BYTES 32u
#define PROTO_BLOCK_PARTICLES 128u
#define PROTO_STEP_DEFAULT (1.0f / 4096.0f)
#define PROTO_STEP_MIN (1.0f / 16384.0f)
#define PROTO_STEP_MAX 1.0f

enum proto_binary {
    PROTO_BINARY_FRAME = 1,
    PROTO_BINARY_TOPOLOGY = 2,
    PROTO_BINARY_STATE = 3,
    PROTO_BINARY_COMMANDS = 4
};
enum proto_coding { PROTO_CODING_RAW = 0, PROTO_CODING_GRID = 1, PROTO_CODING_MOTION = 2, PROTO_CODING_COUNT };

#define PROTO_FRAME_RANGES 1u
#define PROTO_FRAME_REFRESH 2u
#define PROTO_FRAME_KEYFRAME 4u
#define PROTO_FRAME_PARTIAL 8u
#define PROTO_FRAME_REST 16u
#define PROTO_TOPOLOGY_DELTA 1u

struct proto_range {
    uint32_t first, count; // particle slots
};

// The content of a frame. `ranges` are objects in order: all of the world; with `chosen` those that the viewer asked
// for, with `partial` those that do not rest, with `rest` those that came to rest.
struct proto_frame_source {
    uint64_t tick;
    uint32_t epoch;
    const float *x, *y, *z; // of the whole world, indexed by slot
    const struct proto_range *ranges;
    uint32_t range_count;
    bool chosen;
    bool partial;
    bool rest;
    bool refresh;
};

// The largest length that proto_frame_pack can return.
size_t proto_frame_bound(const struct proto_frame_source *source, enum proto_coding coding);
// Packs a frame into `out` (of at least that many bytes, 4-byte aligned) and returns the length. Positions must be
// finite and within ±100,000 m. Allocates nothing.
size_t proto_frame_pack(const struct proto_frame_source *source, enum proto_coding coding, float step, uint8_t *out);

// Packs a topology message: header, `json` padded with spaces, then the triangle words.
size_t proto_topology_bound(size_t json_length, size_t words);
size_t proto_topology_pack(uint32_t epoch, uint64_t tick, uint32_t particles, bool delta, const char *json,
                           size_t json_length, const uint32_t *triangle_words, size_t words, uint8_t *out);

#endif
