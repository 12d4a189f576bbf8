// SPDX-License-Identifier: MIT
// The clerk: one thread for work that must not hold up a tick or the network: reading and writing scene files, and
// writing long answers out as text. Jobs are done in their order; at most CLERK_JOBS_MAX wait.
#ifndef WEFT_HOST_CLERK_H
#define WEFT_HOST_CLERK_H

#include "base/result.h"
#include "net/net.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"

#define CLERK_JOBS_MAX 256

struct clerk;

// A job does its work and frees itself.
struct clerk_job {
    void (*run)(struct clerk_job *job);
};

enum result clerk_create(struct clerk **clerk) WEFT_MUST_USE;
// On the clerk's thread: an answer, straight to the network; `value` is NULL where `fault` says why there is none.
void clerk_answer(struct net_server *net, uint64_t peer, const struct proto_id *id, const struct json_writer *value,
                  const struct fault *fault);
// From any thread. Takes the job, or answers RESULT_BUSY and leaves it.
enum result clerk_post(struct clerk *clerk, struct clerk_job *job) WEFT_MUST_USE;
// Runs what waits, then takes no more: posts answer RESULT_BUSY.
void clerk_stop(struct clerk *clerk);
// After clerk_stop.
void clerk_destroy(struct clerk *clerk);

#endif
