// SPDX-License-Identifier: MIT
// The bases are 2x₁ − x₂, or for a cloth with a fine step the result of its own motion, if that is nearer. The choice
// is made anew every LOOK_EVERY frames only, since playing a tick again costs half as much as the rest of the encoder.
#include "proto/frame/codec_bases.h"

#include <math.h>

#include "proto/frame/codec_cloth.h"
#include "proto/frame/codec_fit.h"
#include "proto/frame/codec_tables.h"

#define FINE_STEP (1.0f / 2048.0f) // m; with a coarser step the gain is not worth the time
#define LOOK_EVERY 32u             // frames

void codec_weave_init(struct codec_weave *weave, const struct proto_codec_object *object, float step) {
    const float spacing = 256.0f * object->spacing / step;
    const bool known = object->shape == PROTO_CODEC_LATTICE && step <= FINE_STEP &&
                       spacing >= (float)CODEC_SPACING_LEAST && spacing < (float)(1u << CODEC_SPACING_BITS);
    *weave = (struct codec_weave){known ? (uint32_t)lrintf(spacing) : 0, object->hexagonal};
}

// Sets e to the difference from 2x₁ − x₂, or from x₁ where there is no x₂.
static void find_innovations(const struct codec_writer *out) {
    const uint32_t count = out->object->count;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x0 = out->view.x0[axis], *x1 = out->view.x1[axis], *x2 = out->view.x2[axis];
        int32_t *restrict e = out->e[axis];
        if (out->view.baselines == 1) {
            for (uint32_t i = 0; i < count; i++) {
                e[i] = codec_sub(x0[i], x1[i]);
            }
        } else if (out->view.baselines > 1) {
            for (uint32_t i = 0; i < count; i++) {
                e[i] = (int32_t)((uint32_t)x0[i] - 2 * (uint32_t)x1[i] + (uint32_t)x2[i]);
            }
        }
    }
}

static void play(const struct codec_writer *out, const struct codec_weave *weave) {
    codec_cloth_run(out->object, &out->view, weave->spacing, weave->hexagonal, out->codec->cloth, out->e);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void play_avx2(const struct codec_writer *out, const struct codec_weave *weave) {
    codec_cloth_run(out->object, &out->view, weave->spacing, weave->hexagonal, out->codec->cloth, out->e);
}
#else
#define play_avx2 play
#endif

// Sets e to the difference from the cloth's own motion.
static void find_innovations_played(const struct codec_writer *out, const struct codec_weave *weave) {
    const uint32_t count = out->object->columns * out->object->rows;
    (out->codec->wide ? play_avx2 : play)(out, weave);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t *x0 = out->view.x0[axis];
        int32_t *restrict e = out->e[axis];
        for (uint32_t i = 0; i < count; i++) {
            e[i] = codec_sub(x0[i], e[i]);
        }
    }
}

static double cost_of(const struct codec_writer *out) {
    return codec_fit_cost(out->object, out->codec->table, &out->view,
                          &codec_defaults[CODEC_BASELINES_MOST][out->object->kind]);
}

bool codec_find_bases(struct codec_writer *out, uint32_t index) {
    const struct codec_weave *weave = &out->codec->weaves[index];
    const bool may = codec_may_play(out->object, out->view.baselines) && weave->spacing > 0;
    struct codec_fit *fit = may ? &out->codec->fits[out->codec->fit_of[index]] : NULL;
    const bool look = may && fit->looks++ % LOOK_EVERY == 0;
    if (!may || look || !fit->played || out->object->count > out->object->columns * out->object->rows) {
        find_innovations(out); // for the particles that tearing added too
    }
    if (look) {
        const double cost = cost_of(out);
        find_innovations_played(out, weave);
        fit->played = cost_of(out) < cost;
        if (!fit->played) {
            find_innovations(out);
        }
    } else if (may && fit->played) {
        find_innovations_played(out, weave);
    }
    return may && fit->played;
}
