// SPDX-License-Identifier: MIT
// Many random degenerate worlds (random_world.h), shared out among processes, because one that crashes or hangs must
// not take the others with it: its seed is told and another process goes on behind it.
#ifndef WEFT_TESTS_RANDOM_WORLDS_H
#define WEFT_TESTS_RANDOM_WORLDS_H

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random_world.h"

#define PROCESSES_MAX 256u
#define PROGRESS_EVERY 2000u
#define WORLD_SECONDS_MAX 900u

// In memory that all processes share.
struct random_worlds {
    uint64_t count, first;           // the worlds of how many seeds, from which on
    uint64_t cost_max;               // of one world (random_world.h); the caller may lower it
    atomic_uint_fast64_t next, done; // worlds
    atomic_uint_fast64_t failed, accepted, refused, slept, torn, injected;
    uint64_t running[PROCESSES_MAX]; // seed
};

// NULL when there is no memory.
static inline struct random_worlds *random_worlds_create(uint64_t count, uint64_t first) {
    struct random_worlds *worlds =
        mmap(NULL, sizeof *worlds, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (worlds == MAP_FAILED) {
        return NULL;
    }
    worlds->count = count;
    worlds->first = first;
    worlds->cost_max = RANDOM_WORLD_COST;
    return worlds;
}

static inline void random_worlds_destroy(struct random_worlds *worlds) {
    munmap(worlds, sizeof *worlds);
}

// One for each processor.
static inline unsigned random_worlds_processes(void) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > (long)PROCESSES_MAX ? PROCESSES_MAX : (unsigned)processors;
}

static inline void run_world(struct random_worlds *worlds, uint64_t seed) {
    uint64_t hash = 0;
    const struct random_world r = random_world_run(seed, worlds->cost_max, &hash);
    atomic_fetch_add(&worlds->accepted, r.accepted);
    atomic_fetch_add(&worlds->refused, r.refused);
    atomic_fetch_add(&worlds->slept, r.slept);
    atomic_fetch_add(&worlds->torn, r.torn);
    atomic_fetch_add(&worlds->injected, r.injected);
    if (r.complaint != NULL) {
        atomic_fetch_add(&worlds->failed, 1);
        printf("seed %" PRIu64 ": %s\n", seed, r.complaint);
    }
}

static inline void count_world(struct random_worlds *worlds) {
    const uint64_t done = atomic_fetch_add(&worlds->done, 1) + 1;
    if (done % PROGRESS_EVERY == 0 && done < worlds->count) {
        printf("%" PRIu64 " of %" PRIu64 " worlds, failed so far: %" PRIu64 "\n", done, worlds->count,
               (uint64_t)atomic_load(&worlds->failed));
    }
}

static inline void run_worlds(struct random_worlds *worlds, unsigned process) {
    uint64_t world = 0;
    while ((world = atomic_fetch_add(&worlds->next, 1)) < worlds->count) {
        worlds->running[process] = worlds->first + world;
        alarm(WORLD_SECONDS_MAX);
        run_world(worlds, worlds->first + world);
        count_world(worlds);
        fflush(stdout);
    }
}

// A signal ends it, whatever the one who starts it makes of signals.
static inline pid_t start_process(struct random_worlds *worlds, unsigned process) {
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        for (unsigned i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
            (void)signal(deadly[i], SIG_DFL);
        }
        run_worlds(worlds, process);
        exit(0);
    }
    return pid;
}

// Waits for all; whoever does not end well has its seed told and is replaced.
static inline void oversee(struct random_worlds *worlds, pid_t *pids, unsigned processes) {
    int status = 0;
    pid_t pid = 0;
    while ((pid = wait(&status)) > 0) {
        unsigned process = 0;
        while (process < processes && pids[process] != pid) {
            process++;
        }
        if (process == processes || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
            continue;
        }
        printf("seed %" PRIu64 ": ended by %s %d\n", worlds->running[process],
               WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        atomic_fetch_add(&worlds->failed, 1);
        count_world(worlds);
        pids[process] = start_process(worlds, process);
    }
}

// Runs them all. What fails is told as it does.
static inline void random_worlds_run(struct random_worlds *worlds, unsigned processes) {
    pid_t pids[PROCESSES_MAX];
    for (unsigned process = 0; process < processes; process++) {
        pids[process] = start_process(worlds, process);
    }
    oversee(worlds, pids, processes);
}

#endif
