// SPDX-License-Identifier: MIT
// Four 32-bit numbers at once, modulo 2^32: only operations that the vectors of every compiler have, but where
// WebAssembly has a better one. Freestanding.
#ifndef WEFT_PROTO_CODEC_LANES_H
#define WEFT_PROTO_CODEC_LANES_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef uint32_t lanes __attribute__((vector_size(16))); // unsigned, since they may wrap
typedef int32_t signed_lanes __attribute__((vector_size(16)));

#define LANES_INLINE static inline __attribute__((always_inline))

LANES_INLINE lanes lanes_splat(int32_t v) {
    return (lanes){(uint32_t)v, (uint32_t)v, (uint32_t)v, (uint32_t)v};
}

LANES_INLINE lanes lanes_load(const int32_t *from) {
    lanes v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

LANES_INLINE lanes lanes_widen(const uint16_t *from) {
    typedef uint16_t halves __attribute__((vector_size(8)));
    halves v;
    __builtin_memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, lanes);
}

LANES_INLINE void lanes_store(lanes v, int32_t *to) {
    __builtin_memcpy(to, &v, sizeof v);
}

// Of each lane as a signed number.
LANES_INLINE lanes lanes_shift_right(lanes v, int32_t by) {
    return (lanes)((signed_lanes)v >> by);
}

LANES_INLINE lanes lanes_clamp(lanes v, int32_t most) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_i32x4_max(wasm_i32x4_min((v128_t)v, wasm_i32x4_splat(most)), wasm_i32x4_splat(-most));
#else
    const signed_lanes up = (signed_lanes)lanes_splat(most), down = (signed_lanes)lanes_splat(-most);
    signed_lanes s = (signed_lanes)v;
    const signed_lanes above = s > up, below = s < down;
    s = (s & ~above) | (up & above);
    return (lanes)((s & ~below) | (down & below));
#endif
}

// v, or −v where `by` is negative.
LANES_INLINE lanes lanes_turn(lanes v, lanes by) {
    const lanes sign = lanes_shift_right(by, 31);
    return (v ^ sign) - sign;
}

LANES_INLINE bool lanes_any(lanes mask) {
#if defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)mask);
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

// The sums of x, y and z, in lanes 0 to 2; lane 3 holds anything.
LANES_INLINE lanes lanes_sums(lanes x, lanes y, lanes z) {
    const lanes xy = __builtin_shufflevector(x, y, 0, 4, 1, 5) + __builtin_shufflevector(x, y, 2, 6, 3, 7);
    const lanes zz = z + __builtin_shufflevector(z, z, 2, 3, 0, 1);
    return __builtin_shufflevector(xy, zz, 0, 1, 4, 5) + __builtin_shufflevector(xy, zz, 2, 3, 5, 4);
}

// Rows to columns: lane k of out[i] is lane i of row k; `stride` lanes from one out to the next.
LANES_INLINE void lanes_transpose(lanes a, lanes b, lanes c, lanes d, lanes *out, uint32_t stride) {
    const lanes ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const lanes ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
                cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    out[stride] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    out[2 * stride] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    out[3 * stride] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

#endif
