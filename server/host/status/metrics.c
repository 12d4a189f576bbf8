// SPDX-License-Identifier: MIT
// /metrics: the text that Prometheus reads (exposition format 0.0.4). Families in tables, each with its help and type
// and all its samples together; label values escaped; counters end in _total.
#include "host/status/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/message.h"
#include "base/queue.h"
#include "base/version.h"
#include "host/history/store_hub.h"
#include "host/run/instance.h"
#include "host/world/world_metrics.h"
#include "host/worlds/intake.h"
#include "host/worlds/node_figures.h"
#include "proto/message/response.h"

static void begin(FILE *out, const char *name, const char *type, const char *help) {
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

// A label's value: backslash, quote and newline are escaped.
static void write_label(FILE *out, const char *name, const char *value) {
    fprintf(out, "%s=\"", name);
    for (; *value != '\0'; value++) {
        if (*value == '\n') {
            fputs("\\n", out);
        } else {
            fprintf(out, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
        }
    }
    fputc('"', out);
}

// Opens the labels of a world's sample; the caller closes them.
static void write_world(FILE *out, const char *name, const char *suffix, const struct world *world) {
    fprintf(out, "%s%s{", name, suffix);
    write_label(out, "world", world->name);
}

// ---- metrics of each world ---------------------------------------------------------------------------------------

#define READ(name, member, scale)                                                                                      \
    static double read_##name(const struct world_metrics *metrics) {                                                   \
        return (double)atomic_load(&metrics->member) * (scale);                                                        \
    }
READ(tick, tick, 1.0)
READ(ticks, ticks, 1.0)
READ(commands, commands, 1.0)
READ(frames, frames, 1.0)
READ(frame_bytes, frame_bytes, 1.0)
READ(late_ticks, late_ticks, 1.0)
READ(lost, lost_us, 1e-6)
READ(tick_time, tick_us, 1e-6)
READ(lateness, lateness_us, 1e-6)
READ(real_time, real_time_permille, 1e-3)
READ(clients, clients, 1.0)
READ(viewers, viewers, 1.0)
READ(lockstep, lockstep, 1.0)
READ(lockstep_renewals, lockstep_renewals, 1.0)
READ(broadcast, broadcast, 1.0)
READ(broadcast_bytes, broadcast_bytes, 1.0)
READ(broadcast_requests, broadcast_requests, 1.0)
READ(broadcast_sent, broadcast_sent, 1.0)
READ(particles, particles, 1.0)
READ(sticks, sticks, 1.0)
READ(objects, objects, 1.0)
READ(running, running, 1.0)

static const struct {
    const char *name, *type, *help;
    double (*read)(const struct world_metrics *metrics);
} world_families[] = {
    {"weft_world_tick", "gauge", "Ticks since the scene began.", read_tick},
    {"weft_world_ticks_total", "counter", "Ticks run.", read_ticks},
    {"weft_world_commands_total", "counter", "Commands and batches applied.", read_commands},
    {"weft_world_frames_total", "counter", "Frames packed.", read_frames},
    {"weft_world_frame_bytes", "gauge", "Bytes of the last frame packed.", read_frame_bytes},
    {"weft_world_late_ticks_total", "counter", "Ticks that began more than one period late.", read_late_ticks},
    {"weft_world_lost_seconds_total", "counter", "Time that the world fell behind for good.", read_lost},
    {"weft_world_tick_seconds", "gauge", "Time the last tick took.", read_tick_time},
    {"weft_world_lateness_seconds", "gauge", "How late the last tick began.", read_lateness},
    {"weft_world_real_time_factor", "gauge", "World time per wall time over the last second.", read_real_time},
    {"weft_world_running", "gauge", "1 while its clock runs.", read_running},
    {"weft_world_clients", "gauge", "Clients connected.", read_clients},
    {"weft_world_viewers", "gauge", "Clients that get frames or ticks.", read_viewers},
    {"weft_world_lockstep", "gauge", "Clients that compute the ticks themselves.", read_lockstep},
    {"weft_world_lockstep_renewals_total", "counter",
     "Snapshots that such clients asked for again, because their state differed.", read_lockstep_renewals},
    {"weft_world_broadcast", "gauge", "1 while the world is broadcast over HTTP.", read_broadcast},
    {"weft_world_broadcast_bytes", "gauge", "Bytes of the files of its broadcast.", read_broadcast_bytes},
    {"weft_world_broadcast_requests_total", "counter", "Requests for files of its broadcast that came to this server.",
     read_broadcast_requests},
    {"weft_world_broadcast_sent_bytes_total", "counter", "Bytes of files of its broadcast that this server sent.",
     read_broadcast_sent},
    {"weft_world_particles", "gauge", "Particles.", read_particles},
    {"weft_world_sticks", "gauge", "Sticks.", read_sticks},
    {"weft_world_objects", "gauge", "Objects.", read_objects},
};

static void write_world_figures(FILE *out, struct world *const *worlds, uint32_t count) {
    for (size_t family = 0; family < sizeof world_families / sizeof world_families[0]; family++) {
        const char *name = world_families[family].name;
        begin(out, name, world_families[family].type, world_families[family].help);
        for (uint32_t i = 0; i < count; i++) {
            write_world(out, name, "", worlds[i]);
            fprintf(out, "} %.9g\n", world_families[family].read(&worlds[i]->metrics));
        }
    }
}

static void write_stages(FILE *out, struct world *const *worlds, uint32_t count) {
    static const char name[] = "weft_world_stage_seconds_total";
    begin(out, name, "counter", "Time of all ticks by stage.");
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t stage = 0; stage < WORLD_STAGE_COUNT; stage++) {
            write_world(out, name, "", worlds[i]);
            fputc(',', out);
            write_label(out, "stage", world_stage_names[stage]);
            fprintf(out, "} %.9g\n", (double)atomic_load(&worlds[i]->metrics.stage_ns[stage]) / 1e9);
        }
    }
}

