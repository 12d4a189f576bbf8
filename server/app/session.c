// SPDX-License-Identifier: MIT
// Who is in a world: joining with a hello, leaving with every grab let go.
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/history.h"
#include "app/playback.h"
#include "app/redo.h"
#include "app/rework.h"
#include "app/roster.h"
#include "app/world.h"
#include "base/log.h"
#include "proto/message/response.h"

struct session *world_find_session(struct world *world, uint64_t peer) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (world->sessions[i].peer == peer) {
            return &world->sessions[i];
        }
    }
    return NULL;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static void write_own_limits(const struct world *world, const struct sim_capacity *capacity, struct json_writer *out) {
    const struct config *config = world->config;
    json_writer_key(out, "own");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "particles", least(config->own_particles, capacity->particles));
    json_writer_member_unsigned(out, "sticks", least(config->own_sticks, capacity->sticks));
    json_writer_member_unsigned(out, "objects", least(config->own_objects, capacity->objects));
    json_writer_member_unsigned(out, "obstacles", least(config->own_obstacles, capacity->obstacles));
    json_writer_member_unsigned(out, "worlds", least(config->own_worlds, config->max_worlds));
    json_writer_close_object(out);
}

static void write_hello(struct world *world, const struct session *session, struct json_writer *out) {
    struct sim_capacity capacity = sim_world_capacity(world->sim);
    json_writer_clear(out);
    json_writer_open_object(out);
    json_writer_member_string(out, "server", "weft");
    json_writer_member_string(out, "version", WEFT_VERSION);
    json_writer_member_unsigned(out, "protocol", 1);
    json_writer_member_string(out, "instance", app_instance());
    json_writer_member_unsigned(out, "session", session->client);
    json_writer_member_string(out, "role", proto_role_names[session->visitor->facts.role]);
    if (session->visitor->facts.token[0] != '\0') {
        json_writer_member_string(out, "name", session->visitor->facts.name);
    }
    json_writer_key(out, "you");
    json_writer_open_object(out);
    people_describe(session, out);
    json_writer_close_object(out);
    json_writer_member_string(out, "world", world->name);
    json_writer_member_string(out, "scene", world->scene);
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->sim));
    json_writer_member_float(out, "tickHz", sim_world_tick_hz(world->sim));
    json_writer_member_boolean(out, "running", world->running);
    describe_playback(world, out);
    describe_rework(world, out);
    describe_freeze(world, session, out);
    json_writer_member_unsigned(out, "epoch", sim_world_epoch(world->sim));
    json_writer_key(out, "limits");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "particles", capacity.particles);
    json_writer_member_unsigned(out, "sticks", capacity.sticks);
    json_writer_member_unsigned(out, "objects", capacity.objects);
    json_writer_member_unsigned(out, "obstacles", capacity.obstacles);
    json_writer_member_unsigned(out, "messageBytes", APP_MESSAGE_MAX);
    json_writer_member_unsigned(out, "clients", world->config->max_clients);
    json_writer_member_unsigned(out, "worlds", world->config->max_worlds);
    json_writer_member_double(out, "rate", session->visitor->budget.rate);
    json_writer_member_double(out, "burst", session->visitor->budget.burst);
    write_own_limits(world, &capacity, out);
    json_writer_close_object(out);
    json_writer_close_object(out);
}

// Clients that come by POST do not count, because they leave at once.
uint32_t world_count_clients(const struct world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->session_count; i++) {
        count += !world->sessions[i].visitor->facts.posted;
    }
    return count;
}

static void announce(struct world *world, enum proto_event_name name, const struct session *session) {
    if (session->visitor->facts.posted || !world_wants_event(world, name)) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    people_describe(session, &world->text);
    json_writer_member_unsigned(&world->text, "clients", world_count_clients(world));
    json_writer_close_object(&world->text);
    world_queue_event(world, name, &world->text);
    world_flush_events(world);
}

