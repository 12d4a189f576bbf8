// SPDX-License-Identifier: MIT
#include "workers.h"

bool workers_give(struct sim_world *world, unsigned threads) {
    (void)world;
    return threads == 1; // worlds have one thread so far
}
