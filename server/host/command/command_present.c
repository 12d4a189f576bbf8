// SPDX-License-Identifier: MIT
// What somebody does who shows a world to others: letting nobody else change it, and asking all to look from one place.
// Neither is part of the world's state: a history knows nothing of it, and a server that begins anew has forgotten it.
//
// A freeze belongs to the connection that asked for it, and to all that showed the same token. Whoever else is an
// administrator is held by it too, but may take it over or end it; so nothing stays frozen because somebody went home.
#include "host/command/command_present.h"

#include <stdio.h>
#include <string.h>

#include "base/result.h"
#include "engine/command/world.h"
#include "engine/state/event.h"
#include "engine/world/membership.h"
#include "host/connection/connection_list.h"
#include "host/run/scheduler.h"
#include "host/world/freeze.h"
#include "host/world/host_call.h"

_Static_assert((int)FREEZE_TOKEN_MAX == (int)TOKEN_ID_MAX, "ids of tokens"); // NOLINT(misc-redundant-expression)

// A hand that may not move any more would hold on for good: others let go.
static void begin(struct world *world, const struct session *session, const struct proto_world_freeze *params) {
    struct freeze *freeze = &world->freeze;
    const bool goes_on = freeze->on && freeze_is_presenter(freeze, session);
    freeze->on = true;
    freeze->connection_id = session->connection_id;
    freeze->client = session->client;
    freeze->since_ns = goes_on ? freeze->since_ns : scheduler_now_ns();
    snprintf(freeze->token, sizeof freeze->token, "%s", session->connection->facts.token);
    snprintf(freeze->name, sizeof freeze->name, "%s", session->connection->person.name);
    snprintf(freeze->message, sizeof freeze->message, "%s", params->has_message ? params->message : "");
    engine_release_grabs(world->engine, session->connection_id, true);
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
