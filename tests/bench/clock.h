// SPDX-License-Identifier: MIT
// The clocks of the benchmarks.
#ifndef WEFT_BENCH_CLOCK_H
#define WEFT_BENCH_CLOCK_H

#include <time.h>

static inline double clock_s(clockid_t id) {
    struct timespec now;
    (void)clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double cpu_s(void) { // of all threads of the process
    return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double wall_s(void) {
    return clock_s(CLOCK_MONOTONIC);
}

#endif
