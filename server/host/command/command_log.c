// SPDX-License-Identifier: MIT
// What a program needs to do again what was done in a world: its scene, the commands since with the ids they made, and
// tick and hash of what came of it (world.log).
//
// Tick, hash and the last entry that counts are taken in one moment by the world's thread; the job thread reads the
// entries. They are counted over the timelines that lead to this moment, so that a client can go on where it was.
#include "host/command/command_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/job_thread.h"
#include "base/result.h"
#include "engine/world/tick_record.h"
#include "host/history/history.h"
#include "host/history/playback_state.h"
#include "host/run/jobs.h"
#include "host/world/hold.h"
#include "host/world/host_call.h"
#include "proto/gen/methods.h"

#define CHUNK 512u // entries that are read at once

struct log_job {
    struct thread_job job;
    struct world *world;
    uint64_t connection_id, number, tick, from, hash;
    struct proto_id id;
    uint32_t timeline, most;
    uint64_t sequence;   // of the last entry that counts, in `timeline`
    char *scene_params;  // of the batch that the scene is; NULL: it has no commands, or is not asked for
    size_t scene_length; // of them
    char scene_name[CONFIG_SCENE_NAME_MAX + 1];
    uint32_t first_id; // of what the scene makes; 0: the log does not begin with a scene
};

// A stretch of a timeline on the way from the beginning.
struct stretch {
    uint32_t timeline;
    uint64_t last, before; // its last entry that counts; how many entries lie before the stretch
};

// ---- one entry ---------------------------------------------------------------------------------------------------

static bool makes_id(enum proto_method method) {
    return proto_methods[method].makes != PROTO_MAKES_NOTHING;
}

// Ids are the numbers of the commands that made things, and every command that may stand in a batch takes one.
static void list_made(const struct proto_command *command, uint32_t sequence, struct json_writer *out) {
    const struct proto_batch_run *batch = command->method == PROTO_METHOD_BATCH_RUN ? command->params : NULL;
    const struct proto_command *items = batch != NULL ? batch->commands.items : command;
    const uint32_t count = batch != NULL ? batch->commands.count : 1;
    json_writer_key(out, "made");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < count; i++) {
        if (makes_id(items[i].method)) {
            json_writer_unsigned(out, sequence + 1 + i);
        }
    }
    json_writer_close_array(out);
}

static enum result list_command(const struct store_entry *entry, struct json_writer *out, struct fault *fault) {
    struct proto_request *request = NULL;
    uint32_t sequence;
    const struct engine_record record = history_record(entry);
    const enum result result = engine_read_command(&record, &sequence, &request, fault);
    if (result == RESULT_OK) {
        json_writer_member_string(out, "method", proto_methods[request->command.method].name);
        json_writer_key(out, "params");
        json_writer_raw(out, request->command.params_text, request->command.params_length);
        list_made(&request->command, sequence, out);
        proto_request_destroy(request);
    }
    return result;
}

// What the server did of its own accord: a hand that let go is told as the command it could have been.
static enum result list_deed(struct log_job *log, const struct store_entry *entry, uint64_t index,
                             struct json_writer *out, struct fault *fault) {
    struct bytes_reader in = {.data = entry->record.data, .length = entry->record.size};
    const uint32_t sequence = bytes_take_u32(&in);
    const uint32_t value = bytes_take_u32(&in);
    switch (entry->kind) {
    case RECORD_COMMAND:
        return list_command(entry, out, fault);
    case RECORD_RELEASE:
        json_writer_member_string(out, "method", proto_methods[PROTO_METHOD_GRAB_END].name);
        json_writer_key(out, "params");
        json_writer_open_object(out);
        json_writer_member_unsigned(out, "grab", value);
        json_writer_close_object(out);
        return RESULT_OK;
    case RECORD_SCENE:
        bytes_take_text(&in, log->scene_name, sizeof log->scene_name);
        log->first_id = index == 0 && entry->tick == 1 && !in.failed ? sequence + 1 : 0;
        json_writer_member_string(out, "method", "scene");
        json_writer_key(out, "params");
        json_writer_open_object(out);
        json_writer_member_string(out, "name", log->scene_name);
        json_writer_close_object(out);
        return RESULT_OK;
    default:
        json_writer_member_string(out, "method", "clock");
        return RESULT_OK;
    }
}

