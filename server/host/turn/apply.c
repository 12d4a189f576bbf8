// SPDX-License-Identifier: MIT
// Applying items: which may go now, one command, a batch, a scene, and requests that wait for their tick.
#include "host/turn/apply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/queue.h"
#include "base/result.h"
#include "engine/client/client.h"
#include "engine/client/role.h"
#include "engine/command/run.h"
#include "engine/command/scene_load.h"
#include "engine/command/world.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"
#include "engine/view/adaptive_rate.h"
#include "host/command/command_resume.h"
#include "host/command/command_world.h"
#include "host/command/command_worlds.h"
#include "host/connection/access.h"
#include "host/connection/connection_list.h"
#include "host/connection/one_request.h"
#include "host/history/history.h"
#include "host/history/history_snapshots.h"
#include "host/history/playback.h"
#include "host/history/redo.h"
#include "host/history/reply_cache.h"
#include "host/history/seek_state.h"
#include "host/history/undo.h"
#include "host/run/scheduler.h"
#include "host/turn/joining.h"
#include "host/turn/method_table.h"
#include "host/world/audit.h"
#include "host/world/clock.h"
#include "host/world/freeze.h"
#include "host/world/hold.h"
#include "host/world/host_call.h"
#include "host/world/item.h"
#include "host/world/load_scene.h"
#include "host/world/reply.h"
#include "host/world/schedule.h"
#include "host/world/session.h"
#include "host/worlds/snapshot_post.h"
#include "proto/gen/methods.h"

// ---- commands ----------------------------------------------------------------------------------------------------

// After a success.
static void settle(struct world *world) {
    engine_settle(world->engine);
    world_follow_clock(world);
    atomic_fetch_add(&world->metrics.commands, 1);
}

// Logs what a client has changed, and answers it once that is stored.
static void note_change(struct world *world, const struct item *item, enum record_kind kind, uint32_t sequence) {
    struct session *session = world_find_session(world, item->connection_id);
    const struct history_change change = {.kind = kind,
                                          .session = session,
                                          .key = session != NULL ? session->key : item->key,
                                          .connection_id = item->connection_id,
                                          .id = item->request != NULL ? &item->request->id : &item->id,
                                          .command = item->request != NULL ? &item->request->command : NULL,
                                          .sequence = sequence,
                                          .result = &world->engine->result};
    struct fault fault;
    const bool together = kind == RECORD_SCENE && world->history != NULL && history_gather(world, &fault) == RESULT_OK;
    if (kind == RECORD_SCENE) {
        history_begin_scene(world);
        redo_forget_all(world);
    } else if (session != NULL && !proto_methods[change.command->method].clock) {
        redo_forget(session);
    }
    history_note(world, &change);
    if (together) {
        history_hand_over(world);
    }
}

// Whether a change of this client's may be made now.
static enum result accepts(struct world *world, const struct session *session, struct fault *fault) {
    const enum result result = history_accepts(world, fault);
    if (result == RESULT_OK && session != NULL && world->copying.allowed > 0 &&
        session->connection->facts.role < PROTO_ROLE_ADMIN) {
        return fault_set(fault, RESULT_DENIED, "",
                         "this world is the original of an assignment, which administrators alone change: world.copy "
                         "makes you a copy");
    }
    return result == RESULT_OK ? world_check_freeze(world, session, fault) : result;
}

