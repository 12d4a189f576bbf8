// SPDX-License-Identifier: MIT
// Items: what a world is sent, until it is applied.
#ifndef WEFT_HOST_WORLD_ITEM_H
#define WEFT_HOST_WORLD_ITEM_H

#include "host/world/world_state.h"

// It no longer counts as unread: it was applied, or waits for its tick.
void item_leave_backpressure(struct item *item);
void item_destroy(struct item *item); // NULL is allowed

#endif
