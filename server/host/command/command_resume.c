// SPDX-License-Identifier: MIT
// session.resume: a client gives its session a key, by which it is known when it comes back.
//
// An older connection that holds the key is closed first. All of its requests are applied before those that the new
// connection repeats. After a restart of the server the job thread reads the key's earlier replies from the store.
//
// No session waits for ever. For each key at most one session waits, the newest, and it waits only for a session that
// holds the key; that one does not wait itself. A session that still waits gives up when a newer one asks for the key,
// or when its connection ends. Requests that it sent behind session.resume are then not applied: its client has no
// reply to them, and sends them again under the key.
//
// A resume is refused when the earlier replies cannot be read. Requests that its client sent behind the resume may
// repeat changes that were made, and the server cannot know which. So the client's first change is not applied and ends
// the connection; until then the client may watch, for the database may be lost for long.
#include "host/command/command_resume.h"

#include <stdlib.h>
#include <string.h>

#include "base/job_thread.h"
#include "base/result.h"
#include "host/history/history.h"
#include "host/history/reply_cache.h"
#include "host/world/hold.h"
#include "host/world/host_call.h"
#include "host/world/inbox.h"
#include "host/world/item.h"
#include "host/world/reply.h"
#include "host/world/session.h"

struct resume_job {
    struct thread_job job;
    struct world *world;
    uint64_t connection_id;
    char key[WORLD_KEY_MAX];
};

static void end_resuming(struct session *session) {
    session->resuming = false;
    free(session->resume_id);
    session->resume_id = NULL;
}

static void answer(struct world *world, struct session *session) {
    world_go_on(world, session);
    session->unresumed = false;
    json_writer_clear(&world->engine->result);
    json_writer_open_object(&world->engine->result);
    json_writer_member_unsigned(&world->engine->result, "client", session->client);
    json_writer_close_object(&world->engine->result);
    world_send_result(world, session->connection_id, session->resume_id, &world->engine->result);
    end_resuming(session);
}

static void refuse(struct world *world, struct session *session, const struct fault *fault) {
    world_go_on(world, session);
    session->key[0] = '\0';
    session->unresumed = true;
    world_send_fault(world, session->connection_id, session->resume_id, fault);
    end_resuming(session);
}

static void begin(struct world *world, struct session *session, const struct store_reply *before, uint32_t count) {
    struct fault fault;
    if (reply_cache_know(world, session->key) || reply_cache_begin(world, session->key, before, count)) {
        answer(world, session);
        return;
    }
    fault_set(&fault, RESULT_MEMORY, "", "out of memory");
    refuse(world, session, &fault);
}

static void run_job(struct thread_job *base) {
    struct resume_job *job = (struct resume_job *)base;
    struct world *world = job->world;
    struct item *item = calloc(1, sizeof *item);
    if (item == NULL) {
        net_post_close(world->net, job->connection_id, 1013, "out of memory");
    } else {
        item->kind = ITEM_REPLIES;
        item->connection_id = job->connection_id;
        if (store_read_replies(history_store(world), world->number, job->key, &item->replies, &item->reply_count,
                               &item->fault) != RESULT_OK) {
            item->failed = true;
        }
        if (world_post(world, item) != RESULT_OK) {
            item_destroy(item);
            net_post_close(world->net, job->connection_id, 1013, "busy");
        }
    }
    world_let_go(world);
    free(job);
}

// Whether the session holds the key: its resume was answered, and it has not left.
static bool holds_key(const struct session *session, const char *key) {
    return session->resume_id == NULL && strcmp(session->key, key) == 0;
}

static bool is_held(const struct world *world, const char *key) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (holds_key(&world->sessions[i], key)) {
            return true;
        }
    }
    return false;
}

static void read_replies(struct world *world, struct session *session) {
    struct fault fault;
    struct resume_job *job = calloc(1, sizeof *job);
    if (job != NULL) {
        job->job.run = run_job;
        job->world = world;
        job->connection_id = session->connection_id;
        memcpy(job->key, session->key, sizeof job->key);
        world_hold(world);
        if (job_thread_post(world->job_thread, &job->job) == RESULT_OK) {
            return;
        }
        world_let_go(world);
        free(job);
    }
    fault_set(&fault, RESULT_BUSY, "", "too much is being read and written: try again");
    refuse(world, session, &fault);
}

static void go_on(struct world *world, struct session *session) {
    if (world->history == NULL || reply_cache_know(world, session->key)) {
        begin(world, session, NULL, 0);
    } else {
        read_replies(world, session);
    }
}

void world_resume_waiting(struct world *world, const char *key) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        struct session *session = &world->sessions[i];
        if (session->resuming && strcmp(session->key, key) == 0 && !is_held(world, key)) {
            session->resuming = false; // it waits for the store now, if for anything
            go_on(world, session);
            return; // no other waits for this key
        }
    }
}

void world_give_up_resume(struct world *world, struct session *session) {
    session->discarded = true;
    session->key[0] = '\0';
    end_resuming(session);
    world_go_on(world, session);
}

void world_end_unresumed(struct world *world, struct session *session) {
    session->discarded = true;
    net_post_close(world->net, session->connection_id, 1013, "the session could not be resumed: try again");
}

void world_take_replies(struct world *world, struct item *item) {
    struct session *session = world_find_session(world, item->connection_id);
    if (session == NULL || session->resume_id == NULL) {
        return; // it has left, or given up
    }
    if (item->failed) {
        refuse(world, session, &item->fault);
    } else {
        begin(world, session, item->replies, item->reply_count);
    }
}

// Another connection of the same client: this one's key is asked for by a newer one.
static void make_way(struct world *world, struct session *session) {
    static const char reason[] = "the session was resumed by another connection";
    if (session->resume_id != NULL) {
        struct fault fault;
        fault_set(&fault, RESULT_STATE, "/session", "%s", reason);
        world_send_fault(world, session->connection_id, session->resume_id, &fault);
        world_give_up_resume(world, session);
    }
    if (!session->replaced) {
        session->replaced = true;
        net_post_close(world->net, session->connection_id, 1008, reason);
    }
}

enum result command_session_resume(struct host_call *call) {
    const struct proto_session_resume *params = call->command->params;
    struct world *world = call->world;
    struct session *session = call->session;
    if (session->key[0] != '\0') {
        return fault_set(call->fault, RESULT_STATE, "/session", "this session has a key already");
    }
    struct proto_id *resume_id = malloc(sizeof *resume_id);
    if (resume_id == NULL) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    *resume_id = *call->id;
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (strcmp(world->sessions[i].key, params->session) == 0) {
            make_way(world, &world->sessions[i]);
        }
    }
    memcpy(session->key, params->session, strlen(params->session) + 1); // at most 64 letters
    session->resume_id = resume_id;
    session->waiting = true;
    session->resuming = true;
    call->deferred = true;
    world_resume_waiting(world, session->key);
    return RESULT_OK;
}
