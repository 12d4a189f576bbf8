// SPDX-License-Identifier: MIT
// Predicting the particles of an object for coding 2. An encoder knows the whole frame, so that in the inside of a
// lattice it predicts a row at a time, in plain loops that compilers vectorise, for machines with and without AVX2; the
// rest goes particle by particle, as in the decoder.
#include <string.h>

#include "proto/codec_rows.h"
#include "proto/codec_writer.h"

// ---- prediction ----------------------------------------------------------------------------------------------------

static inline void set_residual(struct codec_writer *out, uint32_t axis, uint32_t i, int32_t residual) {
    out->residual[axis][i] = residual;
    out->magnitude[axis][i] = (uint16_t)codec_magnitude(residual);
}

static void encode_particle(struct codec_writer *out, uint32_t i) {
    const struct codec_view *view = &out->view;
    const int32_t *table = out->codec->table;
    int32_t links[CODEC_LINKS], base[3], linear[3], w[3];
    codec_links(out->object, table, i, links);
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t terms[CODEC_TERMS];
        if (view->baselines == 0) {
            const int32_t from = codec_terms_alone(out->object, table, view->x0[axis], links, terms);
            base[axis] = from == CODEC_NONE ? out->before[axis] : view->x0[axis][from];
        } else {
            codec_terms(view, links, axis, i, terms);
            base[axis] = codec_base(view, axis, i);
        }
        linear[axis] = 0;
        for (uint32_t k = 0; k < CODEC_TERMS; k++) {
            linear[axis] = codec_add(linear[axis], codec_mul(out->weights.linear[axis][k], terms[k]));
        }
        w[axis] = linear[axis];
    }
    for (uint32_t k = 0; k < 4 && view->baselines > 0; k++) {
        if (links[k] == CODEC_NONE || out->weights.length[k] == 0) {
            continue;
        }
        int32_t ahead[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            ahead[axis] = codec_add(codec_scale(codec_sub(base[axis], view->x0[axis][links[k]]), 2),
                                    codec_add(linear[axis], 32) >> 6);
        }
        codec_correct(ahead, codec_squared_length(view, i, (uint32_t)links[k]), out->weights.length[k],
                      out->weights.shift, w);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t x = view->x0[axis][i], full = codec_add(w[axis], 128);
        set_residual(out, axis, i, codec_sub(codec_sub(x, base[axis]), full >> 8));
        codec_keep_residual(out, axis, i, codec_activity(out->magnitude[axis], links, out->last[axis]), full,
                            out->residual[axis][i]);
        out->before[axis] = x;
    }
    out->coded++;
}

// ---- the inside of a lattice, a row at a time ----------------------------------------------------------------------

// The linear part of a row: element 1 is the first particle inside.
struct row {
    uint32_t first, count, width;
    int32_t *linear[3], *w[3], *ahead[3], *length, *activity[3];
    uint8_t *class[3], *symbol[3], *special; // row of the table and symbol; a bit for each axis that needs raw bits
};

// codec_correct for a whole row and one link.
static inline __attribute__((always_inline)) void correct_row(const struct codec_writer *out, const struct row *row,
                                                              uint32_t back, uint32_t link) {
    const uint32_t count = row->count; // in a local, so that compilers see it stay
    const int32_t weight = out->weights.length[link], shift = out->weights.shift;
    if (weight == 0) {
        return;
    }
    codec_measure_row(&out->view, row->first, back, count, row->length);
    int32_t *restrict length = row->length;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x0 = out->view.x0[axis] + row->first, *e = out->e[axis] + row->first;
        const int32_t *there = x0 - back, *linear = row->linear[axis];
        int32_t *restrict ahead = row->ahead[axis];
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t base = (uint32_t)x0[k] - (uint32_t)e[k];
            const uint32_t a = ((base - (uint32_t)there[k]) << 2) + (uint32_t)(codec_add(linear[k], 32) >> 6);
            ahead[k] = (int32_t)a;
            length[k] = (int32_t)((uint32_t)length[k] - a * a);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        const int32_t off = codec_clamp(length[k] >> shift, 1 << 14);
        length[k] = codec_clamp(codec_add(codec_mul(off, weight), 512) >> 10, 1 << 12);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *ahead = row->ahead[axis];
        int32_t *restrict w = row->w[axis];
        for (uint32_t k = 0; k < count; k++) {
            const int32_t by = codec_clamp(ahead[k], 1 << 17);
            w[k] = codec_add(w[k], codec_add(codec_mul(by, length[k]), 32) >> 6);
        }
    }
}

static inline __attribute__((always_inline)) void predict_inner_row(const struct codec_writer *out,
                                                                    const struct row *row) {
    const uint32_t count = row->count;
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t *restrict linear = row->linear[axis], *restrict w = row->w[axis];
        const int32_t *e = out->e[axis] + row->first;
        const int32_t left = out->weights.linear[axis][2];
        codec_predict_row(&out->view, out->weights.linear[axis], axis, row->first, row->width, count, linear);
        for (uint32_t k = 0; k < count; k++) {
            linear[k] = codec_add(linear[k], codec_mul(left, e[(int32_t)k - 1]));
            w[k] = linear[k];
        }
    }
    const uint32_t back[4] = {1, row->width, row->width + 1, row->width - 1};
    for (uint32_t link = 0; link < 4; link++) {
        correct_row(out, row, back[link], link);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *e = out->e[axis] + row->first;
        int32_t *restrict w = row->w[axis], *restrict residual = out->residual[axis] + row->first;
        uint16_t *restrict magnitude = out->magnitude[axis] + row->first;
        for (uint32_t k = 0; k < count; k++) {
            w[k] = codec_add(w[k], 128);
            residual[k] = codec_sub(e[k], w[k] >> 8);
            magnitude[k] = (uint16_t)codec_magnitude(residual[k]);
        }
    }
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void sum_magnitudes(uint32_t count, const uint16_t *restrict m, const uint16_t *restrict up,
                                  int32_t *restrict activity) {
    for (int32_t k = 0; k < (int32_t)count; k++) {
        activity[k] = 2 * m[k - 1] + 2 * up[k] + up[k - 1] + up[k + 1];
    }
}

