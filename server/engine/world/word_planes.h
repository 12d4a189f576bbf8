// SPDX-License-Identifier: MIT
// Prepares bytes that are mostly arrays of 32-bit numbers for a compressor: each number is replaced by its difference
// from the one before, and the four bytes of all numbers are laid out one plane after another. A snapshot of a cloth
// becomes less than half as large by that.
#ifndef WEFT_ENGINE_WORLD_WORD_PLANES_H
#define WEFT_ENGINE_WORLD_WORD_PLANES_H

#include <stddef.h>

// `out` has room for `length` bytes, and is not `bytes`. Bytes beyond a multiple of four are copied as they are.
void word_planes_pack(const unsigned char *bytes, size_t length, unsigned char *out);
void word_planes_unpack(const unsigned char *planes, size_t length, unsigned char *out);

#endif
