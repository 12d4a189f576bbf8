// SPDX-License-Identifier: MIT
// A thread and a bounded ring of jobs.
#include "host/run/job_thread.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "engine/state/reply.h"
#include "proto/message/response.h"

#ifdef __GLIBC__
#endif

#define TRIM_EVERY_S 2

struct job_thread {
    pthread_t thread;
    pthread_mutex_t mutex; // guards everything below
    pthread_cond_t changed;
    bool stopping;
    struct timespec trim_at; // when the heap is to be looked through next
    uint32_t first, count;
    struct thread_job *jobs[JOB_THREAD_JOBS_MAX];
};

// What was freed lies in the heap's gaps until the heap is asked to look for them: a server that was busy once would
// stay as large for good.
static void trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// Without the mutex: nobody waits for the job thread meanwhile.
static void trim_when_due(struct job_thread *job_thread) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec >= job_thread->trim_at.tv_sec) {
        job_thread->trim_at = (struct timespec){.tv_sec = now.tv_sec + TRIM_EVERY_S};
        pthread_mutex_unlock(&job_thread->mutex);
        trim_heap();
        pthread_mutex_lock(&job_thread->mutex);
    }
}

static void *job_thread_main(void *context) {
    struct job_thread *job_thread = context;
    pthread_mutex_lock(&job_thread->mutex);
    while (!job_thread->stopping || job_thread->count > 0) {
        trim_when_due(job_thread);
        if (job_thread->count == 0 && !job_thread->stopping) {
            pthread_cond_timedwait(&job_thread->changed, &job_thread->mutex, &job_thread->trim_at);
        }
        if (job_thread->count == 0) {
            continue;
        }
        struct thread_job *job = job_thread->jobs[job_thread->first];
        job_thread->first = (job_thread->first + 1) % JOB_THREAD_JOBS_MAX;
        job_thread->count--;
        pthread_mutex_unlock(&job_thread->mutex);
        job->run(job);
        pthread_mutex_lock(&job_thread->mutex);
    }
    pthread_mutex_unlock(&job_thread->mutex);
    return NULL;
}

enum result job_thread_create(struct job_thread **out) {
    struct job_thread *job_thread = calloc(1, sizeof *job_thread);
    if (job_thread == NULL) {
        return RESULT_MEMORY;
    }
    pthread_mutex_init(&job_thread->mutex, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&job_thread->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&job_thread->thread, NULL, job_thread_main, job_thread) != 0) {
        pthread_cond_destroy(&job_thread->changed);
        pthread_mutex_destroy(&job_thread->mutex);
        free(job_thread);
        return RESULT_MEMORY;
    }
    *out = job_thread;
    return RESULT_OK;
}

void job_thread_answer(struct net_server *net, uint64_t connection_id, const struct proto_id *id,
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

enum result job_thread_post(struct job_thread *job_thread, struct thread_job *job) {
    pthread_mutex_lock(&job_thread->mutex);
    bool full = job_thread->count == JOB_THREAD_JOBS_MAX || job_thread->stopping;
    if (!full) {
        job_thread->jobs[(job_thread->first + job_thread->count) % JOB_THREAD_JOBS_MAX] = job;
        job_thread->count++;
        pthread_cond_signal(&job_thread->changed);
    }
    pthread_mutex_unlock(&job_thread->mutex);
    return full ? RESULT_BUSY : RESULT_OK;
}

void job_thread_stop(struct job_thread *job_thread) {
    pthread_mutex_lock(&job_thread->mutex);
    job_thread->stopping = true;
    pthread_cond_signal(&job_thread->changed);
    pthread_mutex_unlock(&job_thread->mutex);
    pthread_join(job_thread->thread, NULL);
}

void job_thread_destroy(struct job_thread *job_thread) {
    if (job_thread == NULL) {
        return;
    }
    pthread_cond_destroy(&job_thread->changed);
    pthread_mutex_destroy(&job_thread->mutex);
    free(job_thread);
}
