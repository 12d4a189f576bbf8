// SPDX-License-Identifier: MIT
// Holding a world from another thread, so that it is not freed when it is removed.
#ifndef WEFT_HOST_WORLD_HOLD_H
#define WEFT_HOST_WORLD_HOLD_H

#include "host/world/world_state.h"

void world_hold(struct world *world);
void world_let_go(struct world *world);

#endif
