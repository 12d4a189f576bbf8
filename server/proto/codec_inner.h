// SPDX-License-Identifier: MIT
// Decoding the inside of a lattice with three baselines, a row at a time: what codec_terms, codec_squared_length and
// codec_correct give for each particle. What does not hang on the particle decoded just before (link A) is worked out
// first, for four particles at once; what does then goes through the three axes, or the four links, at once.
// Freestanding.
#ifndef WEFT_PROTO_CODEC_INNER_H
#define WEFT_PROTO_CODEC_INNER_H

#include <stddef.h>

#include "proto/codec_decode.h"
#include "proto/codec_reader.h"
#include "proto/codec_rows.h"

#define CODEC_INNER_LEAST 6u // columns of a lattice whose inside has four particles

// Of one particle.
struct codec_ready {
    lanes linear, base, activity; // by axis; without what hangs on link A
    lanes length;                 // codec_squared_length by link, in the order C, B, D, A: up left, up, up right, left
};

// A row's inside: element 0 is its first particle.
struct codec_inner {
    struct codec_view view;
    int32_t *x0[3], *e[3];
    uint16_t *magnitude[3];
    const struct codec_weights *weights;
    bool based; // e holds the bases
    uint32_t width, count;
    struct codec_ready *ready;
};

// ---- ahead of the row ----------------------------------------------------------------------------------------------

// The share of one baseline in four predictions.
LANES_INLINE lanes codec_mix_plane(const int32_t *x, ptrdiff_t width, const struct codec_mix *mix, uint32_t baseline) {
    const lanes left = lanes_load(x - width - 1) + lanes_load(x + width - 1);
    const lanes middle = lanes_load(x - width) + lanes_load(x + width);
    const lanes right = lanes_load(x - width + 1) + lanes_load(x + width + 1);
    const lanes near = middle + lanes_load(x - 1) + lanes_load(x + 1);
    return lanes_load(x) * mix->own[baseline] + near * mix->near[baseline] + (left + right) * mix->far[baseline];
}

// Adds the squares of the four links of four particles in one baseline.
LANES_INLINE void codec_add_squares(const int32_t *x, ptrdiff_t width, lanes length[4]) {
    const ptrdiff_t back[4] = {width + 1, width, width - 1, 1};
    for (uint32_t link = 0; link < 4; link++) {
        const lanes d = lanes_load(x) - lanes_load(x - back[link]);
        length[link] += d * d;
    }
}

LANES_INLINE void codec_prepare_four(const struct codec_inner *row, const struct codec_mix mix[3], uint32_t k) {
    const ptrdiff_t width = (ptrdiff_t)row->width;
    const lanes none = lanes_splat(0);
    lanes linear[3], base[3], activity[3], length[4] = {none, none, none, none};
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x1 = row->view.x1[axis] + k, *x2 = row->view.x2[axis] + k, *x3 = row->view.x3[axis] + k;
        const uint16_t *up = row->magnitude[axis] + k - width;
        linear[axis] = codec_mix_plane(x1, width, &mix[axis], 0) + codec_mix_plane(x2, width, &mix[axis], 1) +
                       codec_mix_plane(x3, width, &mix[axis], 2) + lanes_load(row->e[axis] + k - width) * mix[axis].up;
        if (row->based) {
            base[axis] = lanes_load(row->e[axis] + k);
        } else {
            base[axis] = (lanes_load(x1) << 1) - lanes_load(x2);
            lanes_store(base[axis], row->e[axis] + k);
        }
        activity[axis] = lanes_widen(up - 1) + (lanes_widen(up) << 1) + lanes_widen(up + 1);
        codec_add_squares(x1, width, length);
        codec_add_squares(x2, width, length);
    }
    lanes *const out = &row->ready[k].linear;
    const uint32_t stride = sizeof *row->ready / sizeof *out;
    lanes_transpose(linear[0], linear[1], linear[2], none, out, stride);
    lanes_transpose(base[0], base[1], base[2], none, out + 1, stride);
    lanes_transpose(activity[0], activity[1], activity[2], none, out + 2, stride);
    lanes_transpose(length[0] << 3, length[1] << 3, length[2] << 3, length[3] << 3, out + 3, stride);
}

static void codec_prepare_row(const struct codec_inner *row) {
    struct codec_mix mix[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        mix[axis] = codec_mix_of(row->weights->linear[axis]);
    }
    uint32_t k = 0;
    for (; k + 4 <= row->count; k += 4) {
        codec_prepare_four(row, mix, k);
    }
    if (k < row->count) { // the last four, some of them again
        codec_prepare_four(row, mix, row->count - 4);
    }
}

// ---- particle by particle ------------------------------------------------------------------------------------------

