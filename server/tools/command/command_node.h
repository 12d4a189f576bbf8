// SPDX-License-Identifier: MIT
// weftctl node: the servers that share their worlds.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_NODE_H
#define WEFT_TOOLS_COMMAND_COMMAND_NODE_H

#include "tools/command/command_entry.h"

extern const struct command command_node;

#endif
