// SPDX-License-Identifier: MIT
// The table of the host's methods. All others are the engine's (engine/command/command.h).
#ifndef WEFT_HOST_TURN_METHOD_TABLE_H
#define WEFT_HOST_TURN_METHOD_TABLE_H

#include "host/world/host_call.h"

typedef enum result (*host_handler)(struct host_call *call);

extern const host_handler host_handlers[PROTO_METHOD_COUNT]; // NULL for batch.run and the engine's methods
// Runs a method of the host or of the engine; its result is appended to `call->result` as one JSON object.
enum result host_run(struct host_call *call) WEFT_MUST_USE;

#endif
