// SPDX-License-Identifier: MIT
// Worlds as such: listing, making, branching, removing. The job thread does it, for it touches the disk.
#include "host/command/command_worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/job_thread.h"
#include "base/message.h"
#include "base/result.h"
#include "host/connection/connection_list.h"
#include "host/history/capsule.h"
#include "host/history/capsule_file.h"
#include "host/history/history.h"
#include "host/history/snapshot_copy.h"
#include "host/run/jobs.h"
#include "host/world/hold.h"
#include "host/world/host_call.h"
#include "host/worlds/copies.h"
#include "host/worlds/node_directory.h"
#include "host/worlds/worlds.h"

enum worlds_task {
    WORLDS_MAKE,
    WORLDS_COPY,
    WORLDS_REMOVE,
    WORLDS_EXPORT,
    WORLDS_IMPORT,
    WORLDS_LIST,
    WORLDS_TASK_COUNT
};

struct worlds_job {
    struct thread_job job;
    enum worlds_task task;
    struct world *world; // whose client asked
    uint64_t connection_id;
    struct proto_id id;
    char name[CONFIG_WORLD_NAME_MAX + 1];
    char scene[CONFIG_SCENE_NAME_MAX + 1];
    struct worlds_request request;
    struct copying copying; // of the request, for an original or a copy
    struct snapshot_job *now;
    struct capsule_request capsule;      // EXPORT
    char *text;                          // IMPORT: a capsule in base64
    struct connection_list *connections; // LIST
    uint64_t http_request;               // of the network, for who asked by HTTP
};

// ---- on the job thread: what is answered, as members of an open object ---------------------------------------

static enum result make(struct worlds_job *job, struct json_writer *out, struct fault *fault) {
    uint64_t tick = 0;
    const enum result result = worlds_make(job->world->worlds, &job->request, &tick, fault);
    json_writer_member_string(out, "world", job->name);
    json_writer_member_unsigned(out, "tick", tick);
    return result;
}

// A key's copy is made once.
static enum result copy(struct worlds_job *job, struct json_writer *out, struct fault *fault) {
    bool made = false;
    uint64_t tick = 0;
    enum result result =
        copies_choose(job->world->worlds, &job->copying, job->world->copying.allowed, job->name, &made, fault);
    if (result == RESULT_OK && made) {
        result = worlds_make(job->world->worlds, &job->request, &tick, fault);
    }
    json_writer_member_string(out, "world", job->name);
    json_writer_member_boolean(out, "made", made);
    return result;
}

// There may be thousands of people.
static enum result list_worlds(struct worlds_job *job, struct json_writer *out, struct fault *fault) {
    struct connection_row *rows = NULL;
    uint32_t count = 0;
    const enum result result = connection_list_list(job->connections, &rows, &count);
    if (result != RESULT_OK) {
        return fault_set(fault, result, "", "out of memory");
    }
    json_writer_key(out, "worlds");
    worlds_describe(job->world->worlds, rows, count, out);
    worlds_describe_aside(job->world->worlds, out);
    node_describe_elsewhere(job->world->node, out);
    free(rows);
    return RESULT_OK;
}

static enum result remove_world(struct worlds_job *job, struct json_writer *out, struct fault *fault) {
    json_writer_member_string(out, "world", job->name);
    return worlds_remove(job->world->worlds, job->name, fault);
}

static enum result export_world(struct worlds_job *job, struct json_writer *out, struct fault *fault) {
    unsigned char *bytes = NULL;
    size_t size = 0;
    enum result result = capsule_make(&job->capsule, &bytes, &size, fault);
    if (result != RESULT_OK) {
        return result;
    }
    char *text = malloc(BASE64_LENGTH(size) + 1);
    if (text == NULL) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory");
    } else {
        base64_write(bytes, size, text);
        json_writer_member_unsigned(out, "bytes", size);
        json_writer_member_string(out, "capsule", text);
    }
    free(text);
    free(bytes);
    return result;
}

