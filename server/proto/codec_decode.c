// SPDX-License-Identifier: MIT
// Decoding the payload of coding 2 (proto/FRAMES.md). Freestanding: the server's tests and, built for WebAssembly, the
// page run this very file; web/client/codec.js is its twin.
//
// In the inside of a lattice all that does not hang on the particle decoded just before is worked out a row at a time
// in plain loops, which compilers vectorise; the rest, and everything in other objects, particle by particle.
#include "proto/codec_decode.h"

#include <stddef.h>

#include "proto/codec_rows.h"
#include "proto/codec_tables.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

// The entropy coder: small enough for the inner loop to keep it in registers.
struct coder {
    const uint16_t *word, *end;
    uint32_t state[CODEC_STATES];
    uint32_t last[3];                        // magnitude of the residual before, by axis
    const uint16_t (*starts)[CODEC_SYMBOLS]; // of the object's table
    bool failed;
};

struct reader {
    struct coder coder;
    const uint32_t *raw, *raw_end;
    uint64_t pending; // raw bits
    uint32_t filled;
    bool failed;
    int32_t before[3];        // position before, by axis
    struct codec_weights own; // the last that came
    bool has_own;
};

// ---- bits ----------------------------------------------------------------------------------------------------------

static inline uint32_t read_bits(struct reader *in, uint32_t bits) { // at most 32
    if (in->filled < bits) {
        if (in->raw < in->raw_end) {
            in->pending |= (uint64_t)*in->raw << in->filled;
            in->raw++;
        } else {
            in->failed = true;
        }
        in->filled += 32;
    }
    const uint32_t value = (uint32_t)(in->pending & (((uint64_t)1 << bits) - 1));
    in->pending >>= bits;
    in->filled -= bits;
    return value;
}

// Exp-Golomb of order k: n zeros, a one, n + k bits.
static uint32_t read_golomb(struct reader *in, uint32_t k) {
    uint32_t zeros = 0;
    while (read_bits(in, 1) == 0) {
        zeros++;
        if (zeros + k > 31) {
            in->failed = true;
            return 0;
        }
    }
    const uint32_t low = read_bits(in, zeros + k);
    return low + (((1u << zeros) - 1) << k);
}

static int32_t read_signed(struct reader *in, uint32_t k) {
    const uint32_t zigzag = read_golomb(in, k);
    return (int32_t)((zigzag >> 1) ^ (0u - (zigzag & 1)));
}

// ---- residuals -----------------------------------------------------------------------------------------------------

static inline uint32_t find_symbol(const uint16_t *start, uint32_t slot) {
#if defined(__wasm_simd128__)
    const v128_t at = wasm_i16x8_splat((int16_t)slot);
    const v128_t low = wasm_i16x8_ge(at, wasm_v128_load(start)), high = wasm_i16x8_ge(at, wasm_v128_load(start + 8));
    return (uint32_t)__builtin_popcount(wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(low, high))) - 1;
#else
    uint32_t symbol = 0;
    for (uint32_t k = 1; k < CODEC_SYMBOLS; k++) {
        symbol += slot >= start[k];
    }
    return symbol;
#endif
}

static __attribute__((noinline)) int32_t read_escape(struct reader *in) {
    const bool negative = read_bits(in, 1) != 0;
    const uint32_t beyond = read_golomb(in, 2);
    const uint32_t size = beyond + CODEC_REACH + 1;
    return (int32_t)(negative ? 0u - size : size);
}

static inline int32_t read_low_bits(struct reader *in, int32_t high, uint32_t bits) {
    return codec_sub(codec_add(codec_scale(high, bits), (int32_t)read_bits(in, bits)), 1 << (bits - 1));
}

