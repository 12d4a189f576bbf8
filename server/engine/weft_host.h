// SPDX-License-Identifier: MIT
// What a program needs that is the host of a world: it keeps the world's history, computes parts of it again, and
// answers the methods that the engine leaves to a host.
#ifndef WEFT_ENGINE_WEFT_HOST_H
#define WEFT_ENGINE_WEFT_HOST_H

#include "engine/weft_world.h"

// These do what weft.h says of weft_world_check, weft_world_event, weft_world_replay, weft_world_show,
// weft_world_scene_commands, weft_world_scene_text and weft_world_record_text.
bool weft_host_check(struct weft_world *world, uint64_t client, const char *json, size_t length);
enum result weft_host_event(struct weft_world *world, const char *name, const char *params,
                            struct fault *fault) WEFT_MUST_USE;
enum result weft_host_replay(struct weft_world *world, const void *bytes, size_t length, uint32_t ticks,
                             struct fault *fault) WEFT_MUST_USE;
void weft_host_show(struct weft_world *world, bool past);
const char *weft_host_scene_commands(const struct weft_world *world, size_t *length); // NULL without any
// The text is the world's scratch for results. NULL when memory ran out.
const char *weft_host_scene_text(struct weft_world *world, const char *title, size_t *length, uint32_t *commands);
enum result weft_host_record_text(struct weft_world *world, const void *bytes, size_t length,
                                  struct fault *fault) WEFT_MUST_USE; // into the world's scratch for results

#endif
