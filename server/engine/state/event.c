// SPDX-License-Identifier: MIT
// Events of a command are held back until the command has succeeded, so that a batch that is taken back sends none.
#include "engine/state/event.h"

#include <stdlib.h>

#include "engine/state/tick.h"
#include "engine/state/to_host.h"
#include "proto/message/response.h"

bool engine_wants_event(const struct engine_world *world, enum proto_event_name name) {
    if (world->replaying && !world->tells_events) {
        return false;
    }
    for (uint32_t i = 0; i < world->client_count; i++) {
        if ((world->clients[i].events & (1u << name)) != 0) {
            return true;
        }
    }
    return false;
}

static bool reserve_event(struct engine_world *world) {
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
static void close_listeners(struct engine_world *world, enum proto_event_name name) {
    for (uint32_t i = 0; i < world->client_count; i++) {
        if ((world->clients[i].events & (1u << name)) != 0) {
            engine_close(world, world->clients[i].id, 1013, "out of memory");
        }
    }
}

void engine_queue_event(struct engine_world *world, enum proto_event_name name, const struct json_writer *params) {
    struct message *message = NULL;
    if (!json_writer_failed(params) && reserve_event(world)) {
        json_writer_clear(&world->reply);
        proto_write_event(&world->reply, proto_event_names[name], params);
        message = json_writer_failed(&world->reply) ? NULL : message_from_text(world->reply.data, world->reply.length);
    }
    if (message != NULL) {
        world->events[world->event_count++] = (struct pending_event){.tag = 1u << name, .message = message};
    } else {
        close_listeners(world, name);
    }
}

void engine_tell_id(struct engine_world *world, enum proto_event_name name, const char *key, uint32_t id) {
    if (!engine_wants_event(world, name)) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, key, id);
    json_writer_member_unsigned(&world->text, "tick", engine_next_tick(world));
    json_writer_close_object(&world->text);
    engine_queue_event(world, name, &world->text);
}

void engine_flush_events(struct engine_world *world) {
    for (uint32_t i = 0; i < world->event_count; i++) {
        engine_publish_ordered(world, ENGINE_CHANNEL_EVENTS, world->events[i].tag, false, world->events[i].message);
    }
    world->event_count = 0;
}

void engine_drop_events(struct engine_world *world) {
    for (uint32_t i = 0; i < world->event_count; i++) {
        message_release(world->events[i].message);
    }
    world->event_count = 0;
}