// `roomy`: there are three words at least.
static inline int32_t read_residual(struct reader *in, struct coder *coder, bool roomy, uint32_t axis,
                                    uint32_t activity, int32_t fraction) {
    const uint16_t *start = coder->starts[codec_row(activity, fraction)];
    uint32_t state = coder->state[axis];
    const uint32_t slot = state & ((1u << CODEC_SCALE_BITS) - 1);
    const uint32_t symbol = find_symbol(start, slot);
    const uint32_t end = symbol == CODEC_ESCAPE ? 1u << CODEC_SCALE_BITS : start[symbol + 1];
    state = (end - start[symbol]) * (state >> CODEC_SCALE_BITS) + slot - start[symbol];
    if (roomy) { // a word is there, needed or not: masks are cheaper than a branch that nobody foresees
        const uint32_t refill = 0U - ((state - CODEC_STATE_LEAST) >> 31); // all ones, or 0
        state = state << (refill & 16) | (*coder->word & refill);
        coder->word += refill & 1;
    } else if (state < CODEC_STATE_LEAST) {
        if (coder->word < coder->end) {
            state = state << 16 | *coder->word;
            coder->word++;
        } else {
            coder->failed = true;
            state = CODEC_STATE_LEAST;
        }
    }
    coder->state[axis] = state;
    int32_t value = symbol == CODEC_ESCAPE ? read_escape(in) : (int32_t)symbol - CODEC_REACH;
    if (activity >= CODEC_FINE_CONTEXTS) {
        value = read_low_bits(in, value, codec_low_bits(activity));
    }
    return codec_turn(value, fraction);
}

// ---- an object -----------------------------------------------------------------------------------------------------

struct work {
    const struct codec_job *job;
    const struct codec_object *object;
    struct codec_view view;
    struct codec_weights weights;
    int32_t *x0[3], *e[3];
    uint16_t *magnitude[3];
};

// Predicts from the linear part w (1/256 steps over the base), reads the residuals and keeps what follows.
static inline void finish_particle(struct work *work, struct reader *in, uint32_t i, const int32_t links[CODEC_LINKS],
                                   const int32_t base[3], const int32_t w[3]) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t full = codec_add(w[axis], 128);
        const int32_t fraction = (full & 255) - 128;
        const uint32_t activity = codec_activity(work->magnitude[axis], links, in->coder.last[axis]);
        const int32_t residual = read_residual(in, &in->coder, false, axis, activity, fraction);
        const int32_t x = codec_add(codec_add(base[axis], full >> 8), residual);
        const uint32_t magnitude = codec_magnitude(residual);
        work->x0[axis][i] = x;
        work->e[axis][i] = codec_sub(x, base[axis]);
        work->magnitude[axis][i] = (uint16_t)magnitude;
        in->coder.last[axis] = magnitude;
        in->before[axis] = x;
    }
}

static inline void correct_by_link(const struct work *work, uint32_t link, int32_t j, int32_t length,
                                   const int32_t base[3], const int32_t linear[3], int32_t w[3]) {
    int32_t ahead[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        ahead[axis] =
            codec_add(codec_scale(codec_sub(base[axis], work->x0[axis][j]), 2), codec_add(linear[axis], 32) >> 6);
    }
    codec_correct(ahead, length, work->weights.length[link], work->weights.shift, w);
}

static inline void decode_particle(struct work *work, struct reader *in, uint32_t i) {
    const struct codec_view *view = &work->view;
    int32_t links[CODEC_LINKS], base[3], linear[3], w[3];
    codec_links(work->object, work->job->table, i, links);
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t terms[CODEC_TERMS];
        if (view->baselines == 0) {
            const int32_t from = codec_terms_alone(work->object, work->job->table, work->x0[axis], links, terms);
            base[axis] = from == CODEC_NONE ? in->before[axis] : work->x0[axis][from];
        } else {
            codec_terms(view, links, axis, i, terms);
            base[axis] = codec_base(view, axis, i);
        }
        linear[axis] = 0;
        for (uint32_t k = 0; k < CODEC_TERMS; k++) {
            linear[axis] = codec_add(linear[axis], codec_mul(work->weights.linear[axis][k], terms[k]));
        }
        w[axis] = linear[axis];
    }
    for (uint32_t k = 0; k < 4 && view->baselines > 0; k++) {
        if (links[k] != CODEC_NONE && work->weights.length[k] != 0) {
            correct_by_link(work, k, links[k], codec_squared_length(view, i, (uint32_t)links[k]), base, linear, w);
        }
    }
    finish_particle(work, in, i, links, base, w);
}

