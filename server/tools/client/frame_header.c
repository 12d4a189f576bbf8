// SPDX-License-Identifier: MIT
#include "tools/client/frame_header.h"

#include "proto/frame/frame.h"

#define TICKS 6u
#define TICKS_HEADER_BYTES 16u

static uint64_t read_little(const uint8_t *bytes, unsigned count) {
    uint64_t value = 0;
    while (count-- > 0) {
        value = value << 8 | bytes[count];
    }
    return value;
}

bool frame_header_read(const uint8_t *bytes, size_t length, struct frame_header *header) {
    if (length < PROTO_HEADER_BYTES) {
        return false;
    }
    *header = (struct frame_header){.type = bytes[0],
                                    .flags = (uint16_t)read_little(bytes + 2, 2),
                                    .epoch = (uint32_t)read_little(bytes + 4, 4),
                                    .tick = read_little(bytes + 8, 8),
                                    .count = (uint32_t)read_little(bytes + 20, 4)};
    return true;
}

bool frame_header_is_frame(const struct frame_header *header) {
    return header->type == PROTO_BINARY_FRAME && (header->flags & PROTO_FRAME_REST) == 0;
}

bool ticks_header_read(const uint8_t *bytes, size_t length, struct ticks_header *header) {
    if (length < TICKS_HEADER_BYTES || bytes[0] != TICKS) {
        return false;
    }
    *header = (struct ticks_header){
        .generation = (uint32_t)read_little(bytes + 4, 4), .tick = read_little(bytes + 8, 8), .steps = bytes[2]};
    return true;
}
