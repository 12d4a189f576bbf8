// SPDX-License-Identifier: MIT
// Handlers of world.* commands, and the event world.changed.
#ifndef WEFT_ENGINE_COMMAND_WORLD_H
#define WEFT_ENGINE_COMMAND_WORLD_H

#include "engine/command/command.h"

enum result command_world_get(struct command_call *call);
enum result command_world_set(struct command_call *call);
enum result command_world_pause(struct command_call *call);
enum result command_world_resume(struct command_call *call);
enum result command_world_reset(struct command_call *call);

// Queues the event world.changed with this reason.
void engine_tell_changed(struct engine_world *world, const char *reason);
// The same, naming the client that changed the world; NULL: none that is connected.
void engine_tell_changed_by(struct engine_world *world, const char *reason, const struct client *client);

#endif
