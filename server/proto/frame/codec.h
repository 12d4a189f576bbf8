// SPDX-License-Identifier: MIT
// Packs frames in coding 2 (proto/FRAMES.md): each particle is predicted from its last three frames and from its
// neighbours, and the residual is entropy-coded with contexts. A particle takes about 0.1 to 0.9 bytes; in coding 1 it
// takes 5.
//
// One proto_codec serves one *stream*: one choice of objects, one step, one rate (every 1, 2, 4, 8 ticks). It lives for
// one epoch; a new epoch needs a new codec, which begins with a keyframe. A codec is not thread-safe. Only
// proto_codec_create allocates.
//
//     proto_codec_advance(codec, tick, x, y, z);       once per frame of the stream
//     for each variant that a viewer needs: proto_codec_pack(codec, &frame, baselines, out)
//
// A *variant* of a frame is the number of earlier frames that it builds on, 0 to 3: always the newest frames of the
// stream. So the sender keeps one small number n per viewer, how many frames of the stream the viewer got without a
// gap, and sends it the variant min(n, proto_codec_baselines()). A viewer that joins, or that missed a frame because a
// newer one replaced it, begins with n = 0 and gets the keyframe, then variants 1 and 2, and from then on 3. Each
// variant is packed at most once a tick and shared by all viewers that need it: at most four messages, of which all but
// variant 3 are rare. A viewer that keeps missing frames is better served by a slower stream than by keyframes: move it
// to the next rate.
//
// A *refresh* (a second frame of the same tick, after commands have changed the world) replaces the frame before it in
// the stream. It builds on the same frames, so that a viewer that could decode the first can decode the second. *Rest*
// messages build on nothing and are no frames of the stream. Objects at rest that a frame leaves out count as unmoved.
#ifndef WEFT_PROTO_FRAME_CODEC_H
#define WEFT_PROTO_FRAME_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define PROTO_CODEC_BASELINES_MOST 3u

struct proto_codec;

enum proto_codec_shape {
    PROTO_CODEC_LATTICE,   // a cloth: columns × rows, then the particles that tearing added
    PROTO_CODEC_TRIANGLES, // neighbours share a triangle
    PROTO_CODEC_CHAIN,     // each particle is a neighbour of the one before
    PROTO_CODEC_BODY,      // four particles that move together
    PROTO_CODEC_LOOSE      // no neighbours
};

// An object of the stream, in the order of slots.
struct proto_codec_object {
    uint32_t first, count; // slots in the world
    enum proto_codec_shape shape;
    uint32_t columns, rows;    // LATTICE
    float spacing;             // of a lattice without torn sticks, in m; 0: unknown
    bool hexagonal;            // a hexagonal lattice; else a square one with diagonal sticks
    const uint32_t *triangles; // TRIANGLES; local indices, read during the call only
    uint32_t triangle_count;
};

// `step` in m. Errors: RESULT_MEMORY, RESULT_INVALID (a lattice or a triangle that does not fit its object).
enum result proto_codec_create(const struct proto_codec_object *objects, uint32_t count, float step,
                               struct proto_codec **codec) WEFT_MUST_USE;
void proto_codec_destroy(struct proto_codec *codec); // NULL is allowed

// Makes the positions of a tick, indexed by slot, the stream's newest frame. Ticks rise; the same tick again replaces
// the newest frame.
void proto_codec_advance(struct proto_codec *codec, uint64_t tick, const float *x, const float *y, const float *z);
// Does the same, and copies the objects marked in `unmoved` from the newest frame so far.
void proto_codec_advance_moved(struct proto_codec *codec, uint64_t tick, const float *x, const float *y, const float *z,
                               const bool *unmoved);

// The largest number of baselines that the newest frame can be packed with: that many frames lie before it, evenly
// spaced by at most 85 ticks.
uint32_t proto_codec_baselines(const struct proto_codec *codec);

struct proto_codec_frame {
    uint32_t epoch;
    const uint32_t *objects; // indices of those in this frame, rising, or NULL: all
    uint32_t object_count;
    bool chosen, partial, rest, refresh; // as in struct proto_frame_source
};

// The largest length that proto_codec_pack can return.
size_t proto_codec_bound(const struct proto_codec *codec);
// Packs the newest frame into `out` (of at least that many bytes, 4-byte aligned) and returns the length. `baselines`
// is at most proto_codec_baselines(); a rest message has none.
size_t proto_codec_pack(struct proto_codec *codec, const struct proto_codec_frame *frame, uint32_t baselines,
                        uint8_t *out);
// Packs positions of any tick without baselines: those of objects at rest (`frame->rest`), or a first frame for a
// viewer that joins between two frames. The stream does not change.
size_t proto_codec_pack_alone(struct proto_codec *codec, const struct proto_codec_frame *frame, uint64_t tick,
                              const float *x, const float *y, const float *z, uint8_t *out);

#endif
