// SPDX-License-Identifier: MIT
// A receiver for tests of coding 2: reads header and ranges, keeps the frames of a stream and runs the decoder that the
// page runs. It uses the encoder's objects and links.
#ifndef WEFT_TESTS_PROTO_CODEC_SUPPORT_H
#define WEFT_TESTS_PROTO_CODEC_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/frame/codec_cloth.h"
#include "proto/frame/codec_decode.h"
#include "proto/frame/codec_encoder.h"
#include "proto_frame_decoder.h"

struct receiver {
    const struct proto_codec *codec;
    int32_t *ring[4], *places, *e, *ahead;
    float *cloth;
    uint16_t *magnitude;
    uint32_t *which;
    uint32_t *payload; // a copy of exactly its length, so that a sanitizer sees reads past its end
    bool has[4];
    uint64_t tick[4];
};

static inline struct receiver receiver_create(const struct proto_codec *codec) {
    struct receiver r = {.codec = codec};
    uint32_t widest = 1;
    size_t words = 1;
    for (uint32_t i = 0; i < codec->object_count; i++) {
        const struct codec_object *object = &codec->objects[i];
        const size_t taken = codec_cloth_words(object->columns, object->rows);
        widest = object->columns > widest ? object->columns : widest;
        words = taken > words ? taken : words;
    }
    const size_t n = 3 * (size_t)codec->particles + 1;
    for (int k = 0; k < 4; k++) {
        r.ring[k] = calloc(n, sizeof(int32_t));
    }
    r.places = calloc(n, sizeof(int32_t));
    r.e = calloc(n, sizeof(int32_t));
    r.ahead = calloc(20 * (size_t)widest, sizeof(int32_t));
    r.cloth = calloc(words, sizeof(float));
    r.magnitude = calloc(n, sizeof(uint16_t));
    r.which = calloc((size_t)codec->object_count + 1, sizeof(uint32_t));
    return r;
}

static inline void receiver_free(struct receiver *r) {
    for (int k = 0; k < 4; k++) {
        free(r->ring[k]);
    }
    free(r->places);
    free(r->e);
    free(r->ahead);
    free(r->cloth);
    free(r->magnitude);
    free(r->which);
    free(r->payload);
}

// The objects in a message: all, or those of its ranges.
static inline uint32_t receiver_find(struct receiver *r, const uint8_t *message, size_t *at) {
    const struct decoded_header header = decode_header(message);
    *at = 32;
    if ((header.flags & 1) == 0) {
        for (uint32_t i = 0; i < r->codec->object_count; i++) {
            r->which[i] = i;
        }
        return r->codec->object_count;
    }
    const uint32_t ranges = (uint32_t)load(message + 32, 4);
    uint32_t object = 0;
    for (uint32_t k = 0; k < ranges; k++, object++) {
        while (r->codec->slots[object] != (uint32_t)load(message + 36 + 8 * k, 4) ||
               r->codec->objects[object].count != (uint32_t)load(message + 40 + 8 * k, 4)) {
            object++;
        }
        r->which[k] = object;
    }
    *at += 4 + 8 * (size_t)ranges;
    return ranges;
}

// Decodes a frame into ring[0], or a rest message into `places`. Returns CODEC_BAD_VALUE when a baseline is missing,
// too.
static inline enum codec_fault receiver_take(struct receiver *r, const uint8_t *message, size_t length) {
    const struct decoded_header header = decode_header(message);
    size_t at = 0;
    const uint32_t count = receiver_find(r, message, &at);
    const bool rest = (header.flags & 16) != 0, again = r->has[0] && r->tick[0] == header.tick;
    if (!rest && !again) {
        int32_t *const oldest = r->ring[3];
        for (int k = 3; k > 0; k--) {
            r->ring[k] = r->ring[k - 1];
            r->tick[k] = r->tick[k - 1];
            r->has[k] = r->has[k - 1];
        }
        r->ring[0] = oldest;
    }
    uint32_t baselines = 0;
    for (; baselines < 3 && header.baselines[baselines] != 0; baselines++) {
        if (!r->has[baselines + 1] || r->tick[baselines + 1] != header.tick - header.baselines[baselines]) {
            return CODEC_BAD_VALUE;
        }
    }
    free(r->payload);
    r->payload = malloc(length - at + 1);
    memcpy(r->payload, message + at, length - at);
    int32_t *const x0 = rest ? r->places : r->ring[0];
    if (!rest) {
        memcpy(x0, r->places, 3 * (size_t)r->codec->particles * sizeof *x0);
        r->tick[0] = header.tick;
        r->has[0] = true;
    }
    const struct codec_job job = {.objects = r->codec->objects,
                                  .which = r->which,
                                  .which_count = count,
                                  .table = r->codec->table,
                                  .particles = r->codec->particles,
                                  .baselines = baselines,
                                  .x1 = r->ring[1],
                                  .x2 = r->ring[2],
                                  .x3 = r->ring[3],
                                  .x0 = x0,
                                  .e = r->e,
                                  .magnitude = r->magnitude,
                                  .ahead = r->ahead,
                                  .cloth = r->cloth,
                                  .payload = r->payload,
                                  .words = (uint32_t)((length - at) / 4)};
    return codec_decode(&job);
}

#endif
