// SPDX-License-Identifier: MIT
// The thread beside the world that works an undo or a redo out.
#ifndef WEFT_HOST_REWORK_THREAD_H
#define WEFT_HOST_REWORK_THREAD_H

#include "host/rework_internal.h"

// For the end of the server: waits until no thread is left.
void rework_wait_for_all(void);
// rework_thread.c
enum result rework_start_thread(struct rework *rework, struct fault *fault) WEFT_MUST_USE;
void rework_release(struct rework *rework);
// Hands the shadow the entries that were logged meanwhile, and returns the tick that it may go to. The shadow's owner
// calls it.
uint64_t rework_take_journal(struct rework *rework);

#endif
