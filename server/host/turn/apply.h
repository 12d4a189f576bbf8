// SPDX-License-Identifier: MIT
// Applying what a world was sent, in its order.
#ifndef WEFT_HOST_TURN_APPLY_H
#define WEFT_HOST_TURN_APPLY_H

#include "host/world/world_state.h"

// Applies what may be applied, in order, until the deadline; true when it came to the deadline first.
bool world_apply_pending(struct world *world, uint64_t deadline_ns);
// Applies the requests that are to be seen by the next tick first.
void world_apply_scheduled(struct world *world);

#endif
