// SPDX-License-Identifier: MIT
// What concerns the caller's session: showing a token.
#include "host/command_session.h"

#include "engine/client/client.h"
#include "engine/client/membership.h"
#include "host/access.h"
#include "host/command.h"
#include "host/roster.h"

#define CLOSE_POLICY 1008

enum result command_session_authenticate(struct host_call *call) {
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
    struct engine_world *engine = call->world->engine;
    struct client *client = engine_find_client(engine, call->session->peer);
    engine_grant(engine, client, visitor->facts.role, visitor->facts.name);
    visitor_introduce(visitor, &client->person);
    json_writer_member_string(call->result, "role", proto_role_names[grant.role]);
    json_writer_member_string(call->result, "name", grant.name);
    return RESULT_OK;
}
