// SPDX-License-Identifier: MIT
// /openrpc.json, /healthz, /livez, /readyz, /metrics, /addresses.json.
#include "host/status/document.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/version.h"
#include "host/connection/invite.h"
#include "host/history/store_hub.h"
#include "host/run/instance.h"
#include "host/run/scheduler.h"
#include "host/status/metrics.h"
#include "host/world/world_metrics.h"
#include "proto/gen/schema.h"

static struct message *message_of(const struct json_writer *text) {
    return json_writer_failed(text) ? NULL : message_from_text(text->data, text->length);
}

static struct message *build_schema(const struct document_sources *sources) {
    (void)sources;
    return message_from_text(proto_schema, proto_schema_length);
}

// ---- health ------------------------------------------------------------------------------------------------------

static void describe_world(const struct world *world, struct json_writer *out) {
    const struct world_metrics *metrics = &world->metrics;
    json_writer_open_object(out);
    json_writer_member_string(out, "name", world->name);
    json_writer_member_unsigned(out, "tick", atomic_load(&metrics->tick));
    json_writer_member_boolean(out, "running", atomic_load(&metrics->running));
    json_writer_member_boolean(out, "stuck", world_metrics_are_stuck(metrics, scheduler_now_ns()));
    json_writer_member_double(out, "realTimeFactor", (double)atomic_load(&metrics->real_time_permille) / 1000.0);
    json_writer_member_unsigned(out, "clients", atomic_load(&metrics->clients));
    json_writer_close_object(out);
}

static uint32_t count_stuck(const struct document_sources *sources) {
    uint32_t stuck = 0;
    for (uint32_t i = 0; i < sources->count; i++) {
        stuck += world_metrics_are_stuck(&sources->worlds[i]->metrics, scheduler_now_ns()) ? 1u : 0u;
    }
    return stuck;
}

static bool is_well(const struct document_sources *sources) {
    struct fault reason;
    return store_hub_is_well(sources->hub, &reason) && count_stuck(sources) == 0;
}

// Strangers do not see folders and addresses of databases.
static const char *store_reason(const struct document_sources *sources, const struct fault *fault) {
    return sources->stranger ? "nothing can be stored" : fault->message;
}

// The status of /readyz and /healthz: whether the server is well and takes clients.
static int ready_status(const struct document_sources *sources) {
    return is_well(sources) && !sources->draining ? 200 : 503;
}

// The status of /livez: whether a restart of the process would help; a restart makes no room on a disk.
static int alive_status(const struct document_sources *sources) {
    return count_stuck(sources) == 0 ? 200 : 503;
}

static struct message *build_probe(const struct document_sources *sources, int status, bool readiness) {
    const uint32_t stuck = count_stuck(sources);
    struct fault fault = {0};
    struct json_writer text;
    json_writer_init(&text);
    json_writer_open_object(&text);
    json_writer_member_string(&text, "status", status == 200 ? "ok" : "failing");
    json_writer_key(&text, "reasons");
    json_writer_open_array(&text);
    if (stuck > 0) {
        char reason[128];
        snprintf(reason, sizeof reason, "%u of %u worlds have not ended a turn for %u s", stuck, sources->count,
                 (unsigned)(WORLD_METRICS_STUCK_NS / 1000000000u));
        json_writer_string(&text, reason);
    }
    if (readiness && !store_hub_is_well(sources->hub, &fault)) {
        json_writer_string(&text, store_reason(sources, &fault));
    }
    if (readiness && sources->draining) {
        json_writer_string(&text, "the server is about to end");
    }
    json_writer_close_array(&text);
    json_writer_close_object(&text);
    struct message *message = message_of(&text);
    json_writer_free(&text);
    return message;
}

static struct message *build_alive(const struct document_sources *sources) {
    return build_probe(sources, alive_status(sources), false);
}

static struct message *build_ready(const struct document_sources *sources) {
    return build_probe(sources, ready_status(sources), true);
}

