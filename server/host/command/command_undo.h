// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_UNDO_H
#define WEFT_HOST_COMMAND_COMMAND_UNDO_H

#include "host/world/host_call.h"

enum result command_world_undo(struct host_call *call);
enum result command_world_redo(struct host_call *call);
enum result command_world_cancel(struct host_call *call);

#endif
