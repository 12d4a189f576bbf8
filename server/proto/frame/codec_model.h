// SPDX-License-Identifier: MIT
// The model that encoder and decoder of coding 2 share (proto/FRAMES.md, "Frame, coding 2"): links between particles,
// terms and weights of the prediction, contexts, and the numbers of the entropy coder.
//
// Freestanding: the page's WebAssembly module is built from this header and codec_decode.c. All arithmetic is on
// integers modulo 2^32, so that no message can cause undefined behaviour; a prediction that overflows is bad but not an
// error.
#ifndef WEFT_PROTO_FRAME_CODEC_MODEL_H
#define WEFT_PROTO_FRAME_CODEC_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define CODEC_LINKS 8u    // of a particle: A B C D with lower indices, two near and two far with higher ones
#define CODEC_NONE (-1)   // no such link
#define CODEC_TERMS 8u    // of the linear prediction
#define CODEC_STATES 3u   // of the entropy coder: one per axis
#define CODEC_SYMBOLS 16u // -7..7 and the escape
#define CODEC_ESCAPE 15u
#define CODEC_REACH 7 // the largest value that is a symbol
#define CODEC_SCALE_BITS 12u
#define CODEC_STATE_LEAST 0x8000u // a state lies in [2^15, 2^31)
#define CODEC_FINE_CONTEXTS 16u   // sums below 16 have a context each, with four fractions
#define CODEC_ROWS 68u            // 16 × 4, and four for all larger sums
#define CODEC_TABLES 2u           // for restless objects and for quiet ones
#define CODEC_CHOICE_LEAST 48u    // particles of the smallest object that chooses between them
#define CODEC_MAGNITUDE_MOST 65535u
#define CODEC_BASELINES_MOST 3u

#define CODEC_LENGTH_SHIFT_MOST 20u

// One object of a stream. The links of a lattice (columns > 0) follow from its columns and rows. The particles after
// its columns × rows, and all particles of other objects, have their links in the table.
struct codec_object {
    uint32_t first, count; // in the stream's arrays
    uint32_t columns, rows;
    uint32_t table; // of particle 0, in links, where columns = 0 or count > columns × rows
    uint32_t kind;  // enum codec_kind
};
enum codec_kind { CODEC_KIND_SHEET, CODEC_KIND_BODY, CODEC_KIND_COUNT };

enum codec_mode { CODEC_MODE_STILL, CODEC_MODE_DEFAULT, CODEC_MODE_LAST, CODEC_MODE_OWN };

struct codec_weights {
    int32_t linear[3][CODEC_TERMS]; // 1/256
    int32_t length[4];              // of the links A, B, C, D
    int32_t shift;
};

// Frames of a stream around one object: element 0 is its particle 0.
struct codec_view {
    const int32_t *x0[3], *x1[3], *x2[3], *x3[3]; // this frame (as far as known) and its baselines
    const int32_t *e[3];                          // x0 − base
    uint32_t baselines;
};

