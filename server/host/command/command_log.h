// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_LOG_H
#define WEFT_HOST_COMMAND_COMMAND_LOG_H

#include "host/world/host_call.h"

enum result command_world_log(struct host_call *call);

#endif
