// SPDX-License-Identifier: MIT
// What ticking a world and following another one have in common.
#ifndef WEFT_ENGINE_WEFT_CORE_H
#define WEFT_ENGINE_WEFT_CORE_H

#include "engine/weft_world.h"

void weft_core_step(struct weft_world *world); // one tick, without what was submitted; its frames and events
void weft_core_show(struct weft_world *world); // a frame of what was changed since, without a tick

#endif
