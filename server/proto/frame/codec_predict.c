// SPDX-License-Identifier: MIT
// An encoder knows the whole frame, so that it predicts the inside of a lattice a row at a time, in plain loops that
// compilers vectorise, for machines with and without AVX2. The rest is predicted particle by particle, as in the
// decoder.
#include "proto/frame/codec_predict.h"

#include <string.h>

#include "proto/frame/codec_rows.h"

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
            base[axis] = codec_sub(view->x0[axis][i], view->e[axis][i]);
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

// A row from its first inner particle on.
struct row {
    uint32_t first, count, width;
    int32_t *w[3], *activity[3];
    uint8_t *class[3], *symbol[3], *special; // table row and symbol; a bit for each axis that needs raw bits
};

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// Vectors of eight particles, anywhere in a row. These are macros because not every target can pass such vectors to
// functions.
#define WIDE 8u
typedef uint32_t wide __attribute__((vector_size(4 * WIDE), aligned(4)));
typedef int32_t signed_wide __attribute__((vector_size(4 * WIDE), aligned(4)));
typedef uint16_t half_wide __attribute__((vector_size(2 * WIDE), aligned(2)));
#define AT(from) (*(const wide *)(from))
#define SHIFT_RIGHT(v, by) ((wide)((signed_wide)(v) >> (by)))
#define CLAMP(v, most)                                                                                                 \
    do {                                                                                                               \
        const wide above_ = (wide)((signed_wide)(v) > (most)), below_ = (wide)((signed_wide)(v) < -(most));            \
        (v) = ((v) & ~(above_ | below_)) | (above_ & (uint32_t)(most)) | (below_ & (0u - (uint32_t)(most)));           \
    } while (0)

// The linear part, which may use e of the particle before.
#define MIX(x, side, mix, baseline)                                                                                    \
    (AT(x) * (mix)->own[baseline] +                                                                                    \
     (AT((x)-1) + AT((x) + 1) + AT((x) - (side)) + AT((x) + (side))) * (mix)->near[baseline] +                         \
     (AT((x) - (side)-1) + AT((x) - (side) + 1) + AT((x) + (side)-1) + AT((x) + (side) + 1)) * (mix)->far[baseline])

// codec_correct for eight particles and their links to the particles `back` places before.
ALWAYS_INLINE void correct_eight(const struct codec_writer *out, uint32_t i, uint32_t back, uint32_t link,
                                 const wide linear[3], wide w[3]) {
    const uint32_t weight = (uint32_t)out->weights.length[link];
    wide ahead[3], length = {0}, squared = {0};
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x0 = out->view.x0[axis] + i, *x1 = out->view.x1[axis] + i, *x2 = out->view.x2[axis] + i;
        const wide now = AT(x1) - AT(x1 - back), then = AT(x2) - AT(x2 - back);
        length += now * now + then * then;
        ahead[axis] = ((AT(x0) - AT(out->e[axis] + i) - AT(x0 - back)) << 2) + SHIFT_RIGHT(linear[axis] + 32, 6);
        squared += ahead[axis] * ahead[axis];
    }
    wide share = SHIFT_RIGHT((length << 3) - squared, out->weights.shift);
    CLAMP(share, 1 << 14);
    share = SHIFT_RIGHT(share * weight + 512, 10);
    CLAMP(share, 1 << 12);
    for (uint32_t axis = 0; axis < 3; axis++) {
        CLAMP(ahead[axis], 1 << 17);
        w[axis] += SHIFT_RIGHT(ahead[axis] * share + 32, 6);
    }
}

