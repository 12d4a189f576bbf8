// SPDX-License-Identifier: MIT
// Handlers of methods (host/command.h).
#ifndef WEFT_HOST_COMMAND_LOG_H
#define WEFT_HOST_COMMAND_LOG_H

#include "host/command.h"

enum result command_world_log(struct host_call *call);

#endif
