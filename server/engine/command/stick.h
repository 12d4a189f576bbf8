// SPDX-License-Identifier: MIT
// Handlers of stick.* commands.
#ifndef WEFT_ENGINE_COMMAND_STICK_H
#define WEFT_ENGINE_COMMAND_STICK_H

#include "engine/command/command.h"

enum result command_stick_add(struct command_call *call);
enum result command_stick_set(struct command_call *call);
enum result command_stick_remove(struct command_call *call);

#endif
