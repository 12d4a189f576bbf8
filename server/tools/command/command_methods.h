// SPDX-License-Identifier: MIT
// weftctl methods: describes the methods from the built-in schema.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_METHODS_H
#define WEFT_TOOLS_COMMAND_COMMAND_METHODS_H

#include "tools/command/command_entry.h"

extern const struct command command_methods;

#endif
