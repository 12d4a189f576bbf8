// SPDX-License-Identifier: MIT
// weftctl top: shows the whole server to an administrator.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_TOP_H
#define WEFT_TOOLS_COMMAND_COMMAND_TOP_H

#include "tools/command/command_entry.h"

extern const struct command command_top;

#endif
