// SPDX-License-Identifier: MIT
// Requests that wait for the tick that they name.
#ifndef WEFT_HOST_WORLD_SCHEDULE_H
#define WEFT_HOST_WORLD_SCHEDULE_H

#include "host/connection/access.h"
#include "host/world/world_state.h"

// Whether this request of a named session waits for its tick already; then this connection gets its reply.
bool schedule_has(struct world *world, const struct session *session, const struct item *item);
// Takes the item if its request is for a later tick; one that may not wait is refused.
bool schedule_add(struct world *world, struct item *item);
// Takes the first one, and the grant that its client had. There has to be one.
struct item *schedule_take(struct world *world, struct grant *grant);
void world_refuse_scheduled(struct world *world); // requests whose tick will not come, because the world begins anew

#endif
