// SPDX-License-Identifier: MIT
// weftctl salvage: makes a new data folder from the intact part of a damaged one.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_SALVAGE_H
#define WEFT_TOOLS_COMMAND_COMMAND_SALVAGE_H

#include "tools/command/command_entry.h"

extern const struct command command_salvage;

#endif
