// SPDX-License-Identifier: MIT
#include "engine/world/membership.h"

#include <stdlib.h>

#include "base/version.h"
#include "engine/client/client.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/state/person.h"
#include "engine/state/reply.h"
#include "engine/state/to_host.h"
#include "engine/view/ticks.h"
#include "engine/view/variant.h"
#include "proto/message/response.h"

#define NAMES_MAX 256u // names that a made-up one is compared with

// ---- joining and leaving -----------------------------------------------------------------------------------------

static void write_quota(const struct engine_world *world, const struct client *client,
                        const struct sim_capacity *capacity, struct json_writer *out) {
    const struct sim_capacity *quota = &world->quota;
    const struct {
        const char *key;
        uint32_t quota, capacity;
    } members[] = {{"particles", quota->particles, capacity->particles},
                   {"sticks", quota->sticks, capacity->sticks},
                   {"objects", quota->objects, capacity->objects},
                   {"obstacles", quota->obstacles, capacity->obstacles}};
    json_writer_key(out, "own");
    json_writer_open_object(out);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const uint32_t most = members[i].quota < members[i].capacity ? members[i].quota : members[i].capacity;
        json_writer_member_unsigned(out, members[i].key, most);
    }
    engine_describe(world, ENGINE_PLACE_QUOTA, client, out);
    json_writer_close_object(out);
}

static void write_hello(struct engine_world *world, const struct client *client, struct json_writer *out) {
    const struct sim_capacity capacity = sim_world_capacity(world->sim);
    json_writer_clear(out);
    json_writer_open_object(out);
    json_writer_member_string(out, "server", "weft");
    json_writer_member_string(out, "version", WEFT_VERSION);
    json_writer_member_unsigned(out, "protocol", 1);
    engine_describe(world, ENGINE_PLACE_HELLO, client, out);
    json_writer_member_unsigned(out, "session", client->number);
    json_writer_member_string(out, "role", proto_role_names[client->role]);
    json_writer_key(out, "you");
    json_writer_open_object(out);
    client_describe(client, out);
    json_writer_close_object(out);
    json_writer_member_string(out, "world", world->name);
    json_writer_member_string(out, "scene", world->scene);
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->sim));
    json_writer_member_float(out, "tickHz", sim_world_tick_hz(world->sim));
    json_writer_member_boolean(out, "running", world->running);
    engine_describe(world, ENGINE_PLACE_CLOCK, client, out);
    json_writer_member_unsigned(out, "epoch", sim_world_epoch(world->sim));
    json_writer_key(out, "limits");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "particles", capacity.particles);
    json_writer_member_unsigned(out, "sticks", capacity.sticks);
    json_writer_member_unsigned(out, "objects", capacity.objects);
    json_writer_member_unsigned(out, "obstacles", capacity.obstacles);
    engine_describe(world, ENGINE_PLACE_LIMITS, client, out);
    write_quota(world, client, &capacity, out);
    json_writer_close_object(out);
    json_writer_close_object(out);
}

// A name and a color as different as can be from those of the others, or the given name.
static void introduce(struct engine_world *world, struct client *client, const char *name) {
    const struct person *others[NAMES_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->client_count && count < NAMES_MAX; i++) {
        if (&world->clients[i] != client) {
            others[count++] = &world->clients[i].person;
        }
    }
    person_make_up(&client->person, client->number, others, count);
    if (name[0] != '\0') {
        person_set_name(&client->person, name);
    }
}

struct client *engine_add_client(struct engine_world *world, uint64_t id, const struct client_facts *facts) {
    if (world->client_count == world->client_capacity) {
        const uint32_t capacity = world->client_capacity == 0 ? 16 : world->client_capacity * 2;
        struct client *clients = realloc(world->clients, capacity * sizeof *clients);
        if (clients == NULL) {
            return NULL;
        }
        world->clients = clients;
        world->client_capacity = capacity;
    }
    struct client *client = &world->clients[world->client_count++];
    *client = (struct client){.id = id,
                              .number = ++world->next_client,
                              .role = facts->role,
                              .owner = facts->owner,
                              .passing = facts->passing,
                              .variant = ENGINE_NO_VARIANT,
                              .every_ticks = 1};
    introduce(world, client, facts->name);
    return client;
}

void engine_greet_client(struct engine_world *world, const struct client *client) {
    if (!client->passing) {
        write_hello(world, client, &world->text);
        json_writer_clear(&world->reply);
        proto_write_event(&world->reply, "hello", &world->text);
        engine_send_text(world, client->id, &world->reply);
    }
    client_tell(world, PROTO_EVENT_NAME_CLIENT_JOINED, client, true);
}

void engine_grant(struct engine_world *world, struct client *client, enum proto_role role, const char *name) {
    client->role = role;
    client->presents = client->presents && role == PROTO_ROLE_ADMIN;
    if (!client->person.named && name[0] != '\0') {
        person_set_name(&client->person, name);
    }
    client_tell_changed(world, client);
}

void engine_remove_client(struct engine_world *world, uint64_t id) {
    struct client *client = engine_find_client(world, id);
    if (client == NULL) {
        return;
    }
    engine_unsubscribe(world, client);
    ticks_unsubscribe(world, client);
    engine_release_grabs(world, id, false);
    client_forget_selection(client);
    const struct client gone = *client;
    *client = world->clients[--world->client_count];
    for (uint32_t i = 0; i < world->client_count; i++) {
        if (world->clients[i].follows == gone.number) {
            world->clients[i].follows = 0; // client.left tells its page
        }
    }
    client_tell(world, PROTO_EVENT_NAME_CLIENT_LEFT, &gone, true);
}

// ---- grabs -------------------------------------------------------------------------------------------------------

static void release_grab(struct engine_world *world, uint32_t id) {
    const uint32_t sequence = sim_world_sequence(world->sim);
    struct fault fault;
    if (world->shows_past) {
        return; // the grabs that are shown are not those of now
    }
    if (sim_grab_end(world->sim, id, &fault) != RESULT_OK) {
        engine_log(world, fault.message);
    } else if (world->host.grab_released != NULL) {
        world->host.grab_released(world->host.context, id, sequence);
    }
    world->revision++;
    world->frame_stale = true;
}

void engine_release_grabs(struct engine_world *world, uint64_t client, bool others) {
    for (uint32_t i = world->grab_count; i-- > 0;) {
        if ((world->grabs[i].client == client) != others) {
            release_grab(world, world->grabs[i].id);
        }
    }
    engine_sweep_records(world); // tells of the ends
    engine_flush_events(world);
}

void engine_claim_orphaned_grabs(struct engine_world *world) {
    world->has_orphaned_grabs = false;
    for (uint32_t i = 0; i < world->grab_count; i++) {
        struct grab_record *grab = &world->grabs[i];
        for (uint32_t k = 0; k < world->client_count; k++) {
            if (world->clients[k].number == grab->number) {
                grab->client = world->clients[k].id;
            }
        }
        world->has_orphaned_grabs = world->has_orphaned_grabs || (grab->client & ENGINE_ORPHANED) != 0;
    }
}

void engine_release_orphaned_grabs(struct engine_world *world) {
    if (!world->has_orphaned_grabs) {
        return;
    }
    world->has_orphaned_grabs = false;
    for (uint32_t i = world->grab_count; i-- > 0;) {
        if ((world->grabs[i].client & ENGINE_ORPHANED) != 0) {
            release_grab(world, world->grabs[i].id);
        }
    }
    engine_sweep_records(world);
    engine_flush_events(world);
}
