// SPDX-License-Identifier: MIT
#include "engine/client/role.h"

static enum result check_one(enum proto_role role, enum proto_method method, struct fault *fault) {
    const struct proto_method_info *info = &proto_methods[method];
    if (role >= info->role) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_DENIED, "", "%s takes the role %s, yours is %s%s", info->name,
                     proto_role_names[info->role], proto_role_names[role],
                     role == PROTO_ROLE_NONE ? ": show a token with session.authenticate" : "");
}

enum result role_check(enum proto_role role, const struct proto_command *command, struct fault *fault) {
    enum result result = check_one(role, command->method, fault);
    if (command->method != PROTO_METHOD_BATCH_RUN) {
        return result;
    }
    const struct proto_batch_run *batch = command->params;
    for (uint32_t at = 0; result == RESULT_OK && at < batch->commands.count; at++) {
        result = check_one(role, batch->commands.items[at].method, fault);
    }
    return result;
}
