// SPDX-License-Identifier: MIT
// Following another world in lockstep, and going back to an earlier state of the own world: what a viewer needs that
// shows its own commands before the other world has answered.
#ifndef WEFT_ENGINE_WEFT_FOLLOW_H
#define WEFT_ENGINE_WEFT_FOLLOW_H

#include "engine/weft_world.h"

// These do what weft.h says of weft_world_follow (a message of ticks), weft_world_predict, weft_world_isolate,
// weft_world_keep and weft_world_return.
enum result weft_follow_ticks(struct weft_world *world, const void *bytes, size_t length,
                              struct fault *fault) WEFT_MUST_USE;
enum result weft_follow_predict(struct weft_world *world, uint32_t number, const char *json, size_t length,
                                struct fault *fault) WEFT_MUST_USE;
enum result weft_follow_isolate(struct weft_world *world, uint32_t number, const uint32_t *objects, uint32_t count,
                                struct fault *fault) WEFT_MUST_USE;

struct weft_state;
enum result weft_follow_keep(struct weft_world *world, struct weft_state **state, struct fault *fault) WEFT_MUST_USE;
enum result weft_follow_return(struct weft_world *world, const struct weft_state *state,
                               struct fault *fault) WEFT_MUST_USE;
void weft_follow_forget(struct weft_state *state); // NULL is allowed

#endif
