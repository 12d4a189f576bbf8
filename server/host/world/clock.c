// SPDX-License-Identifier: MIT
#include "host/world/clock.h"

#include "host/run/scheduler.h"

void world_follow_clock(struct world *world) {
    const bool running = world->engine->running;
    if (running && !world->was_running) {
        world->next_tick_ns = scheduler_now_ns();
        world->second_start_ns = 0; // the real-time factor begins anew
    }
    world->was_running = running;
    atomic_store(&world->metrics.running, running);
}
