// SPDX-License-Identifier: MIT
// Taking a change back, giving it again, and ending either before it is done.
#include "host/command/command_undo.h"

#include "base/result.h"
#include "host/history/history.h"
#include "host/history/undo.h"
#include "host/world/freeze.h"
#include "host/world/host_call.h"

static enum result check_history(const struct host_call *call) {
    if (call->world->history != NULL) {
        return RESULT_OK;
    }
    return fault_set(call->fault, RESULT_STATE, "", "%s needs a history, and %s",
                     proto_methods[call->command->method].name, history_absence(call->world));
}

enum result command_world_undo(struct host_call *call) {
    const struct proto_world_undo *params = call->command->params;
    const struct undo_request request = {.task = params->scene ? UNDO_SCENE : UNDO_CHANGE,
                                         .force = params->force,
                                         .background = params->background,
                                         .within_seconds = params->has_within ? params->within : 0.0f};
    const enum result result = check_history(call);
    return result == RESULT_OK ? undo_begin(call, &request) : result;
}

enum result command_world_redo(struct host_call *call) {
    const struct proto_world_redo *params = call->command->params;
    const struct undo_request request = {.task = UNDO_REDO,
                                         .force = params->force,
                                         .background = params->background,
                                         .within_seconds = params->has_within ? params->within : 0.0f};
    const enum result result = check_history(call);
    return result == RESULT_OK ? undo_begin(call, &request) : result;
}

enum result command_world_cancel(struct host_call *call) {
    struct world *world = call->world;
    const bool on = undo_is_on(world);
    const enum result result = world_check_freeze(world, call->session, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    json_writer_member_boolean(call->result, "cancelled", on);
    undo_cancel(world, "it was cancelled");
    return RESULT_OK;
}
