// SPDX-License-Identifier: MIT
#include "engine/world/word_planes.h"

#include <stdint.h>
#include <string.h>

void word_planes_pack(const unsigned char *bytes, size_t length, unsigned char *out) {
    const size_t count = length / 4;
    uint32_t before = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, bytes + 4 * i, sizeof word);
        const uint32_t difference = word - before;
        before = word;
        out[i] = (unsigned char)difference;
        out[count + i] = (unsigned char)(difference >> 8);
        out[2 * count + i] = (unsigned char)(difference >> 16);
        out[3 * count + i] = (unsigned char)(difference >> 24);
    }
    memcpy(out + 4 * count, bytes + 4 * count, length % 4);
}

void word_planes_unpack(const unsigned char *planes, size_t length, unsigned char *out) {
    const size_t count = length / 4;
    uint32_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word += (uint32_t)planes[i] | (uint32_t)planes[count + i] << 8 | (uint32_t)planes[2 * count + i] << 16 |
                (uint32_t)planes[3 * count + i] << 24;
        memcpy(out + 4 * i, &word, sizeof word);
    }
    memcpy(out + 4 * count, planes + 4 * count, length % 4);
}
