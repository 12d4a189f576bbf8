// SPDX-License-Identifier: MIT
// Handlers of grab.* commands.
#ifndef WEFT_ENGINE_COMMAND_GRAB_H
#define WEFT_ENGINE_COMMAND_GRAB_H

#include "engine/command/command.h"

enum result command_grab_start(struct command_call *call);
enum result command_grab_move(struct command_call *call);
enum result command_grab_end(struct command_call *call);

#endif