static void run_batch(struct world *world, const struct item *item) {
    const struct proto_batch_run *params = item->request->command.params;
    const uint32_t sequence = sim_world_sequence(world->engine->sim);
    struct fault fault;
    json_writer_clear(&world->engine->result);
    json_writer_open_object(&world->engine->result);
    json_writer_key(&world->engine->result, "results");
    json_writer_open_array(&world->engine->result);
    struct session *session = world_find_session(world, item->connection_id);
    enum result ended = accepts(world, session, &fault);
    if (ended == RESULT_OK) {
        playback_take_over(world);
        ended = engine_run_commands(world->engine, engine_find_client(world->engine, item->connection_id),
                                    &params->commands, &world->engine->result, &fault);
    }
    audit_note_call(world, session, PROTO_METHOD_BATCH_RUN, ended);
    if (ended != RESULT_OK) {
        world_follow_clock(world); // a batch that is taken back still stops or starts it
        world_send_fault(world, item->connection_id, &item->request->id, &fault);
        return;
    }
    json_writer_close_array(&world->engine->result);
    json_writer_member_unsigned(&world->engine->result, "tick", engine_next_tick(world->engine));
    json_writer_close_object(&world->engine->result);
    settle(world);
    note_change(world, item, RECORD_COMMAND, sequence);
}

// A request of a named session that was made before is answered as it was then.
static bool is_repeated(struct world *world, const struct item *item) {
    const struct session *session = world_find_session(world, item->connection_id);
    const struct proto_request *request = item->request;
    if (session == NULL || session->key[0] == '\0' || !request->id.present ||
        proto_methods[request->command.method].kind != PROTO_KIND_CHANGE) {
        return false;
    }
    uint64_t ticket = 0;
    struct message *message = reply_cache_find(world, session, &request->id, &ticket);
    if (message == NULL) {
        return schedule_has(world, session, item);
    }
    history_send_again(world, session->connection_id, &request->id, message, ticket);
    return true;
}

// ---- scenes ------------------------------------------------------------------------------------------------------

static void apply_scene(struct world *world, struct item *item) {
    struct session *session = world_find_session(world, item->connection_id);
    if (session != NULL) {
        world_go_on(world, session);
    }
    const uint32_t sequence = sim_world_sequence(world->engine->sim);
    enum result result = RESULT_IO;
    if (item->request != NULL) {
        result = accepts(world, session, &item->fault);
    }
    if (result == RESULT_OK) {
        playback_take_over(world);
        result = world_load_scene(world, item->scene, item->request, &item->fault);
    }
    if (result != RESULT_OK) {
        world_send_fault(world, item->connection_id, &item->id, &item->fault);
        return;
    }
    item->request = NULL; // the world keeps it
    engine_tell_changed_by(world->engine, "load", engine_find_client(world->engine, item->connection_id));
    settle(world);
    json_writer_clear(&world->engine->result);
    json_writer_open_object(&world->engine->result);
    json_writer_member_unsigned(&world->engine->result, "firstId", sequence + 1);
    json_writer_member_unsigned(&world->engine->result, "tick", engine_next_tick(world->engine));
    json_writer_close_object(&world->engine->result);
    note_change(world, item, RECORD_SCENE, sequence);
}

// ---- items -------------------------------------------------------------------------------------------------------

static void apply_request(struct world *world, const struct item *item) {
    struct fault fault;
    struct host_call call = {.world = world,
                             .session = world_find_session(world, item->connection_id),
                             .command = &item->request->command,
                             .id = &item->request->id,
                             .result = &world->engine->result,
                             .fault = &fault};
    const bool changes = proto_methods[call.command->method].kind == PROTO_KIND_CHANGE;
    const uint32_t sequence = sim_world_sequence(world->engine->sim);
    json_writer_clear(&world->engine->result);
    enum result result = changes ? accepts(world, call.session, &fault) : RESULT_OK;
    if (result == RESULT_OK && changes && playback_is_left_by(call.command->method)) {
        playback_take_over(world);
    }
    if (result == RESULT_OK) {
        result = host_run(&call);
    }
    audit_note_call(world, call.session, call.command->method, result);
    if (result != RESULT_OK) {
        engine_drop_events(world->engine);
        world_send_fault(world, item->connection_id, call.id, &fault);
    } else if (changes && !call.deferred) {
        settle(world);
        const bool anew = call.command->method == PROTO_METHOD_WORLD_RESET;
        if (anew) {
            world_begin_anew(world);
        }
        note_change(world, item, anew ? RECORD_SCENE : RECORD_COMMAND, sequence);
    } else if (!call.deferred) {
        world_send_result(world, item->connection_id, call.id, &world->engine->result);
    }
}

