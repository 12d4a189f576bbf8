// SPDX-License-Identifier: MIT
// The store's thread, and jobs: work on it that a caller waits for.
#ifndef WEFT_STORE_WRITE_THREAD_H
#define WEFT_STORE_WRITE_THREAD_H

#include "store/store_state.h"

// To stop it is to destroy `store->thread`. Errors: RESULT_MEMORY.
enum result store_thread_start(struct store *store, struct fault *fault) WEFT_MUST_USE;
// Passes a job to the store's thread, waits for it, returns its result.
enum result store_run_job(struct store *store, struct store_job *job) WEFT_MUST_USE;

#endif
