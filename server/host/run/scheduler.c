// SPDX-License-Identifier: MIT
// Earliest deadline first over a handful of tasks: one mutex, one condition on the monotonic clock, a linear scan.
//
// Waiting is by absolute time, so pacing does not drift. There are few worlds, so a heap would buy nothing. Its threads
// are no job threads (base/job_thread.h): a task is due at a time of its own and runs again and again, and whichever is
// due first goes first, not whichever came first.
#include "host/run/scheduler.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

struct scheduler_task {
    scheduler_task run;
    void *context;
    uint64_t due_ns;
    bool running;
    bool removed; // its place is free
};

struct scheduler {
    pthread_mutex_t mutex; // guards everything below
    pthread_cond_t changed;
    pthread_cond_t idle; // a task has run
    bool stopping;
    uint32_t worker_count, started;
    pthread_t *workers;
    uint32_t task_count, tasks_max;
    struct scheduler_task *tasks;
};

uint64_t scheduler_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double scheduler_seconds_since(uint64_t began_ns) {
    const uint64_t ms = (scheduler_now_ns() - began_ns) / 1000000u;
    return (double)ms / 1e3;
}

enum result scheduler_create(uint32_t workers, uint32_t tasks_max, struct scheduler **out) {
    struct scheduler *scheduler = calloc(1, sizeof *scheduler);
    pthread_t *threads = calloc(workers, sizeof *threads);
    struct scheduler_task *tasks = calloc(tasks_max, sizeof *tasks);
    if (scheduler == NULL || threads == NULL || tasks == NULL) {
        free(scheduler);
        free(threads);
        free(tasks);
        return RESULT_MEMORY;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&scheduler->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_cond_init(&scheduler->idle, NULL);
    pthread_mutex_init(&scheduler->mutex, NULL);
    scheduler->worker_count = workers;
    scheduler->workers = threads;
    scheduler->tasks_max = tasks_max;
    scheduler->tasks = tasks;
    *out = scheduler;
    return RESULT_OK;
}

uint32_t scheduler_add(struct scheduler *scheduler, scheduler_task run, void *context) {
    pthread_mutex_lock(&scheduler->mutex);
    uint32_t task = 0;
    while (task < scheduler->task_count && !scheduler->tasks[task].removed) {
        task++;
    }
    assert(task < scheduler->tasks_max);
    scheduler->task_count += task == scheduler->task_count ? 1 : 0;
    scheduler->tasks[task] = (struct scheduler_task){.run = run, .context = context};
    pthread_cond_signal(&scheduler->changed);
    pthread_mutex_unlock(&scheduler->mutex);
    return task;
}

static struct scheduler_task *earliest(struct scheduler *scheduler) {
    struct scheduler_task *best = NULL;
    for (uint32_t i = 0; i < scheduler->task_count; i++) {
        struct scheduler_task *task = &scheduler->tasks[i];
        if (!task->running && !task->removed && task->due_ns != SCHEDULER_NEVER &&
            (best == NULL || task->due_ns < best->due_ns)) {
            best = task;
        }
    }
    return best;
}

static void wait_for_work(struct scheduler *scheduler, const struct scheduler_task *next) {
    if (next == NULL) {
        pthread_cond_wait(&scheduler->changed, &scheduler->mutex);
        return;
    }
    struct timespec until = {.tv_sec = (time_t)(next->due_ns / 1000000000u),
                             .tv_nsec = (long)(next->due_ns % 1000000000u)};
    pthread_cond_timedwait(&scheduler->changed, &scheduler->mutex, &until);
}

static void run_task(struct scheduler *scheduler, struct scheduler_task *task, uint64_t now_ns) {
    task->running = true;
    task->due_ns = SCHEDULER_NEVER; // a wake from here on is for the next run
    pthread_mutex_unlock(&scheduler->mutex);
    uint64_t next_ns = task->run(task->context, now_ns);
    pthread_mutex_lock(&scheduler->mutex);
    task->running = false;
    if (next_ns < task->due_ns) {
        task->due_ns = next_ns;
    }
    pthread_cond_signal(&scheduler->changed); // this worker may now wait for another task
    pthread_cond_broadcast(&scheduler->idle);
}

static void *worker_main(void *context) {
    struct scheduler *scheduler = context;
    (void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); // ns: else the kernel gathers wakes within 50 µs
    pthread_mutex_lock(&scheduler->mutex);
    while (!scheduler->stopping) {
        struct scheduler_task *next = earliest(scheduler);
        uint64_t now_ns = scheduler_now_ns();
        if (next == NULL || next->due_ns > now_ns) {
            wait_for_work(scheduler, next);
        } else {
            run_task(scheduler, next, now_ns);
        }
    }
    pthread_mutex_unlock(&scheduler->mutex);
    return NULL;
}

void scheduler_remove(struct scheduler *scheduler, uint32_t task) {
    pthread_mutex_lock(&scheduler->mutex);
    scheduler->tasks[task].removed = true;
    while (scheduler->tasks[task].running) {
        pthread_cond_wait(&scheduler->idle, &scheduler->mutex);
    }
    pthread_mutex_unlock(&scheduler->mutex);
}

enum result scheduler_start(struct scheduler *scheduler) {
    for (; scheduler->started < scheduler->worker_count; scheduler->started++) {
        if (pthread_create(&scheduler->workers[scheduler->started], NULL, worker_main, scheduler) != 0) {
            return RESULT_MEMORY;
        }
    }
    return RESULT_OK;
}

void scheduler_wake(struct scheduler *scheduler, uint32_t task) {
    pthread_mutex_lock(&scheduler->mutex);
    scheduler->tasks[task].due_ns = 0;
    pthread_cond_signal(&scheduler->changed);
    pthread_mutex_unlock(&scheduler->mutex);
}

void scheduler_stop(struct scheduler *scheduler) {
    if (scheduler == NULL) {
        return;
    }
    pthread_mutex_lock(&scheduler->mutex);
    scheduler->stopping = true;
    pthread_cond_broadcast(&scheduler->changed);
    pthread_mutex_unlock(&scheduler->mutex);
    for (; scheduler->started > 0; scheduler->started--) {
        pthread_join(scheduler->workers[scheduler->started - 1], NULL);
    }
}

void scheduler_destroy(struct scheduler *scheduler) {
    if (scheduler == NULL) {
        return;
    }
    scheduler_stop(scheduler);
    pthread_cond_destroy(&scheduler->changed);
    pthread_cond_destroy(&scheduler->idle);
    pthread_mutex_destroy(&scheduler->mutex);
    free(scheduler->workers);
    free(scheduler->tasks);
    free(scheduler);
}
