// SPDX-License-Identifier: MIT
// A world that shows what was: any tick of a timeline, or an interval of it at another pace, once or over and over, to
// the bit and for everyone in it (world.replay).
//
// Nothing of that is logged, and no timeline begins: what the world has become waits aside, and world.seek without a
// tick brings it back. A change goes on from what is shown instead, in a timeline that branches off there. While an
// interval is played viewers are told of commands as they were then; after a jump they are shown all of it.
//
// Going somewhere is the seek's (seek.h); here is where in the past the world is. On the way copies are kept, so
// that a neighbouring tick is near in both directions, also when ticks are sought one after the other.
#ifndef WEFT_HOST_HISTORY_PLAYBACK_H
#define WEFT_HOST_HISTORY_PLAYBACK_H

#include "host/history/playback_state.h"

// Whether what was read, and a copy close by, is enough to get to the request.
bool playback_is_near(const struct world *world, const struct playback_request *request);
// What to read for it.
void playback_plan(const struct playback_request *request, struct history_query *past);
// Begins the way; `take` is what was read, NULL: it is near. Errors as replay_begin.
enum result playback_set_out(struct world *world, const struct playback_request *request, struct history_query *take,
                             struct fault *fault) WEFT_MUST_USE;
// Goes on until it is there, or the deadline. Errors as replay_advance.
enum result playback_advance(struct world *world, uint64_t deadline_ns, bool *done, struct fault *fault) WEFT_MUST_USE;
// It is there, and shows it; takes what the world has become.
void playback_arrive(struct world *world, struct snapshot_job *present);
// The world goes on from here, without showing any more.
void playback_leave(struct world *world);
// A change is about to be made: the world goes on from the tick that is shown, in a timeline of its own.
void playback_take_over(struct world *world);
bool playback_is_left_by(enum proto_method method);
void playback_hold(struct world *world); // plays no more, and goes on showing
void playback_end(struct world *world);  // the world was removed
// The world is again what it has become. Errors: RESULT_MEMORY; then it goes on from the tick that is shown.
enum result playback_return(struct world *world, struct fault *fault) WEFT_MUST_USE;
// Plays what is due; when it wants the next turn.
uint64_t playback_turn(struct world *world);
// Something has changed: what was read is not the way to here any more.
void playback_forget(struct world *world);
void playback_free(struct world *world);
// The tick that the world has come to, whatever it shows.
uint64_t playback_present_tick(const struct world *world);
// The member `replay`, while the world shows what was, into an open object.
void describe_playback(const struct world *world, struct json_writer *out);

#endif
