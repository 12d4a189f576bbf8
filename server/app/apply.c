// SPDX-License-Identifier: MIT
// Applying items: which may go now, one command, a batch, a scene, and batches that wait for their tick.
//
// All or nothing: a batch that fails is taken back by restoring a snapshot of the simulation; records and events need
// no undo, because records follow the simulation and events are held back until the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/flow.h"
#include "app/history.h"
#include "app/intake.h"
#include "app/posted.h"
#include "app/redo.h"
#include "app/replies.h"
#include "app/rework.h"
#include "app/roster.h"
#include "app/travel.h"
#include "base/log.h"

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

// ---- one command -------------------------------------------------------------------------------------------------

// Runs one command; its result is appended to `result` as one JSON object.
static enum result run_command(struct command_call *call) {
    const struct proto_method_info *method = &proto_methods[call->command->method];
    const uint32_t sequence = sim_world_sequence(call->world->sim);
    json_writer_open_object(call->result);
    enum result result = allowance_begin(call);
    if (result == RESULT_OK) {
        result = command_handlers[call->command->method](call);
        allowance_end(call, result);
    }
    if (result != RESULT_OK || call->deferred) {
        return result;
    }
    if (method->kind == PROTO_KIND_CHANGE) {
        json_writer_member_unsigned(call->result, "tick", command_next_tick(call->world));
    }
    if (sim_world_sequence(call->world->sim) != sequence && sim_world_last_capped(call->world->sim)) {
        json_writer_member_boolean(call->result, "capped", true);
    }
    json_writer_close_object(call->result);
    return RESULT_OK;
}

// After a success: what others see of it.
static void settle(struct world *world) {
    world_sweep_records(world);
    world_flush_events(world);
    world->revision++;
    world->frame_stale = true;
    atomic_fetch_add(&world->figures.commands, 1);
}

// ---- batches -----------------------------------------------------------------------------------------------------

// Puts the command to blame in front of a fault's pointer and message.
static void blame_command(struct fault *fault, uint32_t index, const char *method) {
    struct fault inner = *fault;
    char pointer[FAULT_POINTER_MAX + 40];
    snprintf(pointer, sizeof pointer, "/commands/%u/params%s", index, inner.pointer);
    pointer[FAULT_POINTER_MAX - 1] = '\0';
    fault_set(fault, inner.cause, pointer, "command %u (%s): %s", index, method, inner.message);
}

static enum result run_all(struct world *world, struct session *session, const struct proto_commands *commands,
                           uint32_t *made, struct json_writer *result, struct fault *fault) {
    static const struct proto_id no_id = {.present = false};
    for (uint32_t i = 0; i < commands->count; i++) {
        struct command_call call = {.world = world,
                                    .session = session,
                                    .command = &commands->items[i],
                                    .id = &no_id,
                                    .made = made,
                                    .result = result,
                                    .fault = fault};
        enum result ended = run_command(&call);
        if (ended != RESULT_OK) {
            blame_command(fault, i, proto_methods[commands->items[i].method].name);
            return ended;
        }
        made[i] = call.made_object;
    }
    return RESULT_OK;
}

// Runs commands in order, all or nothing; their results are appended as the elements of an open array.
enum result world_run_commands(struct world *world, struct session *session, const struct proto_commands *commands,
                               struct json_writer *result, struct fault *fault) {
    uint32_t *made = calloc(commands->count + 1, sizeof *made);
    struct sim_snapshot *before = NULL;
    enum result ended = made != NULL ? sim_world_save(world->sim, &before) : RESULT_MEMORY;
    if (ended != RESULT_OK) {
        free(made);
        return fault_set(fault, ended, "", "out of memory");
    }
    ended = run_all(world, session, commands, made, result, fault);
    world_end_looks(world, ended != RESULT_OK);
    if (ended != RESULT_OK) {
        sim_world_restore(world->sim, before);
        world_sweep_records(world);
        world_drop_events(world);
    }
    sim_snapshot_destroy(before);
    free(made);
    return ended;
}

