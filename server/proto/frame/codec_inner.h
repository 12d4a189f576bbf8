// SPDX-License-Identifier: MIT
// Decodes the inside of a lattice with three baselines, a row at a time, with the results of codec_terms,
// codec_squared_length and codec_correct for each particle. Everything that does not depend on the particle decoded
// just before (link A) is computed first, for four particles at once; the rest is computed particle by particle, for
// the three axes or the four links at once. Freestanding.
#ifndef WEFT_PROTO_FRAME_CODEC_INNER_H
#define WEFT_PROTO_FRAME_CODEC_INNER_H

#include <stddef.h>

#include "proto/frame/codec_decode.h"
#include "proto/frame/codec_reader.h"
#include "proto/frame/codec_rows.h"
#include "proto/frame/codec_states.h"

#if defined(__clang__)
#define CODEC_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CODEC_UNROLL
#endif
#define CODEC_INNER_LEAST 6u // columns of a lattice whose inside has four particles

// Values of one particle, by axis with 0 in lane 3, except `length`. A decoded value overwrites the value that it was
// decoded from.
struct codec_ready {
    union {
        lanes linear; // with 32 for rounding, without the part of link A
        lanes e;
    };
    union {
        lanes base;
        lanes x0;
    };
    union {
        lanes activity; // without the part of link A
        lanes magnitude;
    };
    lanes right;  // four times the position of the particle at link D
    lanes length; // codec_squared_length by link, in the order C, B, D, A: up left, up, up right, left
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

// Computes four particles at once and one axis after another, so that the values of a loop stay in registers.
#define CODEC_SPAN 8u // fours
struct codec_span {
    uint32_t at[CODEC_SPAN]; // first particles
    uint32_t fours;
    lanes linear[3][CODEC_SPAN], length[CODEC_SPAN][4];
};

static __attribute__((noinline)) void codec_mix_axis(const struct codec_inner *row, uint32_t axis,
                                                     const struct codec_span *span, lanes *linear) {
    const ptrdiff_t width = (ptrdiff_t)row->width;
    const int32_t *x1 = row->view.x1[axis], *x2 = row->view.x2[axis], *x3 = row->view.x3[axis];
    const int32_t *up = row->e[axis] - width;
    const struct codec_mix mix = codec_mix_of(row->weights->linear[axis]);
    for (uint32_t k = 0; k < span->fours; k++) {
        const uint32_t at = span->at[k];
        linear[k] = codec_mix_plane(x1 + at, width, &mix, 0) + codec_mix_plane(x2 + at, width, &mix, 1) +
                    codec_mix_plane(x3 + at, width, &mix, 2) + lanes_load(up + at) * mix.up + 32;
    }
}

// Adds the squared components of the four links along an axis in one baseline.
static __attribute__((noinline)) void codec_add_squares(const int32_t *x, ptrdiff_t width, struct codec_span *span) {
    for (uint32_t k = 0; k < span->fours; k++) {
        const int32_t *own = x + span->at[k], *up = own - width;
        const lanes here = lanes_load(own), c = here - lanes_load(up - 1), b = here - lanes_load(up);
        const lanes d = here - lanes_load(up + 1), a = here - lanes_load(own - 1);
        span->length[k][0] += c * c;
        span->length[k][1] += b * b;
        span->length[k][2] += d * d;
        span->length[k][3] += a * a;
    }
}

LANES_INLINE lanes codec_find_base(const struct codec_inner *row, uint32_t axis, uint32_t at) {
    return row->based ? lanes_load(row->e[axis] + at)
                      : (lanes_load(row->view.x1[axis] + at) << 1) - lanes_load(row->view.x2[axis] + at);
}

LANES_INLINE lanes codec_find_activity(const uint16_t *up) {
    return lanes_widen(up - 1) + (lanes_widen(up) << 1) + lanes_widen(up + 1);
}

// Transposes values by axis into values by particle.
static __attribute__((noinline)) void codec_turn_span(const struct codec_inner *row, const struct codec_span *span) {
    const lanes none = lanes_splat(0);
    const uint32_t stride = sizeof *row->ready / sizeof none;
    const int32_t *right[3];
    const uint16_t *up[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        right[axis] = row->x0[axis] + 1 - (ptrdiff_t)row->width;
        up[axis] = row->magnitude[axis] - (ptrdiff_t)row->width;
    }
    for (uint32_t k = 0; k < span->fours; k++) {
        const uint32_t at = span->at[k];
        lanes *const out = &row->ready[at].linear;
        lanes_transpose(span->linear[0][k], span->linear[1][k], span->linear[2][k], none, out, stride);
        lanes_transpose(codec_find_base(row, 0, at), codec_find_base(row, 1, at), codec_find_base(row, 2, at), none,
                        out + 1, stride);
        lanes_transpose(codec_find_activity(up[0] + at), codec_find_activity(up[1] + at),
                        codec_find_activity(up[2] + at), none, out + 2, stride);
        lanes_transpose(lanes_load(right[0] + at) << 2, lanes_load(right[1] + at) << 2, lanes_load(right[2] + at) << 2,
                        none, out + 3, stride);
        const lanes *length = span->length[k];
        lanes_transpose(length[0] << 3, length[1] << 3, length[2] << 3, length[3] << 3, out + 4, stride);
    }
}

static void codec_prepare_row(const struct codec_inner *row) {
    for (uint32_t first = 0; first < row->count; first += 4 * CODEC_SPAN) {
        struct codec_span span = {.fours = 0};
        for (uint32_t at = first; at < row->count && span.fours < CODEC_SPAN; at += 4) {
            span.at[span.fours++] =
                at + 4 <= row->count ? at : row->count - 4; // the last four, some of them a second time
        }
        for (uint32_t axis = 0; axis < 3; axis++) {
            codec_mix_axis(row, axis, &span, span.linear[axis]);
            codec_add_squares(row->view.x1[axis], (ptrdiff_t)row->width, &span);
            codec_add_squares(row->view.x2[axis], (ptrdiff_t)row->width, &span);
        }
        codec_turn_span(row, &span);
    }
}

// ---- particle by particle ------------------------------------------------------------------------------------------

// Constants of the loop over particles.
struct codec_limits {
    lanes off[2], share[2], ahead[2]; // least and most
    lanes half_share, half_part, half_step;
};

// The sum that codec_correct adds for all four links; `ahead` is by link, then axis.
LANES_INLINE lanes codec_correct_by_links(const lanes ahead[4], lanes length, lanes weight, int32_t shift,
                                          const struct codec_limits *limits) {
    lanes square[4], part[4];
    CODEC_UNROLL for (uint32_t link = 0; link < 4; link++) {
        square[link] = ahead[link] * ahead[link];
    }
    const lanes squared = lanes_sums(square[0], square[1], square[2], square[3]);
    const lanes off = lanes_clamp(lanes_shift_right_by(length - squared, shift), limits->off[0], limits->off[1]);
    const lanes share =
        lanes_clamp(lanes_shift_right(off * weight + limits->half_share, 10), limits->share[0], limits->share[1]);
    const lanes shares[4] = {LANES_SPREAD(share, 0), LANES_SPREAD(share, 1), LANES_SPREAD(share, 2),
                             LANES_SPREAD(share, 3)};
    CODEC_UNROLL for (uint32_t link = 0; link < 4; link++) {
        const lanes by = lanes_clamp(ahead[link], limits->ahead[0], limits->ahead[1]);
        part[link] = lanes_shift_right(by * shares[link] + limits->half_part, 6);
    }
    return (part[0] + part[1]) + (part[2] + part[3]);
}

// Reads with a check whether the coder's words run out.
static __attribute__((noinline)) lanes codec_read_checked(struct codec_reader *in, lanes activity, lanes fraction) {
    lanes residual = lanes_splat(0);
    for (uint32_t axis = 0; axis < 3; axis++) {
        residual[axis] = (uint32_t)codec_read_residual(in, axis, activity[axis], (int32_t)fraction[axis]);
    }
    return residual;
}

// The value of a symbol, which may be an escape or have `bits` more low bits.
static inline uint32_t codec_read_value(struct codec_reader *in, uint32_t symbol, uint32_t bits) {
    const int32_t high = symbol == CODEC_ESCAPE ? codec_read_escape(in) : (int32_t)symbol - CODEC_REACH;
    return ((uint32_t)high << bits) + codec_read_bits(in, bits) - (1u << bits >> 1);
}

static __attribute__((noinline)) lanes codec_read_values(struct codec_reader *in, lanes symbol, lanes bits) {
    const uint32_t x = codec_read_value(in, symbol[0], bits[0]), y = codec_read_value(in, symbol[1], bits[1]);
    return (lanes){x, y, codec_read_value(in, symbol[2], bits[2]), 0};
}

// The same for what comes next.
struct codec_contexts {
    lanes fine, first, three, bias, escape, reach;
};

// Reads the residuals of all three axes.
LANES_INLINE lanes codec_read_residuals(struct codec_reader *in, struct codec_states *states, lanes activity,
                                        lanes fraction, const struct codec_contexts *with) {
    if (in->coder.end - states->word < (ptrdiff_t)CODEC_ROOM) {
        codec_states_keep(states, &in->coder);
        const lanes residual = codec_read_checked(in, activity, fraction);
        *states = codec_states_of(&in->coder);
        return residual;
    }
    // The bits of a float hold the logarithm from bit 23 on, and the digits after the first one below.
    const lanes real = lanes_float_bits(activity), fine = (lanes)((signed_lanes)activity < (signed_lanes)with->fine);
    const lanes bits = ((real >> 23) - with->bias) & ~fine;
    const lanes near = (activity << 2) + lanes_least(lanes_abs(fraction) >> 5, with->three);
    const lanes row = (near & fine) | (((real >> 21 & with->three) + with->first) & ~fine);
    const lanes symbol = codec_take_symbols(states, in->coder.starts, row);
    lanes value = symbol - with->reach;
    if (lanes_any((lanes)(symbol == with->escape) | bits)) {
        value = codec_read_values(in, symbol, bits);
    }
    return lanes_turn(value, fraction);
}

// By axis, of one particle.
LANES_INLINE lanes codec_load_axes(int32_t *const planes[3], ptrdiff_t at) {
    return (lanes){(uint32_t)planes[0][at], (uint32_t)planes[1][at], (uint32_t)planes[2][at], 0};
}

// Copies four decoded particles into the planes.
LANES_INLINE void codec_keep_four(const struct codec_inner *row, uint32_t k) {
    const struct codec_ready *at = row->ready + k;
    lanes x0[4], e[4], magnitude[4];
    lanes_transpose(at[0].x0, at[1].x0, at[2].x0, at[3].x0, x0, 1);
    lanes_transpose(at[0].e, at[1].e, at[2].e, at[3].e, e, 1);
    lanes_transpose(at[0].magnitude, at[1].magnitude, at[2].magnitude, at[3].magnitude, magnitude, 1);
    CODEC_UNROLL for (uint32_t axis = 0; axis < 3; axis++) {
        lanes_store(x0[axis], row->x0[axis] + k);
        lanes_store(e[axis], row->e[axis] + k);
        lanes_narrow(magnitude[axis], row->magnitude[axis] + k);
    }
}

static void codec_keep_row(const struct codec_inner *row) {
    for (uint32_t k = 0; k + 4 <= row->count; k += 4) {
        codec_keep_four(row, k);
    }
    codec_keep_four(row, row->count - 4);
}

static __attribute__((noinline)) void codec_decode_inner(const struct codec_inner *row, struct codec_reader *in) {
    codec_prepare_row(row);
    const struct codec_weights *weights = row->weights;
    const int32_t *length = weights->length;
    const lanes left_weight = {(uint32_t)weights->linear[0][2], (uint32_t)weights->linear[1][2],
                               (uint32_t)weights->linear[2][2]};
    const lanes link_weight = {(uint32_t)length[2], (uint32_t)length[1], (uint32_t)length[3], (uint32_t)length[0]};
    const ptrdiff_t up = -(ptrdiff_t)row->width;
    const int32_t shift = weights->shift;
    const struct codec_limits limits = {
        .off = {lanes_keep(-(1 << 14)), lanes_keep(1 << 14)},
        .share = {lanes_keep(-(1 << 12)), lanes_keep(1 << 12)},
        .ahead = {lanes_keep(-(1 << 17)), lanes_keep(1 << 17)},
        .half_share = lanes_keep(512),
        .half_part = lanes_keep(32),
        .half_step = lanes_keep(128),
    };
    const struct codec_contexts contexts = {
        .fine = lanes_keep(CODEC_FINE_CONTEXTS),
        .first = lanes_keep(4 * CODEC_FINE_CONTEXTS),
        .three = lanes_keep(3),
        .bias = lanes_keep(127 + 3),
        .escape = lanes_keep(CODEC_ESCAPE),
        .reach = lanes_keep(CODEC_REACH),
    };
    const lanes magnitude_most = lanes_keep(CODEC_MAGNITUDE_MOST);
    lanes e = codec_load_axes(row->e, -1), x0 = codec_load_axes(row->x0, -1);
    lanes left_up = codec_load_axes(row->x0, up - 1) << 2, above = codec_load_axes(row->x0, up) << 2;
    struct codec_states states = codec_states_of(&in->coder);
    lanes magnitude = {in->coder.last[0], in->coder.last[1], in->coder.last[2]};
    struct codec_ready *at = row->ready;
    for (const struct codec_ready *const end = at + row->count; at < end; at++) {
        const lanes base = at->base << 2, linear = at->linear + left_weight * e;
        const lanes near = lanes_shift_right(linear, 6);
        const lanes ahead[4] = {base - left_up + near, base - above + near, base - at->right + near,
                                base - (x0 << 2) + near};
        const lanes total =
            linear - limits.half_part + codec_correct_by_links(ahead, at->length, link_weight, shift, &limits);
        const lanes fraction = lanes_shift_right(total << 24, 24);
        const lanes residual = codec_read_residuals(in, &states, at->activity + (magnitude << 1), fraction, &contexts);
        e = lanes_shift_right(total + limits.half_step, 8) + residual;
        x0 = at->base + e;
        magnitude = lanes_least(lanes_abs(residual), magnitude_most);
        left_up = above;
        above = at->right;
        at->e = e;
        at->x0 = x0;
        at->magnitude = magnitude;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        in->coder.last[axis] = magnitude[axis];
        in->before[axis] = (int32_t)x0[axis];
    }
    codec_states_keep(&states, &in->coder);
    codec_keep_row(row);
}

#endif
