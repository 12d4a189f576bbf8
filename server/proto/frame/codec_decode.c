// SPDX-License-Identifier: MIT
// Freestanding: the server's tests run this file, and the page does so too, built for WebAssembly;
// web/client/codec_javascript.js is the same decoder in JavaScript.
//
// The inside of a lattice is decoded several numbers at a time (codec_inner.h). The edge of a lattice and all other
// objects are decoded particle by particle.
#include "proto/frame/codec_decode.h"

#include "proto/frame/codec_cloth.h"
#include "proto/frame/codec_inner.h"

// ---- an object -----------------------------------------------------------------------------------------------------

struct work {
    const struct codec_job *job;
    const struct codec_object *object;
    struct codec_view view;
    struct codec_weights weights;
    int32_t *x0[3], *e[3];
    uint16_t *magnitude[3];
    uint32_t based; // how many of its particles have their bases in e
};

// Predicts from the linear part w (1/256 steps over the base), reads the residuals and stores the position.
static inline void finish_particle(struct work *work, struct codec_reader *in, uint32_t i,
                                   const int32_t links[CODEC_LINKS], const int32_t base[3], const int32_t w[3]) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t full = codec_add(w[axis], 128);
        const int32_t fraction = (full & 255) - 128;
        const uint32_t activity = codec_activity(work->magnitude[axis], links, in->coder.last[axis]);
        const int32_t residual = codec_read_residual(in, axis, activity, fraction);
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

static inline void decode_particle(struct work *work, struct codec_reader *in, uint32_t i) {
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
            base[axis] = i < work->based ? work->e[axis][i] : codec_base(view, axis, i);
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

// ---- a lattice -----------------------------------------------------------------------------------------------------

static void decode_inner_row(struct work *work, struct codec_reader *in, uint32_t first) {
    struct codec_inner row = {.width = work->object->columns,
                              .count = work->object->columns - 2,
                              .weights = &work->weights,
                              .based = work->based > 0,
                              .ready = (struct codec_ready *)(void *)work->job->ahead};
    for (uint32_t axis = 0; axis < 3; axis++) {
        row.view.x1[axis] = work->view.x1[axis] + first;
        row.view.x2[axis] = work->view.x2[axis] + first;
        row.view.x3[axis] = work->view.x3[axis] + first;
        row.x0[axis] = work->x0[axis] + first;
        row.e[axis] = work->e[axis] + first;
        row.magnitude[axis] = work->magnitude[axis] + first;
    }
    codec_decode_inner(&row, in);
}

static uint32_t decode_lattice(struct work *work, struct codec_reader *in) {
    const uint32_t columns = work->object->columns, rows = work->object->rows;
    const bool inner = work->view.baselines == 3 && columns >= CODEC_INNER_LEAST;
    for (uint32_t row = 0; row < rows && !in->failed && !in->coder.failed; row++) {
        uint32_t column = 0;
        if (inner && row > 0 && row + 1 < rows) {
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

static void read_weights(struct codec_reader *in) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t k = 0; k < CODEC_TERMS; k++) {
            in->own.linear[axis][k] = codec_read_signed(in, 4);
        }
    }
    for (uint32_t link = 0; link < 4; link++) {
        in->own.length[link] = codec_clamp(codec_read_signed(in, 9), 1 << 16);
    }
    const uint32_t shift = codec_read_bits(in, 5);
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

// Reads whether the object's bases are those of the cloth's own motion, and computes them.
static void read_bases(struct work *work, struct codec_reader *in) {
    const struct codec_object *object = work->object;
    work->based = 0;
    if (!codec_may_play(object, work->job->baselines) || codec_read_bits(in, 1) == 0) {
        return;
    }
    const bool hex = codec_read_bits(in, 1) != 0;
    const uint32_t spacing = codec_read_bits(in, CODEC_SPACING_BITS);
    if (spacing < CODEC_SPACING_LEAST) {
        in->failed = true;
        return;
    }
    codec_cloth_run(object, &work->view, spacing, hex, work->job->cloth, work->e);
    work->based = object->columns * object->rows;
}

static void decode_object(struct work *work, struct codec_reader *in) {
    const uint32_t baselines = work->job->baselines;
    if (work->object->count == 0) {
        return;
    }
    const uint32_t mode = codec_read_bits(in, 2);
    if (mode == CODEC_MODE_STILL) {
        in->failed = in->failed || baselines == 0;
        if (baselines > 0) {
            rest_object(work);
        }
        return;
    }
    const bool quiet = work->object->count >= CODEC_CHOICE_LEAST && codec_read_bits(in, 1) != 0;
    in->coder.starts = codec_starts + (quiet ? CODEC_ROWS : 0);
    read_bases(work, in);
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
    struct codec_reader in = {0};
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
