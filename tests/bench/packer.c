// SPDX-License-Identifier: MIT
#include "packer.h"

#include <stdlib.h>
#include <string.h>

#include "proto/frame/codec.h"

struct packer {
    enum packer_coding coding;
    float step;
    struct proto_frame_source source;
    struct proto_range *ranges;
    struct proto_codec *codec;
    uint8_t *bytes;
};

static bool begin_codec(struct packer *packer, const struct packer_object *objects, uint32_t count) {
    struct proto_codec_object *described = calloc(count, sizeof *described);
    if (described == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        described[i] = (struct proto_codec_object){.first = objects[i].first,
                                                   .count = objects[i].count,
                                                   .shape = (enum proto_codec_shape)objects[i].shape,
                                                   .columns = objects[i].columns,
                                                   .spacing = objects[i].spacing,
                                                   .hexagonal = objects[i].hexagonal,
                                                   .rows = objects[i].rows,
                                                   .triangles = objects[i].triangles,
                                                   .triangle_count = objects[i].triangle_count};
    }
    const bool made = proto_codec_create(described, count, packer->step, &packer->codec) == RESULT_OK;
    free(described);
    if (made) {
        packer->bytes = aligned_alloc(64, (proto_codec_bound(packer->codec) + 63) / 64 * 64);
    }
    return made;
}

static size_t pack_codec(struct packer *packer, uint32_t baselines, bool asleep) {
    const uint32_t none = 0;
    struct proto_codec_frame frame = {.epoch = 1};
    if (asleep) {
        frame.partial = true;
        frame.objects = &none;
        frame.object_count = 0;
    }
    return proto_codec_pack(packer->codec, &frame, baselines, packer->bytes);
}

static size_t pack_next(struct packer *packer) {
    proto_codec_advance(packer->codec, packer->source.tick, packer->source.x, packer->source.y, packer->source.z);
    return pack_codec(packer, proto_codec_baselines(packer->codec), false);
}

static size_t pack_asleep(struct packer *packer) {
    return pack_codec(packer, proto_codec_baselines(packer->codec), true);
}
static bool begin_plain(struct packer *packer, const struct packer_object *objects, uint32_t count) {
    packer->ranges = calloc(count, sizeof *packer->ranges);
    if (packer->ranges == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        packer->ranges[i] = (struct proto_range){objects[i].first, objects[i].count};
    }
    packer->source.ranges = packer->ranges;
    packer->source.range_count = count;
    const size_t bound = proto_frame_bound(&packer->source, (enum proto_coding)packer->coding);
    packer->bytes = aligned_alloc(64, (bound + 63) / 64 * 64);
    return true;
}

struct packer *packer_create(enum packer_coding coding, const struct packer_object *objects, uint32_t count,
                             float step) {
    struct packer *packer = calloc(1, sizeof *packer);
    if (packer == NULL) {
        return NULL;
    }
    packer->coding = coding;
    packer->step = coding == PACKER_RAW ? 0.0f : step;
    packer->source.epoch = 1;
    const bool begun =
        coding == PACKER_CODEC ? begin_codec(packer, objects, count) : begin_plain(packer, objects, count);
    if (!begun || packer->bytes == NULL) {
        packer_destroy(packer);
        return NULL;
    }
    return packer;
}

void packer_destroy(struct packer *packer) {
    if (packer == NULL) {
        return;
    }
    proto_codec_destroy(packer->codec);
    free(packer->ranges);
    free(packer->bytes);
    free(packer);
}

static size_t pack_plain(struct packer *packer, bool asleep) {
    struct proto_frame_source source = packer->source;
    source.partial = asleep;
    source.range_count = asleep ? 0 : source.range_count;
    return proto_frame_pack(&source, (enum proto_coding)packer->coding, packer->step, packer->bytes);
}

size_t packer_pack(struct packer *packer, uint64_t tick, const float *x, const float *y, const float *z) {
    packer->source.tick = tick;
    packer->source.x = x;
    packer->source.y = y;
    packer->source.z = z;
    return packer->coding == PACKER_CODEC ? pack_next(packer) : pack_plain(packer, false);
}

size_t packer_pack_keyframe(struct packer *packer) {
    return packer->coding == PACKER_CODEC ? pack_codec(packer, 0, false) : pack_plain(packer, false);
}

size_t packer_pack_asleep(struct packer *packer) {
    return packer->coding == PACKER_CODEC ? pack_asleep(packer) : pack_plain(packer, true);
}

const uint8_t *packer_bytes(const struct packer *packer) {
    return packer->bytes;
}

int packer_coding(const struct packer *packer) {
    return (int)packer->coding;
}
