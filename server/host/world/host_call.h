// SPDX-License-Identifier: MIT
// Methods that need the process: sessions, tokens, files, other worlds, history, the clock. All others are the engine's
// (engine/command/host_call.h).
#ifndef WEFT_HOST_WORLD_HOST_CALL_H
#define WEFT_HOST_WORLD_HOST_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/command/command.h"
#include "engine/world/engine_world.h"
#include "host/world/world_state.h"

// A call of a method, as its handler gets it.
struct host_call {
    struct world *world;
    struct session *session; // the caller
    const struct proto_command *command;
    const struct proto_id *id;
    struct json_writer *result; // an open object, to which the handler adds members
    struct fault *fault;
    bool deferred; // out: the reply was sent already, or comes later
};

#endif
