// SPDX-License-Identifier: MIT
// Applying items: which may go now, one command, a batch, a scene, and batches that wait for their tick.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "engine/client/client.h"
#include "engine/client/role.h"
#include "engine/command/run.h"
#include "engine/command/world.h"
#include "engine/event.h"
#include "engine/scene_load.h"
#include "engine/tick.h"
#include "engine/view/adaptive_rate.h"
#include "host/command.h"
#include "host/flow.h"
#include "host/history.h"
#include "host/intake.h"
#include "host/posted.h"
#include "host/redo.h"
#include "host/replies.h"
#include "host/rework.h"
#include "host/roster.h"
#include "host/scene.h"
#include "host/travel.h"

void item_leave_flow(struct item *item) {
    if (item->flow != NULL) {
        flow_leave(item->flow, item->bytes);
        item->flow = NULL;
    }
}

void item_destroy(struct item *item) {
    if (item != NULL) {
        item_leave_flow(item);
        visitor_release(item->visitor);
        store_replies_free(item->replies, item->reply_count);
        if (item->disposer != NULL) {
            intake_dispose(item->disposer, item);
            return;
        }
        proto_request_destroy(item->request);
        free(item);
    }
}

// ---- commands ----------------------------------------------------------------------------------------------------

void world_follow_clock(struct world *world) {
    const bool running = world->engine->running;
    if (running && !world->was_running) {
        world->next_tick_ns = pool_now_ns();
        world->second_start_ns = 0; // the real-time factor begins anew
    }
    world->was_running = running;
    atomic_store(&world->figures.running, running);
}

// After a success.
static void settle(struct world *world) {
    engine_settle(world->engine);
    world_follow_clock(world);
    atomic_fetch_add(&world->figures.commands, 1);
}

