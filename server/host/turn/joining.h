// SPDX-License-Identifier: MIT
// Clients joining and leaving a world, and the end of a world.
#ifndef WEFT_HOST_TURN_JOINING_H
#define WEFT_HOST_TURN_JOINING_H

#include "host/world/world_state.h"

void world_join(struct world *world, uint64_t connection_id, struct connection *connection);
void world_leave(struct world *world, uint64_t connection_id);
// Ends a world that was removed (`take` is NULL), or is now at the address `take` ("" if unknown), which the world
// keeps.
void world_end(struct world *world, char *take);
// Stops the world, stores its state and notifies the node: the world moves to another node.
void world_save(struct world *world);

#endif
