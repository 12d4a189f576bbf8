// SPDX-License-Identifier: MIT
// Copies of all that a world is, to come back to or to store; the bytes of a copy follow one another in one block.
#ifndef WEFT_HOST_HISTORY_SNAPSHOT_COPY_H
#define WEFT_HOST_HISTORY_SNAPSHOT_COPY_H

#include "base/bytes.h"
#include "base/job_thread.h"
#include "engine/state/world_state.h"
#include "host/history/history.h"
#include "store/store.h"

// A copy of all there is to come back to; its bytes follow one another in one block.
struct snapshot_job {
    struct thread_job job;
    struct history *history;
    uint64_t ticket;
    struct store_snapshot snapshot;
    struct bytes state, extra;
};

// A copy of what there is now. `history` NULL: it says no place in a timeline. NULL when memory ran out.
struct snapshot_job *snapshot_take_hashed(struct engine_world *engine, struct history *history, uint64_t hash);
// The same, when the hash is not known yet.
struct snapshot_job *snapshot_take(struct engine_world *engine, struct history *history);
enum result snapshot_restore(struct engine_world *engine, const struct snapshot_job *job,
                             struct fault *fault) WEFT_MUST_USE;
void snapshot_free(struct snapshot_job *job); // NULL is allowed
const struct store_snapshot *snapshot_view(const struct snapshot_job *job);

#endif
