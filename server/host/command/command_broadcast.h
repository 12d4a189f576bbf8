// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_BROADCAST_H
#define WEFT_HOST_COMMAND_COMMAND_BROADCAST_H

#include "host/world/host_call.h"

enum result command_broadcast_start(struct host_call *call);
enum result command_broadcast_stop(struct host_call *call);
enum result command_broadcast_get(struct host_call *call);

#endif
