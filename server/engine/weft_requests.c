// SPDX-License-Identifier: MIT
#include "engine/weft_requests.h"

#include <stdlib.h>

#include "engine/client/client.h"
#include "engine/client/role.h"
#include "engine/command/run.h"
#include "engine/state/event.h"
#include "engine/state/reply.h"
#include "engine/state/schedule.h"
#include "engine/state/tick.h"
#include "engine/weft_records.h"

#define PENDING_MAX 4096u

// ---- the queue ---------------------------------------------------------------------------------------------------

static void free_pending(struct pending *pending) {
    proto_request_destroy(pending->request);
    free(pending);
}

void weft_requests_init(struct weft_world *world) {
    world->pending_tail = &world->pending;
}

void weft_requests_free(struct weft_world *world) {
    while (world->pending != NULL) {
        struct pending *pending = world->pending;
        world->pending = pending->next;
        free_pending(pending);
    }
}

static enum result submit_one(struct weft_world *world, uint64_t client, const char *text, size_t length) {
    struct pending *pending = calloc(1, sizeof *pending);
    if (pending == NULL) {
        return RESULT_MEMORY;
    }
    pending->client = client;
    const enum result result = proto_request_parse(text, length, &pending->request, &pending->id, &pending->fault);
    if (result != RESULT_OK) {
        pending->request = NULL;
    } else {
        pending->id = pending->request->id;
    }
    pending->id.bundle = 0;
    *world->pending_tail = pending;
    world->pending_tail = &pending->next;
    world->pending_count++;
    return RESULT_OK;
}

enum result weft_requests_submit(struct weft_world *world, uint64_t client, const char *json, size_t length) {
    struct proto_slice elements[PROTO_ARRAY_MAX];
    struct fault fault;
    uint32_t count = 0;
    if (engine_find_client(world->engine, client) == NULL) {
        return RESULT_NOT_FOUND;
    }
    if (!proto_is_array(json, length)) {
        return world->pending_count == PENDING_MAX ? RESULT_BUSY : submit_one(world, client, json, length);
    }
    if (proto_array_split(json, length, elements, &count, &fault) != RESULT_OK) {
        const struct proto_id none = {.present = true, .text = "null"};
        engine_send_fault(world->engine, client, &none, &fault);
        return RESULT_OK;
    }
    if (world->pending_count + count > PENDING_MAX) {
        return RESULT_BUSY;
    }
    enum result result = RESULT_OK;
    for (uint32_t i = 0; result == RESULT_OK && i < count; i++) {
        result = submit_one(world, client, elements[i].text, elements[i].length);
    }
    return result;
}

// ---- applying ----------------------------------------------------------------------------------------------------

// Steps a world that stands: the reply comes after the last step.
static enum result begin_step(struct weft_world *world, const struct pending *pending, struct fault *fault) {
    const struct proto_world_step *params = pending->request->command.params;
    struct engine_world *engine = world->engine;
    if (engine->running) {
        return fault_set(fault, RESULT_STATE, "", "world.step needs a paused world: call world.pause first");
    }
    if (engine->stepping) {
        return fault_set(fault, RESULT_BUSY, "", "a world.step is under way: wait for its reply");
    }
    engine->stepping = true;
    world->step_until = sim_world_tick(engine->sim) + params->ticks;
    world->step_client = pending->client;
    world->step_id = pending->id;
    return RESULT_OK;
}

static enum result run(struct weft_world *world, const struct pending *pending, struct client *client, bool *deferred,
                       struct fault *fault) {
    struct engine_world *engine = world->engine;
    const struct proto_command *command = &pending->request->command;
    if (command->method == PROTO_METHOD_BATCH_RUN) {
        return engine_run_batch(engine, client, command->params, fault);
    }
    if (command->method == PROTO_METHOD_WORLD_STEP) {
        *deferred = true;
        return begin_step(world, pending, fault);
    }
    struct command_call call = {.world = engine,
                                .client = client,
                                .command = command,
                                .id = &pending->id,
                                .result = &engine->result,
                                .fault = fault};
    json_writer_clear(&engine->result);
    const enum result result = engine_run_command(&call);
    *deferred = call.deferred;
    return result;
}

static void apply(struct weft_world *world, const struct pending *pending) {
    struct engine_world *engine = world->engine;
    struct client *client = engine_find_client(engine, pending->client);
    struct fault fault = pending->fault;
    if (client == NULL) {
        return; // it has left
    }
    if (pending->request == NULL) {
        engine_send_fault(engine, pending->client, &pending->id, &fault);
        return;
    }
    const struct proto_command *command = &pending->request->command;
    const struct engine_change change = {
        .kind = RECORD_COMMAND, .command = command, .sequence = sim_world_sequence(engine->sim)};
    const bool changes =
        command->method == PROTO_METHOD_BATCH_RUN || proto_methods[command->method].kind == PROTO_KIND_CHANGE;
    const uint32_t number = client->number;
    const uint64_t tick = engine_next_tick(engine);
    bool deferred = false;
    enum result result = role_check(client->role, command, &fault);
    result = result == RESULT_OK ? run(world, pending, client, &deferred, &fault) : result;
    if (result != RESULT_OK) {
        engine_drop_events(engine);
        engine_send_fault(engine, pending->client, &pending->id, &fault);
        return;
    }
    if (changes && !deferred) {
        engine_settle(engine);
        weft_records_note(world, tick, number, &change);
    }
    if (!deferred) {
        engine_send_result(engine, pending->client, &pending->id, &engine->result);
    }
}

// Whether a request waits for a later tick. One whose tick has passed or is too far ahead is refused.
static bool waits(struct weft_world *world, struct pending *pending) {
    const struct proto_command *command = pending->request != NULL ? &pending->request->command : NULL;
    if (command == NULL || !command->has_at_tick) {
        return false;
    }
    if (pending->waits) {
        return command->at_tick > engine_next_tick(world->engine);
    }
    uint32_t own = 0, all = 0;
    for (const struct pending *other = world->pending; other != NULL; other = other->next) {
        all += other->waits ? 1 : 0;
        own += other->waits && other->client == pending->client ? 1 : 0;
    }
    const enum schedule answer = engine_schedule(world->engine, command, own, all, &pending->fault);
    if (answer == SCHEDULE_REFUSED) {
        proto_request_destroy(pending->request);
        pending->request = NULL;
    }
    pending->waits = answer == SCHEDULE_LATER;
    return pending->waits;
}

void weft_requests_apply(struct weft_world *world) {
    struct pending **place = &world->pending;
    while (*place != NULL) {
        struct pending *pending = *place;
        if (waits(world, pending)) {
            place = &pending->next;
            continue;
        }
        *place = pending->next;
        if (*place == NULL) {
            world->pending_tail = place;
        }
        world->pending_count--;
        apply(world, pending);
        free_pending(pending);
    }
    weft_records_flush(world);
}
