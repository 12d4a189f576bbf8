// SPDX-License-Identifier: MIT
// Keeps the last frames of a stream, chooses the weights of each object and writes the message (proto/FRAMES.md).
#include "proto/frame/codec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/frame/codec_bases.h"
#include "proto/frame/codec_cloth.h"
#include "proto/frame/codec_coder.h"
#include "proto/frame/codec_fit.h"
#include "proto/frame/codec_links.h"
#include "proto/frame/codec_predict.h"
#include "proto/frame/codec_tables.h"
#include "proto/frame/frame.h"

#define ROW_PLANES 7u // words of scratch per column: 6, and a byte

// ---- weights -------------------------------------------------------------------------------------------------------

static void write_signed(struct codec_writer *out, int32_t value, uint32_t k) {
    codec_write_golomb(out, ((uint32_t)value << 1) ^ (value < 0 ? UINT32_MAX : 0), k);
}

static void write_weights(struct codec_writer *out) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t k = 0; k < CODEC_TERMS; k++) {
            write_signed(out, out->weights.linear[axis][k], 4);
        }
    }
    for (uint32_t link = 0; link < 4; link++) {
        write_signed(out, out->weights.length[link], 9);
    }
    codec_write_bits(out, (uint32_t)out->weights.shift, 5);
}

// Writes which bases follow: those of the cloth's own motion, or with NULL the ordinary ones.
static void write_bases(struct codec_writer *out, const struct codec_weave *weave) {
    codec_write_bits(out, weave != NULL, 1);
    if (weave != NULL) {
        codec_write_bits(out, weave->hexagonal, 1);
        codec_write_bits(out, weave->spacing, CODEC_SPACING_BITS);
    }
}

// ---- an object -----------------------------------------------------------------------------------------------------

static bool is_still(const struct codec_writer *out) {
    const size_t bytes = out->object->count * sizeof(int32_t);
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (memcmp(out->view.x0[axis], out->view.x1[axis], bytes) != 0) {
            return false;
        }
    }
    return true;
}

// Finds the cheapest of three choices: weights fitted to the object, those of the object before, the table's.
static enum codec_mode find_cheapest(const struct codec_writer *out, const struct codec_weights *own) {
    const int32_t *table = out->codec->table;
    const struct codec_weights *defaults = &codec_defaults[out->view.baselines][out->object->kind];
    enum codec_mode mode = CODEC_MODE_DEFAULT;
    double best = codec_fit_cost(out->object, table, &out->view, defaults);
    if (out->has_own) {
        const double cost = codec_fit_cost(out->object, table, &out->view, &out->last_own);
        mode = cost < best ? CODEC_MODE_LAST : mode;
        best = cost < best ? cost : best;
    }
    const double bits = 240.0; // of the weights in the message
    return codec_fit_cost(out->object, table, &out->view, own) + bits < best ? CODEC_MODE_OWN : mode;
}

// Sets the writer's weights. A small object is fitted every few frames only, different objects in different frames.
static enum codec_mode choose_weights(struct codec_writer *out, uint32_t index, bool played) {
    const struct proto_codec *codec = out->codec;
    const uint32_t baselines = out->view.baselines, variant = played ? CODEC_VARIANTS - 1 : baselines;
    out->weights = codec_defaults[baselines][out->object->kind];
    if (codec->fit_of[index] == UINT32_MAX) {
        return CODEC_MODE_DEFAULT;
    }
    struct codec_fit *fit = &codec->fits[codec->fit_of[index]];
    struct codec_weights *own = &fit->weights[variant];
    const uint32_t turn = fit->fits[variant]++;
    if (turn < 8 || out->object->count >= CODEC_FIT_SMALL || (turn + index) % CODEC_FIT_EVERY == 0) {
        codec_fit(fit, variant, out->object, codec->table, &out->view, own);
        fit->mode[variant] = find_cheapest(out, own);
    }
    enum codec_mode mode = fit->mode[variant];
    if (mode == CODEC_MODE_LAST && !out->has_own) {
        mode = CODEC_MODE_OWN;
    }
    if (mode == CODEC_MODE_OWN) {
        out->last_own = *own;
        out->has_own = true;
    }
    if (mode != CODEC_MODE_DEFAULT) {
        out->weights = out->last_own;
    }
    return mode;
}

