// SPDX-License-Identifier: MIT
// One word says what there is to do: the round in its upper half, a bit for each share that nobody has in its lower.
// Whoever clears a bit, in the round it saw, has taken that share; a helper that comes late finds another round and
// takes nothing. What a round is about is written before its word and stays until its last share is done.
//
// Rounds that follow one another divide the same memory alike, so each thread first takes the share of its own number,
// which it has in its cache, and then what others have not begun.
//
// Its threads are no job threads (base/job_thread.h): a tick has many rounds of some microseconds, too short for a
// mutex and a wake, and it waits for the last share of each.
#include "host/run/parallel_for.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SPINS 2000u // looks at the word before a helper goes to sleep: some ten microseconds

struct helper {
    struct parallel_for *parallel_for;
    unsigned number; // from 1 on; the caller is 0
    pthread_t thread;
};

struct parallel_for {
    pthread_mutex_t taken; // held by the thread whose work is done
    void (*task)(void *argument, unsigned share);
    void *argument;
    _Atomic uint64_t word;
    _Atomic uint32_t done; // of the round's shares
    _Atomic uint32_t sleepers;
    _Atomic bool stopping;
    pthread_mutex_t mutex; // of the condition
    pthread_cond_t rise;
    unsigned helpers;
    struct helper helper[];
};

static void relax_processor(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Takes and does one share of the round in `word`, rather the one of this number; false where none is left or the word
// has changed.
static bool do_share(struct parallel_for *parallel_for, uint64_t word, unsigned number) {
    const uint32_t left = (uint32_t)word;
    if (left == 0) {
        return false;
    }
    const unsigned share = (left >> number & 1u) != 0 ? number : (unsigned)__builtin_ctz(left);
    if (!atomic_compare_exchange_strong(&parallel_for->word, &word, word & ~((uint64_t)1 << share))) {
        return false;
    }
    parallel_for->task(parallel_for->argument, share);
    atomic_fetch_add(&parallel_for->done, 1);
    return true;
}

static void sleep_until_called(struct parallel_for *parallel_for, uint64_t seen) {
    pthread_mutex_lock(&parallel_for->mutex);
    atomic_fetch_add(&parallel_for->sleepers, 1);
    while (atomic_load(&parallel_for->word) >> 32 == seen >> 32 && !atomic_load(&parallel_for->stopping)) {
        pthread_cond_wait(&parallel_for->rise, &parallel_for->mutex);
    }
    atomic_fetch_sub(&parallel_for->sleepers, 1);
    pthread_mutex_unlock(&parallel_for->mutex);
}

static void *helper_main(void *context) {
    const struct helper *helper = context;
    struct parallel_for *parallel_for = helper->parallel_for;
    unsigned spins = 0;
    while (!atomic_load(&parallel_for->stopping)) {
        const uint64_t word = atomic_load(&parallel_for->word);
        if ((uint32_t)word != 0) {
            (void)do_share(parallel_for, word, helper->number);
            spins = 0;
        } else if (++spins < SPINS) {
            relax_processor();
        } else {
            sleep_until_called(parallel_for, word);
            spins = 0;
        }
    }
    return NULL;
}

void parallel_for_run(void *context, unsigned shares, void (*task)(void *argument, unsigned share), void *argument) {
    struct parallel_for *parallel_for = context;
    if (parallel_for->helpers == 0 || pthread_mutex_trylock(&parallel_for->taken) != 0) {
        for (unsigned share = 0; share < shares; share++) {
            task(argument, share);
        }
        return;
    }
    assert(shares <= PARALLEL_FOR_SHARES_MAX);
    // Between rounds no share is left, so nobody reads what is written here before the new word.
    const uint64_t round = (atomic_load(&parallel_for->word) >> 32) + 1;
    parallel_for->task = task;
    parallel_for->argument = argument;
    atomic_store(&parallel_for->done, 0);
    atomic_store(&parallel_for->word, round << 32 | (((uint64_t)1 << shares) - 1));
    if (atomic_load(&parallel_for->sleepers) > 0) {
        pthread_mutex_lock(&parallel_for->mutex);
        pthread_cond_broadcast(&parallel_for->rise);
        pthread_mutex_unlock(&parallel_for->mutex);
    }
    uint64_t word = atomic_load(&parallel_for->word);
    while ((uint32_t)word != 0) {
        (void)do_share(parallel_for, word, 0);
        word = atomic_load(&parallel_for->word);
    }
    while (atomic_load(&parallel_for->done) < shares) {
        sched_yield();
    }
    pthread_mutex_unlock(&parallel_for->taken);
}

enum result parallel_for_create(unsigned threads, struct parallel_for **out) {
    struct parallel_for *parallel_for =
        calloc(1, sizeof *parallel_for + (threads - 1) * sizeof parallel_for->helper[0]);
    if (parallel_for == NULL) {
        return RESULT_MEMORY;
    }
    pthread_mutex_init(&parallel_for->taken, NULL);
    pthread_mutex_init(&parallel_for->mutex, NULL);
    pthread_cond_init(&parallel_for->rise, NULL);
    for (unsigned i = 0; i + 1 < threads; i++) {
        parallel_for->helper[i] =
            (struct helper){.parallel_for = parallel_for, .number = (i + 1) % PARALLEL_FOR_SHARES_MAX};
        if (pthread_create(&parallel_for->helper[i].thread, NULL, helper_main, &parallel_for->helper[i]) != 0) {
            parallel_for_destroy(parallel_for);
            return RESULT_MEMORY;
        }
        parallel_for->helpers++;
    }
    *out = parallel_for;
    return RESULT_OK;
}

void parallel_for_destroy(struct parallel_for *parallel_for) {
    if (parallel_for == NULL) {
        return;
    }
    pthread_mutex_lock(&parallel_for->mutex);
    atomic_store(&parallel_for->stopping, true);
    pthread_cond_broadcast(&parallel_for->rise);
    pthread_mutex_unlock(&parallel_for->mutex);
    for (unsigned i = 0; i < parallel_for->helpers; i++) {
        pthread_join(parallel_for->helper[i].thread, NULL);
    }
    pthread_cond_destroy(&parallel_for->rise);
    pthread_mutex_destroy(&parallel_for->mutex);
    pthread_mutex_destroy(&parallel_for->taken);
    free(parallel_for);
}
