// SPDX-License-Identifier: MIT
// The job thread: one thread for work that must not hold up a tick or the network: reading and writing scene files, and
// writing long answers out as text. Jobs are done in their order; at most CLERK_JOBS_MAX wait.
#ifndef WEFT_HOST_RUN_JOB_THREAD_H
#define WEFT_HOST_RUN_JOB_THREAD_H

#include "base/result.h"
#include "net/net.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"

#define JOB_THREAD_JOBS_MAX 256

struct job_thread;

// A job does its work and frees itself.
struct thread_job {
    void (*run)(struct thread_job *job);
};

enum result job_thread_create(struct job_thread **job_thread) WEFT_MUST_USE;
// On the job thread: an answer, straight to the network; `value` is NULL where `fault` says why there is none.
void job_thread_answer(struct net_server *net, uint64_t connection_id, const struct proto_id *id,
                       const struct json_writer *value, const struct fault *fault);
// From any thread. Takes the job, or answers RESULT_BUSY and leaves it.
enum result job_thread_post(struct job_thread *job_thread, struct thread_job *job) WEFT_MUST_USE;
// Runs what waits, then takes no more: posts answer RESULT_BUSY.
void job_thread_stop(struct job_thread *job_thread);
// After clerk_stop.
void job_thread_destroy(struct job_thread *job_thread);

#endif
