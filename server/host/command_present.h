// SPDX-License-Identifier: MIT
// Handlers of methods (host/command.h).
#ifndef WEFT_HOST_COMMAND_PRESENT_H
#define WEFT_HOST_COMMAND_PRESENT_H

#include "host/command.h"

enum result command_world_freeze(struct host_call *call);

#endif
