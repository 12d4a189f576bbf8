// SPDX-License-Identifier: MIT
#include "frames.h"

#include <stdlib.h>

#include "proto/frame/codec_decode.c"
#include "proto/frame/codec_links.c"

#define LANES 16u

struct weft_stream {
    struct proto_codec links; // of which only the objects and the table of links are used
    int32_t *planes, *e, *ahead;
    uint16_t *magnitude;
    float *cloth;
};

static const enum proto_codec_shape shapes[] = {PROTO_CODEC_LATTICE, PROTO_CODEC_TRIANGLES, PROTO_CODEC_CHAIN,
                                                PROTO_CODEC_BODY, PROTO_CODEC_LOOSE};
#define SHAPES (sizeof shapes / sizeof *shapes)

// Lays the objects out, and finds the links. False where something does not fit.
static bool lay_out(struct proto_codec *links, const weft_stream_object *objects, struct proto_codec_object *laid) {
    uint64_t particles = 0;
    for (uint32_t i = 0; i < links->object_count; i++) {
        const weft_stream_object *object = &objects[i];
        if (object->shape >= SHAPES) {
            return false;
        }
        const bool lattice = shapes[object->shape] == PROTO_CODEC_LATTICE;
        const bool loose = shapes[object->shape] == PROTO_CODEC_BODY || shapes[object->shape] == PROTO_CODEC_LOOSE;
        laid[i] = (struct proto_codec_object){.count = object->count,
                                              .shape = shapes[object->shape],
                                              .columns = lattice ? object->columns : 0,
                                              .rows = lattice ? object->rows : 0,
                                              .triangles = object->triangles,
                                              .triangle_count = object->triangle_count};
        links->objects[i] = (struct codec_object){.first = (uint32_t)particles,
                                                  .count = object->count,
                                                  .columns = laid[i].columns,
                                                  .rows = laid[i].rows,
                                                  .kind = loose ? CODEC_KIND_BODY : CODEC_KIND_SHEET};
        particles += object->count;
    }
    links->particles = (uint32_t)particles;
    return particles <= INT32_MAX / 3 && codec_links_build(links, laid) == RESULT_OK;
}

static bool reserve(struct weft_stream *stream) {
    const size_t values = 3 * (size_t)stream->links.particles + LANES;
    size_t widest = 1, cloth = 0;
    for (uint32_t i = 0; i < stream->links.object_count; i++) {
        const struct codec_object *object = &stream->links.objects[i];
        const size_t words = codec_cloth_words(object->columns, object->rows);
        widest = object->columns > widest ? object->columns : widest;
        cloth = words > cloth ? words : cloth;
    }
    stream->planes = calloc(WEFT_STREAM_PLANES * values, sizeof *stream->planes);
    stream->e = calloc(values, sizeof *stream->e);
    stream->magnitude = calloc(values, sizeof *stream->magnitude);
    stream->ahead = aligned_alloc(64, (20 * widest * sizeof *stream->ahead + 63) / 64 * 64);
    stream->cloth = calloc(cloth + LANES, sizeof *stream->cloth);
    return stream->planes != NULL && stream->e != NULL && stream->magnitude != NULL && stream->ahead != NULL &&
           stream->cloth != NULL;
}

weft_stream *weft_stream_create(const weft_stream_object *objects, uint32_t count) {
    struct weft_stream *stream = calloc(1, sizeof *stream);
    struct proto_codec_object *laid = calloc(count + (size_t)1, sizeof *laid);
    bool made = stream != NULL && laid != NULL;
    if (made) {
        stream->links.object_count = count;
        stream->links.objects = calloc(count + (size_t)1, sizeof *stream->links.objects);
        made = stream->links.objects != NULL && lay_out(&stream->links, objects, laid) && reserve(stream);
    }
    free(laid);
    if (!made) {
        weft_stream_destroy(stream);
        return NULL;
    }
    return stream;
}

void weft_stream_destroy(weft_stream *stream) {
    if (stream == NULL) {
        return;
    }
    free(stream->links.objects);
    free(stream->links.table);
    free(stream->planes);
    free(stream->e);
    free(stream->magnitude);
    free(stream->ahead);
    free(stream->cloth);
    free(stream);
}

uint32_t weft_stream_particles(const weft_stream *stream) {
    return stream->links.particles;
}

int32_t *weft_stream_plane(weft_stream *stream, uint32_t plane) {
    return stream->planes + plane * (3 * (size_t)stream->links.particles + LANES);
}

int weft_stream_decode(weft_stream *stream, const uint32_t *which, uint32_t which_count, uint32_t baselines,
                       const uint32_t *planes, const uint32_t *payload, uint32_t words) {
    const struct codec_job job = {.objects = stream->links.objects,
                                  .which = which,
                                  .which_count = which_count,
                                  .table = stream->links.table,
                                  .particles = stream->links.particles,
                                  .baselines = baselines,
                                  .x0 = weft_stream_plane(stream, planes[0]),
                                  .x1 = weft_stream_plane(stream, planes[1]),
                                  .x2 = weft_stream_plane(stream, planes[2]),
                                  .x3 = weft_stream_plane(stream, planes[3]),
                                  .e = stream->e,
                                  .magnitude = stream->magnitude,
                                  .ahead = stream->ahead,
                                  .cloth = stream->cloth,
                                  .payload = payload,
                                  .words = words};
    return (int)codec_decode(&job);
}
