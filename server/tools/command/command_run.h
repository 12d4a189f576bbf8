// SPDX-License-Identifier: MIT
// weftctl run: runs a scene file as one batch, or requests line by line.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_RUN_H
#define WEFT_TOOLS_COMMAND_COMMAND_RUN_H

#include "tools/command/command_entry.h"

extern const struct command command_run;

#endif
