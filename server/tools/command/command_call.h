// SPDX-License-Identifier: MIT
// weftctl call: calls one method and prints its result.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_CALL_H
#define WEFT_TOOLS_COMMAND_COMMAND_CALL_H

#include "tools/command/command_entry.h"

extern const struct command command_call;

#endif
