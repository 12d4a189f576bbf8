// SPDX-License-Identifier: MIT
// The table of the host's methods.
#include "host/turn/method_table.h"

#include "engine/client/client.h"
#include "engine/command/run.h"
#include "engine/state/tick.h"
#include "host/command/command_admin.h"
#include "host/command/command_broadcast.h"
#include "host/command/command_log.h"
#include "host/command/command_node.h"
#include "host/command/command_people.h"
#include "host/command/command_present.h"
#include "host/command/command_resume.h"
#include "host/command/command_scene.h"
#include "host/command/command_session.h"
#include "host/command/command_time.h"
#include "host/command/command_undo.h"
#include "host/command/command_world.h"
#include "host/command/command_worlds.h"
#include "host/connection/connection_list.h"

#define ROW(ID, name) [PROTO_METHOD_##ID] = command_##name,
const host_handler host_handlers[PROTO_METHOD_COUNT] = {
    PROTO_HOST_METHODS(ROW)
        // A method of the engine that the host answers by itself while the world shows its past.
        [PROTO_METHOD_WORLD_PAUSE] = host_world_pause,
};
#undef ROW

static enum result run_in_engine(struct host_call *call) {
    struct engine_world *engine = call->world->engine;
    struct command_call inner = {
        .world = engine,
        .client = call->session != NULL ? engine_find_client(engine, call->session->connection_id) : NULL,
        .command = call->command,
        .id = call->id,
        .result = call->result,
        .fault = call->fault};
    const enum result result = engine_run_command(&inner);
    call->deferred = inner.deferred;
    if (result == RESULT_OK && call->command->method == PROTO_METHOD_CLIENT_INTRODUCE && call->session != NULL) {
        connection_introduce(call->session->connection, &inner.client->person);
    }
    return result;
}

enum result host_run(struct host_call *call) {
    const host_handler handler = host_handlers[call->command->method];
    if (handler == NULL) {
        return run_in_engine(call);
    }
    json_writer_open_object(call->result);
    const enum result result = handler(call);
    if (result != RESULT_OK || call->deferred) {
        return result;
    }
    if (proto_methods[call->command->method].kind == PROTO_KIND_CHANGE) {
        json_writer_member_unsigned(call->result, "tick", engine_next_tick(call->world->engine));
    }
    json_writer_close_object(call->result);
    return RESULT_OK;
}
