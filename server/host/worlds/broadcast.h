// SPDX-License-Identifier: MIT
// The broadcast of a world: what the engine records of it becomes files for HTTP (broadcast_files.h), a snapshot every
// 10 seconds and a fragment every second. On the world's worker, but for what the job thread compresses.
#ifndef WEFT_HOST_WORLDS_BROADCAST_H
#define WEFT_HOST_WORLDS_BROADCAST_H

#include "host/world/world_state.h"
#include "host/worlds/broadcast_files.h"

// Begins a broadcast, or goes on with the one that there is; `embed`: pages of any origin may play it. On a server with
// tokens its path holds a new random key. Errors: RESULT_MEMORY, RESULT_IO (the system gives no random bytes).
enum result broadcast_begin(struct world *world, bool embed, struct fault *fault) WEFT_MUST_USE;
void broadcast_end(struct world *world); // allowed without one
void broadcast_free(struct world *world);

// Something that the engine recorded. Takes the message.
void broadcast_record(struct world *world, struct message *take);
// Ends the fragment, and asks for a snapshot, when it is time. Returns when it has to be called again at the latest.
uint64_t broadcast_turn(struct world *world, uint64_t now_ns);

// The files, for any thread; NULL if the world was never broadcast.
struct broadcast_files *broadcast_files_of(const struct world *world);

#endif
