// SPDX-License-Identifier: MIT
// Writes a whole world as a snapshot (engine/world/snapshot_message.h), and makes a world what a snapshot says.
#ifndef WEFT_ENGINE_WORLD_WORLD_SNAPSHOT_H
#define WEFT_ENGINE_WORLD_WORLD_SNAPSHOT_H

#include "base/bytes.h"
#include "engine/state/world_state.h"

// Appends a snapshot of the world; `sequence` is the number of the last record that was applied before it, 0 where
// records have no numbers. `out->failed` when memory ran out.
void engine_write_snapshot(struct engine_world *world, uint64_t sequence, struct bytes *out);
// Makes the world what the snapshot says: its simulation and its names. Clients, frames and followers are the caller's
// to bring up to date. `sequence` gets the number of the last record before the snapshot. The bytes are checked; they
// may come from a stranger. Errors: RESULT_DAMAGED (these bytes are no snapshot), RESULT_INVALID (it is of another
// version, or its names do not fit its objects), RESULT_LIMIT (it is larger than the world's capacities),
// RESULT_MEMORY. After an error the world is neither what it was nor what the snapshot says: read another snapshot.
enum result engine_read_snapshot(struct engine_world *world, const void *bytes, size_t length, uint64_t *sequence,
                                 struct fault *fault) WEFT_MUST_USE;

#endif
