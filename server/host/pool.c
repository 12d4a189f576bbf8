// SPDX-License-Identifier: MIT
// Earliest deadline first over a handful of tasks: one mutex, one condition on the monotonic clock, a linear scan.
//
// Waiting is by absolute time, so pacing does not drift. There are few worlds, so a heap would buy nothing.
#include "host/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

struct pool_task {
    pool_run run;
    void *context;
    uint64_t due_ns;
    bool running;
    bool removed; // its place is free
};

struct pool {
    pthread_mutex_t mutex; // guards everything below
    pthread_cond_t changed;
    pthread_cond_t idle; // a task has run
    bool stopping;
    uint32_t worker_count, started;
    pthread_t *workers;
    uint32_t task_count, tasks_max;
    struct pool_task *tasks;
};

uint64_t pool_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double pool_seconds_since(uint64_t began_ns) {
    const uint64_t ms = (pool_now_ns() - began_ns) / 1000000u;
    return (double)ms / 1e3;
}

enum result pool_create(uint32_t workers, uint32_t tasks_max, struct pool **out) {
    struct pool *pool = calloc(1, sizeof *pool);
    pthread_t *threads = calloc(workers, sizeof *threads);
    struct pool_task *tasks = calloc(tasks_max, sizeof *tasks);
    if (pool == NULL || threads == NULL || tasks == NULL) {
        free(pool);
        free(threads);
        free(tasks);
        return RESULT_MEMORY;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_cond_init(&pool->idle, NULL);
    pthread_mutex_init(&pool->mutex, NULL);
    pool->worker_count = workers;
    pool->workers = threads;
    pool->tasks_max = tasks_max;
    pool->tasks = tasks;
    *out = pool;
    return RESULT_OK;
}

uint32_t pool_add(struct pool *pool, pool_run run, void *context) {
    pthread_mutex_lock(&pool->mutex);
    uint32_t task = 0;
    while (task < pool->task_count && !pool->tasks[task].removed) {
        task++;
    }
    assert(task < pool->tasks_max);
    pool->task_count += task == pool->task_count ? 1 : 0;
    pool->tasks[task] = (struct pool_task){.run = run, .context = context};
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    return task;
}

static struct pool_task *earliest(struct pool *pool) {
    struct pool_task *best = NULL;
    for (uint32_t i = 0; i < pool->task_count; i++) {
        struct pool_task *task = &pool->tasks[i];
        if (!task->running && !task->removed && task->due_ns != POOL_NEVER &&
            (best == NULL || task->due_ns < best->due_ns)) {
            best = task;
        }
    }
    return best;
}

static void wait_for_work(struct pool *pool, const struct pool_task *next) {
    if (next == NULL) {
        pthread_cond_wait(&pool->changed, &pool->mutex);
        return;
    }
    struct timespec until = {.tv_sec = (time_t)(next->due_ns / 1000000000u),
                             .tv_nsec = (long)(next->due_ns % 1000000000u)};
    pthread_cond_timedwait(&pool->changed, &pool->mutex, &until);
}

static void run_task(struct pool *pool, struct pool_task *task, uint64_t now_ns) {
    task->running = true;
    task->due_ns = POOL_NEVER; // a wake from here on is for the next run
    pthread_mutex_unlock(&pool->mutex);
    uint64_t next_ns = task->run(task->context, now_ns);
    pthread_mutex_lock(&pool->mutex);
    task->running = false;
    if (next_ns < task->due_ns) {
        task->due_ns = next_ns;
    }
    pthread_cond_signal(&pool->changed); // this worker may now wait for another task
    pthread_cond_broadcast(&pool->idle);
}

static void *worker_main(void *context) {
    struct pool *pool = context;
    (void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); // ns: else the kernel gathers wakes within 50 µs
    pthread_mutex_lock(&pool->mutex);
    while (!pool->stopping) {
        struct pool_task *next = earliest(pool);
        uint64_t now_ns = pool_now_ns();
        if (next == NULL || next->due_ns > now_ns) {
            wait_for_work(pool, next);
        } else {
            run_task(pool, next, now_ns);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

void pool_remove(struct pool *pool, uint32_t task) {
    pthread_mutex_lock(&pool->mutex);
    pool->tasks[task].removed = true;
    while (pool->tasks[task].running) {
        pthread_cond_wait(&pool->idle, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

enum result pool_start(struct pool *pool) {
    for (; pool->started < pool->worker_count; pool->started++) {
        if (pthread_create(&pool->workers[pool->started], NULL, worker_main, pool) != 0) {
            return RESULT_MEMORY;
        }
    }
    return RESULT_OK;
}

void pool_wake(struct pool *pool, uint32_t task) {
    pthread_mutex_lock(&pool->mutex);
    pool->tasks[task].due_ns = 0;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

void pool_stop(struct pool *pool) {
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    for (; pool->started > 0; pool->started--) {
        pthread_join(pool->workers[pool->started - 1], NULL);
    }
}

void pool_destroy(struct pool *pool) {
    if (pool == NULL) {
        return;
    }
    pool_stop(pool);
    pthread_cond_destroy(&pool->changed);
    pthread_cond_destroy(&pool->idle);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->workers);
    free(pool->tasks);
    free(pool);
}
