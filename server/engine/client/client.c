// SPDX-License-Identifier: MIT
#include "engine/client/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/state/event.h"
#include "engine/state/person.h"
#include "proto/message/response.h"

struct client *engine_find_client(struct engine_world *world, uint64_t id) {
    for (uint32_t i = 0; i < world->client_count; i++) {
        if (world->clients[i].id == id) {
            return &world->clients[i];
        }
    }
    return NULL;
}

struct client *engine_find_number(struct engine_world *world, uint32_t number) {
    for (uint32_t i = 0; i < world->client_count; i++) {
        if (world->clients[i].number == number && !world->clients[i].passing) {
            return &world->clients[i];
        }
    }
    return NULL;
}

// A client that makes one request does not count, because it leaves at once.
uint32_t engine_count_clients(const struct engine_world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->client_count; i++) {
        count += !world->clients[i].passing;
    }
    return count;
}

struct client engine_logged_client(uint32_t number) {
    return (struct client){
        .id = ENGINE_ORPHANED | number, .number = number, .logged = true, .variant = ENGINE_NO_VARIANT};
}

void client_describe(const struct client *client, struct json_writer *out) {
    json_writer_member_unsigned(out, "client", client->number);
    describe_person(&client->person, out);
    json_writer_member_string(out, "role", proto_role_names[client->role]);
    if (client->hand != 0) {
        json_writer_member_unsigned(out, "hand", client->hand);
    }
    if (client->follows != 0) {
        json_writer_member_unsigned(out, "follows", client->follows);
    }
    if (client->presents) {
        json_writer_member_boolean(out, "presents", true);
    }
}

void client_tell(struct engine_world *world, enum proto_event_name name, const struct client *client, bool counted) {
    if (client->passing || !engine_wants_event(world, name)) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    client_describe(client, &world->text);
    if (counted) {
        json_writer_member_unsigned(&world->text, "clients", engine_count_clients(world));
    }
    json_writer_close_object(&world->text);
    engine_queue_event(world, name, &world->text);
    engine_flush_events(world);
}

void client_tell_changed(struct engine_world *world, const struct client *client) {
    client_tell(world, PROTO_EVENT_NAME_CLIENT_CHANGED, client, false);
}

void client_forget_selection(struct client *client) {
    free(client->selected);
    client->selected = NULL;
    client->selected_objects = client->selected_words = 0;
}

void engine_free_clients(struct engine_world *world) {
    for (uint32_t i = 0; i < world->client_count; i++) {
        client_forget_selection(&world->clients[i]);
    }
    free(world->clients);
    world->clients = NULL;
    world->client_count = world->client_capacity = 0;
}
