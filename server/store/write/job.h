// SPDX-License-Identifier: MIT
// Jobs: work for the store's thread that a caller waits for.
#ifndef WEFT_STORE_WRITE_JOB_H
#define WEFT_STORE_WRITE_JOB_H

#include "store/store_state.h"

// Passes a job to the store's thread, waits for it, returns its result.
enum result store_run_job(struct store *store, struct store_job *job) WEFT_MUST_USE;

#endif
