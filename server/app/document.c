// SPDX-License-Identifier: MIT
// /openrpc.json, /healthz, /metrics (Prometheus text).
#include "app/document.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"

static struct net_message *message_of(const struct proto_text *text) {
    return proto_text_failed(text) ? NULL : net_message_from_text(text->data, text->length);
}

static struct net_message *build_schema(void) {
    return net_message_from_text(proto_schema, proto_schema_length);
}

static struct net_message *build_health(struct world *const *worlds, uint32_t count) {
    struct proto_text text;
    proto_text_init(&text);
    proto_text_open_object(&text);
    proto_text_member_string(&text, "status", "ok");
    proto_text_member_string(&text, "version", WEFT_VERSION);
    proto_text_member_string(&text, "instance", app_instance());
    proto_text_key(&text, "worlds");
    proto_text_open_array(&text);
    for (uint32_t i = 0; i < count; i++) {
        const struct world_figures *figures = &worlds[i]->figures;
        proto_text_open_object(&text);
        proto_text_member_string(&text, "name", worlds[i]->name);
        proto_text_member_unsigned(&text, "tick", atomic_load(&figures->tick));
        proto_text_member_boolean(&text, "running", atomic_load(&figures->running));
        proto_text_member_real(&text, "realTimeFactor", (double)atomic_load(&figures->real_time_permille) / 1000.0);
        proto_text_member_unsigned(&text, "clients", atomic_load(&figures->clients));
        proto_text_close_object(&text);
    }
    proto_text_close_array(&text);
    proto_text_close_object(&text);
    struct net_message *message = message_of(&text);
    proto_text_free(&text);
    return message;
}

// ---- metrics -----------------------------------------------------------------------------------------------------

struct metrics {
    struct net_message *message;
    size_t length;
};

static void add_line(struct metrics *metrics, const char *format, ...) WEFT_PRINTF(2, 3);

static void add_line(struct metrics *metrics, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    size_t room = net_message_capacity(metrics->message) - metrics->length;
    if (length > 0 && (size_t)length < sizeof line && (size_t)length <= room) {
        memcpy(net_message_data(metrics->message) + metrics->length, line, (size_t)length);
        metrics->length += (size_t)length;
    }
}

typedef double (*figure_reader)(const struct world_figures *figures);

static double read_ticks(const struct world_figures *figures) {
    return (double)atomic_load(&figures->tick);
}
static double read_commands(const struct world_figures *figures) {
    return (double)atomic_load(&figures->commands);
}
static double read_refusals(const struct world_figures *figures) {
    return (double)atomic_load(&figures->refusals);
}
static double read_frames(const struct world_figures *figures) {
    return (double)atomic_load(&figures->frames);
}
static double read_late(const struct world_figures *figures) {
    return (double)atomic_load(&figures->late_ticks);
}
static double read_lost_seconds(const struct world_figures *figures) {
    return (double)atomic_load(&figures->lost_us) / 1e6;
}
static double read_tick_seconds(const struct world_figures *figures) {
    return (double)atomic_load(&figures->tick_us) / 1e6;
}
static double read_lateness(const struct world_figures *figures) {
    return (double)atomic_load(&figures->lateness_us) / 1e6;
}
static double read_real_time(const struct world_figures *figures) {
    return (double)atomic_load(&figures->real_time_permille) / 1e3;
}
static double read_clients(const struct world_figures *figures) {
    return (double)atomic_load(&figures->clients);
}
static double read_particles(const struct world_figures *figures) {
    return (double)atomic_load(&figures->particles);
}
static double read_sticks(const struct world_figures *figures) {
    return (double)atomic_load(&figures->sticks);
}
static double read_objects(const struct world_figures *figures) {
    return (double)atomic_load(&figures->objects);
}

static const struct {
    const char *name, *type, *help;
    figure_reader read;
} world_metrics[] = {
    {"weft_world_tick", "gauge", "Ticks since the scene began.", read_ticks},
    {"weft_world_commands_total", "counter", "Commands applied.", read_commands},
    {"weft_world_refusals_total", "counter", "Requests refused.", read_refusals},
    {"weft_world_frames_total", "counter", "Frames packed.", read_frames},
    {"weft_world_late_ticks_total", "counter", "Ticks that began more than one period late.", read_late},
    {"weft_world_lost_seconds_total", "counter", "Time that the world fell behind for good.", read_lost_seconds},
    {"weft_world_tick_seconds", "gauge", "Time the last tick took.", read_tick_seconds},
    {"weft_world_lateness_seconds", "gauge", "How late the last tick began.", read_lateness},
    {"weft_world_real_time_factor", "gauge", "World time per wall time over the last second.", read_real_time},
    {"weft_world_clients", "gauge", "Clients connected.", read_clients},
    {"weft_world_particles", "gauge", "Particles.", read_particles},
    {"weft_world_sticks", "gauge", "Sticks.", read_sticks},
    {"weft_world_objects", "gauge", "Objects.", read_objects},
};
#define WORLD_METRIC_COUNT (sizeof world_metrics / sizeof world_metrics[0])

static void add_net_metric(struct metrics *metrics, const char *name, const char *type, uint64_t value) {
    add_line(metrics, "# TYPE %s %s\n", name, type);
    add_line(metrics, "%s %" PRIu64 "\n", name, value);
}

static struct net_message *build_metrics(struct world *const *worlds, uint32_t count, const struct net_server *net) {
    size_t room = 4096 + (WORLD_METRIC_COUNT * 160) * ((size_t)count + 1);
    struct metrics metrics = {net_message_create(NET_MESSAGE_TEXT, room), 0};
    if (metrics.message == NULL) {
        return NULL;
    }
    for (size_t m = 0; m < WORLD_METRIC_COUNT; m++) {
        add_line(&metrics, "# HELP %s %s\n", world_metrics[m].name, world_metrics[m].help);
        add_line(&metrics, "# TYPE %s %s\n", world_metrics[m].name, world_metrics[m].type);
        for (uint32_t i = 0; i < count; i++) {
            add_line(&metrics, "%s{world=\"%s\"} %.9g\n", world_metrics[m].name, worlds[i]->name,
                     world_metrics[m].read(&worlds[i]->figures));
        }
    }
    struct net_statistics statistics = net_server_statistics(net);
    add_net_metric(&metrics, "weft_net_clients", "gauge", statistics.peers);
    add_net_metric(&metrics, "weft_net_bytes_sent_total", "counter", statistics.bytes_sent);
    add_net_metric(&metrics, "weft_net_bytes_received_total", "counter", statistics.bytes_received);
    add_net_metric(&metrics, "weft_net_messages_received_total", "counter", statistics.messages_received);
    add_net_metric(&metrics, "weft_net_frames_sent_total", "counter", statistics.frames_sent);
    add_net_metric(&metrics, "weft_net_frames_skipped_total", "counter", statistics.frames_skipped);
    net_message_set_length(metrics.message, metrics.length);
    return metrics.message;
}

struct net_message *document_build(struct world *const *worlds, uint32_t count, const struct net_server *net,
                                   const char *path, const char **content_type, int *status) {
    *status = 200;
    *content_type = "application/json";
    if (strcmp(path, "/openrpc.json") == 0) {
        return build_schema();
    }
    if (strcmp(path, "/healthz") == 0) {
        return build_health(worlds, count);
    }
    if (strcmp(path, "/metrics") == 0) {
        *content_type = "text/plain; version=0.0.4";
        return build_metrics(worlds, count, net);
    }
    return NULL;
}
