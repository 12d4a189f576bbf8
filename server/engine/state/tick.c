// SPDX-License-Identifier: MIT
#include "engine/state/tick.h"

uint64_t engine_next_tick(const struct engine_world *world) {
    return sim_world_tick(world->sim) + 1;
}
