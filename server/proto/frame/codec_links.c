// SPDX-License-Identifier: MIT
// The links of a particle that is not in a lattice (proto/FRAMES.md, "Links") are the four nearest lower indices,
// nearest first, and the four nearest higher ones.
#include "proto/frame/codec_links.h"

#include <stdlib.h>
#include <string.h>

static void clear(int32_t links[CODEC_LINKS]) {
    for (uint32_t k = 0; k < CODEC_LINKS; k++) {
        links[k] = CODEC_NONE;
    }
}

// Inserts j into the four neighbours nearest to i on the side of j, unless it is among them.
static void add(int32_t links[CODEC_LINKS], uint32_t i, uint32_t j) {
    int32_t *const side = j < i ? links : links + 4;
    int32_t candidate = (int32_t)j;
    for (uint32_t k = 0; k < 4 && candidate != CODEC_NONE; k++) {
        const int32_t there = side[k];
        if (there == candidate) {
            return;
        }
        if (there == CODEC_NONE || (j < i ? candidate > there : candidate < there)) {
            side[k] = candidate;
            candidate = there;
        }
    }
}

static void link_near(int32_t *table, uint32_t from, uint32_t count, uint32_t reach) {
    for (uint32_t i = from; i < count; i++) {
        for (uint32_t distance = 1; distance <= reach; distance++) {
            if (i >= distance) {
                add(table + CODEC_LINKS * (i - from), i, i - distance);
            }
            if (i + distance < count) {
                add(table + CODEC_LINKS * (i - from), i, i + distance);
            }
        }
    }
}

static enum result link_triangles(int32_t *table, const struct proto_codec_object *object) {
    for (uint32_t t = 0; t < object->triangle_count; t++) {
        const uint32_t *corner = object->triangles + 3 * (size_t)t;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t i = corner[k], j = corner[(k + 1) % 3];
            if (i >= object->count || j >= object->count) {
                return RESULT_INVALID;
            }
            if (i != j) {
                add(table + CODEC_LINKS * (size_t)i, i, j);
                add(table + CODEC_LINKS * (size_t)j, j, i);
            }
        }
    }
    return RESULT_OK;
}

static enum result link_object(int32_t *table, const struct proto_codec_object *object) {
    const uint32_t lattice = object->shape == PROTO_CODEC_LATTICE ? object->columns * object->rows : 0;
    for (uint32_t i = 0; i < object->count - lattice; i++) {
        clear(table + CODEC_LINKS * (size_t)i);
    }
    switch (object->shape) {
    case PROTO_CODEC_TRIANGLES:
        return link_triangles(table, object);
    case PROTO_CODEC_BODY:
        link_near(table, 0, object->count, 3);
        return RESULT_OK;
    case PROTO_CODEC_CHAIN:
    case PROTO_CODEC_LATTICE:
        link_near(table, lattice, object->count, 2);
        return RESULT_OK;
    default:
        return RESULT_OK;
    }
}

enum result codec_links_build(struct proto_codec *codec, const struct proto_codec_object *objects) {
    uint64_t linked = 0;
    for (uint32_t i = 0; i < codec->object_count; i++) {
        const struct proto_codec_object *object = &objects[i];
        const bool lattice = object->shape == PROTO_CODEC_LATTICE;
        if (lattice && (object->columns == 0 || (uint64_t)object->columns * object->rows > object->count)) {
            return RESULT_INVALID;
        }
        codec->objects[i].table = (uint32_t)linked;
        linked += object->count - (lattice ? object->columns * object->rows : 0);
    }
    codec->table = malloc((linked + 1) * CODEC_LINKS * sizeof *codec->table);
    if (codec->table == NULL) {
        return RESULT_MEMORY;
    }
    for (uint32_t i = 0; i < codec->object_count; i++) {
        const enum result result =
            link_object(codec->table + CODEC_LINKS * (size_t)codec->objects[i].table, &objects[i]);
        if (result != RESULT_OK) {
            return result;
        }
    }
    return RESULT_OK;
}
