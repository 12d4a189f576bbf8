// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_PRESENT_H
#define WEFT_HOST_COMMAND_COMMAND_PRESENT_H

#include "host/world/host_call.h"

enum result command_world_freeze(struct host_call *call);

#endif
