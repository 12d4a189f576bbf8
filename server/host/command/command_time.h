// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_TIME_H
#define WEFT_HOST_COMMAND_COMMAND_TIME_H

#include "host/world/host_call.h"

enum result command_world_seek(struct host_call *call);
enum result command_world_replay(struct host_call *call);
enum result command_world_history(struct host_call *call);

#endif