// Whether the role may run the command on this server. Errors: RESULT_DENIED, as those of role_check.
static enum result check_role(const struct world *world, enum proto_role role, const struct proto_command *command,
                              struct fault *fault) {
    if (command->method == PROTO_METHOD_WORLD_IMPORT && role == PROTO_ROLE_EDITOR && world->config->editors_import) {
        return RESULT_OK;
    }
    return role_check(role, command, fault);
}

// Whether its sender may ask for that; refuses it otherwise. Commands of nobody (a scene's) are not asked about.
static bool is_allowed(struct world *world, const struct item *item) {
    struct fault fault;
    const struct session *session = world_find_session(world, item->connection_id);
    const struct proto_command *command = &item->request->command;
    enum result result = RESULT_OK;
    if (session != NULL) {
        result = check_role(world, session->connection->facts.role, command, &fault);
    }
    if (session != NULL && result == RESULT_OK && session->connection->facts.posted) {
        result = posted_check(command->method, &fault);
    }
    if (result == RESULT_OK) {
        return true;
    }
    audit_note_call(world, session, command->method, result);
    world_send_fault(world, item->connection_id, &item->request->id, &fault);
    return false;
}

// Runs a request now.
static void run_request(struct world *world, const struct item *item) {
    if (item->request->command.method == PROTO_METHOD_BATCH_RUN) {
        run_batch(world, item);
    } else {
        apply_request(world, item);
    }
}

void world_apply_scheduled(struct world *world) {
    struct grant grant;
    struct fault fault;
    while (world->scheduled != NULL &&
           world->scheduled->item->request->command.at_tick <= engine_next_tick(world->engine)) {
        struct item *item = schedule_take(world, &grant);
        if (world->access == NULL || access_holds(world->access, &grant)) {
            if (is_allowed(world, item)) { // an administrator may have changed its client's role
                run_request(world, item);
            }
        } else {
            fault_set(&fault, RESULT_DENIED, "", "the token that this request was given with was revoked or changed");
            audit_note_call(world, world_find_session(world, item->connection_id), item->request->command.method,
                            RESULT_DENIED);
            world_send_fault(world, item->connection_id, &item->request->id, &fault);
        }
        item_destroy(item);
    }
}

// Applies one item and ends its life, unless it waits for its tick.
static void apply_item(struct world *world, struct item *item) {
    switch (item->kind) {
    case ITEM_JOIN:
        world_join(world, item->connection_id, item->connection);
        break;
    case ITEM_LEAVE:
        world_leave(world, item->connection_id);
        world_let_go(world);
        break;
    case ITEM_CAPSULE:
        world_give_capsule(world, item->connection_id, &item->moment);
        break;
    case ITEM_REPLIES:
        world_take_replies(world, item);
        break;
    case ITEM_END:
        world_end(world, item->url);
        item->url = NULL;
        break;
    case ITEM_SAVE:
        world_save(world);
        break;
    case ITEM_FAULT:
        world_send_fault(world, item->connection_id, &item->id, &item->fault);
        break;
    case ITEM_STARVED:
        engine_note_starved(world->engine, item->connection_id);
        break;
    case ITEM_SCENE:
        apply_scene(world, item);
        break;
    case ITEM_REQUEST:
        if (!is_allowed(world, item) || is_repeated(world, item)) {
            break;
        }
        if (schedule_add(world, item)) {
            return;
        }
        run_request(world, item);
        break;
    }
    item_destroy(item);
}

static bool changes_world(const struct item *item) {
    return item->kind == ITEM_SCENE ||
           (item->kind == ITEM_REQUEST && proto_methods[item->request->command.method].kind == PROTO_KIND_CHANGE);
}

static bool waits_until_stored(const struct item *item) {
    return item->kind == ITEM_REQUEST && proto_methods[item->request->command.method].after_stored;
}

