// SPDX-License-Identifier: MIT
// weftctl load: many viewers, and how fast and how late frames come to them.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_LOAD_H
#define WEFT_TOOLS_COMMAND_COMMAND_LOAD_H

#include "tools/command/command_entry.h"

extern const struct command command_load;

#endif
