// SPDX-License-Identifier: MIT
// The headers of binary messages: of frames and topologies, and of ticks (proto/FRAMES.md).
#ifndef WEFT_TOOLS_CLIENT_FRAME_HEADER_H
#define WEFT_TOOLS_CLIENT_FRAME_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame_header {
    uint8_t type;
    uint16_t flags;
    uint32_t epoch;
    uint64_t tick;
    uint32_t count; // of particles
};

// Returns false when the bytes are too few for a header.
bool frame_header_read(const uint8_t *bytes, size_t length, struct frame_header *header);
// Whether the message is the first frame of a tick, in contrast to a topology or to the rest of a frame.
bool frame_header_is_frame(const struct frame_header *header);

struct ticks_header {
    uint32_t generation;
    uint64_t tick; // the one that they follow
    uint32_t steps;
};

// Returns false when the bytes are not the beginning of a message of ticks.
bool ticks_header_read(const uint8_t *bytes, size_t length, struct ticks_header *header);

#endif
