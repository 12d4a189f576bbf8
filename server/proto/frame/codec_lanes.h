// SPDX-License-Identifier: MIT
// Vectors of four 32-bit numbers, modulo 2^32, by operations that the vectors of every compiler have; WebAssembly's own
// operations are used where they are better. Freestanding.
#ifndef WEFT_PROTO_FRAME_CODEC_LANES_H
#define WEFT_PROTO_FRAME_CODEC_LANES_H

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

// Does the same and keeps the vector in a register, since engines rebuild a constant of WebAssembly at every use.
LANES_INLINE lanes lanes_keep(int32_t v) {
    lanes kept = lanes_splat(v);
#if defined(__wasm_simd128__)
    __asm__("" : "+r"(kept));
#endif
    return kept;
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

// For lanes below 2^16.
LANES_INLINE void lanes_narrow(lanes v, uint16_t *to) {
#if defined(__wasm_simd128__)
    wasm_v128_store64_lane(to, wasm_u16x8_narrow_i32x4((v128_t)v, (v128_t)v), 0);
#else
    for (uint32_t k = 0; k < 4; k++) {
        to[k] = (uint16_t)v[k];
    }
#endif
}

LANES_INLINE void lanes_store(lanes v, int32_t *to) {
    __builtin_memcpy(to, &v, sizeof v);
}

// For each lane as a signed number.
LANES_INLINE lanes lanes_shift_right(lanes v, int32_t by) {
    return (lanes)((signed_lanes)v >> by);
}

// Clamps each signed lane to `least` … `most`.
LANES_INLINE lanes lanes_clamp(lanes v, lanes least, lanes most) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_i32x4_max(wasm_i32x4_min((v128_t)v, (v128_t)most), (v128_t)least);
#else
    const signed_lanes up = (signed_lanes)most, down = (signed_lanes)least;
    signed_lanes s = (signed_lanes)v;
    const signed_lanes above = s > up, below = s < down;
    s = (s & ~above) | (up & above);
    return (lanes)((s & ~below) | (down & below));
#endif
}

// Converts each lane, below 2^24, to the bits of the same number as a float.
LANES_INLINE lanes lanes_float_bits(lanes v) {
    typedef float real_lanes __attribute__((vector_size(16)));
    return (lanes) __builtin_convertvector((signed_lanes)v, real_lanes);
}

// v, or −v where `by` is negative.
LANES_INLINE lanes lanes_turn(lanes v, lanes by) {
    const lanes sign = lanes_shift_right(by, 31);
    return (v ^ sign) - sign;
}

// Shifts by an amount known only at run time. A compiler that keeps the amount in a vector would make WebAssembly shift
// lane by lane.
LANES_INLINE lanes lanes_shift_right_by(lanes v, int32_t by) {
#if defined(__wasm_simd128__)
    __asm__ volatile("" : "+r"(by));
#endif
    return lanes_shift_right(v, by);
}

LANES_INLINE lanes lanes_abs(lanes v) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_i32x4_abs((v128_t)v);
#else
    return lanes_turn(v, v);
#endif
}

// The minimum of each lane, as unsigned numbers.
LANES_INLINE lanes lanes_least(lanes a, lanes b) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_u32x4_min((v128_t)a, (v128_t)b);
#else
    const lanes above = (lanes)(a > b);
    return (b & above) | (a & ~above);
#endif
}

LANES_INLINE bool lanes_any(lanes mask) {
#if defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)mask);
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

// The sums of a, b, c and d, in lanes 0 to 3.
LANES_INLINE lanes lanes_sums(lanes a, lanes b, lanes c, lanes d) {
    const lanes ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const lanes cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

// Lane k in all lanes.
#define LANES_SPREAD(v, k) __builtin_shufflevector(v, v, k, k, k, k)

// Transposes: lane k of out[i] is lane i of row k. The outputs are `stride` lanes apart.
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
