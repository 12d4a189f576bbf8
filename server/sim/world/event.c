// SPDX-License-Identifier: MIT
// Events of the last tick: a list of at most SIM_EVENTS_MAX, reserved with the world. Events are not state: they are
// neither saved nor hashed. Events that do not fit are counted and dropped.
#include "sim/world/event.h"

#include <assert.h>

void event_add(struct sim_world *world, enum sim_event_kind kind, uint32_t object, uint32_t a, uint32_t b) {
    if (world->events == SIM_EVENTS_MAX) {
        world->events_lost++;
        return;
    }
    world->event[world->events] = (struct sim_event){.kind = kind, .object = object, .a = a, .b = b};
    world->events++;
}

void event_clear(struct sim_world *world) {
    world->events = 0;
    world->events_lost = 0;
}

uint32_t sim_world_event_count(const struct sim_world *world) {
    return world->events;
}

struct sim_event sim_world_event_at(const struct sim_world *world, uint32_t index) {
    assert(index < world->events);
    return world->event[index];
}

uint32_t sim_world_events_lost(const struct sim_world *world) {
    return world->events_lost;
}
