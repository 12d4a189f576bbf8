// SPDX-License-Identifier: MIT
// Methods that need the process: sessions, tokens, files, other worlds, history, the clock. All others are the engine's
// (engine/command/command.h).
#ifndef WEFT_HOST_COMMAND_H
#define WEFT_HOST_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/command/command.h"
#include "engine/world.h"
#include "host/world_state.h"

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

typedef enum result (*host_handler)(struct host_call *call);

extern const host_handler host_handlers[PROTO_METHOD_COUNT]; // NULL for batch.run and the engine's methods
// Runs a method of the host or of the engine; its result is appended to `call->result` as one JSON object.
enum result host_run(struct host_call *call) WEFT_MUST_USE;

#endif