// Logs what a client has changed, and answers it once that is stored.
static void note_change(struct world *world, const struct item *item, enum history_kind kind, uint32_t sequence) {
    struct session *session = world_find_session(world, item->peer);
    const struct history_change change = {.kind = kind,
                                          .session = session,
                                          .key = session != NULL ? session->key : item->key,
                                          .peer = item->peer,
                                          .id = item->request != NULL ? &item->request->id : &item->id,
                                          .command = item->request != NULL ? &item->request->command : NULL,
                                          .sequence = sequence,
                                          .result = &world->result};
    struct fault fault;
    const bool together = kind == HISTORY_SCENE && world->history != NULL && history_gather(world, &fault) == RESULT_OK;
    if (kind == HISTORY_SCENE) {
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
    const uint32_t sequence = sim_world_sequence(world->sim);
    struct fault fault;
    json_writer_clear(&world->result);
    json_writer_open_object(&world->result);
    json_writer_key(&world->result, "results");
    json_writer_open_array(&world->result);
    struct session *session = world_find_session(world, item->peer);
    enum result ended = accepts(world, session, &fault);
    if (ended == RESULT_OK) {
        playback_take_over(world);
        ended = world_run_commands(world, session, &params->commands, &world->result, &fault);
    }
    world_note_deed(world, session, PROTO_METHOD_BATCH_RUN, ended);
    if (ended != RESULT_OK) {
        world_send_fault(world, item->peer, &item->request->id, &fault);
        return;
    }
    json_writer_close_array(&world->result);
    json_writer_member_unsigned(&world->result, "tick", command_next_tick(world));
    json_writer_close_object(&world->result);
    settle(world);
    note_change(world, item, HISTORY_COMMAND, sequence);
}

enum result world_apply_again(struct world *world, struct session *session, const struct proto_command *command,
                              struct fault *fault) {
    static const struct proto_id no_id = {.present = false};
    struct command_call call = {
        .world = world, .session = session, .command = command, .id = &no_id, .result = &world->result, .fault = fault};
    const struct proto_batch_run *batch = command->params;
    json_writer_clear(&world->result);
    json_writer_open_array(&world->result);
    const enum result result = command->method == PROTO_METHOD_BATCH_RUN
                                   ? world_run_commands(world, session, &batch->commands, &world->result, fault)
                                   : run_command(&call);
    world_sweep_records(world);
    if (world->aloud && result == RESULT_OK) {
        world_flush_events(world);
    }
    world_drop_events(world);
    return result;
}

// Whether this batch of a named session waits for its tick already: then this peer is answered.
static bool is_scheduled(struct world *world, const struct session *session, const struct item *item) {
    for (struct scheduled_batch *batch = world->scheduled; batch != NULL; batch = batch->next) {
        if (strcmp(batch->item->key, session->key) == 0 &&
            strcmp(batch->item->request->id.text, item->request->id.text) == 0) {
            batch->item->peer = item->peer;
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

// Takes the item if its batch is for a later tick.
static bool schedule_batch(struct world *world, struct item *item) {
    const struct proto_batch_run *params = item->request->command.params;
    uint64_t next = command_next_tick(world);
    if (!params->has_at_tick || params->at_tick == next) {
        return false;
    }
    struct fault fault;
    struct scheduled_batch *batch = NULL;
    if (params->at_tick < next) {
        fault_set(&fault, RESULT_INVALID, "/atTick", "atTick must be at least %llu, the next tick, got %llu",
                  (unsigned long long)next, (unsigned long long)params->at_tick);
    } else if (world->scheduled_count == WORLD_SCHEDULED_MAX) {
        fault_set(&fault, RESULT_BUSY, "/atTick",
                  "%u batches wait for their tick already: try again when some are done", WORLD_SCHEDULED_MAX);
    } else if ((batch = calloc(1, sizeof *batch)) == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
    }
    if (batch == NULL) {
        world_send_fault(world, item->peer, &item->request->id, &fault);
        item_destroy(item);
        return true;
    }
    const struct session *session = world_find_session(world, item->peer);
    if (session != NULL) {
        memcpy(item->key, session->key, sizeof item->key); // it may leave and come back until then
        batch->grant.role = session->visitor->facts.role;
        memcpy(batch->grant.token, session->visitor->facts.token, sizeof batch->grant.token);
    }
    batch->at_tick = params->at_tick;
    batch->item = item;
    item_leave_flow(item);
    struct scheduled_batch **place = &world->scheduled;
    while (*place != NULL && (*place)->at_tick <= batch->at_tick) {
        place = &(*place)->next;
    }
    batch->next = *place;
    *place = batch;
    world->scheduled_count++;
    return true;
}

static struct item *take_scheduled(struct world *world, struct grant *grant) {
    struct scheduled_batch *batch = world->scheduled;
    struct item *item = batch->item;
    *grant = batch->grant;
    world->scheduled = batch->next;
    world->scheduled_count--;
    free(batch);
    return item;
}

void world_apply_scheduled(struct world *world) {
    struct grant grant;
    struct fault fault;
    while (world->scheduled != NULL && world->scheduled->at_tick <= command_next_tick(world)) {
        struct item *item = take_scheduled(world, &grant);
        if (world->access == NULL || access_holds(world->access, &grant)) {
            run_batch(world, item);
        } else {
            fault_set(&fault, RESULT_DENIED, "", "the token that this batch was given with was revoked or changed");
            world_send_fault(world, item->peer, &item->request->id, &fault);
        }
        item_destroy(item);
    }
}

// ---- scenes ------------------------------------------------------------------------------------------------------

void world_refuse_scheduled(struct world *world) {
    struct fault fault;
    fault_set(&fault, RESULT_STATE, "/atTick", "the world began anew before this batch's tick");
    while (world->scheduled != NULL) {
        struct grant grant;
        struct item *item = take_scheduled(world, &grant);
        world_send_fault(world, item->peer, &item->request->id, &fault);
        item_destroy(item);
    }
}

static void apply_scene(struct world *world, struct item *item) {
    struct session *session = world_find_session(world, item->peer);
    if (session != NULL) {
        world_go_on(world, session);
    }
    const uint32_t sequence = sim_world_sequence(world->sim);
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
    world_tell_changed_by(world, "load", session);
    settle(world);
    json_writer_clear(&world->result);
    json_writer_open_object(&world->result);
    json_writer_member_unsigned(&world->result, "firstId", sequence + 1);
    json_writer_member_unsigned(&world->result, "tick", command_next_tick(world));
    json_writer_close_object(&world->result);
    note_change(world, item, HISTORY_SCENE, sequence);
}

// ---- items -------------------------------------------------------------------------------------------------------

static void apply_request(struct world *world, const struct item *item) {
    struct fault fault;
    struct command_call call = {.world = world,
                                .session = world_find_session(world, item->peer),
                                .command = &item->request->command,
                                .id = &item->request->id,
                                .result = &world->result,
                                .fault = &fault};
    const bool changes = proto_methods[call.command->method].kind == PROTO_KIND_CHANGE;
    const uint32_t sequence = sim_world_sequence(world->sim);
    json_writer_clear(&world->result);
    enum result result = changes ? accepts(world, call.session, &fault) : RESULT_OK;
    if (result == RESULT_OK && changes && playback_is_left_by(call.command->method)) {
        playback_take_over(world);
    }
    if (result == RESULT_OK) {
        result = run_command(&call);
    }
    world_note_deed(world, call.session, call.command->method, result);
    if (result != RESULT_OK) {
        world_drop_events(world);
        world_send_fault(world, item->peer, call.id, &fault);
    } else if (changes && !call.deferred) {
        settle(world);
        const bool anew = call.command->method == PROTO_METHOD_WORLD_RESET;
        note_change(world, item, anew ? HISTORY_SCENE : HISTORY_COMMAND, sequence);
    } else if (!call.deferred) {
        world_send_result(world, item->peer, call.id, &world->result);
    }
}

// Whether its sender may ask for that; refuses it otherwise. Commands of nobody (a scene's) are not asked about.
static bool is_allowed(struct world *world, const struct item *item) {
    struct fault fault;
    const struct session *session = world_find_session(world, item->peer);
    const struct proto_command *command = &item->request->command;
    enum result result = RESULT_OK;
    if (session != NULL) {
        result = access_check(session->visitor->facts.role, command, &fault);
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
        world_feed_starved(world, item->peer);
        break;
    case ITEM_SCENE:
        apply_scene(world, item);
        break;
    case ITEM_REQUEST:
        if (!is_allowed(world, item) || is_repeated(world, item)) {
            break;
        }
        if (item->request->command.method != PROTO_METHOD_BATCH_RUN) {
            apply_request(world, item);
        } else if (schedule_batch(world, item)) {
            return;
        } else {
            run_batch(world, item);
        }
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
        world->step.until_tick = sim_world_tick(world->sim); // nobody waits for the rest
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
