// SPDX-License-Identifier: MIT
// Runs many random degenerate worlds (random_world.h) and says which failed: worlds [count [first seed [processes]]]
//
// The worlds are shared out among processes, because one that crashes or hangs must not take the others with it: its
// seed is told and another process goes on behind it.
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "random_world.h"

#define PROCESSES_MAX 256u
#define PROGRESS_EVERY 2000u
#define WORLD_SECONDS_MAX 900u

// In memory that all processes share.
struct tally {
    uint64_t count, first;
    atomic_uint_fast64_t next; // world to be run
    atomic_uint_fast64_t done, failed, accepted, refused, slept, torn, injected;
    uint64_t running[PROCESSES_MAX]; // seed
};

static void run_world(struct tally *tally, uint64_t seed) {
    uint64_t hash = 0;
    const struct random_world r = random_world_run(seed, &hash);
    atomic_fetch_add(&tally->accepted, r.accepted);
    atomic_fetch_add(&tally->refused, r.refused);
    atomic_fetch_add(&tally->slept, r.slept);
    atomic_fetch_add(&tally->torn, r.torn);
    atomic_fetch_add(&tally->injected, r.injected);
    if (r.complaint != NULL) {
        atomic_fetch_add(&tally->failed, 1);
        printf("seed %" PRIu64 ": %s\n", seed, r.complaint);
    }
}

static void count_world(struct tally *tally) {
    const uint64_t done = atomic_fetch_add(&tally->done, 1) + 1;
    if (done % PROGRESS_EVERY == 0 && done < tally->count) {
        printf("%" PRIu64 " of %" PRIu64 " worlds, failed so far: %" PRIu64 "\n", done, tally->count,
               (uint64_t)atomic_load(&tally->failed));
    }
}

static void run_worlds(struct tally *tally, unsigned process) {
    uint64_t world = 0;
    while ((world = atomic_fetch_add(&tally->next, 1)) < tally->count) {
        tally->running[process] = tally->first + world;
        alarm(WORLD_SECONDS_MAX);
        run_world(tally, tally->first + world);
        count_world(tally);
        fflush(stdout);
    }
}

static pid_t start_process(struct tally *tally, unsigned process) {
    const pid_t pid = fork();
    if (pid == 0) {
        run_worlds(tally, process);
        exit(0);
    }
    return pid;
}

// Waits for all; whoever does not end well has its seed told and is replaced.
static void oversee(struct tally *tally, pid_t *pids, unsigned processes) {
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
        printf("seed %" PRIu64 ": ended by %s %d\n", tally->running[process], WIFSIGNALED(status) ? "signal" : "status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        atomic_fetch_add(&tally->failed, 1);
        count_world(tally);
        fflush(stdout);
        pids[process] = start_process(tally, process);
    }
}

int main(int argc, char **argv) {
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) * 1000003u;
    const unsigned long asked = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
    const unsigned processes = asked < 1 ? 1 : asked > PROCESSES_MAX ? PROCESSES_MAX : (unsigned)asked;
    pid_t pids[PROCESSES_MAX];
    struct tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    tally->count = count;
    tally->first = first;
    printf("%" PRIu64 " worlds from seed %" PRIu64 " in %u processes\n", count, first, processes);
    fflush(stdout);
    for (unsigned process = 0; process < processes; process++) {
        pids[process] = start_process(tally, process);
    }
    oversee(tally, pids, processes);
    const uint64_t failed = atomic_load(&tally->failed);
    const uint64_t done = atomic_load(&tally->done);
    printf("%" PRIu64 " commands accepted, %" PRIu64 " refused; %" PRIu64 " objects fell asleep, %" PRIu64
           " sticks tore, %" PRIu64 " objects damaged on purpose\n",
           (uint64_t)atomic_load(&tally->accepted), (uint64_t)atomic_load(&tally->refused),
           (uint64_t)atomic_load(&tally->slept), (uint64_t)atomic_load(&tally->torn),
           (uint64_t)atomic_load(&tally->injected));
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", done - failed, failed);
    return failed == 0 && done == count ? 0 : 1;
}
