// SPDX-License-Identifier: MIT
// What concerns the caller's session: showing a token.
#include "app/command.h"
#include "app/roster.h"

#define CLOSE_POLICY 1008

enum result command_session_authenticate(struct command_call *call) {
    const struct proto_session_authenticate *params = call->command->params;
    struct visitor *visitor = call->session->visitor;
    struct grant grant;
    const enum result result = access_authenticate(visitor->access, params->token, &grant, call->fault);
    if (result != RESULT_OK) {
        if (access_has_tokens(visitor->access) && ++visitor->wrong_tokens == ACCESS_WRONG_MAX) {
            net_post_close(call->world->net, call->session->peer, CLOSE_POLICY, "too many wrong tokens");
        }
        return result;
    }
    visitor_grant(visitor, &grant);
    people_grant(call->world, call->session);
    json_writer_member_string(call->result, "role", proto_role_names[grant.role]);
    json_writer_member_string(call->result, "name", grant.name);
    return RESULT_OK;
}
