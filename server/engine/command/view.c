// SPDX-License-Identifier: MIT
#include "engine/command/view.h"

#include "engine/state/event.h"
#include "engine/state/reply.h"
#include "engine/state/to_host.h"
#include "engine/view/adaptive_rate.h"
#include "engine/view/ticks.h"
#include "engine/view/variant.h"
#include "proto/gen/schema.h"
#include "proto/message/response.h"

static void begin_result(struct command_call *call, enum proto_frames_subscribe_encoding encoding, float step,
                         uint32_t every_ticks) {
    json_writer_member_unsigned(call->result, "tick", sim_world_tick(call->world->sim));
    json_writer_member_unsigned(call->result, "epoch", sim_world_epoch(call->world->sim));
    json_writer_member_string(call->result, "encoding", proto_frames_subscribe_encoding_names[encoding]);
    json_writer_member_double(call->result, "step", (double)step); // 1/4096 reads back as that
    json_writer_member_unsigned(call->result, "everyTicks", every_ticks);
}

static enum result subscribe_to_ticks(struct command_call *call, const struct proto_frames_subscribe *params) {
    const enum result result = ticks_subscribe(call->world, call->client, params, call->fault);
    if (result == RESULT_OK) {
        engine_unsubscribe(call->world, call->client);
        begin_result(call, params->encoding, 0.0f, 1);
    }
    return result;
}

enum result command_frames_subscribe(struct command_call *call) {
    struct engine_world *world = call->world;
    const struct proto_frames_subscribe *params = call->command->params;
    uint32_t index;
    if (params->encoding == PROTO_FRAMES_SUBSCRIBE_ENCODING_TICKS) {
        return subscribe_to_ticks(call, params);
    }
    enum result result = engine_subscribe(world, call->client, params, &index, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    ticks_unsubscribe(world, call->client);
    adaptive_rate_begin(&call->client->rate, params->adapt, params->every_ticks);
    begin_result(call, params->encoding, world->variants[index].step, call->client->every_ticks);
    // The answer goes first, then what it promises.
    json_writer_close_object(call->result);
    engine_send_result(world, call->client->id, call->id, call->result);
    engine_welcome_viewer(world, call->client);
    call->deferred = true;
    return RESULT_OK;
}

enum result command_frames_unsubscribe(struct command_call *call) {
    engine_unsubscribe(call->world, call->client);
    ticks_unsubscribe(call->world, call->client);
    return RESULT_OK;
}

enum result command_events_subscribe(struct command_call *call) {
    const struct proto_events_subscribe *params = call->command->params;
    uint32_t all = (1u << PROTO_EVENT_NAME_COUNT) - 1;
    call->client->events = params->has_events ? params->events : all;
    engine_join(call->world, call->client->id, ENGINE_CHANNEL_EVENTS, 1, call->client->events);
    json_writer_key(call->result, "events");
    json_writer_open_array(call->result);
    for (uint32_t i = 0; i < PROTO_EVENT_NAME_COUNT; i++) {
        if ((call->client->events & (1u << i)) != 0) {
            json_writer_string(call->result, proto_event_names[i]);
        }
    }
    json_writer_close_array(call->result);
    return RESULT_OK;
}

enum result command_events_unsubscribe(struct command_call *call) {
    call->client->events = 0;
    engine_leave(call->world, call->client->id, ENGINE_CHANNEL_EVENTS);
    return RESULT_OK;
}

// A pointer concerns only those who look now: not logged, not state, and not sent back to whose it is.
enum result command_pointer_move(struct command_call *call) {
    const struct proto_pointer_move *params = call->command->params;
    struct engine_world *world = call->world;
    if (params->laser && call->client->role < PROTO_ROLE_ADMIN) {
        return fault_set(call->fault, RESULT_DENIED, "/laser", "laser takes the role admin, yours is %s",
                         proto_role_names[call->client->role]);
    }
    call->client->points = params->has_position;
    call->client->pointer = params->position;
    if (!engine_wants_event(world, PROTO_EVENT_NAME_POINTER_MOVED)) {
        return RESULT_OK;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, "client", call->client->number);
    if (params->has_position) {
        json_writer_member_vec3(&world->text, "position", params->position);
    }
    if (params->laser) {
        json_writer_member_boolean(&world->text, "laser", true);
    }
    json_writer_close_object(&world->text);
    json_writer_clear(&world->reply);
    proto_write_event(&world->reply, proto_event_names[PROTO_EVENT_NAME_POINTER_MOVED], &world->text);
    for (uint32_t i = 0; i < world->client_count; i++) {
        const struct client *other = &world->clients[i];
        if (other != call->client && (other->events & (1u << PROTO_EVENT_NAME_POINTER_MOVED)) != 0) {
            engine_send_text(world, other->id, &world->reply);
        }
    }
    return RESULT_OK;
}

enum result command_view_show(struct command_call *call) {
    const struct proto_view_show *params = call->command->params;
    struct engine_world *world = call->world;
    if (!engine_wants_event(world, PROTO_EVENT_NAME_VIEW_SHOWN)) {
        return RESULT_OK;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, "client", call->client->number);
    json_writer_member_vec3(&world->text, "eye", params->eye);
    json_writer_member_vec3(&world->text, "target", params->target);
    json_writer_close_object(&world->text);
    engine_queue_event(world, PROTO_EVENT_NAME_VIEW_SHOWN, &world->text);
    engine_flush_events(world);
    return RESULT_OK;
}

enum result command_rpc_discover(struct command_call *call) {
    call->deferred = true;
    if (!call->id->present) {
        return RESULT_OK;
    }
    json_writer_clear(&call->world->reply);
    proto_write_text_reply(&call->world->reply, call->id, proto_schema, proto_schema_length);
    engine_send_reply(call->world, call->client->id, call->id);
    return RESULT_OK;
}
