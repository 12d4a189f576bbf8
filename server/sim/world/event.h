// SPDX-License-Identifier: MIT
// Events: what happened in the last tick.
#ifndef WEFT_SIM_WORLD_EVENT_H
#define WEFT_SIM_WORLD_EVENT_H

#include "sim/world/world.h"

void event_add(struct sim_world *world, enum sim_event_kind kind, uint32_t object, uint32_t a, uint32_t b);
void event_clear(struct sim_world *world);

#endif