// ---- the inside of a lattice ---------------------------------------------------------------------------------------

// The four links of a particle inside a lattice at once, in the order C, B, D, A: up left, up, up right, left. Only
// operations that every compiler's vectors have; unsigned, since they may wrap.
typedef uint32_t lanes __attribute__((vector_size(16)));
typedef int32_t signed_lanes __attribute__((vector_size(16)));

static inline lanes splat(int32_t v) {
    return (lanes){(uint32_t)v, (uint32_t)v, (uint32_t)v, (uint32_t)v};
}

static inline lanes load_links(const int32_t *at, const int32_t *up) {
    return (lanes){(uint32_t)up[-1], (uint32_t)up[0], (uint32_t)up[1], (uint32_t)at[-1]};
}

static inline lanes shift_right(lanes v, int32_t by) {
    return (lanes)((signed_lanes)v >> by);
}

static inline lanes clamp(lanes v, int32_t most) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_i32x4_max(wasm_i32x4_min((v128_t)v, wasm_i32x4_splat(most)), wasm_i32x4_splat(-most));
#else
    const signed_lanes up = (signed_lanes)splat(most), down = (signed_lanes)splat(-most);
    signed_lanes s = (signed_lanes)v;
    const signed_lanes above = s > up, below = s < down;
    s = (s & ~above) | (up & above);
    s = (s & ~below) | (down & below);
    return (lanes)s;
#endif
}

// What the inner loop reads and writes, from the first particle of a row's inside on: in locals of its own, so that
// compilers see that no store changes it.
struct inner {
    int32_t *x0[3], *e[3];
    uint16_t *magnitude[3];
    const int32_t *x1[3], *x2[3];
    const int32_t *base[3], *part[3], *activity[3]; // worked out for the row: without what hangs on link A
    int32_t left_weight[3];
    uint32_t width;
    lanes weight;
    int32_t shift;
};

// codec_squared_length of all four.
static inline lanes measure_links(const struct inner *row, uint32_t k) {
    lanes sum = splat(0);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x1 = row->x1[axis] + k, *x2 = row->x2[axis] + k;
        const lanes now = splat(*x1) - load_links(x1, x1 - row->width);
        const lanes then = splat(*x2) - load_links(x2, x2 - row->width);
        sum += now * now + then * then;
    }
    return sum << 3;
}

// codec_correct by all four.
static inline void correct_by_links(const struct inner *row, uint32_t k, int32_t w[3]) {
    lanes ahead[3], squared = splat(0);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x0 = row->x0[axis] + k;
        ahead[axis] =
            ((splat(row->base[axis][k]) - load_links(x0, x0 - row->width)) << 2) + splat(codec_add(w[axis], 32) >> 6);
        squared += ahead[axis] * ahead[axis];
    }
    const lanes off = clamp(shift_right(measure_links(row, k) - squared, row->shift), 1 << 14);
    const lanes share = clamp(shift_right(off * row->weight + splat(512), 10), 1 << 12);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const lanes parts = shift_right(clamp(ahead[axis], 1 << 17) * share + splat(32), 6);
        w[axis] = (int32_t)((uint32_t)w[axis] + parts[0] + parts[1] + parts[2] + parts[3]);
    }
}

static inline void finish_inner(const struct inner *row, struct reader *in, struct coder *coder, bool roomy, uint32_t k,
                                const int32_t w[3], int32_t left[3]) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t full = codec_add(w[axis], 128);
        const uint32_t activity = 2 * coder->last[axis] + (uint32_t)row->activity[axis][k];
        const int32_t residual = read_residual(in, coder, roomy, axis, activity, (full & 255) - 128);
        const int32_t beyond = codec_add(full >> 8, residual);
        coder->last[axis] = codec_magnitude(residual);
        left[axis] = beyond;
        row->x0[axis][k] = codec_add(row->base[axis][k], beyond);
        row->e[axis][k] = beyond;
        row->magnitude[axis][k] = (uint16_t)coder->last[axis];
    }
}

