// SPDX-License-Identifier: MIT
// weftctl token: makes, lists and revokes the tokens of a server.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_TOKEN_H
#define WEFT_TOOLS_COMMAND_COMMAND_TOKEN_H

#include "tools/command/command_entry.h"

extern const struct command command_token;

#endif
