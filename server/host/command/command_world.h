// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_WORLD_H
#define WEFT_HOST_COMMAND_COMMAND_WORLD_H

#include "host/world/host_call.h"

enum result host_world_pause(struct host_call *call);
enum result command_world_step(struct host_call *call);

void world_finish_step(struct world *world); // answers the world.step under way

#endif
