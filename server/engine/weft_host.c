// SPDX-License-Identifier: MIT
#include "engine/weft_host.h"

#include <string.h>

#include "base/arena.h"
#include "engine/client/client.h"
#include "engine/client/role.h"
#include "engine/describe/scene.h"
#include "engine/state/event.h"
#include "engine/state/reply.h"
#include "engine/world/engine_world.h"
#include "engine/world/membership.h"
#include "engine/world/opposite.h"
#include "engine/world/tick_message.h"
#include "proto/gen/methods.h"
#include "proto/json/json_check.h"
#include "sim/archive.h"

// ---- methods that the host answers -------------------------------------------------------------------------------

bool weft_host_check(struct weft_world *world, uint64_t client, const char *json, size_t length) {
    const struct client *sender = engine_find_client(world->engine, client);
    struct proto_request *request = NULL;
    struct proto_id id = {.present = false};
    struct fault fault = {0};
    if (sender == NULL) {
        return false;
    }
    enum result result = proto_request_parse(json, length, &request, &id, &fault);
    if (result == RESULT_OK) {
        id = request->id;
        result = role_check(sender->role, &request->command, &fault);
        proto_request_destroy(request);
    }
    if (result != RESULT_OK) {
        engine_send_fault(world->engine, client, &id, &fault);
    }
    return result == RESULT_OK;
}

enum result weft_host_event(struct weft_world *world, const char *name, const char *params, struct fault *fault) {
    struct engine_world *engine = world->engine;
    struct arena arena;
    const char *compact = NULL;
    size_t length = 0;
    unsigned event = 0;
    while (event < PROTO_EVENT_NAME_COUNT && strcmp(proto_event_names[event], name) != 0) {
        event++;
    }
    if (event == PROTO_EVENT_NAME_COUNT) {
        return fault_set(fault, RESULT_INVALID, "/name", "there is no event \"%.64s\"", name);
    }
    arena_init(&arena);
    enum result result = json_check_compact(params, strlen(params), &arena, &compact, &length, fault);
    if (result == RESULT_PARSE || (result == RESULT_OK && compact[0] != '{')) {
        result = fault_set(fault, RESULT_INVALID, "/params", "params must be a JSON object");
    }
    if (result == RESULT_OK && engine_wants_event(engine, (enum proto_event_name)event)) {
        json_writer_clear(&engine->text);
        json_writer_raw(&engine->text, compact, length);
        engine_queue_event(engine, (enum proto_event_name)event, &engine->text);
        engine_flush_events(engine);
    }
    arena_free(&arena);
    return result;
}

// ---- computing a past again --------------------------------------------------------------------------------------

static enum result apply_again(struct weft_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct engine_world *engine = world->engine;
    struct bytes_reader in;
    struct tick_message_head head;
    struct engine_record record;
    enum result result = tick_message_open(bytes, length, &in, &head, fault);
    if (result == RESULT_OK && head.physics != SIM_PHYSICS_VERSION) {
        result = fault_set(fault, RESULT_INVALID, "",
                           "the records are of physics version %u, this engine computes version %u", head.physics,
                           SIM_PHYSICS_VERSION);
    }
    for (uint32_t i = 0; result == RESULT_OK && i < head.count; i++) {
        if (!tick_message_next(&in, head.tick, &record)) {
            return fault_set(fault, RESULT_DAMAGED, "", "the records of tick %llu are cut off",
                             (unsigned long long)head.tick);
        }
        result = engine_apply_record(engine, &record, fault);
        world->sequence = record.sequence;
    }
    return result;
}

enum result weft_host_replay(struct weft_world *world, const void *bytes, size_t length, uint32_t ticks,
                             struct fault *fault) {
    struct engine_world *engine = world->engine;
    engine->replaying = true;
    const enum result result = length > 0 ? apply_again(world, bytes, length, fault) : RESULT_OK;
    for (uint32_t i = 0; result == RESULT_OK && i < ticks; i++) {
        sim_world_step(engine->sim);
    }
    engine->replaying = false;
    return result;
}

void weft_host_show(struct weft_world *world, bool past) {
    struct engine_world *engine = world->engine;
    engine->shows_past = past;
    sim_world_renew_epoch(engine->sim, engine->published_epoch);
    engine_claim_orphaned_grabs(engine);
    engine_show_anew(engine);
}

// ---- scenes ------------------------------------------------------------------------------------------------------

const char *weft_host_scene_commands(const struct weft_world *world, size_t *length) {
    const struct proto_request *scene = world->engine->scene_request;
    *length = scene != NULL ? scene->command.params_length : 0;
    return scene != NULL ? scene->command.params_text : NULL;
}

