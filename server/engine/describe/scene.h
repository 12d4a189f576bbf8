// SPDX-License-Identifier: MIT
// A world as the text of a scene file: the commands that would build it again.
#ifndef WEFT_ENGINE_DESCRIBE_SCENE_H
#define WEFT_ENGINE_DESCRIBE_SCENE_H

#include "engine/state/world_state.h"

// Returns the number of commands.
uint32_t describe_scene(struct engine_world *world, const char *title, struct json_writer *out);

#endif
