// SPDX-License-Identifier: MIT
// All or nothing: a batch that fails is taken back by restoring a snapshot of the simulation. Records need no undo of
// their own, because they follow the simulation; events are held back until the end.
#include "engine/command/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/command/command.h"
#include "engine/command/quota.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"

// ---- one command -------------------------------------------------------------------------------------------------

// Runs one command; its result is appended to `result` as one JSON object.
enum result engine_run_command(struct command_call *call) {
    const struct proto_method_info *method = &proto_methods[call->command->method];
    const uint32_t sequence = sim_world_sequence(call->world->sim);
    if (command_handlers[call->command->method] == NULL) { // also of a record that a stranger has made
        return fault_set(call->fault, RESULT_STATE, "",
                         "%s needs a server: this world has no tokens, files, history or other worlds", method->name);
    }
    json_writer_open_object(call->result);
    enum result result = quota_begin(call);
    if (result == RESULT_OK) {
        result = command_handlers[call->command->method](call);
        quota_end(call, result);
    }
    if (result != RESULT_OK || call->deferred) {
        return result;
    }
    if (method->kind == PROTO_KIND_CHANGE) {
        json_writer_member_unsigned(call->result, "tick", engine_next_tick(call->world));
    }
    if (sim_world_sequence(call->world->sim) != sequence && sim_world_last_capped(call->world->sim)) {
        json_writer_member_boolean(call->result, "capped", true);
    }
    json_writer_close_object(call->result);
    return RESULT_OK;
}

// After a success: what others see of it.
void engine_settle(struct engine_world *world) {
    engine_sweep_records(world);
    engine_flush_events(world);
    world->revision++;
    world->frame_stale = true;
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

static enum result run_all(struct engine_world *world, struct client *client, const struct proto_commands *commands,
                           uint32_t *made, struct json_writer *result, struct fault *fault) {
    static const struct proto_id no_id = {.present = false};
    for (uint32_t i = 0; i < commands->count; i++) {
        struct command_call call = {.world = world,
                                    .client = client,
                                    .command = &commands->items[i],
                                    .id = &no_id,
                                    .made = made,
                                    .result = result,
                                    .fault = fault};
        enum result ended = engine_run_command(&call);
        if (ended != RESULT_OK) {
            blame_command(fault, i, proto_methods[commands->items[i].method].name);
            return ended;
        }
        made[i] = call.made_object;
    }
    return RESULT_OK;
}

// Runs commands in order, all or nothing; their results are appended as the elements of an open array.
enum result engine_run_commands(struct engine_world *world, struct client *client,
                                const struct proto_commands *commands, struct json_writer *result,
                                struct fault *fault) {
    uint32_t *made = calloc(commands->count + 1, sizeof *made);
    struct sim_snapshot *before = NULL;
    enum result ended = made != NULL ? sim_world_save(world->sim, &before) : RESULT_MEMORY;
    if (ended != RESULT_OK) {
        free(made);
        return fault_set(fault, ended, "", "out of memory");
    }
    ended = run_all(world, client, commands, made, result, fault);
    engine_end_looks(world, ended != RESULT_OK);
    if (ended != RESULT_OK) {
        sim_world_restore(world->sim, before);
        engine_sweep_records(world);
        engine_drop_events(world);
    }
    sim_snapshot_destroy(before);
    free(made);
    return ended;
}

enum result engine_run_batch(struct engine_world *world, struct client *client, const struct proto_batch_run *params,
                             struct fault *fault) {
    json_writer_clear(&world->result);
    json_writer_open_object(&world->result);
    json_writer_key(&world->result, "results");
    json_writer_open_array(&world->result);
    const enum result result = engine_run_commands(world, client, &params->commands, &world->result, fault);
    if (result == RESULT_OK) {
        json_writer_close_array(&world->result);
        json_writer_member_unsigned(&world->result, "tick", engine_next_tick(world));
        json_writer_close_object(&world->result);
    }
    return result;
}

enum result engine_apply_again(struct engine_world *world, struct client *client, const struct proto_command *command,
                               struct fault *fault) {
    static const struct proto_id no_id = {.present = false};
    struct command_call call = {
        .world = world, .client = client, .command = command, .id = &no_id, .result = &world->result, .fault = fault};
    const struct proto_batch_run *batch = command->params;
    json_writer_clear(&world->result);
    json_writer_open_array(&world->result);
    const enum result result = command->method == PROTO_METHOD_BATCH_RUN
                                   ? engine_run_commands(world, client, &batch->commands, &world->result, fault)
                                   : engine_run_command(&call);
    engine_sweep_records(world);
    if (world->tells_events && result == RESULT_OK) {
        engine_flush_events(world);
    }
    engine_drop_events(world);
    return result;
}
