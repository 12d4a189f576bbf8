// SPDX-License-Identifier: MIT
#include "host/worlds/engine_host.h"
#include "host/config/limits.h"

#include <stdlib.h>

#include "base/job_thread.h"
#include "base/log.h"
#include "host/connection/connection_list.h"
#include "host/history/history.h"
#include "host/history/history_snapshots.h"
#include "host/history/playback.h"
#include "host/history/replay.h"
#include "host/history/undo_report.h"
#include "host/run/instance.h"
#include "host/run/jobs.h"
#include "host/run/scheduler.h"
#include "host/world/freeze.h"
#include "host/world/session.h"
#include "host/world/timing.h"
#include "host/worlds/broadcast.h"
#include "host/worlds/snapshot_post.h"

static uint32_t channel_of(const struct world *world, uint32_t channel) {
    return world->index * ENGINE_CHANNELS + channel;
}

static uint64_t now_ns(void *context) {
    (void)context;
    return scheduler_now_ns();
}

static void write_log(void *context, const char *sentence) {
    const struct world *world = context;
    log_error("world", "%s: %s", world->name, sentence);
}

static void send(void *context, uint64_t client, struct message *take) {
    history_send(context, client, take);
}

static void send_at_once(void *context, uint64_t client, struct message *take) {
    const struct world *world = context;
    net_post_send(world->net, client, take);
}

static void close_client(void *context, uint64_t client, uint16_t code, const char *reason) {
    const struct world *world = context;
    net_post_close(world->net, client, code, reason);
}

static void join(void *context, uint64_t client, uint32_t channel, uint32_t every_ticks, uint32_t tags) {
    const struct world *world = context;
    net_post_join(world->net, client, channel_of(world, channel), every_ticks, tags);
}

static void leave(void *context, uint64_t client, uint32_t channel) {
    const struct world *world = context;
    net_post_leave(world->net, client, channel_of(world, channel));
}

static void publish_ordered(void *context, uint32_t channel, uint32_t tag, bool clear_state, struct message *take) {
    const struct world *world = context;
    net_post_publish_ordered(world->net, channel_of(world, channel), tag, clear_state, take);
}

static void publish_state(void *context, uint32_t channel, uint64_t tick, struct message *take) {
    const struct world *world = context;
    net_post_publish_state(world->net, channel_of(world, channel), tick, take);
}

static void publish_forms(void *context, uint32_t channel, const struct message_forms *take) {
    const struct world *world = context;
    net_post_publish_frame(world->net, channel_of(world, channel), take);
}

static void send_state(void *context, uint64_t client, uint32_t channel, struct message *take) {
    const struct world *world = context;
    net_post_state(world->net, client, channel_of(world, channel), take);
}

static void send_form(void *context, uint64_t client, uint32_t channel, uint64_t number, struct message *take) {
    const struct world *world = context;
    net_post_frame(world->net, client, channel_of(world, channel), number, take);
}

static void send_snapshot(void *context, const uint64_t *clients, uint32_t count, struct message *take) {
    snapshot_post(context, clients, count, take);
}

static void record(void *context, struct message *take) {
    broadcast_record(context, take);
}

// ---- members of the engine's messages ----------------------------------------------------------------------------

static void describe_hello(const struct world *world, const struct session *session, struct json_writer *out) {
    json_writer_member_string(out, "instance", app_instance());
    if (session != NULL && session->connection->facts.token[0] != '\0') {
        json_writer_member_string(out, "name", session->connection->facts.name);
    }
    if (world->copying.allowed > 0) {
        json_writer_member_unsigned(out, "copies", world->copying.allowed);
    }
    if (world->node != NULL) {
        world->describe_nodes(world->node, out);
    }
}

static void describe_limits(const struct world *world, const struct session *session, struct json_writer *out) {
    json_writer_member_unsigned(out, "messageBytes", CLIENT_MESSAGE_MAX);
    json_writer_member_unsigned(out, "clients", world->config->max_clients);
    json_writer_member_unsigned(out, "worlds", world->config->max_worlds);
    if (session != NULL) {
        json_writer_member_double(out, "rate", session->connection->rate_limit.rate);
        json_writer_member_double(out, "burst", session->connection->rate_limit.burst);
    }
}

static void describe(void *context, enum engine_place place, const struct client *client, struct json_writer *out) {
    struct world *world = context;
    const struct config *config = world->config;
    const struct session *session = client != NULL ? world_find_session(world, client->id) : NULL;
    switch (place) {
    case ENGINE_PLACE_HELLO:
        describe_hello(world, session, out);
        break;
    case ENGINE_PLACE_LIMITS:
        describe_limits(world, session, out);
        break;
    case ENGINE_PLACE_QUOTA:
        json_writer_member_unsigned(out, "worlds",
                                    config->own_worlds < config->max_worlds ? config->own_worlds : config->max_worlds);
        break;
    case ENGINE_PLACE_CLOCK:
        describe_playback(world, out);
        describe_rework(world, out);
        describe_freeze(world, session, out);
        break;
    case ENGINE_PLACE_CHANGED:
        describe_playback(world, out);
        describe_freeze(world, NULL, out);
        break;
    case ENGINE_PLACE_PHYSICS:
        describe_physics(world, out);
        history_describe_loss(world, out);
        break;
    case ENGINE_PLACE_STATISTICS:
        describe_timing(world, out);
        break;
    }
}

static void grab_released(void *context, uint32_t grab, uint32_t sequence) {
    history_note(context, &(struct history_change){.kind = RECORD_RELEASE, .grab = grab, .sequence = sequence});
}

// ---- long replies ------------------------------------------------------------------------------------------------

struct reply_job {
    struct thread_job job;
    struct net_server *net;
    uint64_t connection_id;
    struct proto_id id;
    struct engine_long_reply *reply;
};

static void run_reply(struct thread_job *base) {
    struct reply_job *job = (struct reply_job *)base;
    struct json_writer result;
    json_writer_init(&result);
    json_writer_open_object(&result);
    job->reply->write(job->reply, &result);
    json_writer_close_object(&result);
    jobs_answer(job->net, job->connection_id, &job->id, &result, NULL);
    json_writer_free(&result);
    job->reply->free(job->reply);
    free(job);
}

static enum result reply_later(void *context, uint64_t client, const struct proto_id *id,
                               struct engine_long_reply *take) {
    const struct world *world = context;
    struct reply_job *job = malloc(sizeof *job);
    if (job == NULL) {
        return RESULT_BUSY;
    }
    *job = (struct reply_job){
        .job = {.run = run_reply}, .net = world->net, .connection_id = client, .id = *id, .reply = take};
    const enum result result = job_thread_post(world->job_thread, &job->job);
    if (result != RESULT_OK) {
        free(job);
    }
    return result;
}

const struct engine_host world_engine_host = {.now_ns = now_ns,
                                              .log = write_log,
                                              .send = send,
                                              .send_at_once = send_at_once,
                                              .close = close_client,
                                              .join = join,
                                              .leave = leave,
                                              .publish_ordered = publish_ordered,
                                              .publish_state = publish_state,
                                              .publish_forms = publish_forms,
                                              .state = send_state,
                                              .form = send_form,
                                              .snapshot = send_snapshot,
                                              .record = record,
                                              .describe = describe,
                                              .grab_released = grab_released,
                                              .reply_later = reply_later};
