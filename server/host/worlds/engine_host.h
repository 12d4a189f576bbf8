// SPDX-License-Identifier: MIT
// What a world's engine asks of this process: the clock, the log, the network, the store.
#ifndef WEFT_HOST_WORLDS_ENGINE_HOST_H
#define WEFT_HOST_WORLDS_ENGINE_HOST_H

#include "engine/state/host.h"

extern const struct engine_host world_engine_host; // without its context, which is the world

#endif