// A snapshot that is on its way would be taken for that of a new subscription: the reply to that comes after it.
static bool waits_for_snapshot(const struct world *world, const struct session *session, const struct item *item) {
    return item->kind == ITEM_REQUEST && item->request->command.method == PROTO_METHOD_FRAMES_SUBSCRIBE &&
           snapshot_is_on_way(world, session);
}

// Whether another node has the world, or gets it.
static bool is_leaving(const struct world *world) {
    return world->leaving || atomic_load(&world->departs) ||
           (world->history != NULL && atomic_load(&world->history->taken));
}

// Whether the item has to wait; then what its session sent after it waits too.
static bool must_wait(struct world *world, const struct item *item) {
    struct session *session = world_find_session(world, item->connection_id);
    if (item->kind == ITEM_SCENE) {
        return world->step.active || is_leaving(world);
    }
    if (item->kind == ITEM_SAVE) {
        return world->step.active || undo_is_on(world);
    }
    if (item->kind == ITEM_REQUEST && is_leaving(world)) {
        return true; // its client asks the new owner
    }
    if (changes_world(item) && world->node != NULL && store_hub_lease_is_open(world->hub)) {
        return true;
    }
    if (session == NULL || item->kind == ITEM_STARVED || item->kind == ITEM_REPLIES) {
        return false;
    }
    if (item->kind == ITEM_LEAVE && world->step.active && world->step.connection_id == item->connection_id) {
        world->step.until_tick = sim_world_tick(world->engine->sim); // nobody waits for the rest
        world_finish_step(world);
    }
    if (item->kind == ITEM_REQUEST && item->request->command.method == PROTO_METHOD_WORLD_CANCEL) {
        return false; // a client that waits for its undo may cancel it
    }
    if (item->kind == ITEM_LEAVE) {
        undo_forget_client(world, session);
    }
    if (item->kind == ITEM_LEAVE && session->resume_id != NULL) {
        world_give_up_resume(world, session);
        return false;
    }
    if (session->held_back || session->waiting || (world->step.active && changes_world(item)) ||
        (waits_until_stored(item) && !history_is_settled(world, session)) || waits_for_snapshot(world, session, item)) {
        session->held_back = true;
        return true;
    }
    return false;
}

// Whether the request gets no reply, because its client has left or sent it behind a resume that was given up.
static bool is_orphan(struct world *world, const struct item *item) {
    const struct session *session = world_find_session(world, item->connection_id);
    return item->kind == ITEM_REQUEST && (session == NULL || session->discarded);
}

// A change of a client whose resume was refused, which may have been made before.
static bool may_be_repeated(struct world *world, const struct item *item) {
    const struct session *session = world_find_session(world, item->connection_id);
    return session != NULL && session->unresumed && item->kind == ITEM_REQUEST && changes_world(item);
}

// One pass over what waits; true when the deadline came first.
static bool apply_pass(struct world *world, uint64_t deadline_ns) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        world->sessions[i].held_back = false;
    }
    struct item **place = &world->pending;
    while (*place != NULL && !seek_is_on(world)) {
        struct item *item = *place;
        if (must_wait(world, item)) {
            place = &item->next;
            continue;
        }
        *place = item->next;
        if (*place == NULL) {
            world->pending_tail = place;
        }
        if (is_orphan(world, item)) {
            item_destroy(item);
        } else if (may_be_repeated(world, item)) {
            world_end_unresumed(world, world_find_session(world, item->connection_id));
            item_destroy(item);
        } else {
            apply_item(world, item);
        }
        if (scheduler_now_ns() >= deadline_ns) {
            return true;
        }
    }
    return false;
}

bool world_apply_pending(struct world *world, uint64_t deadline_ns) {
    bool late = false;
    do {
        world->someone_goes_on = false; // what waited for it lies before it: look again from the start
        late = apply_pass(world, deadline_ns);
    } while (!late && world->someone_goes_on);
    return late && world->pending != NULL;
}
