// SPDX-License-Identifier: MIT
// The linear terms of a prediction in the inside of a lattice, with three baselines, as weighted sums of positions.
// Modulo 2^32 the result is that of codec_terms and its weights, with half as many additions. Freestanding.
#ifndef WEFT_PROTO_FRAME_CODEC_ROWS_H
#define WEFT_PROTO_FRAME_CODEC_ROWS_H

#include "proto/frame/codec_model.h"

// The weights of the eight terms, added up by the position that they multiply: in each baseline the particle's own
// position, and those of the near and the far neighbours.
struct codec_mix {
    uint32_t own[3], near[3], far[3], up;
};

static inline struct codec_mix codec_mix_of(const int32_t weight[CODEC_TERMS]) {
    uint32_t w[CODEC_TERMS];
    for (uint32_t k = 0; k < CODEC_TERMS; k++) {
        w[k] = (uint32_t)weight[k];
    }
    const uint32_t v = w[0] - 4 * (w[4] + w[6]), a = w[1] - 4 * (w[5] + w[7]);
    return (struct codec_mix){
        .own = {v + a, 0 - v - 2 * a, a},
        .near = {w[4] + w[5], 0 - w[4] - 2 * w[5], w[5]},
        .far = {w[6] + w[7], 0 - w[6] - 2 * w[7], w[7]},
        .up = w[3],
    };
}

#endif
