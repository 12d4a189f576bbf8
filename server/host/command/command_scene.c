// SPDX-License-Identifier: MIT
// Scenes: listing, previewing, loading, saving. The job thread does what touches the disk.
#include "host/command/command_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job_thread.h"
#include "base/result.h"
#include "engine/describe/scene.h"
#include "host/command/preview.h"
#include "host/run/jobs.h"
#include "host/world/hold.h"
#include "host/world/host_call.h"
#include "host/world/inbox.h"
#include "host/world/item.h"
#include "host/world/scene.h"

enum scene_task { SCENE_LIST, SCENE_PREVIEW, SCENE_LOAD, SCENE_SAVE, SCENE_DELETE };

struct scene_job {
    struct thread_job job;
    enum scene_task task;
    struct world *world; // outlives the job thread
    uint64_t connection_id;
    struct proto_id id;
    char name[CONFIG_SCENE_NAME_MAX + 1];
    uint32_t ticks;          // PREVIEW: how far
    struct json_writer text; // SAVE: the file
    uint32_t commands;       // SAVE: how many it holds
    bool overwrite;
};

// `value` is NULL where `fault` says why there is none.
static void answer(const struct scene_job *job, const struct json_writer *value, const struct fault *fault) {
    jobs_answer(job->world->net, job->connection_id, &job->id, value, fault);
}

static void run_list(struct scene_job *job) {
    struct fault fault;
    struct json_writer value;
    json_writer_init(&value);
    json_writer_open_object(&value);
    json_writer_key(&value, "scenes");
    enum result result = scene_list(job->world->config->scenes, &value, &fault);
    json_writer_close_object(&value);
    answer(job, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
}

static void run_preview(struct scene_job *job) {
    struct fault fault;
    struct json_writer value;
    json_writer_init(&value);
    json_writer_open_object(&value);
    const enum result result = preview_write(job->world, job->name, job->ticks, &value, &fault);
    json_writer_close_object(&value);
    answer(job, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
}

static void run_save(struct scene_job *job) {
    struct fault fault;
    struct json_writer value;
    json_writer_init(&value);
    enum result result =
        scene_write(job->world->config->scenes, job->name, job->text.data, job->text.length, job->overwrite, &fault);
    json_writer_open_object(&value);
    json_writer_member_string(&value, "name", job->name);
    json_writer_member_unsigned(&value, "commands", job->commands);
    json_writer_close_object(&value);
    answer(job, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
}

static void run_delete(struct scene_job *job) {
    struct fault fault;
    struct json_writer value;
    const enum result result = scene_delete(job->world->config->scenes, job->name, &fault);
    json_writer_init(&value);
    json_writer_open_object(&value);
    json_writer_member_string(&value, "name", job->name);
    json_writer_close_object(&value);
    answer(job, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
}

// What was read goes back to the world, which applies it between two ticks and answers.
static void run_load(struct scene_job *job) {
    struct item *item = calloc(1, sizeof *item);
    if (item == NULL) {
        struct fault fault;
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
        answer(job, NULL, &fault);
        net_post_close(job->world->net, job->connection_id, 1013, "out of memory"); // the session would wait for ever
        return;
    }
    item->kind = ITEM_SCENE;
    item->connection_id = job->connection_id;
    item->id = job->id;
    snprintf(item->scene, sizeof item->scene, "%s", job->name);
    if (scene_read(job->world->config->scenes, job->name, &item->request, &item->fault) != RESULT_OK) {
        item->request = NULL;
    }
    if (world_post(job->world, item) != RESULT_OK) {
        item_destroy(item);
        net_post_close(job->world->net, job->connection_id, 1013, "busy");
    }
}

static void run_job(struct thread_job *base) {
    struct scene_job *job = (struct scene_job *)base;
    switch (job->task) {
    case SCENE_LIST:
        run_list(job);
        break;
    case SCENE_PREVIEW:
        run_preview(job);
        break;
    case SCENE_LOAD:
        run_load(job);
        break;
    case SCENE_SAVE:
        run_save(job);
        break;
    case SCENE_DELETE:
        run_delete(job);
        break;
    }
    world_let_go(job->world);
    json_writer_free(&job->text);
    free(job);
}

static struct scene_job *create_job(const struct host_call *call, enum scene_task task, const char *name) {
    struct scene_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        return NULL;
    }
    job->job.run = run_job;
    job->task = task;
    job->world = call->world;
    job->connection_id = call->session->connection_id;
    job->id = *call->id;
    snprintf(job->name, sizeof job->name, "%s", name);
    json_writer_init(&job->text);
    return job;
}

static enum result post_job(struct host_call *call, struct scene_job *job) {
    if (job == NULL) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    world_hold(call->world);
    if (job_thread_post(call->world->job_thread, &job->job) != RESULT_OK) {
        world_let_go(call->world);
        json_writer_free(&job->text);
        free(job);
        return fault_set(call->fault, RESULT_BUSY, "", "too many scenes are being read and written: try again");
    }
    call->deferred = true;
    return RESULT_OK;
}

enum result command_scene_list(struct host_call *call) {
    return post_job(call, create_job(call, SCENE_LIST, ""));
}

enum result command_scene_preview(struct host_call *call) {
    const struct proto_scene_preview *params = call->command->params;
    struct scene_job *job = create_job(call, SCENE_PREVIEW, params->name);
    if (job != NULL) {
        job->ticks = params->ticks;
    }
    return post_job(call, job);
}

enum result command_scene_load(struct host_call *call) {
    const struct proto_scene_load *params = call->command->params;
    enum result result = post_job(call, create_job(call, SCENE_LOAD, params->name));
    call->session->waiting = result == RESULT_OK;
    return result;
}

enum result command_scene_save(struct host_call *call) {
    const struct proto_scene_save *params = call->command->params;
    struct scene_job *job = create_job(call, SCENE_SAVE, params->name);
    if (job != NULL) {
        job->overwrite = params->overwrite;
        job->commands =
            describe_scene(call->world->engine, params->has_title ? params->title : params->name, &job->text);
        if (json_writer_failed(&job->text)) {
            json_writer_free(&job->text);
            free(job);
            job = NULL;
        }
    }
    return post_job(call, job);
}

enum result command_scene_delete(struct host_call *call) {
    const struct proto_scene_delete *params = call->command->params;
    return post_job(call, create_job(call, SCENE_DELETE, params->name));
}
