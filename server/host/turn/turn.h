// SPDX-License-Identifier: MIT
// The turns of a world: it takes what it was sent, applies what is due, and ticks when it is time.
#ifndef WEFT_HOST_TURN_TURN_H
#define WEFT_HOST_TURN_TURN_H

#include "host/world/world_state.h"

// The scheduler's task; `world` is a struct world. Returns when it wants its next turn.
uint64_t world_run(void *world, uint64_t now_ns);

#endif
