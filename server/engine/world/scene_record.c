// SPDX-License-Identifier: MIT
#include "engine/world/scene_record.h"

#include <stdio.h>

#include "proto/record/record_read.h"
#include "proto/record/record_write.h"

void engine_write_command(const struct proto_command *command, struct bytes *out) {
    struct bytes record = {0};
    const enum result result = proto_record_write(command, &record);
    bytes_add_block(out, record.data, record.length);
    out->failed = out->failed || result != RESULT_OK;
    bytes_free(&record);
}

void engine_write_scene(const struct engine_world *world, struct bytes *out) {
    bytes_add_text(out, world->scene);
    const struct proto_batch_run *batch = world->scene_request != NULL ? world->scene_request->command.params : NULL;
    if (batch != NULL && batch->commands.count > 0) {
        engine_write_command(&world->scene_request->command, out);
    } else {
        bytes_add_block(out, NULL, 0);
    }
}

enum result engine_take_scene(struct bytes_reader *in, char name[ENGINE_NAME_MAX + 1], struct proto_request **request,
                              struct fault *fault) {
    size_t length;
    bytes_take_text(in, name, ENGINE_NAME_MAX + 1);
    const unsigned char *record = bytes_take_block(in, &length);
    if (in->failed) {
        return fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: it names no scene");
    }
    enum result result = length > 0 ? proto_record_read(record, length, request, fault) : RESULT_OK;
    if (result == RESULT_OK && *request != NULL && (*request)->command.method != PROTO_METHOD_BATCH_RUN) {
        proto_request_destroy(*request);
        *request = NULL;
        result = fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: its scene is none");
    }
    return result;
}

enum result engine_read_scene(struct engine_world *world, struct bytes_reader *in, struct fault *fault) {
    char name[ENGINE_NAME_MAX + 1];
    struct proto_request *request = NULL;
    const enum result result = engine_take_scene(in, name, &request, fault);
    if (result == RESULT_OK) {
        proto_request_destroy(world->scene_request);
        world->scene_request = request;
        snprintf(world->scene, sizeof world->scene, "%s", name);
    }
    return result;
}
