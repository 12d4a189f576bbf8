// SPDX-License-Identifier: MIT
// The payload of a frame in coding 2, for one of four streams: two bytes choose the stream, the baselines and which of
// its objects are in the frame; the rest are the payload's words.
#include "fuzz.h"

#include <string.h>

#include "proto/frame/codec_cloth.h"
#include "proto/frame/codec_decode.h"
#include "proto/frame/codec_encoder.h"

#define OBJECTS_MAX 4u
#define STREAMS 4u

static const uint32_t mesh[] = {0, 1, 2, 1, 3, 2, 2, 3, 4};

static const struct proto_codec_object streams[STREAMS][OBJECTS_MAX] = {
    {{.first = 0, .count = 108, .shape = PROTO_CODEC_LATTICE, .columns = 12, .rows = 9}},
    {{.first = 0, .count = 130, .shape = PROTO_CODEC_LATTICE, .columns = 31, .rows = 4},
     {.first = 130, .count = 40, .shape = PROTO_CODEC_CHAIN}},
    {{.first = 0, .count = 4, .shape = PROTO_CODEC_BODY},
     {.first = 4, .count = 5, .shape = PROTO_CODEC_TRIANGLES, .triangles = mesh, .triangle_count = 3},
     {.first = 9, .count = 17, .shape = PROTO_CODEC_LOOSE},
     {.first = 26, .count = 4, .shape = PROTO_CODEC_BODY}},
    {{.first = 0, .count = 4, .shape = PROTO_CODEC_LATTICE, .columns = 2, .rows = 2},
     {.first = 4, .count = 1, .shape = PROTO_CODEC_LOOSE}},
};
static const uint32_t object_counts[STREAMS] = {1, 2, 4, 2};

static int32_t *planes(uint32_t particles, int32_t slope) {
    int32_t *plane = calloc(3 * (size_t)particles, sizeof *plane);
    FUZZ_CHECK(plane != NULL);
    for (uint32_t i = 0; i < 3 * particles; i++) {
        plane[i] = (int32_t)i * slope;
    }
    return plane;
}

// Everything of its very length, so that a sanitizer sees what lies behind it.
static void decode(const struct proto_codec *codec, uint32_t baselines, uint32_t chosen, const uint8_t *data,
                   size_t words) {
    uint32_t which[OBJECTS_MAX], count = 0, widest = 1;
    size_t cloth_words = 1;
    for (uint32_t i = 0; i < codec->object_count; i++) {
        const size_t taken = codec_cloth_words(codec->objects[i].columns, codec->objects[i].rows);
        widest = codec->objects[i].columns > widest ? codec->objects[i].columns : widest;
        cloth_words = taken > cloth_words ? taken : cloth_words;
        if ((chosen >> i & 1) != 0) {
            which[count++] = i;
        }
    }
    const uint32_t particles = codec->particles;
    int32_t *x[4] = {planes(particles, 0), planes(particles, 7), planes(particles, 6), planes(particles, 5)};
    int32_t *e = planes(particles, 0), *ahead = aligned_alloc(16, 20 * (size_t)widest * sizeof *ahead);
    float *cloth = calloc(cloth_words, sizeof *cloth);
    uint16_t *magnitude = calloc(3 * (size_t)particles, sizeof *magnitude);
    uint32_t *payload = malloc(words * sizeof *payload + (words == 0 ? 1 : 0));
    FUZZ_CHECK(ahead != NULL && cloth != NULL && magnitude != NULL && payload != NULL);
    memcpy(payload, data, words * sizeof *payload);
    const struct codec_job job = {.objects = codec->objects,
                                  .which = which,
                                  .which_count = count,
                                  .table = codec->table,
                                  .particles = particles,
                                  .baselines = baselines,
                                  .x1 = x[1],
                                  .x2 = x[2],
                                  .x3 = x[3],
                                  .x0 = x[0],
                                  .e = e,
                                  .magnitude = magnitude,
                                  .ahead = ahead,
                                  .cloth = cloth,
                                  .payload = payload,
                                  .words = (uint32_t)words};
    FUZZ_CHECK(codec_decode(&job) <= CODEC_BAD_VALUE);
    for (uint32_t k = 0; k < 4; k++) {
        free(x[k]);
    }
    free(e);
    free(ahead);
    free(cloth);
    free(magnitude);
    free(payload);
}

void fuzz_codec(const uint8_t *data, size_t size) {
    if (size < 2) {
        return;
    }
    const uint32_t stream = data[0] % STREAMS;
    struct proto_codec *codec = NULL;
    FUZZ_CHECK(proto_codec_create(streams[stream], object_counts[stream], 1.0f / 4096.0f, &codec) == RESULT_OK);
    decode(codec, data[0] / STREAMS % 4u, data[1], data + 2, (size - 2) / sizeof(uint32_t));
    proto_codec_destroy(codec);
}

FUZZ_ENTRY(fuzz_codec)
