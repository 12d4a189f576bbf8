// SPDX-License-Identifier: MIT
// What concerns the caller's session: showing a token.
#include "host/command/command_session.h"

#include "engine/client/client.h"
#include "engine/world/membership.h"
#include "host/connection/access.h"
#include "host/connection/connection_list.h"
#include "host/world/host_call.h"

#define CLOSE_POLICY 1008

enum result command_session_authenticate(struct host_call *call) {
    const struct proto_session_authenticate *params = call->command->params;
    struct connection *connection = call->session->connection;
    struct grant grant;
    const enum result result = access_authenticate(connection->access, params->token, &grant, call->fault);
    if (result != RESULT_OK) {
        if (access_has_tokens(connection->access) && ++connection->wrong_tokens == ACCESS_WRONG_MAX) {
            net_post_close(call->world->net, call->session->connection_id, CLOSE_POLICY, "too many wrong tokens");
        }
        return result;
    }
    connection_grant(connection, &grant);
    struct engine_world *engine = call->world->engine;
    struct client *client = engine_find_client(engine, call->session->connection_id);
    engine_grant(engine, client, connection->facts.role, connection->facts.name);
    connection_introduce(connection, &client->person);
    json_writer_member_string(call->result, "role", proto_role_names[grant.role]);
    json_writer_member_string(call->result, "name", grant.name);
    return RESULT_OK;
}
