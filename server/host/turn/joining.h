// SPDX-License-Identifier: MIT
// Clients joining and leaving a world, and the end of a world.
#ifndef WEFT_HOST_TURN_JOINING_H
#define WEFT_HOST_TURN_JOINING_H

#include "host/world/world_state.h"

void world_join(struct world *world, uint64_t connection_id, struct connection *connection);
void world_leave(struct world *world, uint64_t connection_id);
void world_end(struct world *world); // it was removed

#endif
