// SPDX-License-Identifier: MIT
// The page's WebAssembly module: the decoder of coding 2. The page lays out the memory from weft_heap() on
// (web/client/codec.js); struct codec_job is the argument of weft_decode.
#include <wasm_simd128.h>

#include "proto/frame/codec_decode.c"

extern unsigned char __heap_base;

__attribute__((export_name("weft_heap"))) uint32_t weft_heap(void) {
    return (uint32_t)&__heap_base;
}

__attribute__((export_name("weft_cloth_words"))) uint32_t weft_cloth_words(uint32_t columns, uint32_t rows) {
    return (uint32_t)codec_cloth_words(columns, rows);
}

__attribute__((export_name("weft_decode"))) uint32_t weft_decode(const struct codec_job *job) {
    return codec_decode(job);
}

static v128_t in_metres(const int32_t *from, v128_t step) {
    const v128_t q = wasm_v128_load(from);
    const v128_t low = wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(q), step);
    const v128_t high = wasm_f64x2_mul(wasm_f64x2_convert_low_i32x4(wasm_i32x4_shuffle(q, q, 2, 3, 2, 3)), step);
    return wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 1, 4, 5);
}

// Writes positions in m, x y z x y z …, of `count` particles from `first` on, from three planes of grid points.
__attribute__((export_name("weft_place"))) void weft_place(const int32_t *planes, uint32_t particles, uint32_t first,
                                                           uint32_t count, double step, float *restrict out) {
    const int32_t *from[3] = {planes + first, planes + particles + first, planes + 2 * particles + first};
    const v128_t steps = wasm_f64x2_splat(step);
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const v128_t x = in_metres(from[0] + i, steps), y = in_metres(from[1] + i, steps);
        const v128_t z = in_metres(from[2] + i, steps);
        const v128_t xy = wasm_i32x4_shuffle(x, y, 0, 4, 2, 6), yz = wasm_i32x4_shuffle(y, z, 1, 5, 3, 7);
        const v128_t zx = wasm_i32x4_shuffle(z, x, 0, 5, 2, 7);
        wasm_v128_store(out + 3 * i, wasm_i32x4_shuffle(xy, zx, 0, 1, 4, 5));
        wasm_v128_store(out + 3 * i + 4, wasm_i32x4_shuffle(yz, xy, 0, 1, 6, 7));
        wasm_v128_store(out + 3 * i + 8, wasm_i32x4_shuffle(zx, yz, 2, 3, 6, 7));
    }
    for (; i < count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            out[3 * i + axis] = (float)((double)from[axis][i] * step);
        }
    }
}
