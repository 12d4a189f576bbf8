// SPDX-License-Identifier: MIT
// Threads for a world to compute on.
#ifndef WEFT_BENCH_WORKERS_H
#define WEFT_BENCH_WORKERS_H

#include <stdbool.h>

#include "sim/sim.h"

// Lets the world use `threads` threads in all, the caller's included, from now until the end of the process. False: it
// cannot.
bool workers_give(struct sim_world *world, unsigned threads);

#endif
