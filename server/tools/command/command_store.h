// SPDX-License-Identifier: MIT
// weftctl store copy: copies worlds from one store into another.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_STORE_H
#define WEFT_TOOLS_COMMAND_COMMAND_STORE_H

#include "tools/command/command_entry.h"

extern const struct command command_store;

#endif