const char *weft_host_scene_text(struct weft_world *world, const char *title, size_t *length, uint32_t *commands) {
    struct json_writer *text = &world->engine->result;
    json_writer_clear(text);
    *commands = describe_scene(world->engine, title, text);
    *length = text->length;
    return json_writer_failed(text) ? NULL : text->data;
}

// ---- records as text ---------------------------------------------------------------------------------------------

// Ids are the numbers of the commands that made things, and every command that may stand in a batch takes one.
static void list_made(const struct proto_command *command, uint32_t sequence, struct json_writer *out) {
    const struct proto_batch_run *batch = command->method == PROTO_METHOD_BATCH_RUN ? command->params : NULL;
    const struct proto_command *items = batch != NULL ? batch->commands.items : command;
    const uint32_t count = batch != NULL ? batch->commands.count : 1;
    json_writer_key(out, "made");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < count; i++) {
        if (proto_methods[items[i].method].makes != PROTO_MAKES_NOTHING) {
            json_writer_unsigned(out, sequence + 1 + i);
        }
    }
    json_writer_close_array(out);
}

static enum result write_command(const struct engine_record *record, struct json_writer *out, struct fault *fault) {
    struct proto_request *request = NULL;
    uint32_t sequence = 0;
    const enum result result = engine_read_command(record, &sequence, &request, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct proto_command *command = &request->command;
    const uint32_t object = command_object_of(command);
    json_writer_member_string(out, "method", proto_methods[command->method].name);
    json_writer_key(out, "params");
    json_writer_raw(out, command->params_text, command->params_length);
    list_made(command, sequence, out);
    if (object != 0) {
        json_writer_member_unsigned(out, "object", object);
    }
    if (proto_methods[command->method].clock) {
        json_writer_member_boolean(out, "clock", true);
    }
    proto_request_destroy(request);
    return RESULT_OK;
}

static enum result write_record(const struct engine_record *record, struct json_writer *out, struct fault *fault) {
    static const char *const kinds[] = {[RECORD_COMMAND] = "command",
                                        [RECORD_SCENE] = "scene",
                                        [RECORD_RELEASE] = "release",
                                        [RECORD_CLOCK] = "clock",
                                        [RECORD_LOAD] = "load"};
    struct bytes_reader in = {.data = record->data, .length = record->size};
    char name[ENGINE_NAME_MAX + 1] = "";
    const uint32_t number = bytes_take_u32(&in);
    if (record->kind >= sizeof kinds / sizeof kinds[0] || kinds[record->kind] == NULL || in.failed) {
        return fault_set(fault, RESULT_DAMAGED, "", "record %llu is none", (unsigned long long)record->sequence);
    }
    json_writer_open_object(out);
    json_writer_member_string(out, "kind", kinds[record->kind]);
    json_writer_member_unsigned(out, "client", record->client);
    json_writer_member_unsigned(out, "number", number);
    enum result result = RESULT_OK;
    switch ((enum record_kind)record->kind) {
    case RECORD_COMMAND:
        result = write_command(record, out, fault);
        break;
    case RECORD_RELEASE:
        json_writer_member_unsigned(out, "grab", bytes_take_u32(&in));
        break;
    case RECORD_SCENE:
        json_writer_member_boolean(out, "running", bytes_take_u32(&in) != 0);
        bytes_take_text(&in, name, sizeof name);
        json_writer_member_string(out, "name", name);
        break;
    case RECORD_CLOCK:
        json_writer_member_boolean(out, "running", bytes_take_u32(&in) != 0);
        break;
    case RECORD_LOAD:
        bytes_take_text(&in, name, sizeof name);
        json_writer_member_string(out, "name", name);
        break;
    }
    json_writer_close_object(out);
    if (result == RESULT_OK && in.failed) {
        result = fault_set(fault, RESULT_DAMAGED, "", "record %llu is cut off", (unsigned long long)record->sequence);
    }
    return result;
}

enum result weft_host_record_text(struct weft_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct json_writer *out = &world->engine->result;
    struct bytes_reader in;
    struct tick_message_head head;
    struct engine_record record;
    enum result result = tick_message_open(bytes, length, &in, &head, fault);
    json_writer_clear(out);
    json_writer_open_array(out);
    for (uint32_t i = 0; result == RESULT_OK && i < head.count; i++) {
        result = tick_message_next(&in, head.tick, &record)
                     ? write_record(&record, out, fault)
                     : fault_set(fault, RESULT_DAMAGED, "", "the records of tick %llu are cut off",
                                 (unsigned long long)head.tick);
    }
    json_writer_close_array(out);
    if (result == RESULT_OK && json_writer_failed(out)) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    return result;
}
