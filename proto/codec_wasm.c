// SPDX-License-Identifier: MIT
// The page's WebAssembly module: the decoder of coding 2 with nothing around it. Its host lays out memory from
// weft_heap() on (web/client/codec.js); see struct codec_job for what weft_decode takes.
#include "proto/codec_decode.c"

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

// Positions in m, x y z x y z …, of three planes of grid points.
__attribute__((export_name("weft_place"))) void weft_place(const int32_t *planes, uint32_t particles, double step,
                                                           float *restrict out) {
    for (uint32_t i = 0; i < particles; i++) {
        out[3 * i] = (float)((double)planes[i] * step);
        out[3 * i + 1] = (float)((double)planes[particles + i] * step);
        out[3 * i + 2] = (float)((double)planes[2 * particles + i] * step);
    }
}
