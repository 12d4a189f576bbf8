// SPDX-License-Identifier: MIT
// XXH64, Yann Collet's 64-bit hash, as specified in xxhash_spec.md (version 0.1.1), in one shot or piece by piece.
//
// The project has its own implementation so that the simulation needs no library and compiles to WebAssembly. XXH64 is
// not a cryptographic hash: it shows whether two states have the same bits, but does not protect against forgery.
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH64_BLOCK 32

struct hash64 {
    uint64_t lane[4];
    uint64_t seed;
    uint64_t length;               // bytes so far
    uint8_t pending[HASH64_BLOCK]; // bytes that do not fill a block yet
};

void hash64_init(struct hash64 *hash, uint64_t seed);
void hash64_update(struct hash64 *hash, const void *bytes, size_t length);
void hash64_update_u32(struct hash64 *hash, uint32_t value); // as four little-endian bytes
void hash64_update_u64(struct hash64 *hash, uint64_t value); // as eight little-endian bytes
void hash64_update_float(struct hash64 *hash, float value);  // its bits, as four little-endian bytes
uint64_t hash64_digest(const struct hash64 *hash);           // the hash may be updated further

uint64_t hash64_of(const void *bytes, size_t length, uint64_t seed);

#endif
