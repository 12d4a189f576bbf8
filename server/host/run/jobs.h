// SPDX-License-Identifier: MIT
// The job thread of the process: for work that must not hold up a tick or the network, such as reading and writing
// scene files, and writing long answers out as text.
#ifndef WEFT_HOST_RUN_JOBS_H
#define WEFT_HOST_RUN_JOBS_H

#include "base/job_thread.h"
#include "net/net.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"

#define JOBS_WAITING_MAX 256u

enum result jobs_create(struct job_thread **job_thread) WEFT_MUST_USE;
// On the job thread: an answer, straight to the network; `value` is NULL where `fault` says why there is none.
void jobs_answer(struct net_server *net, uint64_t connection_id, const struct proto_id *id,
                 const struct json_writer *value, const struct fault *fault);

#endif