// Logs what a client has changed, and answers it once that is stored.
static void note_change(struct world *world, const struct item *item, enum record_kind kind, uint32_t sequence) {
    struct session *session = world_find_session(world, item->peer);
    const struct history_change change = {.kind = kind,
                                          .session = session,
                                          .key = session != NULL ? session->key : item->key,
                                          .peer = item->peer,
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
    struct session *session = world_find_session(world, item->peer);
    enum result ended = accepts(world, session, &fault);
    if (ended == RESULT_OK) {
        playback_take_over(world);
        ended = engine_run_commands(world->engine, engine_find_client(world->engine, item->peer), &params->commands,
                                    &world->engine->result, &fault);
    }
    world_note_deed(world, session, PROTO_METHOD_BATCH_RUN, ended);
    if (ended != RESULT_OK) {
        world_follow_clock(world); // a batch that is taken back still stops or starts it
        world_send_fault(world, item->peer, &item->request->id, &fault);
        return;
    }
    json_writer_close_array(&world->engine->result);
    json_writer_member_unsigned(&world->engine->result, "tick", engine_next_tick(world->engine));
    json_writer_close_object(&world->engine->result);
    settle(world);
    note_change(world, item, RECORD_COMMAND, sequence);
}

// Whether this request of a named session waits for its tick already: then this peer is answered.
static bool is_scheduled(struct world *world, const struct session *session, const struct item *item) {
    for (struct scheduled_item *scheduled = world->scheduled; scheduled != NULL; scheduled = scheduled->next) {
        if (strcmp(scheduled->item->key, session->key) == 0 &&
            strcmp(scheduled->item->request->id.text, item->request->id.text) == 0) {
            scheduled->item->peer = item->peer;
            return true;
        }
    }
    return false;
}

// A request of a named session that was made before is answered as it was then.
static bool is_repeated(struct world *world, const struct item *item) {
    const struct session *session = world_find_session(world, item->peer);
    return session != NULL && session->key[0] != '\0' && item->request->id.present &&
           proto_methods[item->request->command.method].kind == PROTO_KIND_CHANGE &&
           (replies_repeat(world, session, &item->request->id) || is_scheduled(world, session, item));
}

// How many requests of this client wait for their tick.
static uint32_t count_scheduled(const struct world *world, uint64_t peer) {
    uint32_t count = 0;
    for (const struct scheduled_item *scheduled = world->scheduled; scheduled != NULL; scheduled = scheduled->next) {
        count += scheduled->item->peer == peer;
    }
    return count;
}

// Whether the request may wait until its tick.
static enum result check_schedule(const struct world *world, const struct item *item, struct fault *fault) {
    const uint64_t at_tick = item->request->command.at_tick, next = engine_next_tick(world->engine);
    const uint64_t last = next - 1 + (uint64_t)(WORLD_SCHEDULED_SECONDS * sim_world_tick_hz(world->engine->sim));
    if (at_tick < next) {
        return fault_set(fault, RESULT_INVALID, "/atTick", "atTick must be at least %llu, the next tick, got %llu",
                         (unsigned long long)next, (unsigned long long)at_tick);
    }
    if (at_tick > last) {
        return fault_set(fault, RESULT_INVALID, "/atTick", "atTick must be at most %llu, %.0f s ahead, got %llu",
                         (unsigned long long)last, (double)WORLD_SCHEDULED_SECONDS, (unsigned long long)at_tick);
    }
    if (count_scheduled(world, item->peer) >= WORLD_SCHEDULED_OWN_MAX) {
        return fault_set(fault, RESULT_BUSY, "/atTick",
                         "%u requests of yours wait for their tick already: try again when some are done",
                         WORLD_SCHEDULED_OWN_MAX);
    }
    if (world->scheduled_count >= WORLD_SCHEDULED_MAX) {
        return fault_set(fault, RESULT_BUSY, "/atTick",
                         "%u requests wait for their tick already: try again when some are done", WORLD_SCHEDULED_MAX);
    }
    return RESULT_OK;
}

// Takes the item if its request is for a later tick.
static bool schedule(struct world *world, struct item *item) {
    const struct proto_command *command = &item->request->command;
    if (!command->has_at_tick || command->at_tick == engine_next_tick(world->engine)) {
        return false;
    }
    struct fault fault;
    struct scheduled_item *scheduled = NULL;
    if (check_schedule(world, item, &fault) == RESULT_OK && (scheduled = calloc(1, sizeof *scheduled)) == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
    }
    if (scheduled == NULL) {
        world_send_fault(world, item->peer, &item->request->id, &fault);
        item_destroy(item);
        return true;
    }
    const struct session *session = world_find_session(world, item->peer);
    if (session != NULL) {
        memcpy(item->key, session->key, sizeof item->key); // it may leave and come back until then
        scheduled->grant.role = session->visitor->facts.role;
        memcpy(scheduled->grant.token, session->visitor->facts.token, sizeof scheduled->grant.token);
    }
    scheduled->item = item;
    item_leave_flow(item);
    struct scheduled_item **place = &world->scheduled;
    while (*place != NULL && (*place)->item->request->command.at_tick <= command->at_tick) {
        place = &(*place)->next;
    }
    scheduled->next = *place;
    *place = scheduled;
    world->scheduled_count++;
    return true;
}

static struct item *take_scheduled(struct world *world, struct grant *grant) {
    struct scheduled_item *scheduled = world->scheduled;
    struct item *item = scheduled->item;
    *grant = scheduled->grant;
    world->scheduled = scheduled->next;
    world->scheduled_count--;
    free(scheduled);
    return item;
}

void world_refuse_scheduled(struct world *world) {
    struct fault fault;
    fault_set(&fault, RESULT_STATE, "/atTick", "the world began anew before the tick of this request");
    while (world->scheduled != NULL) {
        struct grant grant;
        struct item *item = take_scheduled(world, &grant);
        world_send_fault(world, item->peer, &item->request->id, &fault);
        item_destroy(item);
    }
}

// ---- scenes ------------------------------------------------------------------------------------------------------

// The world was made anew.
static void begin_anew(struct world *world) {
    world_refuse_scheduled(world);
    world->second_start_ns = 0;
}

enum result world_load_scene(struct world *world, const char *name, struct proto_request *take, struct fault *fault) {
    struct fault found;
    const enum result result = engine_load_scene(world->engine, name, take, &found);
    if (result == RESULT_OK) {
        begin_anew(world);
    } else {
        scene_blame(name, scene_place_of(take, found.pointer), &found, fault);
    }
    return result;
}

static void apply_scene(struct world *world, struct item *item) {
    struct session *session = world_find_session(world, item->peer);
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
        world_send_fault(world, item->peer, &item->id, &item->fault);
        return;
    }
    item->request = NULL; // the world keeps it
    engine_tell_changed_by(world->engine, "load", engine_find_client(world->engine, item->peer));
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
                             .session = world_find_session(world, item->peer),
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
    world_note_deed(world, call.session, call.command->method, result);
    if (result != RESULT_OK) {
        engine_drop_events(world->engine);
        world_send_fault(world, item->peer, call.id, &fault);
    } else if (changes && !call.deferred) {
        settle(world);
        const bool anew = call.command->method == PROTO_METHOD_WORLD_RESET;
        if (anew) {
            begin_anew(world);
        }
        note_change(world, item, anew ? RECORD_SCENE : RECORD_COMMAND, sequence);
    } else if (!call.deferred) {
        world_send_result(world, item->peer, call.id, &world->engine->result);
    }
}

