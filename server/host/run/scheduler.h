// SPDX-License-Identifier: MIT
// The workers that tick the worlds.
//
// A task is something that wants to run at an absolute time of the monotonic clock and, when it has run, says when it
// wants to run again. Every task has one owner at a time; the earliest due goes first. A wake from any thread makes a
// task due at once; one that comes while it runs makes it run again.
#ifndef WEFT_HOST_RUN_SCHEDULER_H
#define WEFT_HOST_RUN_SCHEDULER_H

#include <stdint.h>

#include "base/result.h"

#define SCHEDULER_NEVER UINT64_MAX

struct scheduler;

// Runs the task; `now_ns` is the monotonic time. Returns the time of the next run, or SCHEDULER_NEVER until a wake.
typedef uint64_t (*scheduler_task)(void *context, uint64_t now_ns);

// Creates a scheduler of `workers` threads for at most `tasks_max` tasks; they start with `scheduler_start`.
enum result scheduler_create(uint32_t workers, uint32_t tasks_max, struct scheduler **scheduler) WEFT_MUST_USE;
// Adds a task, due at once; returns its number.
uint32_t scheduler_add(struct scheduler *scheduler, scheduler_task run, void *context);
// Takes a task out once it does not run; its number is given to another. Not from a task.
void scheduler_remove(struct scheduler *scheduler, uint32_t task);
enum result scheduler_start(struct scheduler *scheduler) WEFT_MUST_USE;
void scheduler_wake(struct scheduler *scheduler, uint32_t task); // from any thread
// Waits for running tasks and ends all workers; to wake a task is then without effect.
void scheduler_stop(struct scheduler *scheduler);    // NULL is allowed
void scheduler_destroy(struct scheduler *scheduler); // stops it first; NULL is allowed

uint64_t scheduler_now_ns(void);                   // the monotonic clock
double scheduler_seconds_since(uint64_t began_ns); // to the millisecond

#endif
