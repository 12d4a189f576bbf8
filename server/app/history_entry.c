// SPDX-License-Identifier: MIT
// Entries of the log as bytes, and applying them once more.
//
//   COMMAND  sequence u32, record block             RELEASE  sequence u32, grab u32
//   SCENE    sequence u32, running u32, name text   CLOCK    sequence u32, running u32
//
// `sequence` is the simulation's before the change; a record is a typed command (proto/record/record_write.h). What a
// scene's entry tells of lies in the snapshot before it, commands and all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/history.h"
#include "proto/record/record_read.h"
#include "proto/record/record_write.h"
#include "sim/archive.h"

static void add_record(const struct proto_command *command, struct bytes *out) {
    struct proto_bytes record = {0};
    const enum result result = proto_record_write(command, &record);
    bytes_add_block(out, record.data, record.length);
    out->failed = out->failed || result != RESULT_OK;
    proto_bytes_free(&record);
}

void history_write_scene(const struct world *world, struct bytes *out) {
    bytes_add_text(out, world->scene);
    const struct proto_batch_run *batch = world->scene_request != NULL ? world->scene_request->command.params : NULL;
    if (batch != NULL && batch->commands.count > 0) {
        add_record(&world->scene_request->command, out);
    } else {
        bytes_add_block(out, NULL, 0);
    }
}

void history_write_entry(const struct world *world, const struct history_change *change, struct bytes *out) {
    bytes_add_u32(out, change->sequence);
    switch (change->kind) {
    case HISTORY_COMMAND:
        add_record(change->command, out);
        break;
    case HISTORY_SCENE:
        bytes_add_u32(out, world->running ? 1 : 0);
        bytes_add_text(out, world->scene);
        break;
    case HISTORY_RELEASE:
        bytes_add_u32(out, change->grab);
        break;
    case HISTORY_CLOCK:
        bytes_add_u32(out, world->running ? 1 : 0);
        break;
    }
}

// ---- once more ---------------------------------------------------------------------------------------------------

static enum result refuse(struct fault *fault, const struct store_entry *entry) {
    return fault_set(fault, RESULT_INVALID, "", "entry %llu of the log, of tick %llu, is none",
                     (unsigned long long)entry->sequence, (unsigned long long)entry->tick);
}

enum result history_read_command(const struct store_entry *entry, uint32_t *sequence, struct proto_request **request,
                                 struct fault *fault) {
    struct bytes_reader in = {.data = entry->record.data, .length = entry->record.size};
    size_t length;
    const uint32_t before = bytes_take_u32(&in);
    const unsigned char *record = bytes_take_block(&in, &length);
    if (entry->kind != HISTORY_COMMAND || record == NULL || !bytes_are_read(&in)) {
        return refuse(fault, entry);
    }
    const enum result result = proto_record_read(record, length, request, fault);
    if (result == RESULT_OK) {
        *sequence = before;
    }
    return result;
}

static enum result apply_command(struct world *world, const struct store_entry *entry, struct fault *fault) {
    struct proto_request *request = NULL;
    uint32_t sequence;
    enum result result = history_read_command(entry, &sequence, &request, fault);
    if (result != RESULT_OK || request == NULL) {
        return result;
    }
    if (proto_methods[request->command.method].kind == PROTO_KIND_CHANGE) {
        struct session ghost = history_ghost(entry->client);
        result = world_apply_again(world, &ghost, &request->command, fault);
    } else {
        result = refuse(fault, entry);
    }
    proto_request_destroy(request);
    return result;
}

enum result history_read_scene(struct world *world, struct bytes_reader *in, struct fault *fault) {
    char name[CONFIG_SCENE_NAME_MAX + 1];
    size_t length;
    bytes_take_text(in, name, sizeof name);
    const unsigned char *record = bytes_take_block(in, &length);
    if (in->failed) {
        return fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: it names no scene");
    }
    struct proto_request *request = NULL;
    enum result result = length > 0 ? proto_record_read(record, length, &request, fault) : RESULT_OK;
    if (result == RESULT_OK && request != NULL && request->command.method != PROTO_METHOD_BATCH_RUN) {
        proto_request_destroy(request);
        result = fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: its scene is none");
    }
    if (result == RESULT_OK) {
        proto_request_destroy(world->scene_request);
        world->scene_request = request;
        snprintf(world->scene, sizeof world->scene, "%s", name);
    }
    return result;
}

static enum result apply_release(struct world *world, struct bytes_reader *in, struct fault *fault) {
    const enum result result = sim_grab_end(world->sim, bytes_take_u32(in), fault);
    world_sweep_records(world);
    return result;
}

enum result history_apply_entry(struct world *world, const struct store_entry *entry, struct fault *fault) {
    struct bytes_reader in = {.data = entry->record.data, .length = entry->record.size};
    const uint32_t sequence = bytes_take_u32(&in);
    if (in.failed) {
        return refuse(fault, entry);
    }
    sim_world_skip_sequence(world->sim, sequence);
    switch (entry->kind) {
    case HISTORY_COMMAND:
        return apply_command(world, entry, fault);
    case HISTORY_RELEASE:
        return apply_release(world, &in, fault);
    case HISTORY_SCENE:
    case HISTORY_CLOCK:
        world->running = bytes_take_u32(&in) != 0;
        return RESULT_OK;
    default:
        return refuse(fault, entry);
    }
}
