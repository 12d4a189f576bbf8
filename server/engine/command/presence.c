// SPDX-License-Identifier: MIT
// Hands and cameras are no state of the world: they are not recorded, not saved, and go with their client. A camera is
// sent to those alone who follow it, so that a class in which nobody follows anybody costs nothing.
#include "engine/command/presence.h"

#include "engine/client/client.h"
#include "engine/client/role.h"
#include "engine/state/event.h"
#include "engine/state/reply.h"
#include "engine/state/to_host.h"
#include "proto/message/response.h"

static enum result refuse_stranger(const struct command_call *call, uint32_t number) {
    return fault_set(call->fault, RESULT_NOT_FOUND, "/client",
                     "there is no client %u in this world: people.list tells who is here", number);
}

// ---- hands -------------------------------------------------------------------------------------------------------

enum result command_hand_raise(struct command_call *call) {
    struct engine_world *world = call->world;
    if (call->client->hand == 0) {
        call->client->hand = ++world->last_hand;
        client_tell_changed(world, call->client);
    }
    return RESULT_OK;
}

enum result command_hand_lower(struct command_call *call) {
    const struct proto_hand_lower *params = call->command->params;
    struct client *client = params->has_client ? engine_find_number(call->world, params->client) : call->client;
    if (client == NULL) {
        return refuse_stranger(call, params->client);
    }
    if (client != call->client && call->client->role < PROTO_ROLE_ADMIN) {
        return fault_set(call->fault, RESULT_DENIED, "/client",
                         "lowering another's hand takes the role admin, yours is %s",
                         proto_role_names[call->client->role]);
    }
    if (client->hand != 0) {
        client->hand = 0;
        client_tell_changed(call->world, client);
    }
    return RESULT_OK;
}

// ---- cameras -----------------------------------------------------------------------------------------------------

static void describe_camera(const struct client *client, struct json_writer *out) {
    json_writer_member_vec3(out, "eye", client->eye);
    json_writer_member_vec3(out, "target", client->target);
}

enum result command_view_move(struct command_call *call) {
    const struct proto_view_move *params = call->command->params;
    struct engine_world *world = call->world;
    struct client *client = call->client;
    client->looks = true;
    client->eye = params->eye;
    client->target = params->target;
    if (!engine_wants_event(world, PROTO_EVENT_NAME_VIEW_MOVED)) {
        return RESULT_OK;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, "client", client->number);
    describe_camera(client, &world->text);
    json_writer_close_object(&world->text);
    json_writer_clear(&world->reply);
    proto_write_event(&world->reply, proto_event_names[PROTO_EVENT_NAME_VIEW_MOVED], &world->text);
    for (uint32_t i = 0; i < world->client_count; i++) {
        const struct client *other = &world->clients[i];
        if (other->follows == client->number && (other->events & (1u << PROTO_EVENT_NAME_VIEW_MOVED)) != 0) {
            engine_send_text(world, other->id, &world->reply);
        }
    }
    return RESULT_OK;
}

enum result command_view_follow(struct command_call *call) {
    const struct proto_view_follow *params = call->command->params;
    const uint32_t number = params->has_client ? params->client : 0;
    const struct client *followed = number != 0 ? engine_find_number(call->world, number) : NULL;
    if (number != 0 && followed == NULL) {
        return refuse_stranger(call, number);
    }
    if (followed == call->client) {
        return fault_set(call->fault, RESULT_INVALID, "/client", "client must be another client: %u is your own number",
                         number);
    }
    if (call->client->follows != number) {
        call->client->follows = number;
        client_tell_changed(call->world, call->client);
    }
    if (followed != NULL && followed->looks) {
        describe_camera(followed, call->result);
    }
    return RESULT_OK;
}

enum result command_view_present(struct command_call *call) {
    const struct proto_view_present *params = call->command->params;
    struct engine_world *world = call->world;
    for (uint32_t i = 0; i < world->client_count; i++) {
        struct client *client = &world->clients[i];
        const bool presents = client == call->client ? params->presenting : client->presents && !params->presenting;
        if (client->presents != presents) {
            client->presents = presents;
            client_tell_changed(world, client);
        }
    }
    return RESULT_OK;
}