// The same for who asked by HTTP.
static void give_capsule(struct worlds_job *job) {
    struct fault fault;
    unsigned char *bytes = NULL;
    size_t size = 0;
    char file[CONFIG_WORLD_NAME_MAX + 16];
    struct message *message = NULL;
    const enum result result = capsule_make(&job->capsule, &bytes, &size, &fault);
    if (result == RESULT_OK) {
        message = message_from_text((const char *)bytes, size);
    } else {
        message = message_from_text(fault.message, strlen(fault.message));
    }
    snprintf(file, sizeof file, "%s.capsule", job->name);
    const int failed = result == RESULT_NOT_FOUND ? 404 : 503;
    net_post_document(job->world->net, job->http_request, result == RESULT_OK && message != NULL ? 200 : failed,
                      result == RESULT_OK ? file : NULL, message);
    free(bytes);
}

static enum result import_world(struct worlds_job *job, struct json_writer *out, struct fault *fault) {
    enum result result = worlds_can_make(job->world->worlds, job->name, job->request.owner, fault);
    if (result != RESULT_OK) {
        return result;
    }
    size_t size = 0;
    unsigned char *bytes = (unsigned char *)job->text; // it becomes shorter
    struct store_capsule *capsule = NULL;
    if (!base64_read(job->text, bytes, &size)) {
        return fault_set(fault, RESULT_INVALID, "/capsule", "capsule must be base64, in groups of four");
    }
    result = capsule_unpack(bytes, size, &capsule, fault);
    if (result != RESULT_OK) {
        const struct fault why = *fault;
        return fault_set(fault, result == RESULT_DAMAGED ? RESULT_INVALID : result, "/capsule", "%s", why.message);
    }
    job->request.capsule = capsule;
    job->request.tick_hz = (float)capsule->meta.tick_hz;
    if (capsule->meta.tick_hz >= 1.0 && capsule->meta.tick_hz <= 1000.0) {
        result = make(job, out, fault);
    } else {
        result = fault_set(fault, RESULT_INVALID, "/capsule", "the capsule's tick rate is none");
    }
    if (result == RESULT_DAMAGED) {
        const struct fault why = *fault;
        result = fault_set(fault, RESULT_INVALID, "/capsule", "the capsule cannot be replayed: %s", why.message);
    }
    store_capsule_free(capsule);
    return result;
}

static void end_job(struct worlds_job *job) {
    snapshot_free(job->now);
    world_let_go(job->world);
    free(job->text);
    free(job);
}

static void run_capsule(struct thread_job *base) {
    struct worlds_job *job = (struct worlds_job *)base;
    give_capsule(job);
    end_job(job);
}

static void run_job(struct thread_job *base) {
    static enum result (*const tasks[WORLDS_TASK_COUNT])(struct worlds_job *, struct json_writer *, struct fault *) = {
        [WORLDS_MAKE] = make,           [WORLDS_COPY] = copy,           [WORLDS_REMOVE] = remove_world,
        [WORLDS_EXPORT] = export_world, [WORLDS_IMPORT] = import_world, [WORLDS_LIST] = list_worlds};
    struct worlds_job *job = (struct worlds_job *)base;
    struct fault fault;
    struct json_writer value;
    json_writer_init(&value);
    json_writer_open_object(&value);
    const enum result result = tasks[job->task](job, &value, &fault);
    json_writer_close_object(&value);
    jobs_answer(job->world->net, job->connection_id, &job->id, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
    end_job(job);
}

// ---- on the world's worker ---------------------------------------------------------------------------------------

static enum result post(struct host_call *call, struct worlds_job *job) {
    job->job.run = run_job;
    job->world = call->world;
    job->connection_id = call->session->connection_id;
    job->id = *call->id;
    world_hold(call->world);
    if (job_thread_post(call->world->job_thread, &job->job) != RESULT_OK) {
        world_let_go(call->world);
        snapshot_free(job->now);
        free(job->text);
        free(job);
        return fault_set(call->fault, RESULT_BUSY, "", "too much is being read and written: try again");
    }
    call->deferred = true;
    return RESULT_OK;
}

static struct worlds_job *create_job(const struct host_call *call, enum worlds_task task, const char *name) {
    struct worlds_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
        return NULL;
    }
    job->task = task;
    snprintf(job->name, sizeof job->name, "%s", name);
    job->request.name = job->name;
    job->request.owner = call->session != NULL ? call->session->connection->owner : 0;
    return job;
}

