// SPDX-License-Identifier: MIT
// What somebody does who shows a world to others: letting nobody else change it, and asking all to look from one place.
// Neither is part of the world's state: a history knows nothing of it, and a server that begins anew has forgotten it.
//
// A freeze belongs to the connection that asked for it, and to all that showed the same token. Whoever else is an
// administrator is held by it too, but may take it over or end it; so nothing stays frozen because somebody went home.
#include <stdio.h>
#include <string.h>

#include "engine/client/membership.h"
#include "engine/command/world.h"
#include "engine/event.h"
#include "host/command.h"
#include "host/roster.h"

_Static_assert((int)FREEZE_TOKEN_MAX == (int)TOKEN_ID_MAX, "ids of tokens"); // NOLINT(misc-redundant-expression)

static bool is_presenter(const struct freeze *freeze, const struct session *session) {
    const char *token = session->visitor->facts.token;
    return session->peer == freeze->peer || (token[0] != '\0' && strcmp(token, freeze->token) == 0);
}

enum result world_check_freeze(const struct world *world, const struct session *session, struct fault *fault) {
    const struct freeze *freeze = &world->freeze;
    if (!freeze->on || (session != NULL && is_presenter(freeze, session))) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_FROZEN, "",
                     "frozen by %s (client %u) for %.0f s: nobody else may change the world now", freeze->name,
                     freeze->client, pool_seconds_since(freeze->since_ns));
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
    json_writer_member_double(out, "seconds", pool_seconds_since(freeze->since_ns));
    if (freeze->message[0] != '\0') {
        json_writer_member_string(out, "message", freeze->message);
    }
    if (session != NULL) {
        json_writer_member_boolean(out, "own", is_presenter(freeze, session));
    }
    json_writer_close_object(out);
}

// A hand that may not move any more would hold on for good: others let go.
static void begin(struct world *world, const struct session *session, const struct proto_world_freeze *params) {
    struct freeze *freeze = &world->freeze;
    const bool goes_on = freeze->on && is_presenter(freeze, session);
    freeze->on = true;
    freeze->peer = session->peer;
    freeze->client = session->client;
    freeze->since_ns = goes_on ? freeze->since_ns : pool_now_ns();
    snprintf(freeze->token, sizeof freeze->token, "%s", session->visitor->facts.token);
    snprintf(freeze->name, sizeof freeze->name, "%s", session->visitor->person.name);
    snprintf(freeze->message, sizeof freeze->message, "%s", params->has_message ? params->message : "");
    engine_release_grabs(world->engine, session->peer, true);
}

enum result command_world_freeze(struct host_call *call) {
    const struct proto_world_freeze *params = call->command->params;
    struct world *world = call->world;
    if (params->frozen) {
        begin(world, call->session, params);
    } else if (params->has_message) {
        return fault_set(call->fault, RESULT_INVALID, "/message", "message goes with frozen: true only");
    } else {
        world->freeze.on = false;
    }
    engine_tell_changed(world->engine, params->frozen ? "freeze" : "thaw");
    engine_flush_events(world->engine);
    describe_freeze(world, call->session, call->result);
    return RESULT_OK;
}