static void sum_above(const uint16_t *restrict up, uint32_t count, int32_t *restrict out) {
    for (int32_t k = 0; k < (int32_t)count; k++) {
        out[k] = 2 * up[k] + up[k - 1] + up[k + 1];
    }
}

static void extrapolate(const int32_t *restrict x1, const int32_t *restrict x2, uint32_t count, int32_t *restrict out) {
    for (uint32_t k = 0; k < count; k++) {
        out[k] = (int32_t)(2 * (uint32_t)x1[k] - (uint32_t)x2[k]);
    }
}

// Works out what does not hang on link A, for the inside of a row.
static struct inner prepare_inner(const struct work *work, uint32_t first) {
    const uint32_t width = work->object->columns, count = width - 2;
    const int32_t *length = work->weights.length;
    struct inner row = {.width = width, .shift = work->weights.shift};
    row.weight = (lanes){(uint32_t)length[2], (uint32_t)length[1], (uint32_t)length[3], (uint32_t)length[0]};
    int32_t *scratch = work->job->ahead;
    for (uint32_t axis = 0; axis < 3; axis++, scratch += 3 * (size_t)width) {
        row.x0[axis] = work->x0[axis] + first;
        row.e[axis] = work->e[axis] + first;
        row.magnitude[axis] = work->magnitude[axis] + first;
        row.x1[axis] = work->view.x1[axis] + first;
        row.x2[axis] = work->view.x2[axis] + first;
        row.left_weight[axis] = work->weights.linear[axis][2];
        codec_predict_row(&work->view, work->weights.linear[axis], axis, first, width, count, scratch);
        extrapolate(row.x1[axis], row.x2[axis], count, scratch + width);
        sum_above(row.magnitude[axis] - width, count, scratch + 2 * (size_t)width);
        row.part[axis] = scratch;
        row.base[axis] = scratch + width;
        row.activity[axis] = scratch + 2 * (size_t)width;
    }
    return row;
}

static void decode_inner_row(struct work *work, struct reader *in, uint32_t first) {
    const struct inner row = prepare_inner(work, first);
    const uint32_t count = row.width - 2;
    struct coder coder = in->coder;
    int32_t left[3]; // e of link A
    for (uint32_t axis = 0; axis < 3; axis++) {
        left[axis] = *(row.e[axis] - 1);
    }
    for (uint32_t k = 0; k < count; k++) {
        int32_t w[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            w[axis] = codec_add(row.part[axis][k], codec_mul(row.left_weight[axis], left[axis]));
        }
        correct_by_links(&row, k, w);
        if (coder.end - coder.word >= (int32_t)CODEC_STATES) {
            finish_inner(&row, in, &coder, true, k, w, left);
        } else {
            finish_inner(&row, in, &coder, false, k, w, left);
        }
    }
    in->coder = coder;
    in->failed = in->failed || coder.failed;
    for (uint32_t axis = 0; axis < 3; axis++) {
        in->before[axis] = row.x0[axis][count - 1];
    }
}

static uint32_t decode_lattice(struct work *work, struct reader *in) {
    const uint32_t columns = work->object->columns, rows = work->object->rows;
    for (uint32_t row = 0; row < rows && !in->failed && !in->coder.failed; row++) {
        uint32_t column = 0;
        if (work->view.baselines == 3 && row > 0 && row + 1 < rows && columns > 2) {
            decode_particle(work, in, row * columns);
            decode_inner_row(work, in, row * columns + 1);
            column = columns - 1;
        }
        for (; column < columns; column++) {
            decode_particle(work, in, row * columns + column);
        }
    }
    return columns * rows;
}

// ---- the payload ---------------------------------------------------------------------------------------------------

