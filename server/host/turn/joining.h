// SPDX-License-Identifier: MIT
// Clients joining and leaving a world, and the end of a world.
#ifndef WEFT_HOST_TURN_JOINING_H
#define WEFT_HOST_TURN_JOINING_H

#include "host/world/world_state.h"

void world_join(struct world *world, uint64_t connection_id, struct connection *connection);
void world_leave(struct world *world, uint64_t connection_id);
// It was removed; or it is where `take` says, "" if that is not known, which becomes the world's.
void world_end(struct world *world, char *take);
// Stands still from now on, stores what it is, and tells the node: it goes to another one.
void world_save(struct world *world);

#endif
