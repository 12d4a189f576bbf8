// SPDX-License-Identifier: MIT
// A world on its way through time: to a tick of its history (world.seek), or only to show its past (world.replay). An
// undo or a redo is worked out beside the world instead (undo.h).
//
// The job thread reads what the store has; the world then replays it on its worker, in slices. Meanwhile its clock
// stands and everything that comes for it waits. When it does not work out, the world is what it was.
#ifndef WEFT_HOST_HISTORY_SEEK_H
#define WEFT_HOST_HISTORY_SEEK_H

#include "host/history/seek_state.h"

// Sets out. The answer comes when it has arrived.
void seek_begin(struct world *world, const struct seek *wanted);
// Sets out if a replay has to begin again from a snapshot.
void seek_begin_wanted(struct world *world);
// The world's turn while it is on its way; when it wants the next.
uint64_t seek_run(struct world *world);
void seek_free(struct world *world);
// For the end: what the world has become, when it is on its way or shows what was; NULL: what it is.
struct snapshot_job *seek_take_present(struct world *world);

#endif
