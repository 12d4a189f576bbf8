// SPDX-License-Identifier: MIT
// Methods that need the process: sessions, tokens, files, other worlds, history, the clock. All others are the engine's
// (engine/command/command.h).
#ifndef WEFT_HOST_COMMAND_H
#define WEFT_HOST_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/command/command.h"
#include "engine/world.h"
#include "host/world.h"

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

// command_world.c
enum result host_world_pause(struct host_call *call); // also while the world shows its past
enum result command_world_step(struct host_call *call);
enum result command_world_history(struct host_call *call);
enum result command_world_log(struct host_call *call);
enum result command_world_seek(struct host_call *call);
enum result command_world_replay(struct host_call *call);
enum result command_world_undo(struct host_call *call);
enum result command_world_redo(struct host_call *call);
enum result command_world_cancel(struct host_call *call);
enum result command_session_resume(struct host_call *call);
enum result command_world_list(struct host_call *call);
enum result command_world_create(struct host_call *call);
enum result command_world_branch(struct host_call *call);
enum result command_world_remove(struct host_call *call);
enum result command_world_export(struct host_call *call);
enum result command_world_import(struct host_call *call);
enum result command_world_freeze(struct host_call *call);
enum result command_session_authenticate(struct host_call *call);
enum result command_server_get(struct host_call *call);
enum result command_client_list(struct host_call *call);
enum result command_client_close(struct host_call *call);
enum result command_scene_list(struct host_call *call);
enum result command_scene_preview(struct host_call *call);
enum result command_scene_load(struct host_call *call);
enum result command_scene_save(struct host_call *call);
enum result command_scene_delete(struct host_call *call);

#endif
