// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_WORLDS_H
#define WEFT_HOST_COMMAND_COMMAND_WORLDS_H

#include "host/connection/moment.h"
#include "host/world/host_call.h"

enum result command_world_list(struct host_call *call);
enum result command_world_create(struct host_call *call);
enum result command_world_branch(struct host_call *call);
enum result command_world_copy(struct host_call *call);
enum result command_world_remove(struct host_call *call);
enum result command_world_export(struct host_call *call);
enum result command_world_import(struct host_call *call);

// Somebody asked for its history as a file, or for a moment of it.
void world_give_capsule(struct world *world, uint64_t request, const struct moment *moment);

#endif