// Causes may share a code.
static void write_refusals(FILE *out, struct world *const *worlds, uint32_t count) {
    static const char name[] = "weft_world_refusals_total";
    begin(out, name, "counter", "Requests refused, by the code of the error.");
    for (uint32_t i = 0; i < count; i++) {
        for (enum result cause = RESULT_PARSE; cause < RESULT_COUNT; cause++) {
            const int code = proto_error_code(cause);
            uint64_t refusals = 0;
            bool told = false;
            for (enum result other = RESULT_PARSE; other < RESULT_COUNT; other++) {
                told = told || (other < cause && proto_error_code(other) == code);
                refusals += proto_error_code(other) == code ? atomic_load(&worlds[i]->metrics.refusals[other]) : 0;
            }
            if (!told) {
                write_world(out, name, "", worlds[i]);
                fprintf(out, ",code=\"%d\"} %" PRIu64 "\n", code, refusals);
            }
        }
    }
}

static void write_histogram(FILE *out, const char *name, const struct world *world, const struct histogram *histogram) {
    uint64_t total = 0;
    for (uint32_t i = 0; i <= HISTOGRAM_BOUND_COUNT; i++) {
        total += atomic_load(&histogram->counts[i]);
        write_world(out, name, "_bucket", world);
        if (i < HISTOGRAM_BOUND_COUNT) {
            fprintf(out, ",le=\"%g\"} %" PRIu64 "\n", (double)histogram_bounds_us[i] / 1e6, total);
        } else {
            fprintf(out, ",le=\"+Inf\"} %" PRIu64 "\n", total);
        }
    }
    write_world(out, name, "_sum", world);
    fprintf(out, "} %.9g\n", (double)atomic_load(&histogram->sum_us) / 1e6);
    write_world(out, name, "_count", world);
    fprintf(out, "} %" PRIu64 "\n", total);
}

static void write_histograms(FILE *out, struct world *const *worlds, uint32_t count) {
    begin(out, "weft_world_tick_duration_seconds", "histogram", "How long ticks took.");
    for (uint32_t i = 0; i < count; i++) {
        write_histogram(out, "weft_world_tick_duration_seconds", worlds[i], &worlds[i]->metrics.tick_times);
    }
    begin(out, "weft_world_tick_lateness_seconds", "histogram", "How late ticks began.");
    for (uint32_t i = 0; i < count; i++) {
        write_histogram(out, "weft_world_tick_lateness_seconds", worlds[i], &worlds[i]->metrics.latenesses);
    }
}

static void write_inboxes(FILE *out, struct world *const *worlds, uint32_t count) {
    begin(out, "weft_world_inbox_messages", "gauge", "Messages that the world has not taken up yet.");
    for (uint32_t i = 0; i < count; i++) {
        write_world(out, "weft_world_inbox_messages", "", worlds[i]);
        fprintf(out, "} %zu\n", queue_length(&worlds[i]->inbox));
    }
}

// ---- figures of the server ---------------------------------------------------------------------------------------

static void write_one(FILE *out, const char *name, const char *type, const char *help, double value) {
    begin(out, name, type, help);
    fprintf(out, "%s %.15g\n", name, value);
}

