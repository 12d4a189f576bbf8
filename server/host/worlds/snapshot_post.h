// SPDX-License-Identifier: MIT
// Snapshots for clients that compute the ticks themselves: they are compressed on the job thread, and then sent.
#ifndef WEFT_HOST_WORLDS_SNAPSHOT_POST_H
#define WEFT_HOST_WORLDS_SNAPSHOT_POST_H

#include "host/world/world_state.h"

// `take` is a message of type 5 (FRAMES.md). A snapshot that there is no memory or no place in the queue to compress is
// sent as it is.
void snapshot_post(const struct world *world, const uint64_t *clients, uint32_t count, struct message *take);

#endif
