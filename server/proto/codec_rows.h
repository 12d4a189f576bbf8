// SPDX-License-Identifier: MIT
// The prediction of coding 2 in the inside of a lattice, a row at a time, with three baselines, for who knows the whole
// row: what codec_terms and codec_squared_length give for each particle, in plain loops that compilers vectorise.
#ifndef WEFT_PROTO_CODEC_ROWS_H
#define WEFT_PROTO_CODEC_ROWS_H

#include "proto/codec_model.h"

// The linear part of `count` particles from i on, without the term of link A.
static inline __attribute__((always_inline)) void codec_predict_row(const struct codec_view *view,
                                                                    const int32_t weight[CODEC_TERMS], uint32_t axis,
                                                                    uint32_t i, uint32_t width, uint32_t count,
                                                                    int32_t *restrict out) {
    const int32_t *x1 = view->x1[axis] + i, *x2 = view->x2[axis] + i, *x3 = view->x3[axis] + i;
    const int32_t *e = view->e[axis] + i - width;
    const int32_t w0 = weight[0], w1 = weight[1], w3 = weight[3];
    const int32_t w4 = weight[4], w5 = weight[5], w6 = weight[6], w7 = weight[7];
    const int32_t side = (int32_t)width;
#define NEAR(x, k) ((uint32_t)(x)[(k)-1] + (uint32_t)(x)[(k) + 1] + (uint32_t)(x)[(k)-side] + (uint32_t)(x)[(k) + side])
#define FAR(x, k)                                                                                                      \
    ((uint32_t)(x)[(k)-side - 1] + (uint32_t)(x)[(k)-side + 1] + (uint32_t)(x)[(k) + side - 1] +                       \
     (uint32_t)(x)[(k) + side + 1])
    for (int32_t k = 0; k < (int32_t)count; k++) {
        const uint32_t p1 = (uint32_t)x1[k], p2 = (uint32_t)x2[k], p3 = (uint32_t)x3[k];
        const uint32_t v = p1 - p2, a = v - p2 + p3;
        const uint32_t near1 = NEAR(x1, k), near2 = NEAR(x2, k), far1 = FAR(x1, k), far2 = FAR(x2, k);
        const uint32_t near_v = near1 - near2, far_v = far1 - far2;
        const uint32_t near_a = near_v - near2 + NEAR(x3, k), far_a = far_v - far2 + FAR(x3, k);
        out[k] = (int32_t)((uint32_t)w0 * v + (uint32_t)w1 * a + (uint32_t)w3 * (uint32_t)e[k] +
                           (uint32_t)w4 * (near_v - 4 * v) + (uint32_t)w5 * (near_a - 4 * a) +
                           (uint32_t)w6 * (far_v - 4 * v) + (uint32_t)w7 * (far_a - 4 * a));
    }
#undef NEAR
#undef FAR
}

// codec_squared_length of `count` links from i on to the particles `back` before.
static inline __attribute__((always_inline)) void
codec_measure_row(const struct codec_view *view, uint32_t i, uint32_t back, uint32_t count, int32_t *restrict out) {
    for (uint32_t k = 0; k < count; k++) {
        out[k] = 0;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x1 = view->x1[axis] + i, *x2 = view->x2[axis] + i;
        const int32_t *y1 = x1 - back, *y2 = x2 - back;
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t now = (uint32_t)x1[k] - (uint32_t)y1[k], then = (uint32_t)x2[k] - (uint32_t)y2[k];
            out[k] = (int32_t)((uint32_t)out[k] + (now * now + then * then) * 8);
        }
    }
}

#endif
