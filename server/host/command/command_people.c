// SPDX-License-Identifier: MIT
// What an administrator decides about others in the same world: whether they may edit it, and whether they may stay.
// Both concern one connection. A token is changed with weftctl, for all connections that show it.
#include "host/command/command_people.h"

#include "base/result.h"
#include "engine/client/client.h"
#include "engine/world/membership.h"
#include "host/connection/connection_list.h"
#include "host/world/host_call.h"
#include "host/world/session.h"

#define CLOSE_REMOVED 4001 // the client does not come back by itself

// Somebody else's session in this world, or NULL with a fault.
static struct session *find_other(const struct host_call *call, uint32_t number, const char *denial) {
    struct client *client = engine_find_number(call->world->engine, number);
    struct session *session = client != NULL ? world_find_session(call->world, client->id) : NULL;
    if (session == NULL) {
        fault_set(call->fault, RESULT_NOT_FOUND, "/client",
                  "there is no client %u in this world: people.list tells who is here", number);
        return NULL;
    }
    if (client->role == PROTO_ROLE_ADMIN) {
        fault_set(call->fault, RESULT_STATE, "/client", "client %u is an owner, %s", number, denial);
        return NULL;
    }
    if (client->role == PROTO_ROLE_NONE) {
        fault_set(call->fault, RESULT_STATE, "/client", "client %u has not shown a token yet", number);
        return NULL;
    }
    return session;
}

enum result command_people_grant(struct host_call *call) {
    const struct proto_people_grant *params = call->command->params;
    struct engine_world *engine = call->world->engine;
    const struct session *session = find_other(call, params->client, "whose role stays as it is");
    if (session == NULL) {
        return call->fault->cause;
    }
    const enum proto_role role = params->role == PROTO_PEOPLE_GRANT_ROLE_EDITOR ? PROTO_ROLE_EDITOR : PROTO_ROLE_VIEWER;
    struct client *client = engine_find_client(engine, session->connection_id);
    if (client->role != role) {
        connection_set_role(session->connection, role);
        engine_grant(engine, client, role, session->connection->facts.name);
    }
    if (role < PROTO_ROLE_EDITOR) {
        engine_release_grabs(engine, session->connection_id, false);
    }
    client_describe(client, call->result);
    return RESULT_OK;
}

enum result command_people_remove(struct host_call *call) {
    const struct proto_people_remove *params = call->command->params;
    const struct session *session = find_other(call, params->client, "who cannot be removed");
    if (session == NULL) {
        return call->fault->cause;
    }
    net_post_close(call->world->net, session->connection_id, CLOSE_REMOVED,
                   params->has_reason ? params->reason : "an owner removed you from this world");
    return RESULT_OK;
}
