// SPDX-License-Identifier: MIT
// Handlers of object.set and obstacle.set.
#ifndef WEFT_ENGINE_COMMAND_SET_H
#define WEFT_ENGINE_COMMAND_SET_H

#include "engine/command/command.h"

enum result command_object_set(struct command_call *call);
enum result command_obstacle_set(struct command_call *call);

#endif
