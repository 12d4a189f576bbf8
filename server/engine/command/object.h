// SPDX-License-Identifier: MIT
// Handlers of object.* and obstacle.* commands.
#ifndef WEFT_ENGINE_COMMAND_OBJECT_H
#define WEFT_ENGINE_COMMAND_OBJECT_H

#include "engine/command/command.h"

enum result command_object_list(struct command_call *call);
enum result command_object_get(struct command_call *call);
enum result command_object_remove(struct command_call *call);
enum result command_obstacle_add(struct command_call *call);
enum result command_obstacle_remove(struct command_call *call);

#endif