ALWAYS_INLINE void predict_eight(const struct codec_writer *out, const struct row *row, const struct codec_mix mix[3],
                                 uint32_t k) {
    const uint32_t i = row->first + k, side = row->width;
    const uint32_t back[4] = {1, side, side + 1, side - 1};
    wide linear[3], w[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x1 = out->view.x1[axis] + i, *x2 = out->view.x2[axis] + i, *x3 = out->view.x3[axis] + i;
        const int32_t *e = out->e[axis] + i;
        linear[axis] = MIX(x1, side, &mix[axis], 0) + MIX(x2, side, &mix[axis], 1) + MIX(x3, side, &mix[axis], 2) +
                       AT(e - side) * mix[axis].up + AT(e - 1) * (uint32_t)out->weights.linear[axis][2];
        w[axis] = linear[axis];
    }
    for (uint32_t link = 0; link < 4; link++) {
        correct_eight(out, i, back[link], link, linear, w);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const wide full = w[axis] + 128, residual = AT(out->e[axis] + i) - SHIFT_RIGHT(full, 8);
        const wide sign = (wide)((signed_wide)residual < 0);
        wide magnitude = (residual ^ sign) - sign;
        const wide more = (wide)(magnitude > CODEC_MAGNITUDE_MOST);
        magnitude = (magnitude & ~more) | (more & CODEC_MAGNITUDE_MOST);
        *(wide *)(row->w[axis] + k) = full;
        *(wide *)(out->residual[axis] + i) = residual;
        *(half_wide *)(out->magnitude[axis] + i) = __builtin_convertvector(magnitude, half_wide);
    }
}

ALWAYS_INLINE void predict_inner_row(const struct codec_writer *out, const struct row *row) {
    struct codec_mix mix[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        mix[axis] = codec_mix_of(out->weights.linear[axis]);
    }
    for (uint32_t k = 0; k < row->count; k += WIDE) {
        predict_eight(out, row, mix, k + WIDE <= row->count ? k : row->count - WIDE); // the last eight overlap
    }
}

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

// Finds table row and symbol of the residuals that need no raw bits, and marks the others.
ALWAYS_INLINE void classify_row(const struct codec_writer *out, const struct row *row) {
    memset(row->special, 0, row->count);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint16_t *m = out->magnitude[axis] + row->first;
        sum_magnitudes(row->count, m, m - row->width, row->activity[axis]);
        classify(row->count, row->w[axis], out->residual[axis] + row->first, row->activity[axis], row->class[axis],
                 row -> symbol[axis], row -> special, axis);
    }
}

// Compiled a second time for wider vectors; integer results do not depend on the width.
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

// Keeps the residuals that need raw bits.
static void keep_special(struct codec_writer *out, const struct row *row) {
    const uint32_t coded = out->coded;
    for (uint32_t k = 0; k < row->count; k++) {
        out->coded = coded + k;
        for (uint32_t axis = 0, bits = row->special[k]; bits != 0; axis++, bits >>= 1) {
            if ((bits & 1) != 0) {
                codec_keep_residual(out, axis, row->first + k, (uint32_t)row->activity[axis][k], row->w[axis][k],
                                    out->residual[axis][row->first + k]);
            }
        }
    }
    out->coded = coded + row->count;
}

static void encode_inner_row(struct codec_writer *out, uint32_t first) {
    const struct proto_codec *codec = out->codec;
    const uint32_t width = out->object->columns;
    const size_t plane = codec->particles;
    int32_t *const rows = codec->rows;
    uint8_t *const class = codec->row + out->coded, *const symbol = codec->symbol + out->coded;
    const struct row row = {
        .first = first,
        .count = width - 2,
        .width = width,
        .w = {rows, rows + width, rows + 2 * width},
        .activity = {rows + 3 * width, rows + 4 * width, rows + 5 * width},
        .class = {class, class + plane, class + 2 * plane},
        .symbol = {symbol, symbol + plane, symbol + 2 * plane},
        .special = (uint8_t *)(rows + 6 * width),
    };
    (codec->wide ? prepare_row_avx2 : prepare_row)(out, &row);
    keep_special(out, &row);
    for (uint32_t axis = 0; axis < 3; axis++) {
        out->last[axis] = out->magnitude[axis][first + row.count - 1];
        out->before[axis] = out->view.x0[axis][first + row.count - 1];
    }
}

static uint32_t encode_lattice(struct codec_writer *out) {
    const uint32_t columns = out->object->columns, rows = out->object->rows;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t column = 0;
        if (out->view.baselines == 3 && row > 0 && row + 1 < rows && columns >= WIDE + 2) {
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
