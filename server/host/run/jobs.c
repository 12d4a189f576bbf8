// SPDX-License-Identifier: MIT
#include "host/run/jobs.h"

#include <malloc.h>

#include "engine/state/reply.h"
#include "host/run/scheduler.h"
#include "proto/message/response.h"

#define TRIM_EVERY_MS 2000u

// What was freed lies in the heap's gaps until the heap is asked to look for them: a server that was busy once would
// stay as large for good. Nobody waits for the job thread meanwhile.
static uint64_t trim_heap(void *unused) {
    static uint64_t due_ms;
    (void)unused;
    const uint64_t now_ms = scheduler_now_ns() / 1000000u;
    if (now_ms >= due_ms) {
        due_ms = now_ms + TRIM_EVERY_MS;
#ifdef __GLIBC__
        malloc_trim(0);
#endif
    }
    return due_ms;
}

enum result jobs_create(struct job_thread **job_thread) {
    return job_thread_create(&(struct job_thread_options){.jobs_max = JOBS_WAITING_MAX, .tend = trim_heap}, job_thread);
}

void jobs_answer(struct net_server *net, uint64_t connection_id, const struct proto_id *id,
                 const struct json_writer *value, const struct fault *fault) {
    if (!id->present) {
        return;
    }
    struct json_writer reply;
    json_writer_init(&reply);
    if (value != NULL) {
        proto_write_reply(&reply, id, value);
    } else {
        proto_write_error(&reply, id, fault);
    }
    const bool failed = json_writer_failed(&reply) || (value != NULL && json_writer_failed(value));
    struct message *message = failed ? NULL : reply_message(id, &reply);
    if (message != NULL) {
        net_post_send(net, connection_id, message);
    }
    json_writer_free(&reply);
}