ALWAYS_INLINE void classify(uint32_t count, const int32_t *restrict w, const int32_t *restrict residual,
                            const int32_t *restrict activity, uint8_t *restrict class, uint8_t *restrict symbol,
                            uint8_t *restrict special, uint32_t axis) {
    for (uint32_t k = 0; k < count; k++) {
        const int32_t fraction = (w[k] & 255) - 128;
        int32_t part = (fraction < 0 ? -fraction : fraction) >> 5;
        part = part > 3 ? 3 : part;
        const int32_t sign = -(int32_t)(fraction < 0);
        const uint32_t value = (uint32_t)(residual[k] ^ sign) - (uint32_t)sign + CODEC_REACH;
        const uint32_t raw = (uint32_t)(activity[k] > (int32_t)CODEC_FINE_CONTEXTS - 1) | (value > CODEC_ESCAPE - 1);
        class[k] = (uint8_t)(4 * activity[k] + part);
        symbol[k] = (uint8_t)value;
        special[k] = (uint8_t)(special[k] | raw << axis);
    }
}

// Row and symbol of all residuals that need no raw bits; marks the others.
ALWAYS_INLINE void classify_row(const struct codec_writer *out, const struct row *row) {
    memset(row->special, 0, row->count);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint16_t *m = out->magnitude[axis] + row->first;
        sum_magnitudes(row->count, m, m - row->width, row->activity[axis]);
        classify(row->count, row->w[axis], out->residual[axis] + row->first, row->activity[axis], row->class[axis],
                 row -> symbol[axis], row -> special, axis);
    }
}

// Compiled once more for wider vectors; integers give the same bits in any width.
static void prepare_row(const struct codec_writer *out, const struct row *row) {
    predict_inner_row(out, row);
    classify_row(out, row);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void prepare_row_avx2(const struct codec_writer *out, const struct row *row) {
    predict_inner_row(out, row);
    classify_row(out, row);
}
#else
#define prepare_row_avx2 prepare_row
#endif

static void encode_inner_row(struct codec_writer *out, uint32_t first) {
    const uint32_t width = out->object->columns;
    int32_t *const rows = out->codec->rows;
    uint8_t *const bytes = (uint8_t *)(rows + 13 * width);
    const struct row row = {
        .first = first,
        .count = width - 2,
        .width = width,
        .linear = {rows, rows + width, rows + 2 * width},
        .w = {rows + 3 * width, rows + 4 * width, rows + 5 * width},
        .ahead = {rows + 6 * width, rows + 7 * width, rows + 8 * width},
        .length = rows + 9 * width,
        .activity = {rows + 10 * width, rows + 11 * width, rows + 12 * width},
        .class = {bytes, bytes + width, bytes + 2 * width},
        .symbol = {bytes + 3 * width, bytes + 4 * width, bytes + 5 * width},
        .special = bytes + 6 * width,
    };
    (out->codec->wide ? prepare_row_avx2 : prepare_row)(out, &row);
    uint8_t *rows_at = out->codec->row + 3 * (size_t)out->coded,
            *symbols_at = out->codec->symbol + 3 * (size_t)out->coded;
    for (uint32_t k = 0; k < row.count; k++, rows_at += 3, symbols_at += 3) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            rows_at[axis] = row.class[axis][k];
            symbols_at[axis] = row.symbol[axis][k];
        }
        if (row.special[k] != 0) {
            for (uint32_t axis = 0; axis < 3; axis++) {
                if (((unsigned)row.special[k] >> axis & 1u) == 0) {
                    continue;
                }
                codec_keep_residual(out, axis, first + k, (uint32_t)row.activity[axis][k], row.w[axis][k],
                                    out->residual[axis][first + k]);
            }
        }
        out->coded++;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        out->last[axis] = out->magnitude[axis][first + row.count - 1];
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        out->before[axis] = out->view.x0[axis][first + row.count - 1];
    }
}

static uint32_t encode_lattice(struct codec_writer *out) {
    const uint32_t columns = out->object->columns, rows = out->object->rows;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t column = 0;
        if (out->view.baselines == 3 && row > 0 && row + 1 < rows && columns > 2) {
            encode_particle(out, row * columns);
            encode_inner_row(out, row * columns + 1);
            column = columns - 1;
        }
        for (; column < columns; column++) {
            encode_particle(out, row * columns + column);
        }
    }
    return columns * rows;
}

void codec_predict(struct codec_writer *out) {
    uint32_t i = out->object->columns > 0 ? encode_lattice(out) : 0;
    for (; i < out->object->count; i++) {
        encode_particle(out, i);
    }
}
