// SPDX-License-Identifier: MIT
// Questions under a mutex, and the one answer to all of them.
#include "host/admin.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/result.h"
#include "base/version.h"
#include "engine/reply.h"
#include "host/figures.h"
#include "host/instance.h"
#include "host/intake.h"
#include "host/ledger.h"
#include "host/metrics.h"
#include "host/pool.h"
#include "proto/message/response.h"

#define QUESTIONS_MAX 256u

struct question {
    uint64_t peer;
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
        admin->began_ns = pool_now_ns();
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

enum result admin_ask(struct admin *admin, uint64_t peer, const struct proto_id *id, struct fault *fault) {
    pthread_mutex_lock(&admin->mutex);
    const bool full = admin->count == QUESTIONS_MAX;
    if (!full) {
        admin->questions[admin->count++] = (struct question){peer, *id};
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
    const struct world_figures *figures = &world->figures;
    json_writer_open_object(out);
    json_writer_member_string(out, "world", world->name);
    json_writer_member_unsigned(out, "tick", atomic_load(&figures->tick));
    json_writer_member_boolean(out, "running", atomic_load(&figures->running));
    json_writer_member_boolean(out, "stuck", figures_are_stuck(figures, pool_now_ns()));
    json_writer_member_double(out, "realTimeFactor", (double)atomic_load(&figures->real_time_permille) / 1e3);
    json_writer_member_double(out, "tickMs", (double)atomic_load(&figures->tick_us) / 1e3);
    json_writer_member_double(out, "tickMaxMs", (double)atomic_load(&figures->tick_max_us) / 1e3);
    json_writer_member_double(out, "latenessMs", (double)atomic_load(&figures->lateness_us) / 1e3);
    json_writer_member_unsigned(out, "lateTicks", atomic_load(&figures->late_ticks));
    json_writer_member_unsigned(out, "commands", atomic_load(&figures->commands));
    json_writer_member_unsigned(out, "clients", atomic_load(&figures->clients));
    json_writer_member_unsigned(out, "viewers", atomic_load(&figures->viewers));
    json_writer_member_unsigned(out, "particles", atomic_load(&figures->particles));
    json_writer_member_unsigned(out, "objects", atomic_load(&figures->objects));
    json_writer_close_object(out);
}

static void describe_store(struct ledger *ledger, struct json_writer *out) {
    struct store_figures figures = {.well = true};
    if (ledger != NULL) {
        store_figures(ledger_store(ledger), &figures);
    }
    json_writer_key(out, "store");
    json_writer_open_object(out);
    json_writer_member_boolean(out, "kept", ledger != NULL);
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
    json_writer_member_double(out, "uptime", pool_seconds_since(admin->began_ns));
    json_writer_member_unsigned(out, "residentBytes", metrics_resident_bytes());
    json_writer_member_unsigned(out, "clients", net.websockets);
    json_writer_member_unsigned(out, "bytesSent", net.bytes_sent);
    json_writer_member_unsigned(out, "bytesReceived", net.bytes_received);
    json_writer_member_unsigned(out, "messagesReceived", net.messages_received);
    json_writer_member_unsigned(out, "framesSent", net.frames_sent);
    json_writer_member_unsigned(out, "framesSkipped", net.frames_skipped);
    json_writer_member_unsigned(out, "waitingBytes", intake_read_figures(sources->intake).waiting_bytes);
    json_writer_member_unsigned(out, "logLost", log_read_metrics().lost);
    describe_store(sources->ledger, out);
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
    proto_write_reply(&text, &question->id, result->data, result->length);
    struct message *message = reply_message(&question->id, &text);
    if (message != NULL) {
        net_post_send(net, question->peer, message);
    } else {
        net_post_close(net, question->peer, 1013, "out of memory");
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
