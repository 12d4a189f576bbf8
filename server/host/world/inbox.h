// SPDX-License-Identifier: MIT
// What a world is sent: any thread posts items to its inbox, and the world takes them in their order.
#ifndef WEFT_HOST_WORLD_INBOX_H
#define WEFT_HOST_WORLD_INBOX_H

#include "host/world/world_state.h"

// Takes the item, or answers RESULT_BUSY and leaves it. JOIN, LEAVE and SCENE always find room. Any thread.
enum result world_post(struct world *world, struct item *item) WEFT_MUST_USE;
void world_intake(struct world *world); // moves what came to `pending`; the world's worker only

#endif
