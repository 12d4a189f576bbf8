// SPDX-License-Identifier: MIT
// What the last tick did of its own accord: a bounded list, reserved with the world, for whoever wants to tell others.
// It is no state: it is neither saved nor hashed, and what does not fit is counted and left out.
#include "sim/world/world.h"

#include <assert.h>

void happening_add(struct sim_world *world, enum sim_happening_kind kind, uint32_t object, uint32_t a, uint32_t b) {
    if (world->happenings == SIM_HAPPENINGS_MAX) {
        world->happenings_lost++;
        return;
    }
    world->happening[world->happenings] = (struct sim_happening){.kind = kind, .object = object, .a = a, .b = b};
    world->happenings++;
}

void happening_forget(struct sim_world *world) {
    world->happenings = 0;
    world->happenings_lost = 0;
}

uint32_t sim_world_happening_count(const struct sim_world *world) {
    return world->happenings;
}

struct sim_happening sim_world_happening_at(const struct sim_world *world, uint32_t index) {
    assert(index < world->happenings);
    return world->happening[index];
}

uint32_t sim_world_happenings_lost(const struct sim_world *world) {
    return world->happenings_lost;
}
