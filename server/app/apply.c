// SPDX-License-Identifier: MIT
// Applying items: which may go now, one command, a batch, a scene, and batches that wait for their tick.
//
// All or nothing: a batch that fails is taken back by restoring a snapshot of the simulation; records and events need
// no undo, because records follow the simulation and events are held back until the end.
#include <stdio.h>
#include <stdlib.h>

#include "app/command.h"
#include "app/flow.h"
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
        proto_request_destroy(item->request);
        free(item);
    }
}

// ---- one command -------------------------------------------------------------------------------------------------

// Runs one command; its result is appended to `result` as one JSON object.
static enum result run_command(struct command_call *call) {
    const struct proto_method_info *method = &proto_methods[call->command->method];
    const uint32_t sequence = sim_world_sequence(call->world->sim);
    proto_text_open_object(call->result);
    enum result result = command_handlers[call->command->method](call);
    if (result != RESULT_OK || call->deferred) {
        return result;
    }
    if (method->kind == PROTO_KIND_CHANGE) {
        proto_text_member_unsigned(call->result, "tick", command_next_tick(call->world));
    }
    if (sim_world_sequence(call->world->sim) != sequence && sim_world_last_capped(call->world->sim)) {
        proto_text_member_boolean(call->result, "capped", true);
    }
    proto_text_close_object(call->result);
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
                           uint32_t *made, struct proto_text *result, struct fault *fault) {
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
static enum result run_commands(struct world *world, struct session *session, const struct proto_commands *commands,
                                struct proto_text *result, struct fault *fault) {
    uint32_t *made = calloc(commands->count + 1, sizeof *made);
    struct sim_snapshot *before = NULL;
    enum result ended = made != NULL ? sim_world_save(world->sim, &before) : RESULT_MEMORY;
    if (ended != RESULT_OK) {
        free(made);
        return fault_set(fault, ended, "", "out of memory");
    }
    ended = run_all(world, session, commands, made, result, fault);
    if (ended != RESULT_OK) {
        sim_world_restore(world->sim, before);
        world_sweep_records(world);
        world_drop_events(world);
    }
    sim_snapshot_destroy(before);
    free(made);
    return ended;
}

static void run_batch(struct world *world, const struct item *item) {
    const struct proto_batch_run *params = item->request->command.params;
    struct fault fault;
    proto_text_clear(&world->result);
    proto_text_open_object(&world->result);
    proto_text_key(&world->result, "results");
    proto_text_open_array(&world->result);
    if (run_commands(world, world_find_session(world, item->peer), &params->commands, &world->result, &fault) !=
        RESULT_OK) {
        world_send_fault(world, item->peer, &item->request->id, &fault);
        return;
    }
    proto_text_close_array(&world->result);
    proto_text_member_unsigned(&world->result, "tick", command_next_tick(world));
    proto_text_close_object(&world->result);
    settle(world);
    world_send_result(world, item->peer, &item->request->id, &world->result);
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

static struct item *take_scheduled(struct world *world) {
    struct scheduled_batch *batch = world->scheduled;
    struct item *item = batch->item;
    world->scheduled = batch->next;
    world->scheduled_count--;
    free(batch);
    return item;
}

void world_apply_scheduled(struct world *world) {
    while (world->scheduled != NULL && world->scheduled->at_tick <= command_next_tick(world)) {
        struct item *item = take_scheduled(world);
        run_batch(world, item);
        item_destroy(item);
    }
}

// ---- scenes ------------------------------------------------------------------------------------------------------

static void refuse_scheduled(struct world *world) {
    struct fault fault;
    fault_set(&fault, RESULT_STATE, "/atTick", "the world began anew before this batch's tick");
    while (world->scheduled != NULL) {
        struct item *item = take_scheduled(world);
        world_send_fault(world, item->peer, &item->request->id, &fault);
        item_destroy(item);
    }
}

// The world's records are kept aside while the scene's commands make new ones, to come back if they fail.
struct records_aside {
    struct object_record *objects;
    struct obstacle_record *obstacles;
    struct grab_record *grabs;
    uint32_t object_count, object_capacity, obstacle_count, obstacle_capacity, grab_count, grab_capacity;
};

static struct records_aside put_records_aside(struct world *world) {
    struct records_aside aside = {world->objects,           world->obstacles,       world->grabs,
                                  world->object_count,      world->object_capacity, world->obstacle_count,
                                  world->obstacle_capacity, world->grab_count,      world->grab_capacity};
    world->objects = NULL;
    world->obstacles = NULL;
    world->grabs = NULL;
    world->object_count = world->object_capacity = 0;
    world->obstacle_count = world->obstacle_capacity = 0;
    world->grab_count = world->grab_capacity = 0;
    return aside;
}

// A scene makes no grabs, so the old ones come back in either case: they are swept, and told of, when they have gone.
static void bring_grabs_back(struct world *world, const struct records_aside *aside) {
    world->grabs = aside->grabs;
    world->grab_count = aside->grab_count;
    world->grab_capacity = aside->grab_capacity;
}

static void bring_records_back(struct world *world, const struct records_aside *aside) {
    object_records_free(world->objects, world->object_count);
    free(world->obstacles);
    world->objects = aside->objects;
    world->object_count = aside->object_count;
    world->object_capacity = aside->object_capacity;
    world->obstacles = aside->obstacles;
    world->obstacle_count = aside->obstacle_count;
    world->obstacle_capacity = aside->obstacle_capacity;
}

// Empties the world and runs the scene's commands; on a fault everything is as it was.
static enum result build_scene(struct world *world, const struct proto_request *scene, struct fault *fault) {
    struct sim_snapshot *before = NULL;
    if (sim_world_save(world->sim, &before) != RESULT_OK) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    struct records_aside aside = put_records_aside(world);
    sim_world_clear(world->sim);
    enum result result = RESULT_OK;
    if (scene != NULL) {
        const struct proto_batch_run *params = scene->command.params;
        struct proto_text results; // nobody asked for them
        proto_text_init(&results);
        proto_text_open_array(&results);
        result = run_commands(world, NULL, &params->commands, &results, fault);
        proto_text_free(&results);
    }
    bring_grabs_back(world, &aside);
    if (result == RESULT_OK) {
        object_records_free(aside.objects, aside.object_count);
        free(aside.obstacles);
        world_drop_events(world);   // the new topology tells it all
        world_sweep_records(world); // but grabs went with what they held
        refuse_scheduled(world);
        world->publish_whole = true;
        world->revision++;
        world->second_start_ns = 0;
    } else {
        sim_world_restore(world->sim, before);
        bring_records_back(world, &aside);
    }
    sim_snapshot_destroy(before);
    return result;
}

enum result world_load_scene(struct world *world, const char *name, struct proto_request *take, struct fault *fault) {
    struct fault found;
    enum result result = build_scene(world, take, &found);
    if (result != RESULT_OK) {
        return fault_set(fault, result, found.pointer, "scene \"%s\": %s", name, found.message);
    }
    if (take != world->scene_request) {
        proto_request_destroy(world->scene_request);
    }
    world->scene_request = take;
    snprintf(world->scene, sizeof world->scene, "%s", name);
    return RESULT_OK;
}

enum result world_reset_scene(struct world *world, struct fault *fault) {
    return build_scene(world, world->scene_request, fault);
}

static void apply_scene(struct world *world, struct item *item) {
    struct session *session = world_find_session(world, item->peer);
    if (session != NULL) {
        session->waiting = false;
    }
    enum result result = RESULT_IO;
    if (item->request != NULL) {
        result = world_load_scene(world, item->scene, item->request, &item->fault);
    }
    if (result != RESULT_OK) {
        world_send_fault(world, item->peer, &item->id, &item->fault);
        return;
    }
    item->request = NULL; // the world keeps it
    world_tell_loaded(world);
    settle(world);
    proto_text_clear(&world->result);
    proto_text_open_object(&world->result);
    proto_text_member_unsigned(&world->result, "tick", command_next_tick(world));
    proto_text_close_object(&world->result);
    world_send_result(world, item->peer, &item->id, &world->result);
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
    proto_text_clear(&world->result);
    if (run_command(&call) != RESULT_OK) {
        world_drop_events(world);
        world_send_fault(world, item->peer, call.id, &fault);
        return;
    }
    if (proto_methods[call.command->method].kind == PROTO_KIND_CHANGE && !call.deferred) {
        settle(world);
    }
    if (!call.deferred) {
        world_send_result(world, item->peer, call.id, &world->result);
    }
}

// Applies one item and ends its life, unless it waits for its tick.
static void apply_item(struct world *world, struct item *item) {
    switch (item->kind) {
    case ITEM_JOIN:
        world_join(world, item->peer);
        break;
    case ITEM_LEAVE:
        world_leave(world, item->peer);
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

// Whether the item has to wait; then what its session sent after it waits too.
static bool must_wait(struct world *world, const struct item *item) {
    struct session *session = world_find_session(world, item->peer);
    if (item->kind == ITEM_SCENE) {
        return world->step.active;
    }
    if (session == NULL || item->kind == ITEM_STARVED) {
        return false;
    }
    if (item->kind == ITEM_LEAVE && world->step.active && world->step.peer == item->peer) {
        world->step.until_tick = sim_world_tick(world->sim); // nobody waits for the rest
        world_finish_step(world);
    }
    if (session->held_back || session->waiting || (world->step.active && changes_world(item))) {
        session->held_back = true;
        return true;
    }
    return false;
}

// An item of a client that has left without a trace; joins come before there is a session.
static bool is_orphan(struct world *world, const struct item *item) {
    return item->kind == ITEM_REQUEST && world_find_session(world, item->peer) == NULL;
}

// One pass over what waits; true when the deadline came first.
static bool apply_pass(struct world *world, uint64_t deadline_ns) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        world->sessions[i].held_back = false;
    }
    struct item **place = &world->pending;
    while (*place != NULL) {
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

bool world_apply_pending(struct world *world, uint64_t deadline_ns) {
    bool late = false;
    do {
        world->step_ended = false; // an end lets go what waited for it: look again from the start
        late = apply_pass(world, deadline_ns);
    } while (!late && world->step_ended);
    return late && world->pending != NULL;
}
