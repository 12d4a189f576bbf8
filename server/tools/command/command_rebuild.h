// SPDX-License-Identifier: MIT
// weftctl rebuild: repeats the commands of a recording in a world and compares the hash.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_REBUILD_H
#define WEFT_TOOLS_COMMAND_COMMAND_REBUILD_H

#include "tools/command/command_entry.h"

extern const struct command command_rebuild;

#endif
