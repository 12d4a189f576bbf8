// SPDX-License-Identifier: MIT
#include "host/world/freeze.h"

#include <string.h>

#include "base/result.h"
#include "host/connection/connection_list.h"
#include "host/run/scheduler.h"
#include "host/world/world_state.h"

bool freeze_is_presenter(const struct freeze *freeze, const struct session *session) {
    const char *token = session->connection->facts.token;
    return session->connection_id == freeze->connection_id || (token[0] != '\0' && strcmp(token, freeze->token) == 0);
}

enum result world_check_freeze(const struct world *world, const struct session *session, struct fault *fault) {
    const struct freeze *freeze = &world->freeze;
    if (!freeze->on || (session != NULL && freeze_is_presenter(freeze, session))) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_FROZEN, "",
                     "frozen by %s (client %u) for %.0f s: no one else can change the world now", freeze->name,
                     freeze->client, scheduler_seconds_since(freeze->since_ns));
}

void describe_freeze(const struct world *world, const struct session *session, struct json_writer *out) {
    const struct freeze *freeze = &world->freeze;
    json_writer_key(out, "frozen");
    if (!freeze->on) {
        json_writer_null(out);
        return;
    }
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "client", freeze->client);
    json_writer_member_string(out, "name", freeze->name);
    json_writer_member_double(out, "seconds", scheduler_seconds_since(freeze->since_ns));
    if (freeze->message[0] != '\0') {
        json_writer_member_string(out, "message", freeze->message);
    }
    if (session != NULL) {
        json_writer_member_boolean(out, "own", freeze_is_presenter(freeze, session));
    }
    json_writer_close_object(out);
}
