// SPDX-License-Identifier: MIT
#include "sim/world/stopwatch.h"

#include <assert.h>

void sim_world_set_stopwatch(struct sim_world *world, const struct sim_stopwatch *stopwatch) {
    world->stopwatch = stopwatch != NULL ? *stopwatch : (struct sim_stopwatch){0};
    memset(world->stage_ns, 0, sizeof world->stage_ns);
}

uint64_t sim_world_stage_ns(const struct sim_world *world, enum sim_stage stage) {
    assert((unsigned)stage < SIM_STAGE_COUNT);
    return world->stage_ns[stage];
}

void stopwatch_begin(struct sim_world *world) {
    if (world->stopwatch.now_ns != NULL) {
        memset(world->stage_ns, 0, sizeof world->stage_ns);
        world->lap_ns = world->stopwatch.now_ns(world->stopwatch.context);
    }
}

void stopwatch_lap(struct sim_world *world, enum sim_stage stage) {
    if (world->stopwatch.now_ns != NULL) {
        const uint64_t now_ns = world->stopwatch.now_ns(world->stopwatch.context);
        world->stage_ns[stage] += now_ns - world->lap_ns;
        world->lap_ns = now_ns;
    }
}
