// SPDX-License-Identifier: MIT
// The thread beside the world that works an undo or a redo out.
#ifndef WEFT_HOST_HISTORY_UNDO_THREAD_H
#define WEFT_HOST_HISTORY_UNDO_THREAD_H

#include "host/history/undo_state.h"

// For the end of the server: waits until no thread is left.
void undo_wait_for_all(void);
// undo_thread.c
enum result undo_start_thread(struct undo *undo, struct fault *fault) WEFT_MUST_USE;
void undo_release(struct undo *undo);
// Hands the shadow the entries that were logged meanwhile, and returns the tick that it may go to. The shadow's owner
// calls it.
uint64_t undo_take_journal(struct undo *undo);

#endif
