// SPDX-License-Identifier: MIT
// The clients that compute the ticks themselves: encoding "ticks" of frames.subscribe. They are members of a channel of
// their own; world/lockstep.h sends them what they need.
#ifndef WEFT_ENGINE_VIEW_TICKS_H
#define WEFT_ENGINE_VIEW_TICKS_H

#include "engine/state/world_state.h"

// The client is sent a snapshot before the next tick. Errors: RESULT_INVALID (a parameter that says something of
// positions, which are not sent).
enum result ticks_subscribe(struct engine_world *world, struct client *client,
                            const struct proto_frames_subscribe *params, struct fault *fault) WEFT_MUST_USE;
void ticks_unsubscribe(struct engine_world *world, struct client *client); // allowed without a subscription

#endif
