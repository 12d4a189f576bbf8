// SPDX-License-Identifier: MIT
// The cheap opposite of a change: commands that remove the objects that the change made and put back the values that it
// changed, without a replay. What has happened since by itself stays (objects that fell over, cloth that tore), unlike
// after an undo.
#ifndef WEFT_ENGINE_WORLD_OPPOSITE_H
#define WEFT_ENGINE_WORLD_OPPOSITE_H

#include "engine/world/tick_record.h"

// Appends the opposite of a recorded change to an open array of commands, with the values of `before`, the world just
// before the change. False when there is none: a push, a tear or a grab cannot be put back.
bool engine_write_opposite(struct engine_world *before, const struct engine_record *record, struct json_writer *out);
// Appends the recorded command itself, to be given once more; nothing for grabs and batches.
void engine_write_again(const struct engine_record *record, struct json_writer *out);
// The id of the object that a command is about; 0: it is about none.
uint32_t command_object_of(const struct proto_command *command);

#endif
