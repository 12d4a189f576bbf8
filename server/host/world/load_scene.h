// SPDX-License-Identifier: MIT
// Making a world anew of a scene.
#ifndef WEFT_HOST_WORLD_LOAD_SCENE_H
#define WEFT_HOST_WORLD_LOAD_SCENE_H

#include "host/world/world_state.h"

// Runs a scene's commands in an empty world; on a fault the world is what it was, and the fault names the scene.
enum result world_load_scene(struct world *world, const char *name, struct proto_request *take,
                             struct fault *fault) WEFT_MUST_USE;
// Reads a scene and runs it. Errors: RESULT_NOT_FOUND, RESULT_IO, and whatever the scene gets wrong.
enum result world_open_scene(struct world *world, const char *scene, struct fault *fault) WEFT_MUST_USE;
void world_begin_anew(struct world *world); // after it was made anew

#endif
