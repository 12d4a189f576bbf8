// SPDX-License-Identifier: MIT
// Viewers and their frames: the variants in use, where sleeping objects rest, and one packed frame for each variant and
// tick, however many viewers it has.
//
// A viewer is sent the whole topology and a keyframe when it comes, and from then on what changed, ahead of the first
// frame that needs it. Frames are replaceable: a slow viewer gets the newest.
#ifndef WEFT_ENGINE_VIEW_VARIANT_H
#define WEFT_ENGINE_VIEW_VARIANT_H

#include "engine/state/world_state.h"

// Errors: RESULT_INVALID, RESULT_NOT_FOUND, RESULT_LIMIT (too many variants), RESULT_MEMORY.
enum result engine_subscribe(struct engine_world *world, struct client *client,
                             const struct proto_frames_subscribe *params, uint32_t *variant,
                             struct fault *fault) WEFT_MUST_USE;
// Sends a new viewer the topology and a keyframe, and what follows from now on.
void engine_welcome_viewer(struct engine_world *world, struct client *client);
void engine_unsubscribe(struct engine_world *world, struct client *client);
// Sends the frame of this tick to the variants that are due; with `refresh`, that of the tick as commands changed it to
// all.
void engine_publish(struct engine_world *world, bool refresh);
// Sends a viewer that missed frames one that builds on nothing, now or as the next. False: the client has left the
// stream since.
bool engine_feed_starved(struct engine_world *world, const struct client *client);
// The world has stopped before the next frame: the viewers that wait for one get the newest.
void engine_feed_all_starved(struct engine_world *world);
// Moves a viewer to another rate of the same variant; false when there is no room for it.
bool engine_change_rate(struct engine_world *world, struct client *client, uint32_t every_ticks);

#endif
