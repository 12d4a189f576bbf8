// SPDX-License-Identifier: MIT
// Snapshots of a world, and the timelines that begin with them.
#ifndef WEFT_HOST_HISTORY_HISTORY_SNAPSHOTS_H
#define WEFT_HOST_HISTORY_HISTORY_SNAPSHOTS_H

#include "host/history/history.h"

// Begins a timeline with the scene that the world was just made of; what follows it is logged there.
void history_begin_scene(struct world *world);
// The world goes on from here in a timeline that shares all up to this entry of that one.
void history_begin_fork(struct world *world, uint32_t timeline, uint64_t sequence);
// The same with the world's snapshot at that entry, which becomes the first of the new timeline.
void history_begin_fork_at(struct world *world, uint32_t timeline, uint64_t sequence, struct snapshot_job *at);
// Posts a snapshot at once, for the end: `take`, or what there is.
void history_close(struct world *world, struct snapshot_job *take);
// After a step: hashes and snapshots.
void history_tick(struct world *world, uint64_t cost_ns);
// When the store has missed something and takes posts again: begins anew with what there is.
void history_repair(struct world *world);
// Whether a change can be logged now; without a history always.
enum result history_accepts(struct world *world, struct fault *fault) WEFT_MUST_USE;
// Writes the member `unstored` into an open object, while a world that is kept cannot be stored.
void history_describe_loss(const struct world *world, struct json_writer *out);

#endif