static void write_net(FILE *out, const struct net_server *net) {
    const struct net_statistics now = net_server_statistics(net);
    write_one(out, "weft_net_clients", "gauge", "WebSockets.", (double)now.websockets);
    write_one(out, "weft_net_bytes_sent_total", "counter", "Bytes of messages sent.", (double)now.bytes_sent);
    write_one(out, "weft_net_bytes_received_total", "counter", "Bytes of messages received.",
              (double)now.bytes_received);
    write_one(out, "weft_net_messages_received_total", "counter", "Messages received.", (double)now.messages_received);
    write_one(out, "weft_net_frames_sent_total", "counter", "Frames sent.", (double)now.frames_sent);
    write_one(out, "weft_net_frames_skipped_total", "counter", "Frames that a newer one took the place of.",
              (double)now.frames_skipped);
    write_one(out, "weft_net_refused_total", "counter",
              "Connections refused: no room, too late, or against the protocol.", (double)now.refused);
}

static void write_queues(FILE *out, struct intake *intake) {
    const struct intake_metrics waiting = intake_read_metrics(intake);
    const struct log_metrics log = log_read_metrics();
    write_one(out, "weft_intake_waiting_messages", "gauge", "Long messages that wait to be parsed.",
              (double)waiting.waiting);
    write_one(out, "weft_intake_waiting_bytes", "gauge", "Bytes of long messages that wait or are parsed.",
              (double)waiting.waiting_bytes);
    write_one(out, "weft_log_entries_total", "counter", "Lines of the log.", (double)log.written);
    write_one(out, "weft_log_folded_total", "counter", "Entries of the log folded into others.", (double)log.merged);
    write_one(out, "weft_log_lost_total", "counter", "Lines of the log lost, because they are read too slowly.",
              (double)log.lost);
}

static void write_store(FILE *out, struct store_hub *hub) {
    struct store_figures now;
    if (hub == NULL) {
        return;
    }
    store_figures(store_hub_store(hub), &now);
    write_one(out, "weft_store_well", "gauge", "1 while the store takes what is to be kept.", now.well ? 1.0 : 0.0);
    write_one(out, "weft_store_set_aside_worlds", "gauge", "Worlds that are damaged and unavailable.",
              (double)store_hub_aside_count(hub));
    write_one(out, "weft_store_commits_total", "counter", "Transactions committed.", (double)now.commits);
    write_one(out, "weft_store_failures_total", "counter", "Transactions that failed.", (double)now.failures);
    write_one(out, "weft_store_entries_total", "counter", "Commands committed.", (double)now.entries);
    write_one(out, "weft_store_snapshots_total", "counter", "Snapshots committed.", (double)now.snapshots);
    write_one(out, "weft_store_folded_total", "counter", "Commands deleted by compaction of the history.",
              (double)now.compacted);
    write_one(out, "weft_store_queue_bytes", "gauge", "Bytes that wait to be stored.", (double)now.queue_bytes);
    write_one(out, "weft_store_commit_seconds", "gauge", "Time of the last commit.", (double)now.commit_us / 1e6);
    write_one(out, "weft_store_commit_round_trips", "gauge",
              "Times that the last commit waited for PostgreSQL, 0 with SQLite.", (double)now.commit_round_trips);
    write_one(out, "weft_store_history_bytes", "gauge", "Bytes that --history counts.", (double)now.history_bytes);
    write_one(out, "weft_store_history_limit_bytes", "gauge", "Bytes that --history allows, 0: any.",
              (double)now.budget.bytes);
    write_one(out, "weft_store_history_over", "gauge", "1 while what always stays is more than --history allows.",
              now.over_budget ? 1.0 : 0.0);
    write_one(out, "weft_store_file_bytes", "gauge", "Bytes of the database and its log.", (double)now.file_bytes);
}

// ---- figures of a node -------------------------------------------------------------------------------------------

static void write_lease(FILE *out, const struct node_figures *now) {
    write_one(out, "weft_node_lease_seconds", "gauge", "Time that the lease still holds, 0: this node has none.",
              (double)now->lease_ms / 1e3);
    write_one(out, "weft_node_renewals_total", "counter", "Renewals of the lease.", (double)now->counts[NODE_RENEWALS]);
    write_one(out, "weft_node_renewal_failures_total", "counter", "Renewals of the lease that failed.",
              (double)now->counts[NODE_RENEWAL_FAILURES]);
    write_one(out, "weft_node_renewal_seconds", "gauge", "Time that the last renewal took.",
              (double)now->renewal_ms / 1e3);
    write_one(out, "weft_node_draining", "gauge", "1 while it gives its worlds to other nodes.",
              now->draining ? 1.0 : 0.0);
    write_one(out, "weft_node_headroom_processors", "gauge", "Processors that the ticks of its worlds leave free.",
              (double)now->headroom / 1e3);
    write_one(out, "weft_node_nodes", "gauge", "Nodes with a lease that this one sees, itself included.", now->nodes);
}