static inline int32_t codec_add(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t codec_sub(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int32_t codec_mul(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

static inline int32_t codec_clamp(int32_t v, int32_t most) {
    v = v > most ? most : v;
    return v < -most ? -most : v;
}

// v·2^bits, modulo 2^32.
static inline int32_t codec_scale(int32_t v, uint32_t bits) {
    return (int32_t)((uint32_t)v << bits);
}

// v, or −v where `by` is negative; without a branch, since the sign is unpredictable.
static inline int32_t codec_turn(int32_t v, int32_t by) {
    const int32_t sign = -(int32_t)((uint32_t)by >> 31);
    return codec_sub(v ^ sign, sign);
}

static inline uint32_t codec_magnitude(int32_t v) {
    const uint32_t m = (uint32_t)codec_turn(v, v);
    return m > CODEC_MAGNITUDE_MOST ? CODEC_MAGNITUDE_MOST : m;
}

// ---- links ---------------------------------------------------------------------------------------------------------

static inline void codec_lattice_links(uint32_t i, uint32_t columns, uint32_t rows, int32_t out[CODEC_LINKS]) {
    const uint32_t row = i / columns, column = i % columns;
    const int32_t at = (int32_t)i, width = (int32_t)columns;
    const bool left = column > 0, up = row > 0, right = column + 1 < columns, down = row + 1 < rows;
    out[0] = left ? at - 1 : CODEC_NONE;
    out[1] = up ? at - width : CODEC_NONE;
    out[2] = up && left ? at - width - 1 : CODEC_NONE;
    out[3] = up && right ? at - width + 1 : CODEC_NONE;
    out[4] = right ? at + 1 : CODEC_NONE;
    out[5] = down ? at + width : CODEC_NONE;
    out[6] = down && right ? at + width + 1 : CODEC_NONE;
    out[7] = down && left ? at + width - 1 : CODEC_NONE;
}

// The links of particle i; indices are local to the object.
static inline void codec_links(const struct codec_object *object, const int32_t *table, uint32_t i,
                               int32_t out[CODEC_LINKS]) {
    const uint32_t lattice = object->columns * object->rows;
    if (i < lattice) {
        codec_lattice_links(i, object->columns, object->rows, out);
        return;
    }
    const int32_t *links = table + CODEC_LINKS * (object->table + i - lattice);
    for (uint32_t k = 0; k < CODEC_LINKS; k++) {
        out[k] = links[k];
    }
}

// ---- prediction ----------------------------------------------------------------------------------------------------

// Where a particle would be without its neighbours.
static inline int32_t codec_base(const struct codec_view *view, uint32_t axis, uint32_t i) {
    const int32_t x1 = view->x1[axis][i];
    return view->baselines == 1 ? x1 : codec_sub(codec_add(x1, x1), view->x2[axis][i]);
}

static inline int32_t codec_velocity(const struct codec_view *view, uint32_t axis, uint32_t i) {
    return codec_sub(view->x1[axis][i], view->x2[axis][i]);
}

static inline int32_t codec_acceleration(const struct codec_view *view, uint32_t axis, uint32_t i) {
    return codec_add(codec_sub(view->x1[axis][i], codec_scale(view->x2[axis][i], 1)), view->x3[axis][i]);
}

// Σ (f(neighbour) − f(i)) over two lower and two higher links, from `from` and `from` + 4 on; a missing link adds
// nothing.
#define CODEC_LAPLACE(f, view, axis, i, links, from, out)                                                              \
    do {                                                                                                               \
        const int32_t centre_ = f(view, axis, i);                                                                      \
        int32_t sum_ = 0;                                                                                              \
        for (uint32_t k_ = 0; k_ < 4; k_++) {                                                                          \
            const int32_t j_ = (links)[(from) + (k_ & 1u) + 2u * (k_ & 2u)];                                           \
            sum_ = j_ == CODEC_NONE ? sum_ : codec_add(sum_, codec_sub(f(view, axis, (uint32_t)j_), centre_));         \
        }                                                                                                              \
        (out) = sum_;                                                                                                  \
    } while (0)

static inline int32_t codec_place(const struct codec_view *view, uint32_t axis, uint32_t i) {
    return view->x1[axis][i];
}

// With at least one baseline: the terms that are weighed and added to the base. Links C and D replace terms of the
// third baseline where there is none.
static inline void codec_terms(const struct codec_view *view, const int32_t links[CODEC_LINKS], uint32_t axis,
                               uint32_t i, int32_t out[CODEC_TERMS]) {
    const int32_t *e = view->e[axis];
    const int32_t a = links[0] != CODEC_NONE ? links[0] : links[1];
    const int32_t b = links[1] != CODEC_NONE ? links[1] : links[0];
    const int32_t c = links[2] != CODEC_NONE ? links[2] : b, d = links[3] != CODEC_NONE ? links[3] : b;
    out[2] = a == CODEC_NONE ? 0 : e[a];
    out[3] = b == CODEC_NONE ? 0 : e[b];
    if (view->baselines == 1) {
        out[0] = 0;
        CODEC_LAPLACE(codec_place, view, axis, i, links, 0, out[4]);
        CODEC_LAPLACE(codec_place, view, axis, i, links, 2, out[6]);
    } else {
        out[0] = codec_velocity(view, axis, i);
        CODEC_LAPLACE(codec_velocity, view, axis, i, links, 0, out[4]);
        CODEC_LAPLACE(codec_velocity, view, axis, i, links, 2, out[6]);
    }
    if (view->baselines == 3) {
        out[1] = codec_acceleration(view, axis, i);
        CODEC_LAPLACE(codec_acceleration, view, axis, i, links, 0, out[5]);
        CODEC_LAPLACE(codec_acceleration, view, axis, i, links, 2, out[7]);
    } else {
        out[1] = c == CODEC_NONE ? 0 : e[c];
        out[5] = d == CODEC_NONE ? 0 : e[d];
        out[7] = 0;
    }
}

static inline int32_t codec_difference(const int32_t *x, int32_t a, int32_t b) {
    return a == CODEC_NONE || b == CODEC_NONE ? 0 : codec_sub(x[a], x[b]);
}

// Without baselines: terms from the neighbours in this frame. Returns the particle that is the base, or CODEC_NONE.
static inline int32_t codec_terms_alone(const struct codec_object *object, const int32_t *table, const int32_t *x,
                                        const int32_t links[CODEC_LINKS], int32_t out[CODEC_TERMS]) {
    const int32_t a = links[0], b = links[1], c = links[2], d = links[3];
    int32_t of_a[CODEC_LINKS] = {CODEC_NONE, CODEC_NONE}, of_b[CODEC_LINKS] = {CODEC_NONE, CODEC_NONE};
    int32_t of_c[CODEC_LINKS] = {CODEC_NONE, CODEC_NONE};
    if (a != CODEC_NONE) {
        codec_links(object, table, (uint32_t)a, of_a);
    }
    if (b != CODEC_NONE) {
        codec_links(object, table, (uint32_t)b, of_b);
    }
    if (c != CODEC_NONE) {
        codec_links(object, table, (uint32_t)c, of_c);
    }
    out[0] = a == CODEC_NONE ? 0 : codec_difference(x, b, c);
    out[1] = codec_difference(x, a, of_a[0]);
    out[2] = codec_difference(x, d, b);
    out[3] = codec_sub(codec_difference(x, b, of_b[1]), codec_difference(x, c, of_c[1]));
    out[4] = codec_difference(x, c, of_c[0]);
    out[5] = a == CODEC_NONE ? codec_difference(x, b, of_b[1]) : 0;
    out[6] = 0;
    out[7] = 0;
    return a != CODEC_NONE ? a : b;
}

// 8·(l₁² + l₂²) of the link to particle j in the last two baselines: 16 times its mean squared length in quarter steps.
static inline int32_t codec_squared_length(const struct codec_view *view, uint32_t i, uint32_t j) {
    int32_t sum = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t now = codec_sub(view->x1[axis][i], view->x1[axis][j]);
        const int32_t *before = view->baselines == 1 ? view->x1[axis] : view->x2[axis];
        const int32_t then = codec_sub(before[i], before[j]);
        sum = codec_add(sum, codec_add(codec_mul(now, now), codec_mul(then, then)));
    }
    return codec_scale(sum, 3);
}

// Corrects a prediction by a link of the squared length `length` to a particle that lies `ahead` (in quarter steps) of
// the prediction: adds to w, in 1/256 steps.
static inline void codec_correct(const int32_t ahead[3], int32_t length, int32_t weight, int32_t shift, int32_t w[3]) {
    int32_t squared = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        squared = codec_add(squared, codec_mul(ahead[axis], ahead[axis]));
    }
    const int32_t off = codec_clamp(codec_sub(length, squared) >> shift, 1 << 14);
    const int32_t share = codec_clamp(codec_add(codec_mul(off, weight), 512) >> 10, 1 << 12);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t by = codec_clamp(ahead[axis], 1 << 17);
        w[axis] = codec_add(w[axis], codec_add(codec_mul(by, share), 32) >> 6);
    }
}

