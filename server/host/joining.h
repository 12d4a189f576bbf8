// SPDX-License-Identifier: MIT
// Clients joining and leaving a world, and the end of a world.
#ifndef WEFT_HOST_JOINING_H
#define WEFT_HOST_JOINING_H

#include "host/world_state.h"

void world_join(struct world *world, uint64_t peer, struct visitor *visitor);
void world_leave(struct world *world, uint64_t peer);
void world_end(struct world *world); // it was removed

#endif
