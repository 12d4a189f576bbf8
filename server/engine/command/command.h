// SPDX-License-Identifier: MIT
// Commands of a world: one handler for each method, found in one table.
//
// To add a method: describe it in proto/weft.openrpc.json, run `make generate`, and write its handler in the file of
// its noun. The table is generated from the schema, so the build fails until the handler is declared.
#ifndef WEFT_ENGINE_COMMAND_COMMAND_H
#define WEFT_ENGINE_COMMAND_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/state/world_state.h"

// A call of a method, as its handler gets it.
struct command_call {
    struct engine_world *world;
    struct client *client; // the caller; NULL for a scene's commands
    const struct proto_command *command;
    const struct proto_id *id;
    const uint32_t *made;       // within a batch: ids of the objects that earlier commands made, 0 for none
    struct json_writer *result; // an open object, to which the handler adds members
    struct fault *fault;
    uint32_t made_object; // out: the id of the object made
    bool deferred;        // out: the reply was sent already, or comes later
};

typedef enum result (*command_handler)(struct command_call *call);

// NULL for batch.run (run.c) and for the methods of the host.
extern const command_handler command_handlers[PROTO_METHOD_COUNT];

// The object that a reference names. Errors: RESULT_INVALID (a command of the batch that made none).
enum result command_resolve(const struct command_call *call, struct proto_ref ref, const char *pointer,
                            uint32_t *object) WEFT_MUST_USE;
uint64_t command_owner(const struct command_call *call); // 0 for a scene's commands

#endif
