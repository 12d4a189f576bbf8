// SPDX-License-Identifier: MIT
#include "host/joining.h"

#include <stdlib.h>

#include "base/log.h"
#include "engine/client/client.h"
#include "engine/client/membership.h"
#include "host/command_resume.h"
#include "host/command_world.h"
#include "host/history.h"
#include "host/playback.h"
#include "host/redo.h"
#include "host/rework.h"
#include "host/roster.h"
#include "host/schedule.h"
#include "host/session.h"
#include "proto/message/response.h"

static bool make_room(struct world *world) {
    if (world->session_count < world->session_capacity) {
        return true;
    }
    const uint32_t capacity = world->session_capacity == 0 ? 16 : world->session_capacity * 2;
    struct session *sessions = realloc(world->sessions, capacity * sizeof *sessions);
    if (sessions != NULL) {
        world->sessions = sessions;
        world->session_capacity = capacity;
    }
    return sessions != NULL;
}

void world_join(struct world *world, uint64_t peer, struct visitor *visitor) {
    if (atomic_load(&world->ended)) {
        net_post_close(world->net, peer, 1001, "the world was removed");
    }
    const struct client_facts facts = {.name = visitor->facts.name,
                                       .role = visitor->facts.role,
                                       .owner = visitor->owner,
                                       .passing = visitor->facts.posted};
    const struct client *client = make_room(world) ? engine_add_client(world->engine, peer, &facts) : NULL;
    if (client == NULL) {
        net_post_close(world->net, peer, 1013, "out of memory");
        return;
    }
    world->sessions[world->session_count++] =
        (struct session){.peer = peer, .visitor = visitor_retain(visitor), .client = client->number};
    atomic_store(&visitor->session, client->number);
    atomic_store(&world->figures.clients, engine_count_clients(world->engine));
    visitor_introduce(visitor, &client->person);
    engine_greet_client(world->engine, client);
}

void world_end(struct world *world) {
    world->engine->running = false;
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

void world_leave(struct world *world, uint64_t peer) {
    struct session *session = world_find_session(world, peer);
    if (session == NULL) {
        return;
    }
    if (world->step.active && world->step.peer == peer) {
        world->step.until_tick = sim_world_tick(world->engine->sim); // nobody waits for the rest
        world_finish_step(world);
    }
    redo_forget(session);
    free(session->resume_id);
    const struct session gone = *session;
    *session = world->sessions[--world->session_count];
    engine_remove_client(world->engine, peer);
    atomic_store(&world->figures.clients, engine_count_clients(world->engine));
    visitor_release(gone.visitor);
    if (gone.key[0] != '\0') {
        world_resume_waiting(world, gone.key);
    }
}
