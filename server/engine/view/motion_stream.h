// SPDX-License-Identifier: MIT
// The frames of one variant in coding 2: each builds on those before it, so that a stream keeps an encoder
// (proto/frame/codec.h) from when its first viewer comes until its last one has gone. Its memory is some 120 bytes a
// particle; variants are capped, and so are streams.
//
// Of each frame the forms that somebody needs are packed, each once and shared. Who needs which follows by itself: who
// was handed form k needs form k + 1 next, up to the last, and who comes or missed a frame needs form 0 (net/net.h).
// Frames come on multiples of the variant's rate; who comes in between is shown a picture that no frame builds on.
#ifndef WEFT_ENGINE_VIEW_MOTION_STREAM_H
#define WEFT_ENGINE_VIEW_MOTION_STREAM_H

#include "engine/state/world_state.h"

struct motion_stream;

// Which objects of the whole world a message holds.
enum motion_stream_part {
    STREAM_PART_AWAKE,   // all but those that viewers know to rest
    STREAM_PART_RESTING, // those
    STREAM_PART_SLEPT    // those that rest and viewers do not know of
};

// Sized for the world as it is; a new layout sizes it anew. Errors: RESULT_MEMORY.
enum result motion_stream_create(struct engine_world *world, const struct variant *variant,
                                 struct motion_stream **stream) WEFT_MUST_USE;
void motion_stream_destroy(struct motion_stream *stream); // NULL is allowed
// Viewers have forgotten what they were sent: a new topology, or resting places that overtake a frame.
void motion_stream_begin_anew(struct motion_stream *stream);
// Somebody needs form 0, of the next frame or, should the world come to a stop before that, of the newest.
void motion_stream_want(struct motion_stream *stream);
bool motion_stream_is_wanted(const struct motion_stream *stream);
// The frame of this tick, or with `refresh` that of the tick that was, changed. False when memory is out for it.
bool motion_stream_publish(struct engine_world *world, struct variant *variant, uint32_t channel, bool refresh);
// What one viewer needs to see what there is now, and to follow.
void motion_stream_show(struct engine_world *world, struct variant *variant, uint32_t channel, uint64_t peer);
// Where things rest; NULL when memory is out.
struct message *motion_stream_pack_rest(struct engine_world *world, struct variant *variant,
                                        enum motion_stream_part part);
// Whether the newest frame left out an object that rested, and was left out, from one tick to the other.
bool motion_stream_left_out(const struct motion_stream *stream, uint64_t from_tick, uint64_t to_tick);

#endif
