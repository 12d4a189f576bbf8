// SPDX-License-Identifier: MIT
// A decoder of binary messages for tests: written from proto/FRAMES.md alone, one bit at a time, so that it is
// obviously correct. It shares no code with the encoder.
#ifndef WEFT_TESTS_PROTO_FRAME_DECODER_H
#define WEFT_TESTS_PROTO_FRAME_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct decoded_header {
    uint8_t type, coding;
    uint32_t flags, epoch;
    uint64_t tick;
    uint32_t first, count;
    float step;
    uint8_t baselines[4];
};

static inline uint64_t load(const uint8_t *bytes, size_t length) {
    uint64_t value = 0;
    for (size_t i = length; i > 0; i--) {
        value = value << 8 | bytes[i - 1];
    }
    return value;
}

static inline float load_real(const uint8_t *bytes) {
    uint32_t bits = (uint32_t)load(bytes, 4);
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline struct decoded_header decode_header(const uint8_t *bytes) {
    struct decoded_header header = {
        .type = bytes[0],
        .coding = bytes[1],
        .flags = (uint32_t)load(bytes + 2, 2),
        .epoch = (uint32_t)load(bytes + 4, 4),
        .tick = load(bytes + 8, 8),
        .first = (uint32_t)load(bytes + 16, 4),
        .count = (uint32_t)load(bytes + 20, 4),
        .step = load_real(bytes + 24),
    };
    memcpy(header.baselines, bytes + 28, 4);
    return header;
}

// Reads `bits` bits from bit `at` of the words on.
static inline uint32_t load_bits(const uint8_t *words, size_t at, uint32_t bits) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < bits; i++) {
        uint32_t bit = (uint32_t)words[(at + i) / 8] >> ((at + i) % 8) & 1u;
        value |= bit << i;
    }
    return value;
}

// Positions of a frame, x y z x y z …; false when the length is not exactly what the contents need.
static inline bool decode_positions(const uint8_t *bytes, size_t length, float *out) {
    struct decoded_header header = decode_header(bytes);
    size_t at = 32;
    if (header.flags & 1) {
        at += 4 + 8 * load(bytes + at, 4);
    }
    if (header.coding == 0) {
        for (size_t i = 0; i < 3 * (size_t)header.count; i++) {
            out[i] = load_real(bytes + at + 4 * i);
        }
        return at + 12 * (size_t)header.count == length;
    }
    for (uint32_t done = 0; done < header.count;) {
        const uint8_t *block = bytes + at;
        uint32_t count = (uint32_t)block[15] + 1;
        at += 16;
        for (uint32_t axis = 0; axis < 3; axis++) {
            int64_t least = (int32_t)(uint32_t)load(block + 4 * axis, 4);
            uint32_t bits = block[12 + axis];
            for (uint32_t i = 0; i < count; i++) {
                int64_t q = least + load_bits(bytes + at, (size_t)i * bits, bits);
                out[3 * (done + i) + axis] = (float)((double)q * (double)header.step);
            }
            at += ((size_t)count * bits + 31) / 32 * 4;
        }
        done += count;
    }
    return at == length;
}

#endif