// Whether its sender may ask for that; refuses it otherwise. Commands of nobody (a scene's) are not asked about.
static bool is_allowed(struct world *world, const struct item *item) {
    struct fault fault;
    const struct session *session = world_find_session(world, item->peer);
    const struct proto_command *command = &item->request->command;
    enum result result = RESULT_OK;
    if (session != NULL) {
        result = role_check(session->visitor->facts.role, command, &fault);
    }
    if (session != NULL && result == RESULT_OK && session->visitor->facts.posted) {
        result = posted_check(command->method, &fault);
    }
    if (result == RESULT_OK) {
        return true;
    }
    world_note_deed(world, session, command->method, result);
    world_send_fault(world, item->peer, &item->request->id, &fault);
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
        struct item *item = take_scheduled(world, &grant);
        if (world->access == NULL || access_holds(world->access, &grant)) {
            run_request(world, item);
        } else {
            fault_set(&fault, RESULT_DENIED, "", "the token that this request was given with was revoked or changed");
            world_note_deed(world, world_find_session(world, item->peer), item->request->command.method, RESULT_DENIED);
            world_send_fault(world, item->peer, &item->request->id, &fault);
        }
        item_destroy(item);
    }
}

// Applies one item and ends its life, unless it waits for its tick.
static void apply_item(struct world *world, struct item *item) {
    switch (item->kind) {
    case ITEM_JOIN:
        world_join(world, item->peer, item->visitor);
        break;
    case ITEM_LEAVE:
        world_leave(world, item->peer);
        world_let_go(world);
        break;
    case ITEM_CAPSULE:
        world_give_capsule(world, item->peer);
        break;
    case ITEM_REPLIES:
        world_take_replies(world, item);
        break;
    case ITEM_END:
        world_end(world);
        break;
    case ITEM_FAULT:
        world_send_fault(world, item->peer, &item->id, &item->fault);
        break;
    case ITEM_STARVED:
        engine_note_starved(world->engine, item->peer);
        break;
    case ITEM_SCENE:
        apply_scene(world, item);
        break;
    case ITEM_REQUEST:
        if (!is_allowed(world, item) || is_repeated(world, item)) {
            break;
        }
        if (schedule(world, item)) {
            return;
        }
        run_request(world, item);
        break;
    }
    item_destroy(item);
}

void world_intake(struct world *world) {
    void *items[256];
    size_t count;
    while ((count = queue_drain(&world->inbox, items, sizeof items / sizeof items[0])) > 0) {
        for (size_t i = 0; i < count; i++) {
            struct item *item = items[i];
            item->next = NULL;
            *world->pending_tail = item;
            world->pending_tail = &item->next;
        }
    }
}

static bool changes_world(const struct item *item) {
    return item->kind == ITEM_SCENE ||
           (item->kind == ITEM_REQUEST && proto_methods[item->request->command.method].kind == PROTO_KIND_CHANGE);
}

static bool waits_until_stored(const struct item *item) {
    return item->kind == ITEM_REQUEST && proto_methods[item->request->command.method].after_stored;
}

// Whether the item has to wait; then what its session sent after it waits too.
static bool must_wait(struct world *world, const struct item *item) {
    struct session *session = world_find_session(world, item->peer);
    if (item->kind == ITEM_SCENE) {
        return world->step.active;
    }
    if (session == NULL || item->kind == ITEM_STARVED || item->kind == ITEM_REPLIES) {
        return false;
    }
    if (item->kind == ITEM_LEAVE && world->step.active && world->step.peer == item->peer) {
        world->step.until_tick = sim_world_tick(world->engine->sim); // nobody waits for the rest
        world_finish_step(world);
    }
    if (item->kind == ITEM_REQUEST && item->request->command.method == PROTO_METHOD_WORLD_CANCEL) {
        return false; // a client that waits for its undo may cancel it
    }
    if (item->kind == ITEM_LEAVE) {
        rework_forget_client(world, session);
    }
    if (item->kind == ITEM_LEAVE && session->resume_id != NULL) {
        world_give_up_resume(world, session);
        return false;
    }
    if (session->held_back || session->waiting || (world->step.active && changes_world(item)) ||
        (waits_until_stored(item) && !history_is_settled(world, session))) {
        session->held_back = true;
        return true;
    }
    return false;
}

// Whether the request gets no reply, because its client has left or sent it behind a resume that was given up.
static bool is_orphan(struct world *world, const struct item *item) {
    const struct session *session = world_find_session(world, item->peer);
    return item->kind == ITEM_REQUEST && (session == NULL || session->discarded);
}

// One pass over what waits; true when the deadline came first.
static bool apply_pass(struct world *world, uint64_t deadline_ns) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        world->sessions[i].held_back = false;
    }
    struct item **place = &world->pending;
    while (*place != NULL && !travel_is_on(world)) {
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
        } else {
            apply_item(world, item);
        }
        if (pool_now_ns() >= deadline_ns) {
            return true;
        }
    }
    return false;
}

void world_go_on(struct world *world, struct session *session) {
    session->waiting = false;
    world->someone_goes_on = true;
}

bool world_apply_pending(struct world *world, uint64_t deadline_ns) {
    bool late = false;
    do {
        world->someone_goes_on = false; // what waited for it lies before it: look again from the start
        late = apply_pass(world, deadline_ns);
    } while (!late && world->someone_goes_on);
    return late && world->pending != NULL;
}