static void write_node_worlds(FILE *out, const struct node_figures *now) {
    write_one(out, "weft_node_worlds", "gauge", "Worlds that this node owns.", now->worlds);
    write_one(out, "weft_node_unavailable_worlds", "gauge", "Worlds of the cluster that no node has ready.",
              now->homeless);
    write_one(out, "weft_node_refused_worlds", "gauge",
              "Worlds that this node does not bring back: another physics version computed them, or a hash differs.",
              now->refused);
    write_one(out, "weft_node_takeovers_total", "counter", "Worlds taken from nodes that had lost their lease.",
              (double)now->counts[NODE_TAKEN]);
    write_one(out, "weft_node_unowned_taken_total", "counter", "Worlds taken that no node owned.",
              (double)now->counts[NODE_FOUND]);
    write_one(out, "weft_node_opened_total", "counter", "Worlds brought back here, whether taken or given.",
              (double)now->counts[NODE_OPENED]);
    write_one(out, "weft_node_opening_seconds_total", "counter", "Time that bringing them back took.",
              (double)now->counts[NODE_OPENING_MS] / 1e3);
    write_one(out, "weft_node_open_retries_total", "counter", "Attempts to bring a world back that are repeated.",
              (double)now->counts[NODE_OPEN_RETRIES]);
    write_one(out, "weft_node_given_total", "counter", "Worlds moved to another node.",
              (double)now->counts[NODE_GIVEN]);
    write_one(out, "weft_node_lost_total", "counter", "Worlds that another node has taken from this one.",
              (double)now->counts[NODE_LOST]);
}

static void write_node(FILE *out, const struct document_sources *sources) {
    struct node_figures now;
    if (sources->node == NULL) {
        return;
    }
    node_read_figures(sources->node, &now);
    write_lease(out, &now);
    write_node_worlds(out, &now);
    begin(out, "weft_world_epoch", "gauge", "Epoch by which this node owns the world.");
    for (uint32_t i = 0; i < sources->count; i++) {
        const uint64_t epoch = node_world_epoch(sources->node, sources->worlds[i]->number);
        if (epoch != 0) {
            write_world(out, "weft_world_epoch", "", sources->worlds[i]);
            fprintf(out, "} %" PRIu64 "\n", epoch);
        }
    }
}

// ---- figures of the process --------------------------------------------------------------------------------------

// The most that was resident so far, which every system tells; Linux in KiB.
static uint64_t peak_resident_bytes(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024u : 0;
}

uint64_t metrics_resident_bytes(void) {
    unsigned long long pages = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm == NULL) {
        return peak_resident_bytes();
    }
    const bool found = fscanf(statm, "%llu %llu", &pages, &resident) == 2;
    (void)fclose(statm);
    return found ? resident * (uint64_t)sysconf(_SC_PAGESIZE) : peak_resident_bytes();
}

static void write_process(FILE *out) {
    struct timespec used;
    write_one(out, "process_resident_memory_bytes", "gauge", "Resident memory; its peak where the system has no /proc.",
              (double)metrics_resident_bytes());
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0) {
        write_one(out, "process_cpu_seconds_total", "counter", "Processor time used.",
                  (double)used.tv_sec + (double)used.tv_nsec / 1e9);
    }
    begin(out, "weft_build_info", "gauge", "Always 1; what is running.");
    fputs("weft_build_info{", out);
    write_label(out, "version", WEFT_VERSION);
    fputs(",", out);
    write_label(out, "instance", app_instance());
    fputs("} 1\n", out);
}

struct message *metrics_build(const struct document_sources *sources) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return NULL;
    }
    write_world_figures(out, sources->worlds, sources->count);
    write_stages(out, sources->worlds, sources->count);
    write_histograms(out, sources->worlds, sources->count);
    write_refusals(out, sources->worlds, sources->count);
    write_inboxes(out, sources->worlds, sources->count);
    if (sources->net != NULL) {
        write_net(out, sources->net);
    }
    if (sources->intake != NULL) {
        write_queues(out, sources->intake);
    }
    write_store(out, sources->hub);
    write_node(out, sources);
    write_process(out);
    const int failed = fclose(out);
    struct message *message = failed == 0 ? message_from_text(text, length) : NULL;
    free(text);
    return message;
}
