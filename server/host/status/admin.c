// SPDX-License-Identifier: MIT
// Questions under a mutex, and the one answer to all of them.
#include "host/status/admin.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/result.h"
#include "base/version.h"
#include "engine/state/reply.h"
#include "host/history/store_hub.h"
#include "host/run/instance.h"
#include "host/run/scheduler.h"
#include "host/status/metrics.h"
#include "host/world/world_metrics.h"
#include "host/worlds/intake.h"
#include "proto/message/response.h"

#define QUESTIONS_MAX 256u

struct question {
    uint64_t connection_id;
    struct proto_id id;
};

struct admin {
    uint64_t began_ns;
    pthread_mutex_t mutex; // guards all below
    uint32_t count;
    struct question questions[QUESTIONS_MAX];
};

struct admin *admin_create(void) {
    struct admin *admin = calloc(1, sizeof *admin);
    if (admin != NULL) {
        admin->began_ns = scheduler_now_ns();
        pthread_mutex_init(&admin->mutex, NULL);
    }
    return admin;
}

void admin_destroy(struct admin *admin) {
    if (admin != NULL) {
        pthread_mutex_destroy(&admin->mutex);
        free(admin);
    }
}

enum result admin_ask(struct admin *admin, uint64_t connection_id, const struct proto_id *id, struct fault *fault) {
    pthread_mutex_lock(&admin->mutex);
    const bool full = admin->count == QUESTIONS_MAX;
    if (!full) {
        admin->questions[admin->count++] = (struct question){connection_id, *id};
    }
    pthread_mutex_unlock(&admin->mutex);
    if (full) {
        fault_set(fault, RESULT_BUSY, "", "%u questions wait to be answered: try again", QUESTIONS_MAX);
        fault->retry_after_ms = NET_POLL_MS;
        return RESULT_BUSY;
    }
    return RESULT_OK;
}

// ---- the answer --------------------------------------------------------------------------------------------------

static void describe_world(const struct world *world, struct json_writer *out) {
    const struct world_metrics *metrics = &world->metrics;
    json_writer_open_object(out);
    json_writer_member_string(out, "world", world->name);
    json_writer_member_unsigned(out, "tick", atomic_load(&metrics->tick));
    json_writer_member_boolean(out, "running", atomic_load(&metrics->running));
    json_writer_member_boolean(out, "stuck", world_metrics_are_stuck(metrics, scheduler_now_ns()));
    json_writer_member_double(out, "realTimeFactor", (double)atomic_load(&metrics->real_time_permille) / 1e3);
    json_writer_member_double(out, "tickMs", (double)atomic_load(&metrics->tick_us) / 1e3);
    json_writer_member_double(out, "tickMaxMs", (double)atomic_load(&metrics->tick_max_us) / 1e3);
    json_writer_member_double(out, "latenessMs", (double)atomic_load(&metrics->lateness_us) / 1e3);
    json_writer_member_unsigned(out, "lateTicks", atomic_load(&metrics->late_ticks));
    json_writer_member_unsigned(out, "commands", atomic_load(&metrics->commands));
    json_writer_member_unsigned(out, "clients", atomic_load(&metrics->clients));
    json_writer_member_unsigned(out, "viewers", atomic_load(&metrics->viewers));
    json_writer_member_unsigned(out, "particles", atomic_load(&metrics->particles));
    json_writer_member_unsigned(out, "objects", atomic_load(&metrics->objects));
    json_writer_close_object(out);
}

static void describe_store(struct store_hub *hub, struct json_writer *out) {
    struct store_figures figures = {.well = true};
    if (hub != NULL) {
        store_figures(store_hub_store(hub), &figures);
    }
    json_writer_key(out, "store");
    json_writer_open_object(out);
    json_writer_member_boolean(out, "kept", hub != NULL);
    json_writer_member_boolean(out, "well", figures.well);
    json_writer_member_unsigned(out, "commits", figures.commits);
    json_writer_member_unsigned(out, "queueBytes", figures.queue_bytes);
    json_writer_member_unsigned(out, "fileBytes", figures.file_bytes);
    json_writer_close_object(out);
}

static void describe_server(const struct admin *admin, const struct document_sources *sources,
                            struct json_writer *out) {
    const struct net_statistics net = net_server_statistics(sources->net);
    json_writer_open_object(out);
    json_writer_member_string(out, "version", WEFT_VERSION);
    json_writer_member_string(out, "instance", app_instance());
    json_writer_member_double(out, "uptime", scheduler_seconds_since(admin->began_ns));
    json_writer_member_unsigned(out, "residentBytes", metrics_resident_bytes());
    json_writer_member_unsigned(out, "clients", net.websockets);
    json_writer_member_unsigned(out, "bytesSent", net.bytes_sent);
    json_writer_member_unsigned(out, "bytesReceived", net.bytes_received);
    json_writer_member_unsigned(out, "messagesReceived", net.messages_received);
    json_writer_member_unsigned(out, "framesSent", net.frames_sent);
    json_writer_member_unsigned(out, "framesSkipped", net.frames_skipped);
    json_writer_member_unsigned(out, "waitingBytes", intake_read_metrics(sources->intake).waiting_bytes);
    json_writer_member_unsigned(out, "logLost", log_read_metrics().lost);
    describe_store(sources->hub, out);
    json_writer_key(out, "worlds");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < sources->count; i++) {
        if (sources->worlds[i] != NULL) {
            describe_world(sources->worlds[i], out);
        }
    }
    json_writer_close_array(out);
    json_writer_close_object(out);
}

static void answer(const struct question *question, struct net_server *net, const struct json_writer *result) {
    struct json_writer text;
    json_writer_init(&text);
    proto_write_reply(&text, &question->id, result);
    struct message *message = reply_message(&question->id, &text);
    if (message != NULL) {
        net_post_send(net, question->connection_id, message);
    } else {
        net_post_close(net, question->connection_id, 1013, "out of memory");
    }
    json_writer_free(&text);
}

void admin_answer(struct admin *admin, struct net_server *net, const struct document_sources *sources) {
    struct json_writer result;
    json_writer_init(&result);
    pthread_mutex_lock(&admin->mutex);
    if (admin->count > 0) {
        describe_server(admin, sources, &result);
    }
    for (uint32_t i = 0; i < admin->count; i++) {
        if (admin->questions[i].id.present) {
            answer(&admin->questions[i], net, &result);
        }
    }
    admin->count = 0;
    pthread_mutex_unlock(&admin->mutex);
    json_writer_free(&result);
}