static enum result list_entry(struct log_job *log, const struct store_logged *logged, uint64_t index,
                              struct json_writer *out, struct fault *fault) {
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "index", index);
    json_writer_member_unsigned(out, "tick", logged->entry.tick);
    json_writer_member_unsigned(out, "client", logged->entry.client);
    const enum result result = list_deed(log, &logged->entry, index, out, fault);
    json_writer_close_object(out);
    return result;
}

// ---- the way to this moment --------------------------------------------------------------------------------------

// The stretches in the order of time; `*entries` is how many entries they have. NULL when memory is out.
static struct stretch *find_way(const struct log_job *log, const struct store_timeline *timelines, uint32_t count,
                                uint32_t *stretches, uint64_t *entries) {
    struct stretch *way = calloc((size_t)count + 1, sizeof *way);
    const struct store_timeline *at = store_find_timeline(timelines, count, log->timeline);
    uint32_t found = 0;
    for (uint64_t last = log->sequence; way != NULL && at != NULL && found < count;) {
        way[found++] = (struct stretch){.timeline = at->timeline, .last = last};
        last = at->parent_sequence;
        at = store_find_parent(timelines, count, at);
    }
    *entries = 0;
    for (uint32_t i = 0; i < found / 2; i++) {
        const struct stretch other = way[i];
        way[i] = way[found - 1 - i];
        way[found - 1 - i] = other;
    }
    for (uint32_t i = 0; i < found; i++) {
        way[i].before = *entries;
        *entries += way[i].last;
    }
    *stretches = found;
    return way;
}

// Entries of one stretch, from the first that is asked for; `*next` is the number of the one after the last listed.
static enum result list_stretch(struct log_job *log, const struct stretch *stretch, uint64_t *next,
                                struct json_writer *out, struct fault *fault) {
    const uint64_t end = stretch->before + stretch->last;
    const uint64_t until = log->from + log->most < end ? log->from + log->most : end;
    enum result result = RESULT_OK;
    while (result == RESULT_OK && *next >= stretch->before && *next < until) {
        const uint64_t from = *next - stretch->before + 1;
        const uint32_t wanted = until - *next < CHUNK ? (uint32_t)(until - *next) : CHUNK;
        struct store_history *entries = NULL;
        result = store_list_entries(history_store(log->world), log->number, stretch->timeline, from, wanted, &entries,
                                    fault);
        if (result == RESULT_OK && entries->entry_count == 0) {
            result = fault_set(fault, RESULT_BUSY, "", "the last commands are being stored: try again");
        }
        for (uint32_t i = 0; result == RESULT_OK && i < entries->entry_count && *next < until; i++) {
            const uint64_t index = stretch->before + entries->entries[i].entry.sequence - 1;
            result = index < until ? list_entry(log, &entries->entries[i], index, out, fault) : RESULT_OK;
            *next = index + 1;
        }
        store_history_free(entries);
    }
    return result;
}

