// SPDX-License-Identifier: MIT
// When viewers are told what the world is made of: the topology that they know, and the messages that bring them the
// next one, as a difference where they can use that.
#ifndef WEFT_ENGINE_VIEW_TOPOLOGY_H
#define WEFT_ENGINE_VIEW_TOPOLOGY_H

#include "engine/state/world_state.h"

struct message *engine_build_topology(struct engine_world *world, bool delta); // NULL when memory ran out
// Sends viewers the topology of a new epoch, once. False when memory ran out: to be tried again.
bool engine_publish_topology(struct engine_world *world);

#endif
