// SPDX-License-Identifier: MIT
// Commands and scenes as bytes, for records and snapshots: a command as a block with its typed record (proto/record/),
// a scene as its name, a text, and its commands, a block that is empty if there are none.
#ifndef WEFT_ENGINE_WORLD_SCENE_RECORD_H
#define WEFT_ENGINE_WORLD_SCENE_RECORD_H

#include "base/bytes.h"
#include "engine/state/world_state.h"

void engine_write_command(const struct proto_command *command, struct bytes *out); // `out->failed` when memory ran out
void engine_write_scene(const struct engine_world *world, struct bytes *out);
// The name and the commands of a scene; `*request` stays NULL if there are none. Errors: RESULT_INVALID, RESULT_MEMORY.
enum result engine_take_scene(struct bytes_reader *in, char name[ENGINE_NAME_MAX + 1], struct proto_request **request,
                              struct fault *fault) WEFT_MUST_USE;
// The same, as the world's scene.
enum result engine_read_scene(struct engine_world *world, struct bytes_reader *in, struct fault *fault) WEFT_MUST_USE;

#endif