// ---- contexts ------------------------------------------------------------------------------------------------------

// The sum of the residuals' magnitudes at the links A to D, weighted 2:2:1:1; `last` replaces that of a missing link.
static inline uint32_t codec_activity(const uint16_t *magnitude, const int32_t links[CODEC_LINKS], uint32_t last) {
    const int32_t a = links[0] != CODEC_NONE ? links[0] : links[1];
    const int32_t b = links[1] != CODEC_NONE ? links[1] : links[0];
    if (a == CODEC_NONE) {
        return 6 * last;
    }
    const int32_t c = links[2] != CODEC_NONE ? links[2] : b, d = links[3] != CODEC_NONE ? links[3] : b;
    return 2u * magnitude[a] + 2u * magnitude[b] + magnitude[c] + magnitude[d];
}

static inline uint32_t codec_log2(uint32_t v) { // v > 0
    return 31u - (uint32_t)__builtin_clz(v);
}

// The number of low bits of a residual that are sent raw.
static inline uint32_t codec_low_bits(uint32_t activity) {
    return activity < CODEC_FINE_CONTEXTS ? 0 : codec_log2(activity) - 3;
}

static inline uint32_t codec_row(uint32_t activity, int32_t fraction) {
    if (activity < CODEC_FINE_CONTEXTS) {
        const uint32_t part = (uint32_t)codec_turn(fraction, fraction) >> 5; // 4 for −128 only
        return 4 * activity + part - (part >> 2);
    }
    return 4 * CODEC_FINE_CONTEXTS + (activity >> (codec_log2(activity) - 2) & 3u);
}

#endif
