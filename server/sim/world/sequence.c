// SPDX-License-Identifier: MIT
// Sequence numbers: each command that is applied has one, and it is the id of what the command creates.
#include "sim/world/sequence.h"

uint32_t sequence_next(struct sim_world *world) {
    if (world->state.sequence < UINT32_MAX) {
        world->state.sequence++;
    }
    return world->state.sequence;
}

void sequence_note_capped(struct sim_world *world, bool capped) {
    if (capped) {
        world->capped = world->state.sequence;
    }
}

uint32_t sim_world_sequence(const struct sim_world *world) {
    return world->state.sequence;
}

bool sim_world_last_capped(const struct sim_world *world) {
    return world->capped != 0 && world->capped == world->state.sequence;
}

enum result sequence_check(const struct sim_world *world, struct fault *fault) {
    if (world->state.sequence == UINT32_MAX) {
        return fault_set(fault, RESULT_LIMIT, "", "this world has used up its %u ids", UINT32_MAX);
    }
    return RESULT_OK;
}
