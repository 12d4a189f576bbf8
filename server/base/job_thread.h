// SPDX-License-Identifier: MIT
// A thread that works off a queue of jobs, in the order in which they came; or several threads that share one queue.
// The queue is a list of jobs that their owners have allocated, so to post a job allocates nothing and waits for no
// job: the mutex is held for a few instructions.
#ifndef WEFT_BASE_JOB_THREAD_H
#define WEFT_BASE_JOB_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

struct job_thread;

// The first member of what a job is about. From the post until it runs it belongs to the thread; when it runs it may
// free itself, and post itself again.
struct thread_job {
    void (*run)(struct thread_job *job);
    size_t bytes;            // that it holds, of the queue's `bytes_max`
    struct thread_job *next; // in the queue
};

struct job_thread_options {
    uint32_t threads;  // 0: one
    int nice;          // of the threads; 0: that of the process
    uint32_t jobs_max; // that wait; 0: any number
    size_t bytes_max;  // of jobs that wait or run; a job is taken whatever its size when there are none
    // What else the thread does, between jobs: it is called after each job, and at the latest at the time that it
    // returned, in ms of the monotonic clock. NULL: nothing. Where there are several threads, each calls it.
    uint64_t (*tend)(void *context);
    void *context;
};

struct job_thread_load {
    uint32_t waiting; // jobs
    size_t bytes;     // of jobs that wait or run
};

// Errors: RESULT_MEMORY, also where the system has no more threads.
enum result job_thread_create(const struct job_thread_options *options, struct job_thread **job_thread) WEFT_MUST_USE;
// From any thread. Takes the job, or answers RESULT_BUSY (no room, or the thread is stopping) and leaves it.
enum result job_thread_post(struct job_thread *job_thread, struct thread_job *job) WEFT_MUST_USE;
struct job_thread_load job_thread_read_load(struct job_thread *job_thread); // from any thread
// Runs what waits, then ends. From the call on, posts answer RESULT_BUSY. NULL is allowed.
void job_thread_stop(struct job_thread *job_thread);
void job_thread_destroy(struct job_thread *job_thread); // stops it first; NULL is allowed

#endif
