// SPDX-License-Identifier: MIT
#include "engine/state/tick.h"

uint64_t engine_next_tick(const struct engine_world *world) {
    return sim_world_tick(world->sim) + 1;
}

bool engine_may_be_late(const struct engine_world *world, const struct proto_command *command) {
    return command->method == PROTO_METHOD_GRAB_MOVE && command->at_tick < engine_next_tick(world);
}
