// SPDX-License-Identifier: MIT
#include "host/turn/joining.h"

#include <stdlib.h>

#include "base/log.h"
#include "engine/client/client.h"
#include "engine/world/membership.h"
#include "host/command/command_resume.h"
#include "host/command/command_world.h"
#include "host/connection/connection_list.h"
#include "host/connection/moved.h"
#include "host/history/history.h"
#include "host/history/history_snapshots.h"
#include "host/history/playback.h"
#include "host/history/redo.h"
#include "host/history/undo.h"
#include "host/world/schedule.h"
#include "host/world/session.h"
#include "host/worlds/node_move.h"
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

static void tell_end(const struct world *world, uint64_t connection_id) {
    if (world->moved != NULL) {
        moved_tell(world->net, connection_id, world->moved);
    } else {
        net_post_close(world->net, connection_id, 1001, "the world was removed");
    }
}

void world_join(struct world *world, uint64_t connection_id, struct connection *connection) {
    if (atomic_load(&world->ended)) {
        tell_end(world, connection_id);
    }
    const struct client_facts facts = {.name = connection->facts.name,
                                       .role = connection->facts.role,
                                       .owner = connection->owner,
                                       .passing = connection->facts.posted};
    const struct client *client = make_room(world) ? engine_add_client(world->engine, connection_id, &facts) : NULL;
    if (client == NULL) {
        net_post_close(world->net, connection_id, 1013, "out of memory");
        return;
    }
    world->sessions[world->session_count++] = (struct session){
        .connection_id = connection_id, .connection = connection_retain(connection), .client = client->number};
    atomic_store(&connection->session, client->number);
    atomic_store(&world->metrics.clients, engine_count_clients(world->engine));
    connection_introduce(connection, &client->person);
    engine_greet_client(world->engine, client);
}

static void stop(struct world *world) {
    world->engine->running = false;
    atomic_store(&world->metrics.running, false);
}

void world_save(struct world *world) {
    struct fault fault;
    if (world->history == NULL || atomic_load(&world->removed)) {
        return;
    }
    if (playback_is_showing(world) && playback_return(world, &fault) != RESULT_OK) { // a shown moment is not stored
        log_warn("world", "%s: it goes to another node without its last moments: %s", world->name, fault.message);
    }
    history_close(world, NULL);
    if (!atomic_load(&world->history->lost)) {
        (void)history_mark(world, sim_world_hash(world->engine->sim), &fault); // the snapshot has the hash, too
    }
    stop(world);
    world->leaving = true;
    if (world->node != NULL) {
        node_note_saved(world->node, world->number);
    }
}

void world_end(struct world *world, char *take) {
    world->moved = take;
    stop(world);
    playback_end(world);
    undo_cancel(world, world->moved != NULL ? "the world is on another node" : "the world was removed");
    undo_turn(world);
    if (world->moved != NULL) {
        history_leave(world);
    } else {
        history_retire(world);
    }
    for (uint32_t i = 0; i < world->session_count; i++) {
        tell_end(world, world->sessions[i].connection_id);
    }
    if (world->moved == NULL) {
        world_refuse_scheduled(world);
    }
    atomic_store(&world->ended, true);
}

void world_leave(struct world *world, uint64_t connection_id) {
    struct session *session = world_find_session(world, connection_id);
    if (session == NULL) {
        return;
    }
    if (world->step.active && world->step.connection_id == connection_id) {
        world->step.until_tick = sim_world_tick(world->engine->sim); // nobody waits for the rest
        world_finish_step(world);
    }
    redo_forget(session);
    free(session->resume_id);
    const struct session gone = *session;
    *session = world->sessions[--world->session_count];
    engine_remove_client(world->engine, connection_id);
    atomic_store(&world->metrics.clients, engine_count_clients(world->engine));
    connection_release(gone.connection);
    if (gone.key[0] != '\0') {
        world_resume_waiting(world, gone.key);
    }
}
