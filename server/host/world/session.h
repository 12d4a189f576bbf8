// SPDX-License-Identifier: MIT
// The sessions of a world: its clients, as the host sees them.
#ifndef WEFT_HOST_WORLD_SESSION_H
#define WEFT_HOST_WORLD_SESSION_H

#include "host/world/world_state.h"

struct session *world_find_session(struct world *world, uint64_t connection_id); // NULL when it is not there
void world_go_on(struct world *world, struct session *session);                  // what it sent waits no longer

#endif
