// SPDX-License-Identifier: MIT
// Scenes: a world is made anew from a list of commands, or left as it is.
#ifndef WEFT_ENGINE_COMMAND_SCENE_LOAD_H
#define WEFT_ENGINE_COMMAND_SCENE_LOAD_H

#include "engine/state/world_state.h"

// Empties the world and runs the commands of the batch `take` (NULL: none), which the world keeps. On a fault the world
// is what it was, `take` stays the caller's, and the fault's pointer leads into the batch.
enum result engine_load_scene(struct engine_world *world, const char *name, struct proto_request *take,
                              struct fault *fault) WEFT_MUST_USE;
// The same with the scene that the world was made of.
enum result engine_reset_scene(struct engine_world *world, struct fault *fault) WEFT_MUST_USE;

#endif
