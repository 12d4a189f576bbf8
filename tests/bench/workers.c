// SPDX-License-Identifier: MIT
#include "workers.h"

#include "host/run/parallel_for.h"

bool workers_give(struct sim_world *world, unsigned threads) {
    struct parallel_for *parallel_for; // lives as long as the process
    if (threads < 2) {
        return true;
    }
    if (parallel_for_create(threads, &parallel_for) != RESULT_OK) {
        return false;
    }
    sim_world_set_workers(world,
                          &(struct sim_workers){.context = parallel_for, .count = threads, .run = parallel_for_run});
    return true;
}
