// SPDX-License-Identifier: MIT
// A thread and a bounded ring of jobs.
#include "host/clerk.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "engine/reply.h"
#include "proto/message/response.h"

#ifdef __GLIBC__
#endif

#define TRIM_EVERY_S 2

struct clerk {
    pthread_t thread;
    pthread_mutex_t mutex; // guards everything below
    pthread_cond_t changed;
    bool stopping;
    struct timespec trim_at; // when the heap is to be looked through next
    uint32_t first, count;
    struct clerk_job *jobs[CLERK_JOBS_MAX];
};

// What was freed lies in the heap's gaps until the heap is asked to look for them: a server that was busy once would
// stay as large for good.
static void trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// Without the mutex: nobody waits for the clerk meanwhile.
static void trim_when_due(struct clerk *clerk) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec >= clerk->trim_at.tv_sec) {
        clerk->trim_at = (struct timespec){.tv_sec = now.tv_sec + TRIM_EVERY_S};
        pthread_mutex_unlock(&clerk->mutex);
        trim_heap();
        pthread_mutex_lock(&clerk->mutex);
    }
}

static void *clerk_main(void *context) {
    struct clerk *clerk = context;
    pthread_mutex_lock(&clerk->mutex);
    while (!clerk->stopping || clerk->count > 0) {
        trim_when_due(clerk);
        if (clerk->count == 0 && !clerk->stopping) {
            pthread_cond_timedwait(&clerk->changed, &clerk->mutex, &clerk->trim_at);
        }
        if (clerk->count == 0) {
            continue;
        }
        struct clerk_job *job = clerk->jobs[clerk->first];
        clerk->first = (clerk->first + 1) % CLERK_JOBS_MAX;
        clerk->count--;
        pthread_mutex_unlock(&clerk->mutex);
        job->run(job);
        pthread_mutex_lock(&clerk->mutex);
    }
    pthread_mutex_unlock(&clerk->mutex);
    return NULL;
}

enum result clerk_create(struct clerk **out) {
    struct clerk *clerk = calloc(1, sizeof *clerk);
    if (clerk == NULL) {
        return RESULT_MEMORY;
    }
    pthread_mutex_init(&clerk->mutex, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&clerk->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&clerk->thread, NULL, clerk_main, clerk) != 0) {
        pthread_cond_destroy(&clerk->changed);
        pthread_mutex_destroy(&clerk->mutex);
        free(clerk);
        return RESULT_MEMORY;
    }
    *out = clerk;
    return RESULT_OK;
}

void clerk_answer(struct net_server *net, uint64_t peer, const struct proto_id *id, const struct json_writer *value,
                  const struct fault *fault) {
    if (!id->present) {
        return;
    }
    struct json_writer reply;
    json_writer_init(&reply);
    if (value != NULL) {
        proto_write_reply(&reply, id, value->data, value->length);
    } else {
        proto_write_error(&reply, id, fault);
    }
    const bool failed = json_writer_failed(&reply) || (value != NULL && json_writer_failed(value));
    struct message *message = failed ? NULL : reply_message(id, &reply);
    if (message != NULL) {
        net_post_send(net, peer, message);
    }
    json_writer_free(&reply);
}

enum result clerk_post(struct clerk *clerk, struct clerk_job *job) {
    pthread_mutex_lock(&clerk->mutex);
    bool full = clerk->count == CLERK_JOBS_MAX || clerk->stopping;
    if (!full) {
        clerk->jobs[(clerk->first + clerk->count) % CLERK_JOBS_MAX] = job;
        clerk->count++;
        pthread_cond_signal(&clerk->changed);
    }
    pthread_mutex_unlock(&clerk->mutex);
    return full ? RESULT_BUSY : RESULT_OK;
}

void clerk_stop(struct clerk *clerk) {
    pthread_mutex_lock(&clerk->mutex);
    clerk->stopping = true;
    pthread_cond_signal(&clerk->changed);
    pthread_mutex_unlock(&clerk->mutex);
    pthread_join(clerk->thread, NULL);
}

void clerk_destroy(struct clerk *clerk) {
    if (clerk == NULL) {
        return;
    }
    pthread_cond_destroy(&clerk->changed);
    pthread_mutex_destroy(&clerk->mutex);
    free(clerk);
}
