// SPDX-License-Identifier: MIT
// XXH64. Names and steps follow the specification: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
#include "base/hash.h"

#include <string.h>

static const uint64_t PRIME_1 = 0x9E3779B185EBCA87u;
static const uint64_t PRIME_2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t PRIME_3 = 0x165667B19E3779F9u;
static const uint64_t PRIME_4 = 0x85EBCA77C2B2AE63u;
static const uint64_t PRIME_5 = 0x27D4EB2F165667C5u;

static uint64_t rotate_left(uint64_t value, unsigned bits) {
    return (value << bits) | (value >> (64 - bits));
}

static uint64_t read_u64(const uint8_t *bytes) {
    uint64_t value = 0;
    memcpy(&value, bytes, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static uint32_t read_u32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t accumulate(uint64_t lane, uint64_t input) {
    return rotate_left(lane + input * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge(uint64_t value, uint64_t lane) {
    return (value ^ accumulate(0, lane)) * PRIME_1 + PRIME_4;
}

static void consume_block(struct hash64 *hash, const uint8_t *block) {
    for (unsigned i = 0; i < 4; i++) {
        hash->lane[i] = accumulate(hash->lane[i], read_u64(block + 8 * i));
    }
}

void hash64_init(struct hash64 *hash, uint64_t seed) {
    memset(hash, 0, sizeof *hash);
    hash->seed = seed;
    hash->lane[0] = seed + PRIME_1 + PRIME_2;
    hash->lane[1] = seed + PRIME_2;
    hash->lane[2] = seed;
    hash->lane[3] = seed - PRIME_1;
}

void hash64_update(struct hash64 *hash, const void *bytes, size_t length) {
    if (length == 0) {
        return;
    }
    const uint8_t *at = bytes;
    size_t held = (size_t)(hash->length % HASH64_BLOCK);
    hash->length += length;
    if (held > 0) {
        const size_t wanted = HASH64_BLOCK - held;
        const size_t taken = length < wanted ? length : wanted;
        memcpy(hash->pending + held, at, taken);
        if (taken < wanted) {
            return;
        }
        consume_block(hash, hash->pending);
        at += taken;
        length -= taken;
    }
    while (length >= HASH64_BLOCK) {
        consume_block(hash, at);
        at += HASH64_BLOCK;
        length -= HASH64_BLOCK;
    }
    if (length > 0) {
        memcpy(hash->pending, at, length);
    }
}

void hash64_update_u32(struct hash64 *hash, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    hash64_update(hash, bytes, sizeof bytes);
}

void hash64_update_u64(struct hash64 *hash, uint64_t value) {
    hash64_update_u32(hash, (uint32_t)value);
    hash64_update_u32(hash, (uint32_t)(value >> 32));
}

void hash64_update_float(struct hash64 *hash, float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    hash64_update_u32(hash, bits);
}

static uint64_t consume_tail(uint64_t value, const uint8_t *tail, size_t length) {
    while (length >= 8) {
        value = rotate_left(value ^ accumulate(0, read_u64(tail)), 27) * PRIME_1 + PRIME_4;
        tail += 8;
        length -= 8;
    }
    if (length >= 4) {
        value = rotate_left(value ^ read_u32(tail) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        tail += 4;
        length -= 4;
    }
    while (length > 0) {
        value = rotate_left(value ^ *tail * PRIME_5, 11) * PRIME_1;
        tail++;
        length--;
    }
    return value;
}

uint64_t hash64_digest(const struct hash64 *hash) {
    uint64_t value = hash->seed + PRIME_5;
    if (hash->length >= HASH64_BLOCK) {
        value = rotate_left(hash->lane[0], 1) + rotate_left(hash->lane[1], 7) + rotate_left(hash->lane[2], 12) +
                rotate_left(hash->lane[3], 18);
        for (unsigned i = 0; i < 4; i++) {
            value = merge(value, hash->lane[i]);
        }
    }
    value += hash->length;
    value = consume_tail(value, hash->pending, (size_t)(hash->length % HASH64_BLOCK));
    value = (value ^ (value >> 33)) * PRIME_2;
    value = (value ^ (value >> 29)) * PRIME_3;
    return value ^ (value >> 32);
}

uint64_t hash64_of(const void *bytes, size_t length, uint64_t seed) {
    struct hash64 hash;
    hash64_init(&hash, seed);
    hash64_update(&hash, bytes, length);
    return hash64_digest(&hash);
}
