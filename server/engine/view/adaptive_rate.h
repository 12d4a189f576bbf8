// SPDX-License-Identifier: MIT
// Rates of viewers that cannot keep up.
#ifndef WEFT_ENGINE_VIEW_ADAPTIVE_RATE_H
#define WEFT_ENGINE_VIEW_ADAPTIVE_RATE_H

#include "engine/state/world_state.h"

void adaptive_rate_begin(struct adaptive_rate *rate, bool adapts, uint32_t every_ticks);
// A viewer has missed frames, and there is room for it again.
void engine_note_starved(struct engine_world *world, uint64_t client);
void adaptive_rate_reconsider(struct engine_world *world, uint64_t now_ns); // once a second

#endif