static struct message *build_health(const struct document_sources *sources) {
    struct fault fault = {0};
    const bool stored = store_hub_is_well(sources->hub, &fault), well = is_well(sources);
    struct json_writer text;
    json_writer_init(&text);
    json_writer_open_object(&text);
    json_writer_member_string(&text, "status",
                              !well                                     ? "failing"
                              : sources->draining                       ? "draining"
                              : store_hub_aside_count(sources->hub) > 0 ? "degraded"
                                                                        : "ok");
    json_writer_member_string(&text, "version", WEFT_VERSION);
    json_writer_member_string(&text, "instance", app_instance());
    json_writer_key(&text, "store");
    json_writer_open_object(&text);
    json_writer_member_boolean(&text, "kept", sources->hub != NULL);
    json_writer_member_boolean(&text, "well", stored);
    if (!stored) {
        json_writer_member_string(&text, "reason", store_reason(sources, &fault));
    }
    json_writer_close_object(&text);
    if (sources->config != NULL && sources->config->node_url[0] != '\0') {
        json_writer_key(&text, "node");
        json_writer_open_object(&text);
        json_writer_member_string(&text, "url", sources->config->node_url);
        json_writer_member_boolean(&text, "leased", store_hub_has_lease(sources->hub, &fault) == RESULT_OK);
        json_writer_close_object(&text);
    }
    json_writer_member_unsigned(&text, "worldCount", sources->count);
    json_writer_member_unsigned(&text, "setAsideCount", store_hub_aside_count(sources->hub));
    if (!sources->stranger) {
        store_hub_describe_aside(sources->hub, &text);
    }
    json_writer_key(&text, "worlds");
    json_writer_open_array(&text);
    for (uint32_t i = 0; i < sources->count && !sources->stranger; i++) {
        describe_world(sources->worlds[i], &text);
    }
    json_writer_close_array(&text);
    json_writer_close_object(&text);
    struct message *message = message_of(&text);
    json_writer_free(&text);
    return message;
}

// ---- addresses ---------------------------------------------------------------------------------------------------

// For the page, which knows only the address that it was opened by: where others in the network find it.
static struct message *build_addresses(const struct document_sources *sources) {
    char urls[INVITE_ADDRESSES_MAX][INVITE_URL_MAX];
    const struct config *config = sources->config;
    if (config == NULL || sources->net == NULL) {
        return NULL;
    }
    const size_t count =
        app_invite_find(config->host, net_server_port(sources->net), config->tls_cert[0] != '\0', urls);
    struct json_writer text;
    json_writer_init(&text);
    json_writer_open_object(&text);
    json_writer_member_boolean(&text, "everywhere", app_invite_is_everywhere(config->host));
    json_writer_member_boolean(&text, "contained", app_invite_is_contained());
    json_writer_key(&text, "urls");
    json_writer_open_array(&text);
    for (size_t i = 0; i < count; i++) {
        json_writer_string(&text, urls[i]);
    }
    json_writer_close_array(&text);
    json_writer_close_object(&text);
    struct message *message = message_of(&text);
    json_writer_free(&text);
    return message;
}

// ------------------------------------------------------------------------------------------------------------------

static const struct {
    const char *path, *content_type;
    struct message *(*build)(const struct document_sources *sources);
    int (*status)(const struct document_sources *sources); // NULL: 200
} documents[] = {
    {"/openrpc.json", "application/json", build_schema, NULL},
    {"/healthz", "application/json", build_health, ready_status},
    {"/livez", "application/json", build_alive, alive_status},
    {"/readyz", "application/json", build_ready, ready_status},
    {"/addresses.json", "application/json", build_addresses, NULL},
    {"/metrics", "text/plain; version=0.0.4; charset=utf-8", metrics_build, NULL},
};

// Without the places of worlds that were removed.
static struct document_sources only_present(const struct document_sources *sources, struct world **there) {
    struct document_sources present = *sources;
    present.worlds = there;
    present.count = 0;
    for (uint32_t at = 0; at < sources->count; at++) {
        if (sources->worlds[at] != NULL) {
            there[present.count++] = sources->worlds[at];
        }
    }
    return present;
}

struct message *document_build(const struct document_sources *sources, const char *path, const char **content_type,
                               int *status) {
    struct world *there[CONFIG_WORLDS_MAX];
    const struct document_sources present = only_present(sources, there);
    struct message *message = NULL;
    for (size_t i = 0; i < sizeof documents / sizeof documents[0] && message == NULL; i++) {
        if (strcmp(path, documents[i].path) == 0) {
            *status = documents[i].status != NULL ? documents[i].status(&present) : 200;
            *content_type = documents[i].content_type;
            message = documents[i].build(&present);
        }
    }
    return message;
}