static void encode_object(struct codec_writer *out, uint32_t index) {
    struct proto_codec *codec = out->codec;
    out->object = &codec->objects[index];
    if (out->object->count == 0) {
        return;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const size_t at = (size_t)axis * codec->particles + out->object->first;
        out->view.x0[axis] = codec->ring[0] + at;
        out->view.x1[axis] = codec->ring[1] + at;
        out->view.x2[axis] = codec->ring[2] + at;
        out->view.x3[axis] = codec->ring[3] + at;
        out->view.e[axis] = out->e[axis] = codec->e + at;
        out->residual[axis] = codec->residual + at;
        out->magnitude[axis] = codec->magnitude + at;
    }
    if (out->view.baselines > 0 && is_still(out)) {
        codec_write_bits(out, CODEC_MODE_STILL, 2);
        return;
    }
    const bool played = codec_find_bases(out, index);
    const enum codec_mode mode = choose_weights(out, index, played);
    codec_write_bits(out, mode, 2);
    const size_t quiet = codec_bits_written(out);
    codec_write_bits(out, 0, out->object->count >= CODEC_CHOICE_LEAST);
    if (codec_may_play(out->object, out->view.baselines)) {
        write_bases(out, played ? &codec->weaves[index] : NULL);
    }
    if (mode == CODEC_MODE_OWN) {
        write_weights(out);
    }
    const uint32_t first = out->coded;
    codec_predict(out);
    if (out->object->count >= CODEC_CHOICE_LEAST && codec_is_quiet(out, first)) {
        codec_set_bit(out, quiet);
        for (uint32_t axis = 0; axis < 3; axis++) {
            uint8_t *row = codec->row + (size_t)axis * codec->particles + first;
            for (uint32_t k = 0; k < out->coded - first; k++) {
                row[k] = (uint8_t)(row[k] + CODEC_ROWS);
            }
        }
    }
}

// ---- the message ---------------------------------------------------------------------------------------------------

