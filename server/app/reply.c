// SPDX-License-Identifier: MIT
// What goes out as text: replies and errors to one client, events to all who asked.
//
// Events of a command are held back until it has succeeded, so that a batch that is taken back tells nothing.
#include <stdlib.h>

#include "app/history.h"
#include "base/log.h"
#include "proto/message/response.h"

struct message *reply_message(const struct proto_id *id, const struct json_writer *text) {
    struct message *message = json_writer_failed(text) ? NULL : message_from_text(text->data, text->length);
    if (message != NULL) {
        message_set_bundle(message, id->bundle);
    }
    return message;
}

void world_send_reply(struct world *world, uint64_t peer, const struct proto_id *id) {
    struct message *message = reply_message(id, &world->reply);
    if (message == NULL) {
        log_write(LOG_LEVEL_ERROR, "world", "%s: out of memory for a reply", world->name);
    }
    history_send(world, peer, message); // which closes the peer that there is no message for
}

void world_send_text(struct world *world, uint64_t peer, const struct json_writer *text) {
    struct message *message = NULL;
    if (!json_writer_failed(text)) {
        message = message_from_text(text->data, text->length);
    }
    if (message == NULL) {
        log_write(LOG_LEVEL_ERROR, "world", "%s: out of memory for a reply", world->name);
        net_post_close(world->net, peer, 1013, "out of memory");
        return;
    }
    history_send(world, peer, message);
}

void world_note_refusal(struct world *world, enum result cause) {
    atomic_fetch_add(&world->figures.refusals[cause], 1);
}

void world_send_fault(struct world *world, uint64_t peer, const struct proto_id *id, const struct fault *fault) {
    world_note_refusal(world, fault->cause);
    if (!id->present || peer == WORLD_NO_PEER) {
        return;
    }
    json_writer_clear(&world->reply);
    proto_write_error(&world->reply, id, fault);
    world_send_reply(world, peer, id);
}

void world_send_result(struct world *world, uint64_t peer, const struct proto_id *id,
                       const struct json_writer *result) {
    if (!id->present || peer == WORLD_NO_PEER) {
        return;
    }
    json_writer_clear(&world->reply);
    proto_write_reply(&world->reply, id, result->data, result->length);
    world_send_reply(world, peer, id);
}

bool world_wants_event(const struct world *world, enum proto_event_name name) {
    if (world->replaying && !world->aloud) {
        return false;
    }
    for (uint32_t i = 0; i < world->session_count; i++) {
        if ((world->sessions[i].events & (1u << name)) != 0) {
            return true;
        }
    }
    return false;
}

static bool reserve_event(struct world *world) {
    if (world->event_count < world->event_capacity) {
        return true;
    }
    const uint32_t capacity = world->event_capacity == 0 ? 64 : world->event_capacity * 2;
    struct pending_event *events = realloc(world->events, capacity * sizeof *events);
    if (events == NULL) {
        return false;
    }
    world->events = events;
    world->event_capacity = capacity;
    return true;
}

// An event that cannot be told is missed by all who asked for it: they are to come back and look again.
static void close_listeners(struct world *world, enum proto_event_name name) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if ((world->sessions[i].events & (1u << name)) != 0) {
            net_post_close(world->net, world->sessions[i].peer, 1013, "out of memory");
        }
    }
}

void world_queue_event(struct world *world, enum proto_event_name name, const struct json_writer *params) {
    struct message *message = NULL;
    if (!json_writer_failed(params) && reserve_event(world)) {
        json_writer_clear(&world->reply);
        proto_write_event(&world->reply, proto_event_names[name], params->data, params->length);
        message = json_writer_failed(&world->reply) ? NULL : message_from_text(world->reply.data, world->reply.length);
    }
    if (message != NULL) {
        world->events[world->event_count++] = (struct pending_event){.tag = 1u << name, .message = message};
    } else {
        close_listeners(world, name);
    }
}

void world_flush_events(struct world *world) {
    for (uint32_t i = 0; i < world->event_count; i++) {
        net_post_publish_ordered(world->net, world->index * WORLD_CHANNELS + WORLD_CHANNEL_EVENTS, world->events[i].tag,
                                 false, world->events[i].message);
    }
    world->event_count = 0;
}

void world_drop_events(struct world *world) {
    for (uint32_t i = 0; i < world->event_count; i++) {
        message_release(world->events[i].message);
    }
    world->event_count = 0;
}
