// SPDX-License-Identifier: MIT
// Who is in a world: joining with a hello, leaving with every grab let go.
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/world.h"
#include "base/log.h"

struct session *world_find_session(struct world *world, uint64_t peer) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (world->sessions[i].peer == peer) {
            return &world->sessions[i];
        }
    }
    return NULL;
}

static void write_hello(struct world *world, const struct session *session, struct proto_text *out) {
    struct sim_capacity capacity = sim_world_capacity(world->sim);
    proto_text_clear(out);
    proto_text_open_object(out);
    proto_text_member_string(out, "server", "weft");
    proto_text_member_string(out, "version", WEFT_VERSION);
    proto_text_member_unsigned(out, "protocol", 1);
    proto_text_member_string(out, "instance", app_instance());
    proto_text_member_unsigned(out, "session", session->client);
    proto_text_member_string(out, "role", "admin");
    proto_text_member_string(out, "world", world->name);
    proto_text_member_string(out, "scene", world->scene);
    proto_text_member_unsigned(out, "tick", sim_world_tick(world->sim));
    proto_text_member_real32(out, "tickHz", sim_world_tick_hz(world->sim));
    proto_text_member_boolean(out, "running", world->running);
    proto_text_member_unsigned(out, "epoch", sim_world_epoch(world->sim));
    proto_text_key(out, "limits");
    proto_text_open_object(out);
    proto_text_member_unsigned(out, "particles", capacity.particles);
    proto_text_member_unsigned(out, "sticks", capacity.sticks);
    proto_text_member_unsigned(out, "objects", capacity.objects);
    proto_text_member_unsigned(out, "obstacles", capacity.obstacles);
    proto_text_member_unsigned(out, "messageBytes", APP_MESSAGE_MAX);
    proto_text_member_unsigned(out, "clients", world->config->max_clients);
    proto_text_close_object(out);
    proto_text_close_object(out);
}

static void announce(struct world *world, enum proto_event_name name, uint32_t client) {
    if (!world_wants_event(world, name)) {
        return;
    }
    proto_text_clear(&world->text);
    proto_text_open_object(&world->text);
    proto_text_member_unsigned(&world->text, "client", client);
    proto_text_member_unsigned(&world->text, "clients", world->session_count);
    proto_text_close_object(&world->text);
    world_queue_event(world, name, &world->text);
    world_flush_events(world);
}

void world_join(struct world *world, uint64_t peer) {
    if (world->session_count == world->session_capacity) {
        uint32_t capacity = world->session_capacity == 0 ? 16 : world->session_capacity * 2;
        struct session *sessions = realloc(world->sessions, capacity * sizeof *sessions);
        if (sessions == NULL) {
            net_post_close(world->net, peer, 1013, "out of memory");
            return;
        }
        world->sessions = sessions;
        world->session_capacity = capacity;
    }
    struct session *session = &world->sessions[world->session_count++];
    *session =
        (struct session){.peer = peer, .client = ++world->next_client, .variant = WORLD_NO_VARIANT, .every_ticks = 1};
    atomic_store(&world->figures.clients, world->session_count);
    write_hello(world, session, &world->text);
    proto_text_clear(&world->reply);
    proto_write_event(&world->reply, "hello", world->text.data, world->text.length);
    world_send_text(world, peer, &world->reply);
    announce(world, PROTO_EVENT_NAME_CLIENT_JOINED, session->client);
}

static void release_grabs(struct world *world, uint64_t peer) {
    for (uint32_t i = world->grab_count; i-- > 0;) {
        if (world->grabs[i].peer != peer) {
            continue;
        }
        struct fault fault;
        if (sim_grab_end(world->sim, world->grabs[i].id, &fault) != RESULT_OK) {
            log_write(LOG_LEVEL_WARN, "world", "%s: %s", world->name, fault.message);
        }
        world->revision++;
        world->frame_stale = true;
    }
    world_sweep_records(world); // tells of the ends
    world_flush_events(world);
}

void world_leave(struct world *world, uint64_t peer) {
    struct session *session = world_find_session(world, peer);
    if (session == NULL) {
        return;
    }
    uint32_t client = session->client;
    world_unsubscribe(world, session);
    release_grabs(world, peer);
    if (world->step.active && world->step.peer == peer) {
        world->step.until_tick = sim_world_tick(world->sim); // nobody waits for the rest
        world_finish_step(world);
    }
    *session = world->sessions[--world->session_count];
    atomic_store(&world->figures.clients, world->session_count);
    announce(world, PROTO_EVENT_NAME_CLIENT_LEFT, client);
}