void world_join(struct world *world, uint64_t peer, struct visitor *visitor) {
    if (atomic_load(&world->ended)) {
        net_post_close(world->net, peer, 1001, "the world was removed");
    }
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
    *session = (struct session){.peer = peer,
                                .visitor = visitor_retain(visitor),
                                .client = ++world->next_client,
                                .variant = WORLD_NO_VARIANT,
                                .every_ticks = 1};
    atomic_store(&visitor->session, session->client);
    atomic_store(&world->figures.clients, world_count_clients(world));
    people_greet(world, session);
    if (!visitor->facts.posted) {
        write_hello(world, session, &world->text);
        json_writer_clear(&world->reply);
        proto_write_event(&world->reply, "hello", world->text.data, world->text.length);
        world_send_text(world, peer, &world->reply);
    }
    announce(world, PROTO_EVENT_NAME_CLIENT_JOINED, session);
}

void world_end(struct world *world) {
    world->running = false;
    atomic_store(&world->figures.running, false);
    playback_end(world);
    rework_cancel(world, "the world was removed");
    rework_turn(world);
    history_retire(world);
    for (uint32_t i = 0; i < world->session_count; i++) {
        net_post_close(world->net, world->sessions[i].peer, 1001, "the world was removed");
    }
    world_refuse_scheduled(world);
    atomic_store(&world->ended, true);
}

static void release_grab(struct world *world, uint32_t id) {
    struct fault fault;
    const struct history_change change = {
        .kind = HISTORY_RELEASE, .grab = id, .sequence = sim_world_sequence(world->sim)};
    if (playback_is_showing(world)) {
        return; // a hand of the past
    }
    if (sim_grab_end(world->sim, id, &fault) == RESULT_OK) {
        history_note(world, &change);
    } else {
        log_write(LOG_LEVEL_WARN, "world", "%s: %s", world->name, fault.message);
    }
    world->revision++;
    world->frame_stale = true;
}

void world_release_grabs(struct world *world, uint64_t peer, bool others) {
    for (uint32_t i = world->grab_count; i-- > 0;) {
        if ((world->grabs[i].peer == peer) != others) {
            release_grab(world, world->grabs[i].id);
        }
    }
    world_sweep_records(world); // tells of the ends
    world_flush_events(world);
}

void world_claim_ghosts(struct world *world) {
    world->ghosts = false;
    for (uint32_t i = 0; i < world->grab_count; i++) {
        struct grab_record *grab = &world->grabs[i];
        for (uint32_t k = 0; k < world->session_count; k++) {
            if (world->sessions[k].client == grab->client) {
                grab->peer = world->sessions[k].peer;
            }
        }
        world->ghosts = world->ghosts || (grab->peer & WORLD_GHOST) != 0;
    }
}

void world_release_ghosts(struct world *world) {
    if (!world->ghosts) {
        return;
    }
    world->ghosts = false;
    for (uint32_t i = world->grab_count; i-- > 0;) {
        if ((world->grabs[i].peer & WORLD_GHOST) != 0) {
            release_grab(world, world->grabs[i].id);
        }
    }
    world_sweep_records(world);
    world_flush_events(world);
}

void world_leave(struct world *world, uint64_t peer) {
    struct session *session = world_find_session(world, peer);
    if (session == NULL) {
        return;
    }
    world_unsubscribe(world, session);
    world_release_grabs(world, peer, false);
    if (world->step.active && world->step.peer == peer) {
        world->step.until_tick = sim_world_tick(world->sim); // nobody waits for the rest
        world_finish_step(world);
    }
    people_forget_selection(session);
    redo_forget(session);
    free(session->resume_id);
    const struct session gone = *session;
    *session = world->sessions[--world->session_count];
    atomic_store(&world->figures.clients, world_count_clients(world));
    announce(world, PROTO_EVENT_NAME_CLIENT_LEFT, &gone);
    visitor_release(gone.visitor);
    if (gone.key[0] != '\0') {
        world_resume_waiting(world, gone.key);
    }
}
