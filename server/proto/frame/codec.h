// SPDX-License-Identifier: MIT
// Packing frames in coding 2 (proto/FRAMES.md): each particle is predicted from its last three frames and from its
// neighbours, and the small rest is entropy-coded with contexts. Some 0.1 to 0.9 bytes a particle, where coding 1
// takes 5.
//
// One proto_codec serves one *stream*: one choice of objects, one step, one rate (every 1, 2, 4, 8 ticks). It lives for
// one epoch; a new epoch needs a new one, which begins with a keyframe. It is not thread-safe; nothing allocates after
// proto_codec_create.
//
//     proto_codec_advance(codec, tick, x, y, z);       once per frame of the stream
//     for each variant somebody needs: proto_codec_pack(codec, &frame, baselines, out)
//
// A *variant* of a frame is the number of frames before it that it builds on, 0 to 3: always the newest ones of the
// stream. So the sender keeps one small number per viewer: how many frames of the stream it has been handed without a
// gap, and gives it the variant min(that, proto_codec_baselines()). Who joins, or missed a frame because the newest
// wins, is at 0 again and gets the keyframe, then variants 1, 2 and, from then on, 3. Each variant is packed at most
// once a tick and shared by all who need it: at most four messages, of which all but variant 3 are rare. A viewer that
// keeps missing frames does better on a slower stream than on keyframes: move it to the next rate.
//
// A *refresh* (the tick of the frame before it, changed by commands) replaces that frame in the stream: it builds on
// the same ones, so whoever could decode the first can decode the second. *Rest* messages stand alone and are no frames
// of the stream. What rests and is left out of a frame counts as having stayed where it is.
#ifndef WEFT_PROTO_FRAME_CODEC_H
#define WEFT_PROTO_FRAME_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define PROTO_CODEC_BASELINES_MOST 3u

struct proto_codec;

enum proto_codec_shape {
    PROTO_CODEC_LATTICE,   // a cloth: columns × rows, then what tearing added
    PROTO_CODEC_TRIANGLES, // neighbours share a triangle
    PROTO_CODEC_CHAIN,     // each follows the one before
    PROTO_CODEC_BODY,      // four particles that move together
    PROTO_CODEC_LOOSE      // no neighbours
};

// An object of the stream, in the order of slots.
struct proto_codec_object {
    uint32_t first, count; // slots in the world
    enum proto_codec_shape shape;
    uint32_t columns, rows;    // LATTICE
    float spacing;             // of a lattice whose sticks are all whole, in m; 0: not known
    bool hexagonal;            // or square, with sticks across
    const uint32_t *triangles; // TRIANGLES; local indices, read during the call only
    uint32_t triangle_count;
};

// `step` in m. Errors: RESULT_MEMORY, RESULT_INVALID (a lattice or a triangle that does not fit its object).
enum result proto_codec_create(const struct proto_codec_object *objects, uint32_t count, float step,
                               struct proto_codec **codec) WEFT_MUST_USE;
void proto_codec_destroy(struct proto_codec *codec); // NULL is allowed

// Takes the positions of a tick, indexed by slot, as the stream's newest frame. Ticks rise; the same tick again
// replaces that frame.
void proto_codec_advance(struct proto_codec *codec, uint64_t tick, const float *x, const float *y, const float *z);
// The same; `unmoved`, by object, says which are where they were in the newest frame so far, so that it is copied.
void proto_codec_advance_moved(struct proto_codec *codec, uint64_t tick, const float *x, const float *y, const float *z,
                               const bool *unmoved);

// The most baselines the newest frame can be packed with: there must be that many frames before it, evenly spaced by at
// most 85 ticks.
uint32_t proto_codec_baselines(const struct proto_codec *codec);

struct proto_codec_frame {
    uint32_t epoch;
    const uint32_t *objects; // indices of those in this frame, rising, or NULL: all
    uint32_t object_count;
    bool chosen, partial, rest, refresh; // as in struct proto_frame_source
};

// The most bytes proto_codec_pack can need, whatever is in it.
size_t proto_codec_bound(const struct proto_codec *codec);
// Packs the newest frame into `out` (≥ bound bytes, 4-byte aligned); returns the length. `baselines` is at most
// proto_codec_baselines(); a rest message has none.
size_t proto_codec_pack(struct proto_codec *codec, const struct proto_codec_frame *frame, uint32_t baselines,
                        uint8_t *out);
// Packs positions that need not be a frame's, without baselines: where things rest (`frame->rest`), or the first
// picture for who comes between two frames. The stream stays as it was.
size_t proto_codec_pack_alone(struct proto_codec *codec, const struct proto_codec_frame *frame, uint64_t tick,
                              const float *x, const float *y, const float *z, uint8_t *out);

#endif
