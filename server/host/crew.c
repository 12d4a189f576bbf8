// SPDX-License-Identifier: MIT
// One word says what there is to do: the round in its upper half, a bit for each share that nobody has in its lower.
// Whoever clears a bit, in the round it saw, has taken that share; a helper that comes late finds another round and
// takes nothing. What a round is about is written before its word and stays until its last share is done.
//
// Rounds that follow one another divide the same memory alike, so each thread first takes the share of its own number,
// which it has in its cache, and then what others have not begun.
#include "host/crew.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SPINS 2000u // looks at the word before a helper goes to sleep: some ten microseconds

struct helper {
    struct crew *crew;
    unsigned number; // from 1 on; the caller is 0
    pthread_t thread;
};

struct crew {
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
static bool do_share(struct crew *crew, uint64_t word, unsigned number) {
    const uint32_t left = (uint32_t)word;
    if (left == 0) {
        return false;
    }
    const unsigned share = (left >> number & 1u) != 0 ? number : (unsigned)__builtin_ctz(left);
    if (!atomic_compare_exchange_strong(&crew->word, &word, word & ~((uint64_t)1 << share))) {
        return false;
    }
    crew->task(crew->argument, share);
    atomic_fetch_add(&crew->done, 1);
    return true;
}

static void sleep_until_called(struct crew *crew, uint64_t seen) {
    pthread_mutex_lock(&crew->mutex);
    atomic_fetch_add(&crew->sleepers, 1);
    while (atomic_load(&crew->word) >> 32 == seen >> 32 && !atomic_load(&crew->stopping)) {
        pthread_cond_wait(&crew->rise, &crew->mutex);
    }
    atomic_fetch_sub(&crew->sleepers, 1);
    pthread_mutex_unlock(&crew->mutex);
}

static void *helper_main(void *context) {
    const struct helper *helper = context;
    struct crew *crew = helper->crew;
    unsigned spins = 0;
    while (!atomic_load(&crew->stopping)) {
        const uint64_t word = atomic_load(&crew->word);
        if ((uint32_t)word != 0) {
            (void)do_share(crew, word, helper->number);
            spins = 0;
        } else if (++spins < SPINS) {
            relax_processor();
        } else {
            sleep_until_called(crew, word);
            spins = 0;
        }
    }
    return NULL;
}

void crew_run(void *context, unsigned shares, void (*task)(void *argument, unsigned share), void *argument) {
    struct crew *crew = context;
    if (crew->helpers == 0 || pthread_mutex_trylock(&crew->taken) != 0) {
        for (unsigned share = 0; share < shares; share++) {
            task(argument, share);
        }
        return;
    }
    assert(shares <= CREW_SHARES_MAX);
    // Between rounds no share is left, so nobody reads what is written here before the new word.
    const uint64_t round = (atomic_load(&crew->word) >> 32) + 1;
    crew->task = task;
    crew->argument = argument;
    atomic_store(&crew->done, 0);
    atomic_store(&crew->word, round << 32 | (((uint64_t)1 << shares) - 1));
    if (atomic_load(&crew->sleepers) > 0) {
        pthread_mutex_lock(&crew->mutex);
        pthread_cond_broadcast(&crew->rise);
        pthread_mutex_unlock(&crew->mutex);
    }
    uint64_t word = atomic_load(&crew->word);
    while ((uint32_t)word != 0) {
        (void)do_share(crew, word, 0);
        word = atomic_load(&crew->word);
    }
    while (atomic_load(&crew->done) < shares) {
        sched_yield();
    }
    pthread_mutex_unlock(&crew->taken);
}

enum result crew_create(unsigned threads, struct crew **out) {
    struct crew *crew = calloc(1, sizeof *crew + (threads - 1) * sizeof crew->helper[0]);
    if (crew == NULL) {
        return RESULT_MEMORY;
    }
    pthread_mutex_init(&crew->taken, NULL);
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->rise, NULL);
    for (unsigned i = 0; i + 1 < threads; i++) {
        crew->helper[i] = (struct helper){.crew = crew, .number = (i + 1) % CREW_SHARES_MAX};
        if (pthread_create(&crew->helper[i].thread, NULL, helper_main, &crew->helper[i]) != 0) {
            crew_destroy(crew);
            return RESULT_MEMORY;
        }
        crew->helpers++;
    }
    *out = crew;
    return RESULT_OK;
}

void crew_destroy(struct crew *crew) {
    if (crew == NULL) {
        return;
    }
    pthread_mutex_lock(&crew->mutex);
    atomic_store(&crew->stopping, true);
    pthread_cond_broadcast(&crew->rise);
    pthread_mutex_unlock(&crew->mutex);
    for (unsigned i = 0; i < crew->helpers; i++) {
        pthread_join(crew->helper[i].thread, NULL);
    }
    pthread_cond_destroy(&crew->rise);
    pthread_mutex_destroy(&crew->mutex);
    pthread_mutex_destroy(&crew->taken);
    free(crew);
}
