// SPDX-License-Identifier: MIT
#include "engine/world/tick_record.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/client/client.h"
#include "engine/command/run.h"
#include "engine/command/scene_load.h"
#include "engine/record/record.h"
#include "engine/world/lockstep.h"
#include "engine/world/scene_record.h"
#include "proto/record/record_read.h"
#include "proto/record/record_write.h"
#include "sim/archive.h"

void engine_write_record(const struct engine_world *world, const struct engine_change *change, struct bytes *out) {
    bytes_add_u32(out, change->sequence);
    switch (change->kind) {
    case RECORD_COMMAND:
        engine_write_command(change->command, out);
        break;
    case RECORD_SCENE:
        bytes_add_u32(out, world->running ? 1 : 0);
        bytes_add_text(out, world->scene);
        break;
    case RECORD_RELEASE:
        bytes_add_u32(out, change->grab);
        break;
    case RECORD_CLOCK:
        bytes_add_u32(out, world->running ? 1 : 0);
        break;
    case RECORD_LOAD:
        engine_write_scene(world, out);
        break;
    }
}

// ---- applying records --------------------------------------------------------------------------------------------

static enum result refuse(struct fault *fault, const struct engine_record *record) {
    return fault_set(fault, RESULT_INVALID, "", "entry %llu of the log, of tick %llu, is none",
                     (unsigned long long)record->sequence, (unsigned long long)record->tick);
}

enum result engine_read_command(const struct engine_record *record, uint32_t *sequence, struct proto_request **request,
                                struct fault *fault) {
    struct bytes_reader in = {.data = record->data, .length = record->size};
    size_t length;
    const uint32_t before = bytes_take_u32(&in);
    const unsigned char *command = bytes_take_block(&in, &length);
    if (record->kind != RECORD_COMMAND || command == NULL || !bytes_are_read(&in)) {
        return refuse(fault, record);
    }
    const enum result result = proto_record_read(command, length, request, fault);
    if (result == RESULT_OK) {
        *sequence = before;
    }
    return result;
}

static enum result apply_command(struct engine_world *world, const struct engine_record *record, struct fault *fault) {
    struct proto_request *request = NULL;
    uint32_t sequence;
    enum result result = engine_read_command(record, &sequence, &request, fault);
    if (result != RESULT_OK || request == NULL) {
        return result;
    }
    if (proto_methods[request->command.method].kind == PROTO_KIND_CHANGE) {
        struct client sender = engine_logged_client(record->client);
        result = engine_apply_again(world, &sender, &request->command, fault);
    } else {
        result = refuse(fault, record);
    }
    proto_request_destroy(request);
    return result;
}

static enum result apply_load(struct engine_world *world, struct bytes_reader *in, struct fault *fault) {
    char name[ENGINE_NAME_MAX + 1];
    struct proto_request *request = NULL;
    enum result result = engine_take_scene(in, name, &request, fault);
    if (result == RESULT_OK) {
        result = engine_load_scene(world, name, request, fault);
    }
    if (result != RESULT_OK) {
        proto_request_destroy(request);
    }
    return result;
}

static enum result apply_release(struct engine_world *world, struct bytes_reader *in, struct fault *fault) {
    const enum result result = sim_grab_end(world->sim, bytes_take_u32(in), fault);
    engine_sweep_records(world);
    return result;
}

enum result engine_apply_record(struct engine_world *world, const struct engine_record *record, struct fault *fault) {
    struct bytes_reader in = {.data = record->data, .length = record->size};
    const uint32_t sequence = bytes_take_u32(&in);
    if (in.failed) {
        return refuse(fault, record);
    }
    lockstep_note_record(world, record);
    sim_world_skip_sequence(world->sim, sequence);
    switch (record->kind) {
    case RECORD_COMMAND:
        return apply_command(world, record, fault);
    case RECORD_RELEASE:
        return apply_release(world, &in, fault);
    case RECORD_LOAD:
        return apply_load(world, &in, fault);
    case RECORD_SCENE:
    case RECORD_CLOCK:
        world->running = bytes_take_u32(&in) != 0;
        return RESULT_OK;
    default:
        return refuse(fault, record);
    }
}
