// SPDX-License-Identifier: MIT
// A list under a mutex, and one condition that says that the list or `stopping` has changed.
#include "base/job_thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define NEVER_MS UINT64_MAX

struct job_thread {
    struct job_thread_options options;
    pthread_mutex_t mutex;  // guards the members up to `load`
    pthread_cond_t changed; // of the monotonic clock
    bool stopping;
    struct thread_job *first, **last;
    struct job_thread_load load;
    uint32_t started;
    pthread_t threads[];
};

// Waits for a job, at most until `due_ms`. False when the thread is to end. The mutex is held.
static bool wait_for_job(struct job_thread *job_thread, uint64_t due_ms) {
    const struct timespec due = {.tv_sec = (time_t)(due_ms / 1000), .tv_nsec = (long)(due_ms % 1000) * 1000000};
    int waited = 0;
    while (job_thread->first == NULL && !job_thread->stopping && waited != ETIMEDOUT) {
        waited = due_ms == NEVER_MS ? pthread_cond_wait(&job_thread->changed, &job_thread->mutex)
                                    : pthread_cond_timedwait(&job_thread->changed, &job_thread->mutex, &due);
    }
    return job_thread->first != NULL || !job_thread->stopping;
}

// The oldest job, NULL when there is none. The mutex is held.
static struct thread_job *take_job(struct job_thread *job_thread) {
    struct thread_job *job = job_thread->first;
    if (job != NULL) {
        job_thread->first = job->next;
        job_thread->last = job->next == NULL ? &job_thread->first : job_thread->last;
        job_thread->load.waiting--;
    }
    return job;
}

static void *work(void *context) {
    struct job_thread *job_thread = context;
    const struct job_thread_options *options = &job_thread->options;
    uint64_t due_ms = options->tend != NULL ? 0 : NEVER_MS;
    if (options->nice != 0) {
        (void)setpriority(PRIO_PROCESS, (id_t)gettid(), options->nice); // of this thread alone, on Linux
    }
    pthread_mutex_lock(&job_thread->mutex);
    while (wait_for_job(job_thread, due_ms)) {
        struct thread_job *job = take_job(job_thread);
        const size_t bytes = job != NULL ? job->bytes : 0; // the job frees itself
        pthread_mutex_unlock(&job_thread->mutex);
        if (job != NULL) {
            job->run(job);
        }
        due_ms = options->tend != NULL ? options->tend(options->context) : NEVER_MS;
        pthread_mutex_lock(&job_thread->mutex);
        job_thread->load.bytes -= bytes;
    }
    pthread_mutex_unlock(&job_thread->mutex);
    return NULL;
}

enum result job_thread_create(const struct job_thread_options *options, struct job_thread **out) {
    const uint32_t threads = options->threads != 0 ? options->threads : 1;
    struct job_thread *job_thread = calloc(1, sizeof *job_thread + threads * sizeof job_thread->threads[0]);
    if (job_thread == NULL) {
        return RESULT_MEMORY;
    }
    job_thread->options = *options;
    job_thread->last = &job_thread->first;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&job_thread->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&job_thread->mutex, NULL);
    for (; job_thread->started < threads; job_thread->started++) {
        if (pthread_create(&job_thread->threads[job_thread->started], NULL, work, job_thread) != 0) {
            job_thread_destroy(job_thread);
            return RESULT_MEMORY;
        }
    }
    *out = job_thread;
    return RESULT_OK;
}

enum result job_thread_post(struct job_thread *job_thread, struct thread_job *job) {
    const struct job_thread_options *options = &job_thread->options;
    struct job_thread_load *load = &job_thread->load;
    pthread_mutex_lock(&job_thread->mutex);
    const bool taken = !job_thread->stopping && (options->jobs_max == 0 || load->waiting < options->jobs_max) &&
                       (load->bytes == 0 || load->bytes + job->bytes <= options->bytes_max);
    if (taken) {
        job->next = NULL;
        *job_thread->last = job;
        job_thread->last = &job->next;
        load->waiting++;
        load->bytes += job->bytes;
        pthread_cond_signal(&job_thread->changed);
    }
    pthread_mutex_unlock(&job_thread->mutex);
    return taken ? RESULT_OK : RESULT_BUSY;
}

struct job_thread_load job_thread_read_load(struct job_thread *job_thread) {
    pthread_mutex_lock(&job_thread->mutex);
    const struct job_thread_load load = job_thread->load;
    pthread_mutex_unlock(&job_thread->mutex);
    return load;
}

void job_thread_stop(struct job_thread *job_thread) {
    if (job_thread == NULL) {
        return;
    }
    pthread_mutex_lock(&job_thread->mutex);
    job_thread->stopping = true;
    pthread_cond_broadcast(&job_thread->changed);
    pthread_mutex_unlock(&job_thread->mutex);
    for (; job_thread->started > 0; job_thread->started--) {
        pthread_join(job_thread->threads[job_thread->started - 1], NULL);
    }
}

void job_thread_destroy(struct job_thread *job_thread) {
    if (job_thread == NULL) {
        return;
    }
    job_thread_stop(job_thread);
    pthread_cond_destroy(&job_thread->changed);
    pthread_mutex_destroy(&job_thread->mutex);
    free(job_thread);
}