// codec_correct by all four links; `beside` is where the particle at link A is.
LANES_INLINE lanes codec_correct_by_links(const struct codec_ready *at, const int32_t *const up[3], lanes beside,
                                          lanes weight, int32_t shift, lanes linear) {
    const lanes quarter = lanes_shift_right(linear + 32, 6);
    lanes ahead[3], part[3], squared = lanes_splat(0);
    for (uint32_t axis = 0; axis < 3; axis++) {
        lanes there = lanes_load(up[axis] - 1);
        there[3] = beside[axis];
        ahead[axis] = ((lanes_splat((int32_t)at->base[axis]) - there) << 2) + lanes_splat((int32_t)quarter[axis]);
        squared += ahead[axis] * ahead[axis];
    }
    const lanes off = lanes_clamp(lanes_shift_right(at->length - squared, shift), 1 << 14);
    const lanes share = lanes_clamp(lanes_shift_right(off * weight + 512, 10), 1 << 12);
    for (uint32_t axis = 0; axis < 3; axis++) {
        part[axis] = lanes_shift_right(lanes_clamp(ahead[axis], 1 << 17) * share + 32, 6);
    }
    return linear + lanes_sums(part[0], part[1], part[2]);
}

static __attribute__((noinline)) lanes codec_read_rare(struct codec_reader *in, lanes activity, lanes fraction) {
    lanes residual = lanes_splat(0);
    for (uint32_t axis = 0; axis < 3; axis++) {
        residual[axis] = (uint32_t)codec_read_residual(in, axis, activity[axis], (int32_t)fraction[axis]);
    }
    return residual;
}

static __attribute__((noinline)) lanes codec_read_escapes(struct codec_reader *in, lanes symbol) {
    lanes value = symbol - CODEC_REACH;
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (symbol[axis] == CODEC_ESCAPE) {
            value[axis] = (uint32_t)codec_read_escape(in);
        }
    }
    return value;
}

// The residuals of all three axes.
LANES_INLINE lanes codec_read_residuals(struct codec_reader *in, struct codec_coder *coder, lanes activity,
                                        lanes fraction) {
    const bool roomy = coder->end - coder->word >= (ptrdiff_t)CODEC_STATES;
    if (!roomy || lanes_any((lanes)((signed_lanes)activity >= (int32_t)CODEC_FINE_CONTEXTS))) {
        in->coder = *coder;
        const lanes residual = codec_read_rare(in, activity, fraction);
        *coder = in->coder;
        return residual;
    }
    const lanes part = lanes_shift_right(lanes_turn(fraction, fraction), 5);
    const lanes row = (activity << 2) + part - lanes_shift_right(part, 2);
    lanes symbol = lanes_splat(CODEC_REACH); // that lane 3 comes to 0
    for (uint32_t axis = 0; axis < 3; axis++) {
        symbol[axis] = codec_take_symbol(coder, axis, row[axis]);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        codec_fill_up(coder, axis);
    }
    lanes value = symbol - CODEC_REACH;
    if (lanes_any((lanes)(symbol == CODEC_ESCAPE))) {
        value = codec_read_escapes(in, symbol);
    }
    return lanes_turn(value, fraction);
}

// e of what was decoded, where the bases were.
static void codec_find_innovations(const struct codec_inner *row) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x0 = row->x0[axis];
        int32_t *e = row->e[axis];
        uint32_t k = 0;
        for (; k + 4 <= row->count; k += 4) {
            lanes_store(lanes_load(x0 + k) - lanes_load(e + k), e + k);
        }
        for (; k < row->count; k++) {
            e[k] = codec_sub(x0[k], e[k]);
        }
    }
}

// By axis, of the particle before the row's inside.
static lanes codec_load_before(int32_t *const planes[3]) {
    return (lanes){(uint32_t) * (planes[0] - 1), (uint32_t) * (planes[1] - 1), (uint32_t) * (planes[2] - 1)};
}

static void codec_decode_inner(const struct codec_inner *row, struct codec_reader *in) {
    codec_prepare_row(row);
    const struct codec_weights *weights = row->weights;
    const int32_t *length = weights->length;
    const lanes left_weight = {(uint32_t)weights->linear[0][2], (uint32_t)weights->linear[1][2],
                               (uint32_t)weights->linear[2][2]};
    const lanes link_weight = {(uint32_t)length[2], (uint32_t)length[1], (uint32_t)length[3], (uint32_t)length[0]};
    lanes left = codec_load_before(row->e), beside = codec_load_before(row->x0);
    struct codec_coder coder = in->coder;
    lanes last = {coder.last[0], coder.last[1], coder.last[2]};
    for (uint32_t k = 0; k < row->count; k++) {
        const struct codec_ready *at = &row->ready[k];
        const int32_t *const up[3] = {row->x0[0] + k - row->width, row->x0[1] + k - row->width,
                                      row->x0[2] + k - row->width};
        const lanes linear = at->linear + left_weight * left;
        const lanes full = codec_correct_by_links(at, up, beside, link_weight, weights->shift, linear) + 128;
        const lanes fraction = (full & 255) - 128;
        const lanes residual = codec_read_residuals(in, &coder, at->activity + (last << 1), fraction);
        left = lanes_shift_right(full, 8) + residual;
        beside = at->base + left;
        last = lanes_turn(residual, residual);
        last = (lanes)((last > CODEC_MAGNITUDE_MOST) & CODEC_MAGNITUDE_MOST) |
               (last & (lanes)(last <= CODEC_MAGNITUDE_MOST));
        for (uint32_t axis = 0; axis < 3; axis++) {
            row->x0[axis][k] = (int32_t)beside[axis];
            row->magnitude[axis][k] = (uint16_t)last[axis];
        }
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        coder.last[axis] = last[axis];
        in->before[axis] = (int32_t)beside[axis];
    }
    in->coder = coder;
    codec_find_innovations(row);
}

#endif