static void read_weights(struct reader *in) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t k = 0; k < CODEC_TERMS; k++) {
            in->own.linear[axis][k] = read_signed(in, 4);
        }
    }
    for (uint32_t link = 0; link < 4; link++) {
        in->own.length[link] = codec_clamp(read_signed(in, 9), 1 << 16);
    }
    const uint32_t shift = read_bits(in, 5);
    in->own.shift = (int32_t)(shift > CODEC_LENGTH_SHIFT_MOST ? CODEC_LENGTH_SHIFT_MOST : shift);
    in->has_own = true;
}

static void rest_object(const struct work *work) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < work->object->count; i++) {
            work->x0[axis][i] = work->view.x1[axis][i];
        }
    }
}

static void decode_object(struct work *work, struct reader *in) {
    const uint32_t baselines = work->job->baselines;
    if (work->object->count == 0) {
        return;
    }
    const uint32_t mode = read_bits(in, 2);
    if (mode == CODEC_MODE_STILL) {
        in->failed = in->failed || baselines == 0;
        if (baselines > 0) {
            rest_object(work);
        }
        return;
    }
    const bool quiet = work->object->count >= CODEC_CHOICE_LEAST && read_bits(in, 1) != 0;
    in->coder.starts = codec_starts + (quiet ? CODEC_ROWS : 0);
    if (mode == CODEC_MODE_OWN) {
        read_weights(in);
    }
    in->failed = in->failed || (mode == CODEC_MODE_LAST && !in->has_own);
    work->weights = mode == CODEC_MODE_DEFAULT ? codec_defaults[baselines][work->object->kind] : in->own;
    uint32_t i = work->object->columns > 0 ? decode_lattice(work, in) : 0;
    for (; i < work->object->count && !in->failed && !in->coder.failed; i++) {
        decode_particle(work, in, i);
    }
}

static void look_at(struct work *work, const struct codec_object *object) {
    const struct codec_job *job = work->job;
    work->object = object;
    work->view.baselines = job->baselines;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t at = axis * job->particles + object->first;
        work->view.x1[axis] = job->x1 + at;
        work->view.x2[axis] = job->x2 + at;
        work->view.x3[axis] = job->x3 + at;
        work->x0[axis] = job->x0 + at;
        work->e[axis] = job->e + at;
        work->magnitude[axis] = job->magnitude + at;
        work->view.x0[axis] = work->x0[axis];
        work->view.e[axis] = work->e[axis];
    }
}

enum codec_fault codec_decode(const struct codec_job *job) {
    if (job->words < 1 + CODEC_STATES) {
        return CODEC_CUT_OFF;
    }
    const uint32_t coded = job->payload[0], coded_words = coded / 2 + coded % 2;
    if (coded_words > job->words - 1 - CODEC_STATES) {
        return CODEC_CUT_OFF;
    }
    struct reader in = {0};
    in.coder.word = (const uint16_t *)(const void *)(job->payload + 1 + CODEC_STATES);
    in.coder.end = in.coder.word + coded;
    in.raw = job->payload + 1 + CODEC_STATES + coded_words;
    in.raw_end = job->payload + job->words;
    for (uint32_t k = 0; k < CODEC_STATES; k++) {
        in.coder.state[k] = job->payload[1 + k];
        in.coder.last[k] = 1;
        if (in.coder.state[k] < CODEC_STATE_LEAST || in.coder.state[k] > 0x7fffffffu) {
            return CODEC_BAD_VALUE;
        }
    }
    struct work work = {.job = job};
    for (uint32_t k = 0; k < job->which_count && !in.failed; k++) {
        look_at(&work, &job->objects[job->which[k]]);
        decode_object(&work, &in);
    }
    if (in.failed || in.coder.failed) {
        return CODEC_CUT_OFF;
    }
    bool over = in.coder.word == in.coder.end && in.raw == in.raw_end && in.pending == 0;
    for (uint32_t k = 0; k < CODEC_STATES; k++) {
        over = over && in.coder.state[k] == CODEC_STATE_LEAST;
    }
    return over ? CODEC_SOUND : CODEC_LEFT_OVER;
}
