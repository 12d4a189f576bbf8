// SPDX-License-Identifier: MIT
// The threads beside the worlds that work undos and redos out. All but the first function are for the world's worker.
#ifndef WEFT_HOST_HISTORY_UNDO_THREAD_H
#define WEFT_HOST_HISTORY_UNDO_THREAD_H

#include "base/job_thread.h"
#include "host/history/undo_state.h"

// One for all worlds; it ends after them.
enum result undo_threads_create(struct job_thread **threads) WEFT_MUST_USE;

// Passes it to a thread, which works until the turnstile says NEAR or FAILED. Errors: RESULT_BUSY.
enum result undo_start(struct undo *undo, struct fault *fault) WEFT_MUST_USE;
void undo_go_on(struct undo *undo);   // passes one that is NEAR to a thread again
void undo_stop(struct undo *undo);    // the end of one that was started: a thread frees it
void undo_destroy(struct undo *undo); // of one that was not
// Hands the shadow the entries that were logged meanwhile, and returns the tick that it may go to. The shadow's owner
// calls it.
uint64_t undo_take_journal(struct undo *undo);

#endif