static enum result list_entries(struct log_job *log, uint64_t *next, uint64_t *entries, struct json_writer *out,
                                struct fault *fault) {
    struct store_timeline *timelines = NULL;
    uint32_t count = 0, stretches = 0;
    enum result result = store_list_timelines(history_store(log->world), log->number, &timelines, &count, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct stretch *way = find_way(log, timelines, count, &stretches, entries);
    free(timelines);
    if (way == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    if (stretches == 0) {
        free(way);
        return fault_set(fault, RESULT_BUSY, "", "the current timeline is being stored: try again");
    }
    json_writer_key(out, "commands");
    json_writer_open_array(out);
    *next = log->from;
    for (uint32_t i = 0; i < stretches && result == RESULT_OK; i++) {
        result = list_stretch(log, &way[i], next, out, fault);
    }
    json_writer_close_array(out);
    free(way);
    return result;
}

static void write_scene(const struct log_job *log, struct json_writer *out) {
    json_writer_key(out, "scene");
    json_writer_open_object(out);
    json_writer_member_string(out, "name", log->scene_name);
    json_writer_member_unsigned(out, "firstId", log->first_id);
    if (log->scene_params != NULL) {
        json_writer_key(out, "batch");
        json_writer_raw(out, log->scene_params, log->scene_length);
    }
    json_writer_close_object(out);
}

static enum result write_log(struct log_job *log, struct json_writer *out, struct fault *fault) {
    uint64_t next = 0, entries = 0;
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "tick", log->tick);
    json_writer_member_unsigned(out, "timeline", log->timeline);
    if (log->from == 0) {
        char hash[17];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)log->hash);
        json_writer_member_string(out, "stateHash", hash);
    }
    const enum result result = list_entries(log, &next, &entries, out, fault);
    json_writer_member_unsigned(out, "next", next < entries ? next : entries);
    json_writer_member_unsigned(out, "count", entries);
    if (log->first_id != 0) {
        write_scene(log, out);
    }
    json_writer_close_object(out);
    return result;
}

// ---- asking ------------------------------------------------------------------------------------------------------

static void run_log(struct thread_job *job) {
    struct log_job *log = (struct log_job *)job;
    struct fault fault;
    struct json_writer value;
    json_writer_init(&value);
    const enum result result = write_log(log, &value, &fault);
    jobs_answer(log->world->net, log->connection_id, &log->id, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
    world_let_go(log->world);
    free(log->scene_params);
    free(log);
}

// The scene's commands and the state's hash are told to who begins at the beginning.
static enum result take_beginning(struct log_job *log, const struct world *world) {
    const struct proto_command *scene =
        world->engine->scene_request != NULL ? &world->engine->scene_request->command : NULL;
    log->hash = sim_world_hash(world->engine->sim);
    if (scene == NULL) {
        return RESULT_OK;
    }
    log->scene_params = malloc(scene->params_length + 1);
    if (log->scene_params == NULL) {
        return RESULT_MEMORY;
    }
    memcpy(log->scene_params, scene->params_text, scene->params_length);
    log->scene_length = scene->params_length;
    return RESULT_OK;
}

enum result command_world_log(struct host_call *call) {
    const struct proto_world_log *params = call->command->params;
    struct world *world = call->world;
    if (world->history == NULL) {
        return fault_set(call->fault, RESULT_STATE, "", "world.log needs a history, and %s", history_absence(world));
    }
    struct log_job *log = malloc(sizeof *log);
    if (log == NULL) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    const bool showing = playback_is_showing(world);
    *log = (struct log_job){.job = {.run = run_log},
                            .world = world,
                            .connection_id = call->session->connection_id,
                            .number = world->history->number,
                            .tick = sim_world_tick(world->engine->sim),
                            .from = params->from,
                            .most = params->most,
                            .id = *call->id,
                            .timeline = showing ? world->playback->replay.timeline : world->history->timeline,
                            .sequence = showing ? world->playback->replay.sequence : world->history->sequence};
    enum result result = log->from == 0 ? take_beginning(log, world) : RESULT_OK;
    world_hold(world);
    if (result == RESULT_OK && (result = job_thread_post(world->job_thread, &log->job)) == RESULT_OK) {
        call->deferred = true;
        return RESULT_OK;
    }
    world_let_go(world);
    free(log->scene_params);
    free(log);
    return result == RESULT_BUSY ? fault_set(call->fault, result, "", "too much is being read and written: try again")
                                 : fault_set(call->fault, result, "", "out of memory");
}
