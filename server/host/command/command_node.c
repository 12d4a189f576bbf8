// SPDX-License-Identifier: MIT
#include "host/command/command_node.h"

#include "base/result.h"
#include "host/worlds/node.h"
#include "host/worlds/node_directory.h"

static enum result check(const struct host_call *call) {
    return call->world->node != NULL
               ? RESULT_OK
               : fault_set(call->fault, RESULT_STATE, "",
                           "this server has its worlds alone: --node-url makes it a node that shares them");
}

enum result command_node_list(struct host_call *call) {
    const enum result result = check(call);
    if (result == RESULT_OK) {
        node_describe(call->world->node, call->result);
    }
    return result;
}

enum result command_node_drain(struct host_call *call) {
    const struct proto_node_drain *params = call->command->params;
    enum result result = check(call);
    if (result == RESULT_OK) {
        result = node_drain(call->world->node, params->has_url ? params->url : NULL, params->draining,
                            call->session->connection_id, call->id, call->fault);
        call->deferred = result == RESULT_OK;
    }
    return result;
}
