// SPDX-License-Identifier: MIT
// Threads that help a world through its tick: work comes in shares, each done once, by whichever thread is free.
//
// The caller takes shares too, so a tick never waits for a helper that has not begun: on a busy machine the caller does
// all of it. Between shares that follow one another closely helpers spin, for some microseconds; then they sleep.
#ifndef WEFT_HOST_RUN_PARALLEL_FOR_H
#define WEFT_HOST_RUN_PARALLEL_FOR_H

#include "base/result.h"

struct parallel_for;

#define PARALLEL_FOR_SHARES_MAX 32u

// Creates `threads` − 1 helpers; `threads` is at least 1. Errors: RESULT_MEMORY, also where the system has no more
// threads.
enum result parallel_for_create(unsigned threads, struct parallel_for **parallel_for) WEFT_MUST_USE;
void parallel_for_destroy(struct parallel_for *parallel_for); // nobody may be in parallel_for_run; NULL is ignored

// Calls task(argument, 0) … task(argument, shares − 1), each once, and returns when all have returned; `shares` is at
// most PARALLEL_FOR_SHARES_MAX, and a thread rather does the same share in every round. From any thread: while one has
// the helpers, others do their work alone.
void parallel_for_run(void *parallel_for, unsigned shares, void (*task)(void *argument, unsigned share),
                      void *argument);

#endif
