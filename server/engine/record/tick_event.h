// SPDX-License-Identifier: MIT
// Events of what a tick did of its own accord: something tore, fell asleep, woke, or was quarantined.
#ifndef WEFT_ENGINE_RECORD_TICK_EVENT_H
#define WEFT_ENGINE_RECORD_TICK_EVENT_H

#include "engine/state/world_state.h"

// After each step. Nothing is written for events that no client asked for.
void engine_tell_tick_events(struct engine_world *world);

#endif
