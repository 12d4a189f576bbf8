// SPDX-License-Identifier: MIT
// weftctl watch: shows what a viewer receives from a world.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_WATCH_H
#define WEFT_TOOLS_COMMAND_COMMAND_WATCH_H

#include "tools/command/command_entry.h"

extern const struct command command_watch;

#endif