static void store16(uint8_t *out, uint32_t value) {
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

static void store32(uint8_t *out, uint32_t value) {
    store16(out, value);
    store16(out + 2, value >> 16);
}

static uint8_t *store_head(const struct proto_codec *codec, const struct proto_codec_frame *frame, uint32_t baselines,
                           uint8_t *out) {
    const uint32_t named = frame->objects == NULL ? codec->object_count : frame->object_count;
    const bool ranges = frame->chosen || frame->partial || frame->rest;
    uint32_t count = 0, step = 0;
    for (uint32_t k = 0; k < named; k++) {
        count += codec->objects[frame->objects == NULL ? k : frame->objects[k]].count;
    }
    const uint32_t flags = (ranges ? PROTO_FRAME_RANGES : 0) | (frame->refresh ? PROTO_FRAME_REFRESH : 0) |
                           (baselines == 0 ? PROTO_FRAME_KEYFRAME : 0) | (frame->partial ? PROTO_FRAME_PARTIAL : 0) |
                           (frame->rest ? PROTO_FRAME_REST : 0);
    out[0] = PROTO_BINARY_FRAME;
    out[1] = PROTO_CODING_MOTION;
    store16(out + 2, flags);
    store32(out + 4, frame->epoch);
    store32(out + 8, (uint32_t)codec->tick[0]);
    store32(out + 12, (uint32_t)(codec->tick[0] >> 32));
    store32(out + 16, named > 0 ? codec->slots[frame->objects == NULL ? 0 : frame->objects[0]] : 0);
    store32(out + 20, count);
    memcpy(&step, &codec->step, sizeof step);
    store32(out + 24, step);
    for (uint32_t k = 0; k < 4; k++) {
        out[28 + k] = (uint8_t)(k < baselines ? codec->tick[0] - codec->tick[k + 1] : 0);
    }
    out += PROTO_HEADER_BYTES;
    if (ranges) {
        store32(out, named);
        out += 4;
        for (uint32_t k = 0; k < named; k++, out += 8) {
            const uint32_t index = frame->objects == NULL ? k : frame->objects[k];
            store32(out, codec->slots[index]);
            store32(out + 4, codec->objects[index].count);
        }
    }
    return out;
}

static uint8_t *store_payload(struct codec_writer *in, uint8_t *out) {
    uint16_t *const end = in->codec->coded + 3 * (size_t)in->codec->particles;
    uint32_t state[CODEC_STATES];
    uint16_t *word = codec_code(in, end, state);
    const size_t words = (size_t)(end - word);
    store32(out, (uint32_t)words);
    for (uint32_t k = 0; k < CODEC_STATES; k++) {
        store32(out + 4 + 4 * k, state[k]);
    }
    out += 4 + 4 * CODEC_STATES;
    for (; word < end; word++, out += 2) {
        store16(out, *word);
    }
    if (words % 2 != 0) {
        store16(out, 0);
        out += 2;
    }
    if (in->filled > 0) {
        *in->raw++ = (uint32_t)in->pending;
    }
    for (const uint32_t *raw = in->codec->raw; raw < in->raw; raw++, out += 4) {
        store32(out, *raw);
    }
    return out;
}

static size_t pack(struct proto_codec *codec, const struct proto_codec_frame *frame, uint32_t baselines, uint8_t *out) {
    struct codec_writer writer = {.codec = codec, .raw = codec->raw, .last = {1, 1, 1}};
    writer.view.baselines = baselines;
    const uint32_t named = frame->objects == NULL ? codec->object_count : frame->object_count;
    for (uint32_t k = 0; k < named; k++) {
        encode_object(&writer, frame->objects == NULL ? k : frame->objects[k]);
    }
    return (size_t)(store_payload(&writer, store_head(codec, frame, baselines, out)) - out);
}

size_t proto_codec_pack(struct proto_codec *codec, const struct proto_codec_frame *frame, uint32_t baselines,
                        uint8_t *out) {
    assert(codec->frames > 0 && baselines <= proto_codec_baselines(codec) && !(frame->rest && baselines > 0));
    return pack(codec, frame, baselines, out);
}

// ---- life ----------------------------------------------------------------------------------------------------------

// The most raw words of an object and of a particle: per value an escape of 1 + 61 bits and 15 low bits; weights 29
// × 63.
#define RAW_WORDS_PER_PARTICLE 8u
#define RAW_WORDS_PER_OBJECT 64u

struct extent {
    uint32_t widest; // lattice
    uint32_t fits;   // objects with weights of their own
    size_t cloth;    // words of scratch for the largest cloth that can be played
};

static enum result allocate(struct proto_codec *codec, const struct extent *extent) {
    const size_t n = (size_t)codec->particles + 1;
    for (uint32_t k = 0; k < CODEC_RING; k++) {
        codec->ring[k] = calloc(3 * n, sizeof(int32_t));
        if (codec->ring[k] == NULL) {
            return RESULT_MEMORY;
        }
    }
    codec->aside = malloc(3 * n * sizeof *codec->aside);
    codec->fits = calloc((size_t)extent->fits + 1, sizeof *codec->fits);
    codec->e = malloc(3 * n * sizeof *codec->e);
    codec->residual = malloc(3 * n * sizeof *codec->residual);
    codec->magnitude = malloc(3 * n * sizeof *codec->magnitude);
    codec->row = malloc(3 * n);
    codec->symbol = malloc(3 * n);
    codec->rows = malloc(ROW_PLANES * ((size_t)extent->widest + 1) * sizeof *codec->rows);
    codec->cloth = malloc(extent->cloth * sizeof *codec->cloth);
    codec->coded = malloc(3 * n * sizeof *codec->coded); // one more than needed, since put_symbol writes ahead
    codec->raw = malloc((RAW_WORDS_PER_PARTICLE * n + RAW_WORDS_PER_OBJECT * ((size_t)codec->object_count + 1)) *
                        sizeof *codec->raw);
    const bool all = codec->aside != NULL && codec->fits != NULL && codec->e != NULL && codec->residual != NULL &&
                     codec->magnitude != NULL && codec->cloth != NULL && codec->row != NULL && codec->symbol != NULL &&
                     codec->rows != NULL && codec->coded != NULL && codec->raw != NULL;
    return all ? RESULT_OK : RESULT_MEMORY;
}

static enum codec_kind kind_of(enum proto_codec_shape shape) {
    return shape == PROTO_CODEC_BODY || shape == PROTO_CODEC_LOOSE ? CODEC_KIND_BODY : CODEC_KIND_SHEET;
}

static size_t max_size(size_t a, size_t b) {
    return a > b ? a : b;
}

static struct extent take_objects(struct proto_codec *codec, const struct proto_codec_object *objects) {
    struct extent extent = {.cloth = 1};
    for (uint32_t i = 0; i < codec->object_count; i++) {
        const struct proto_codec_object *from = &objects[i];
        const bool lattice = from->shape == PROTO_CODEC_LATTICE;
        codec->objects[i] = (struct codec_object){.first = codec->particles,
                                                  .count = from->count,
                                                  .columns = lattice ? from->columns : 0,
                                                  .rows = lattice ? from->rows : 0,
                                                  .kind = kind_of(from->shape)};
        codec->slots[i] = from->first;
        codec->particles += from->count;
        codec->fit_of[i] = from->count >= CODEC_FIT_LEAST ? extent.fits++ : UINT32_MAX;
        codec_weave_init(&codec->weaves[i], from, codec->step);
        extent.widest = lattice && from->columns > extent.widest ? from->columns : extent.widest;
        if (codec->weaves[i].spacing > 0 && codec_may_play(&codec->objects[i], CODEC_BASELINES_MOST)) {
            extent.cloth = max_size(extent.cloth, codec_cloth_words(from->columns, from->rows));
        }
    }
    return extent;
}

enum result proto_codec_create(const struct proto_codec_object *objects, uint32_t count, float step,
                               struct proto_codec **out) {
    struct proto_codec *codec = calloc(1, sizeof *codec);
    if (codec == NULL) {
        return RESULT_MEMORY;
    }
    struct extent extent = {0};
    enum result result = RESULT_MEMORY;
    codec->step = step;
    codec->object_count = count;
    codec->objects = calloc((size_t)count + 1, sizeof *codec->objects);
    codec->slots = calloc((size_t)count + 1, sizeof *codec->slots);
    codec->fit_of = calloc((size_t)count + 1, sizeof *codec->fit_of);
    codec->weaves = calloc((size_t)count + 1, sizeof *codec->weaves);
    if (codec->objects != NULL && codec->slots != NULL && codec->fit_of != NULL && codec->weaves != NULL) {
        extent = take_objects(codec, objects);
        result = codec_links_build(codec, objects);
    }
    if (result == RESULT_OK) {
        result = allocate(codec, &extent);
    }
    if (result != RESULT_OK) {
        proto_codec_destroy(codec);
        return result;
    }
    codec_prepare_symbols(codec);
#if defined(__x86_64__)
    codec->wide = __builtin_cpu_supports("avx2") != 0;
#endif
    *out = codec;
    return RESULT_OK;
}

void proto_codec_destroy(struct proto_codec *codec) {
    if (codec == NULL) {
        return;
    }
    for (uint32_t k = 0; k < CODEC_RING; k++) {
        free(codec->ring[k]);
    }
    free(codec->aside);
    free(codec->objects);
    free(codec->slots);
    free(codec->fit_of);
    free(codec->weaves);
    free(codec->cloth);
    free(codec->table);
    free(codec->fits);
    free(codec->e);
    free(codec->residual);
    free(codec->magnitude);
    free(codec->row);
    free(codec->symbol);
    free(codec->rows);
    free(codec->coded);
    free(codec->raw);
    free(codec);
}

// ---- frames of the stream ------------------------------------------------------------------------------------------

static void quantise(const float *x, uint32_t count, double step, bool exact_inverse, int32_t *restrict q) {
    const double inverse = 1.0 / step;
    for (uint32_t i = 0; i < count; i++) {
        const double v = exact_inverse ? (double)x[i] * inverse + 0.5 : (double)x[i] / step + 0.5;
        const int32_t toward_zero = (int32_t)v;
        q[i] = toward_zero - (v < (double)toward_zero);
    }
}

static void quantise_object(const struct proto_codec *codec, uint32_t index, const float *const from[3],
                            int32_t *planes) {
    const struct codec_object *object = &codec->objects[index];
    int exponent = 0;
    const bool exact_inverse = frexpf(codec->step, &exponent) == 0.5f;
    for (uint32_t axis = 0; axis < 3; axis++) {
        quantise(from[axis] + codec->slots[index], object->count, (double)codec->step, exact_inverse,
                 planes + (size_t)axis * codec->particles + object->first);
    }
}

static void copy_object(const struct proto_codec *codec, uint32_t index, const int32_t *from, int32_t *to) {
    const struct codec_object *object = &codec->objects[index];
    for (uint32_t axis = 0; axis < 3; axis++) {
        const size_t at = (size_t)axis * codec->particles + object->first;
        memcpy(to + at, from + at, object->count * sizeof *to);
    }
}

void proto_codec_advance_moved(struct proto_codec *codec, uint64_t tick, const float *x, const float *y, const float *z,
                               const bool *unmoved) {
    assert(codec->frames == 0 || tick >= codec->tick[0]);
    const bool has_newest = codec->frames > 0, again = has_newest && tick == codec->tick[0];
    if (!again) {
        int32_t *const oldest = codec->ring[CODEC_RING - 1];
        for (uint32_t k = CODEC_RING - 1; k > 0; k--) {
            codec->ring[k] = codec->ring[k - 1];
            codec->tick[k] = codec->tick[k - 1];
        }
        codec->ring[0] = oldest;
        codec->tick[0] = tick;
        codec->frames += codec->frames < CODEC_RING;
    }
    const float *const from[3] = {x, y, z};
    for (uint32_t i = 0; i < codec->object_count; i++) {
        if (!has_newest || unmoved == NULL || !unmoved[i]) {
            quantise_object(codec, i, from, codec->ring[0]);
        } else if (!again) {
            copy_object(codec, i, codec->ring[1], codec->ring[0]);
        }
    }
}

void proto_codec_advance(struct proto_codec *codec, uint64_t tick, const float *x, const float *y, const float *z) {
    proto_codec_advance_moved(codec, tick, x, y, z, NULL);
}

size_t proto_codec_pack_alone(struct proto_codec *codec, const struct proto_codec_frame *frame, uint64_t tick,
                              const float *x, const float *y, const float *z, uint8_t *out) {
    const float *const from[3] = {x, y, z};
    const uint32_t named = frame->objects == NULL ? codec->object_count : frame->object_count;
    for (uint32_t k = 0; k < named; k++) {
        quantise_object(codec, frame->objects == NULL ? k : frame->objects[k], from, codec->aside);
    }
    int32_t *const newest = codec->ring[0];
    const uint64_t newest_tick = codec->tick[0];
    codec->ring[0] = codec->aside;
    codec->tick[0] = tick;
    const size_t length = pack(codec, frame, 0, out);
    codec->ring[0] = newest;
    codec->tick[0] = newest_tick;
    return length;
}

uint32_t proto_codec_baselines(const struct proto_codec *codec) {
    if (codec->frames < 2) {
        return 0;
    }
    const uint64_t distance = codec->tick[0] - codec->tick[1];
    uint32_t count = 0;
    while (count + 1 < codec->frames && (count + 1) * distance <= 255 &&
           codec->tick[0] - codec->tick[count + 1] == (count + 1) * distance) {
        count++;
    }
    return count;
}

size_t proto_codec_bound(const struct proto_codec *codec) {
    const size_t ranges = PROTO_HEADER_BYTES + 4 + 8 * (size_t)codec->object_count;
    return ranges + 4 + 4 * CODEC_STATES + 6 * (size_t)codec->particles + 2 +
           4 * (RAW_WORDS_PER_PARTICLE * ((size_t)codec->particles + 1) +
                RAW_WORDS_PER_OBJECT * ((size_t)codec->object_count + 1));
}
