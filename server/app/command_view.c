// SPDX-License-Identifier: MIT
// What a client gets to see: frames, events, pointers, the schema.
#include "app/command.h"
#include "app/roster.h"
#include "proto/gen/schema.h"
#include "proto/message/response.h"

enum result command_frames_subscribe(struct command_call *call) {
    struct world *world = call->world;
    const struct proto_frames_subscribe *params = call->command->params;
    uint32_t index;
    enum result result = world_subscribe(world, call->session, params, &index, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct variant *variant = &world->variants[index];
    json_writer_member_unsigned(call->result, "tick", sim_world_tick(world->sim));
    json_writer_member_unsigned(call->result, "epoch", sim_world_epoch(world->sim));
    json_writer_member_string(call->result, "encoding", proto_frames_subscribe_encoding_names[params->encoding]);
    json_writer_member_double(call->result, "step", (double)variant->step); // 1/4096 reads back as that
    json_writer_member_unsigned(call->result, "everyTicks", call->session->every_ticks);
    // The answer goes first, then what it promises.
    json_writer_close_object(call->result);
    world_send_result(world, call->session->peer, call->id, call->result);
    world_welcome_viewer(world, call->session);
    call->deferred = true;
    return RESULT_OK;
}

enum result command_frames_unsubscribe(struct command_call *call) {
    world_unsubscribe(call->world, call->session);
    return RESULT_OK;
}

static uint32_t events_channel(const struct world *world) {
    return world->index * WORLD_CHANNELS + WORLD_CHANNEL_EVENTS;
}

enum result command_events_subscribe(struct command_call *call) {
    const struct proto_events_subscribe *params = call->command->params;
    uint32_t all = (1u << PROTO_EVENT_NAME_COUNT) - 1;
    call->session->events = params->has_events ? params->events : all;
    net_post_join(call->world->net, call->session->peer, events_channel(call->world), 1, call->session->events);
    json_writer_key(call->result, "events");
    json_writer_open_array(call->result);
    for (uint32_t i = 0; i < PROTO_EVENT_NAME_COUNT; i++) {
        if ((call->session->events & (1u << i)) != 0) {
            json_writer_string(call->result, proto_event_names[i]);
        }
    }
    json_writer_close_array(call->result);
    return RESULT_OK;
}

enum result command_events_unsubscribe(struct command_call *call) {
    call->session->events = 0;
    net_post_leave(call->world->net, call->session->peer, events_channel(call->world));
    return RESULT_OK;
}

// A pointer concerns only those who look now: not logged, not state, and not sent back to whose it is.
enum result command_pointer_move(struct command_call *call) {
    const struct proto_pointer_move *params = call->command->params;
    struct world *world = call->world;
    if (params->laser && call->session->visitor->facts.role < PROTO_ROLE_ADMIN) {
        return fault_set(call->fault, RESULT_DENIED, "/laser", "laser takes the role admin, yours is %s",
                         proto_role_names[call->session->visitor->facts.role]);
    }
    call->session->points = params->has_position;
    call->session->pointer = params->position;
    if (!world_wants_event(world, PROTO_EVENT_NAME_POINTER_MOVED)) {
        return RESULT_OK;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, "client", call->session->client);
    if (params->has_position) {
        json_writer_member_vec3(&world->text, "position", params->position);
    }
    if (params->laser) {
        json_writer_member_boolean(&world->text, "laser", true);
    }
    json_writer_close_object(&world->text);
    json_writer_clear(&world->reply);
    proto_write_event(&world->reply, proto_event_names[PROTO_EVENT_NAME_POINTER_MOVED], world->text.data,
                      world->text.length);
    for (uint32_t i = 0; i < world->session_count; i++) {
        const struct session *other = &world->sessions[i];
        if (other != call->session && (other->events & (1u << PROTO_EVENT_NAME_POINTER_MOVED)) != 0) {
            world_send_text(world, other->peer, &world->reply);
        }
    }
    return RESULT_OK;
}

enum result command_rpc_discover(struct command_call *call) {
    call->deferred = true;
    if (!call->id->present) {
        return RESULT_OK;
    }
    json_writer_clear(&call->world->reply);
    proto_write_reply(&call->world->reply, call->id, proto_schema, proto_schema_length);
    world_send_reply(call->world, call->session->peer, call->id);
    return RESULT_OK;
}
