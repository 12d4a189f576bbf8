// SPDX-License-Identifier: MIT
// Commands that name the tick that shall be the first to see them (`atTick`): which may wait, and which are refused.
// The queue in which they wait belongs to whoever takes in requests.
#ifndef WEFT_ENGINE_STATE_SCHEDULE_H
#define WEFT_ENGINE_STATE_SCHEDULE_H

#include "engine/state/world_state.h"

#define SCHEDULE_SECONDS 2.0f // how far ahead the tick of a command may be
#define SCHEDULE_MAX 1024u    // commands that wait in a world
#define SCHEDULE_OWN_MAX 256u // commands of one client that wait

enum schedule {
    SCHEDULE_NOW,    // it names no tick, or the next one
    SCHEDULE_LATER,  // it waits
    SCHEDULE_REFUSED // the fault says why: RESULT_INVALID, RESULT_BUSY
};
// `own` and `all` commands wait already, of the same client and of all. A grab that moves is applied at the next tick
// if it comes too late for its own: a hand is where it is now.
enum schedule engine_schedule(const struct engine_world *world, const struct proto_command *command, uint32_t own,
                              uint32_t all, struct fault *fault);

#endif
