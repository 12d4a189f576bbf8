// SPDX-License-Identifier: MIT
#include "host/clock.h"

#include "host/pool.h"

void world_follow_clock(struct world *world) {
    const bool running = world->engine->running;
    if (running && !world->was_running) {
        world->next_tick_ns = pool_now_ns();
        world->second_start_ns = 0; // the real-time factor begins anew
    }
    world->was_running = running;
    atomic_store(&world->figures.running, running);
}
