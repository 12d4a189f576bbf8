// SPDX-License-Identifier: MIT
#include "workers.h"

#include "host/crew.h"

bool workers_give(struct sim_world *world, unsigned threads) {
    struct crew *crew; // lives as long as the process
    if (threads < 2) {
        return true;
    }
    if (crew_create(threads, &crew) != RESULT_OK) {
        return false;
    }
    sim_world_set_workers(world, &(struct sim_workers){.context = crew, .count = threads, .run = crew_run});
    return true;
}