enum result command_world_list(struct host_call *call) {
    struct worlds_job *job = create_job(call, WORLDS_LIST, "");
    if (job == NULL) {
        return RESULT_MEMORY;
    }
    job->connections = call->session->connection->connections;
    return post(call, job);
}

enum result command_world_create(struct host_call *call) {
    const struct proto_world_create *params = call->command->params;
    struct worlds_job *job = create_job(call, WORLDS_MAKE, params->name);
    if (job == NULL) {
        return RESULT_MEMORY;
    }
    snprintf(job->scene, sizeof job->scene, "%s", params->has_scene ? params->scene : "empty");
    job->request.scene = job->scene;
    job->request.tick_hz = params->has_tick_hz ? params->tick_hz : call->world->config->tick_hz;
    job->request.temporary = params->temporary;
    job->request.has_paused = params->has_paused;
    job->request.paused = params->paused;
    return post(call, job);
}

// Posts a job that makes a world of the present state of the call's world.
static enum result post_now(struct host_call *call, struct worlds_job *job) {
    job->now = snapshot_take(call->world->engine, call->world->history);
    job->request.now = job->now;
    if (job->now == NULL) {
        free(job);
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    return post(call, job);
}

enum result command_world_branch(struct host_call *call) {
    const struct proto_world_branch *params = call->command->params;
    struct world *world = call->world;
    const bool past = params->has_tick || params->has_timeline;
    if (past && world->history == NULL) {
        return fault_set(call->fault, RESULT_STATE, params->has_tick ? "/tick" : "/timeline",
                         "a branch from the past needs a history, and %s; without tick and timeline it is one of the "
                         "present",
                         history_absence(world));
    }
    if (params->has_copies && params->temporary) {
        return fault_set(call->fault, RESULT_INVALID, "/temporary",
                         "temporary does not go with copies: the original of "
                         "an assignment is kept until it is removed");
    }
    if (params->has_copies && strlen(params->name) > COPY_NAME_MAX) {
        return fault_set(call->fault, RESULT_INVALID, "/name",
                         "name must have at most %u characters when there are copies, whose names end in a number, "
                         "got %zu",
                         COPY_NAME_MAX, strlen(params->name));
    }
    struct worlds_job *job = create_job(call, WORLDS_MAKE, params->name);
    if (job == NULL) {
        return RESULT_MEMORY;
    }
    const bool paused = params->has_paused ? params->paused : !world->engine->running;
    job->request.tick_hz = sim_world_tick_hz(world->engine->sim);
    job->request.has_paused = true;
    job->request.paused = paused || params->has_copies;
    if (params->has_copies) {
        job->copying = (struct copying){.allowed = params->copies, .paused = paused};
        job->request.copying = &job->copying;
    }
    job->request.temporary = params->temporary;
    job->request.tick = sim_world_tick(world->engine->sim);
    if (past) {
        job->request.parent = world;
        job->request.timeline = params->has_timeline ? params->timeline : history_home(world);
        job->request.tick = params->has_tick ? params->tick : STORE_END;
        return post(call, job);
    }
    return post_now(call, job);
}

enum result command_world_copy(struct host_call *call) {
    const struct proto_world_copy *params = call->command->params;
    struct world *world = call->world;
    if (world->copying.allowed == 0) {
        return fault_set(call->fault, RESULT_STATE, "",
                         "world \"%s\" is not the original of an assignment: world.branch with copies makes one",
                         world->name);
    }
    struct worlds_job *job = create_job(call, WORLDS_COPY, "");
    if (job == NULL) {
        return RESULT_MEMORY;
    }
    snprintf(job->copying.original, sizeof job->copying.original, "%s", world->name);
    snprintf(job->copying.key, sizeof job->copying.key, "%s", params->key);
    job->request.copying = &job->copying;
    job->request.owner = 0; // it counts against the assignment's copies, not against its client's worlds
    job->request.tick_hz = sim_world_tick_hz(world->engine->sim);
    job->request.has_paused = true;
    job->request.paused = world->copying.paused;
    return post_now(call, job);
}

enum result command_world_remove(struct host_call *call) {
    const struct proto_world_remove *params = call->command->params;
    struct worlds_job *job = create_job(call, WORLDS_REMOVE, params->name);
    return job != NULL ? post(call, job) : RESULT_MEMORY;
}

enum result command_world_export(struct host_call *call) {
    const struct proto_world_export *params = call->command->params;
    struct world *world = call->world;
    if (params->has_to && params->to < params->from) {
        return fault_set(call->fault, RESULT_INVALID, "/to", "to must be at least from, %llu, got %llu",
                         (unsigned long long)params->from, (unsigned long long)params->to);
    }
    struct worlds_job *job = create_job(call, WORLDS_EXPORT, world->name);
    if (job == NULL) {
        return RESULT_MEMORY;
    }
    job->capsule =
        (struct capsule_request){.world = world, .from = params->from, .to = params->has_to ? params->to : STORE_END};
    if (world->history != NULL) {
        job->capsule.timeline = params->has_timeline ? params->timeline : history_home(world);
        return post(call, job);
    }
    job->now = snapshot_take(world->engine, world->history); // nothing is kept but what there is
    job->capsule.now = job->now;
    if (job->now == NULL) {
        free(job);
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    return post(call, job);
}

static void refuse_capsule(struct world *world, uint64_t request, int status, const char *sentence) {
    net_post_document(world->net, request, status, NULL, message_from_text(sentence, strlen(sentence)));
}

void world_give_capsule(struct world *world, uint64_t request, const struct moment *moment) {
    const bool whole = moment->timeline == 0;
    const char *fault = whole ? NULL : moment_fault(moment, (double)sim_world_tick_hz(world->engine->sim));
    if (fault != NULL) {
        refuse_capsule(world, request, 400, fault);
        return;
    }
    if (!whole && world->history == NULL) {
        refuse_capsule(world, request, 404, "this world keeps no history\n");
        return;
    }
    struct worlds_job *job = calloc(1, sizeof *job);
    if (job != NULL) {
        job->job.run = run_capsule;
        job->world = world;
        job->http_request = request;
        snprintf(job->name, sizeof job->name, "%s", world->name);
        job->capsule = (struct capsule_request){.world = world, .timeline = moment->timeline, .from = moment->from};
        job->capsule.to = whole ? STORE_END : moment->to;
        if (whole && world->history != NULL) {
            job->capsule.timeline = history_home(world);
        }
        job->now = world->history == NULL ? snapshot_take(world->engine, world->history) : NULL;
        job->capsule.now = job->now;
        world_hold(world);
        if ((world->history != NULL || job->now != NULL) &&
            job_thread_post(world->job_thread, &job->job) == RESULT_OK) {
            return;
        }
        end_job(job);
    }
    refuse_capsule(world, request, 503, "too much is being read and written: try again");
}

enum result command_world_import(struct host_call *call) {
    const struct proto_world_import *params = call->command->params;
    struct worlds_job *job = create_job(call, WORLDS_IMPORT, params->name);
    char *text = job != NULL ? strdup(params->capsule) : NULL;
    if (text == NULL) {
        free(job);
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    job->text = text;
    job->request.has_paused = params->has_paused;
    job->request.paused = params->paused;
    return post(call, job);
}
