// SPDX-License-Identifier: MIT
// Ticks of a world.
#ifndef WEFT_ENGINE_STATE_TICK_H
#define WEFT_ENGINE_STATE_TICK_H

#include "engine/state/world_state.h"

// The next tick: a command that is applied now is seen by it.
uint64_t engine_next_tick(const struct engine_world *world);

#endif
