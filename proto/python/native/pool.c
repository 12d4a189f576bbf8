// SPDX-License-Identifier: MIT
// The threads wait on a condition for the next round. In a round each takes the next world that nobody has, until none
// is left. A world has one thread at a time, so its bits do not depend on how many there are.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "clock.h"
#include "owned.h"

#define SLICE_SECONDS 0.02 // of one world, before its thread looks at the clock of the round

struct round {
    weft_world *const *worlds;
    uint32_t *done;
    uint32_t count, ticks;
    double end;
};

struct weft_pool {
    pthread_mutex_t mutex;
    pthread_cond_t begins, ends;
    struct round round;
    uint64_t number; // of the round
    uint32_t busy;   // threads besides the caller that are in the round
    bool stopping;
    _Atomic uint32_t next; // world of the round
    uint32_t threads;      // besides the caller
    pthread_t thread[];
};

static void step_world(const struct round *round, uint32_t index) {
    uint32_t *done = &round->done[index];
    while (*done < round->ticks && clock_seconds() < round->end) {
        *done += weft_owned_step(round->worlds[index], round->ticks - *done, SLICE_SECONDS);
    }
}

static void take_worlds(struct weft_pool *pool) {
    uint32_t index;
    while ((index = atomic_fetch_add(&pool->next, 1)) < pool->round.count) {
        step_world(&pool->round, index);
    }
}

static void *thread_main(void *context) {
    struct weft_pool *pool = context;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (pool->number == seen && !pool->stopping) {
            pthread_cond_wait(&pool->begins, &pool->mutex);
        }
        if (pool->stopping) {
            break;
        }
        seen = pool->number;
        pthread_mutex_unlock(&pool->mutex);
        take_worlds(pool);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0) {
            pthread_cond_signal(&pool->ends);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

weft_pool *weft_pool_create(uint32_t threads) {
    struct weft_pool *pool = calloc(1, sizeof *pool + threads * sizeof *pool->thread);
    if (pool == NULL) {
        return NULL;
    }
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->begins, NULL);
    pthread_cond_init(&pool->ends, NULL);
    while (pool->threads + 1 < threads) {
        if (pthread_create(&pool->thread[pool->threads], NULL, thread_main, pool) != 0) {
            weft_pool_destroy(pool);
            return NULL;
        }
        pool->threads++;
    }
    return pool;
}

void weft_pool_destroy(weft_pool *pool) {
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->begins);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->threads; i++) {
        pthread_join(pool->thread[i], NULL);
    }
    pthread_cond_destroy(&pool->begins);
    pthread_cond_destroy(&pool->ends);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

uint32_t weft_pool_step(weft_pool *pool, weft_world *const *worlds, uint32_t *done, uint32_t count, uint32_t ticks,
                        double seconds) {
    uint32_t left = 0;
    pthread_mutex_lock(&pool->mutex);
    pool->round = (struct round){worlds, done, count, ticks, clock_seconds() + seconds};
    atomic_store(&pool->next, 0);
    pool->busy = pool->threads;
    pool->number++;
    pthread_cond_broadcast(&pool->begins);
    pthread_mutex_unlock(&pool->mutex);
    take_worlds(pool);
    pthread_mutex_lock(&pool->mutex);
    while (pool->busy > 0) {
        pthread_cond_wait(&pool->ends, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < count; i++) {
        left += done[i] < ticks ? 1 : 0;
    }
    return left;
}
