// SPDX-License-Identifier: MIT
// Snapshots for clients that compute the ticks themselves: they are compressed on the job thread, and then sent.
#ifndef WEFT_HOST_WORLDS_SNAPSHOT_POST_H
#define WEFT_HOST_WORLDS_SNAPSHOT_POST_H

#include "host/world/world_state.h"

// `take` is a message of type 5 (FRAMES.md). A snapshot that there is no memory or no place in the queue to compress is
// sent as it is. Until it is sent it is on the way to the sessions of `clients` (snapshot_is_on_way).
void snapshot_post(struct world *world, const uint64_t *clients, uint32_t count, struct message *take);
// Whether a snapshot that was posted to the session has not been sent yet. Then the world is woken when it has been.
bool snapshot_is_on_way(const struct world *world, const struct session *session);
// The same message, compressed; NULL when memory ran out. On the job thread.
struct message *snapshot_compress(struct message *snapshot);

#endif
