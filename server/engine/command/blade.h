// SPDX-License-Identifier: MIT
// Handlers of blade.* commands.
#ifndef WEFT_ENGINE_COMMAND_BLADE_H
#define WEFT_ENGINE_COMMAND_BLADE_H

#include "engine/command/command.h"

enum result command_blade_cut(struct command_call *call);

#endif
