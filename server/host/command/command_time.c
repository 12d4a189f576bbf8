// SPDX-License-Identifier: MIT
// Commands about time: they describe the history that is kept, and go back in it.
#include "host/command/command_time.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/job_thread.h"
#include "base/result.h"
#include "engine/world/tick_record.h"
#include "host/history/history.h"
#include "host/history/playback.h"
#include "host/history/playback_state.h"
#include "host/history/seek.h"
#include "host/history/seek_state.h"
#include "host/history/undo.h"
#include "host/run/jobs.h"
#include "host/world/hold.h"
#include "host/world/host_call.h"

#define CHUNK 512u // entries that are read at once
#define SPEED_LEAST 0.1f

static enum result check_history(const struct host_call *call) {
    if (call->world->history != NULL) {
        return RESULT_OK;
    }
    return fault_set(call->fault, RESULT_STATE, "", "%s needs a history, and %s",
                     proto_methods[call->command->method].name, history_absence(call->world));
}

// ---- going -------------------------------------------------------------------------------------------------------

static enum result set_out(struct host_call *call, struct seek *wanted) {
    if (undo_is_on(call->world)) {
        return fault_set(call->fault, RESULT_STATE, "",
                         "an undo or redo is running: wait until it is done, or call world.cancel");
    }
    wanted->connection_id = call->session->connection_id;
    wanted->id = *call->id;
    call->session->waiting = true;
    call->deferred = true;
    seek_begin(call->world, wanted);
    return RESULT_OK;
}

// From what was shown, to what the world has become: nothing of that has changed.
static enum result come_back(struct host_call *call) {
    struct world *world = call->world;
    const enum result result = playback_return(world, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    json_writer_member_unsigned(call->result, "timeline", world->history->timeline);
    json_writer_member_unsigned(call->result, "epoch", sim_world_epoch(world->engine->sim));
    json_writer_member_unsigned(call->result, "tick", sim_world_tick(world->engine->sim));
    json_writer_close_object(call->result);
    call->deferred = true;
    history_answer(world, call->session->connection_id, call->id, call->result);
    return RESULT_OK;
}

enum result command_world_seek(struct host_call *call) {
    const struct proto_world_seek *params = call->command->params;
    const struct world *world = call->world;
    enum result result = check_history(call);
    if (result != RESULT_OK) {
        return result;
    }
    if (world->engine->running) {
        return fault_set(call->fault, RESULT_STATE, "", "world.seek needs a paused world: call world.pause first");
    }
    const uint32_t timeline = params->has_timeline ? params->timeline : history_home(world);
    const bool here = !params->has_timeline || timeline == world->history->timeline;
    if (!params->has_tick && playback_is_showing(world) && here) {
        return come_back(call);
    }
    const uint64_t tick = params->has_tick ? params->tick : STORE_END;
    struct seek wanted = {.task = SEEK_TO_TICK,
                          .tick = tick,
                          .timeline = timeline,
                          .request = {.tick = tick, .from = tick, .to = tick, .timeline = timeline}};
    return set_out(call, &wanted);
}

static enum result check_replay(const struct proto_world_replay *params, const struct playback_request *request,
                                struct fault *fault) {
    if (request->speed > 0.0f && request->speed < SPEED_LEAST) {
        return fault_set(fault, RESULT_INVALID, "/speed", "speed must be 0 or from 0.1 to 4, got %g",
                         (double)request->speed);
    }
    if (request->to < request->from || (request->to == request->from && request->speed > 0.0f)) {
        return fault_set(fault, RESULT_INVALID, "/to", "to must be after from, %llu, got %llu",
                         (unsigned long long)request->from, (unsigned long long)request->to);
    }
    if (params->has_tick && (request->tick < request->from || request->tick > request->to)) {
        return fault_set(fault, RESULT_INVALID, "/tick", "tick must be in the range, %llu to %llu, got %llu",
                         (unsigned long long)request->from, (unsigned long long)request->to,
                         (unsigned long long)request->tick);
    }
    return RESULT_OK;
}

enum result command_world_replay(struct host_call *call) {
    const struct proto_world_replay *params = call->command->params;
    const struct world *world = call->world;
    const struct playback_request request = {
        .tick = params->has_tick ? params->tick : params->from,
        .from = params->from,
        .to = params->has_to ? params->to : STORE_END,
        .timeline = params->has_timeline || world->history == NULL ? params->timeline : history_home(world),
        .speed = params->speed,
        .loop = params->loop};
    enum result result = check_history(call);
    if (result == RESULT_OK) {
        result = check_replay(params, &request, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    if (world->engine->running) {
        return fault_set(call->fault, RESULT_STATE, "", "world.replay needs a paused world: call world.pause first");
    }
    struct seek wanted = {.task = SEEK_SHOW, .tick = request.tick, .timeline = request.timeline, .request = request};
    return set_out(call, &wanted);
}

// ---- looking -----------------------------------------------------------------------------------------------------

struct look {
    struct thread_job job;
    struct world *world;
    uint64_t connection_id, number, tick, from;
    uint64_t present; // the tick that the timeline which goes on has come to
    struct proto_id id;
    uint32_t timeline, home, listed, most;
};

static void list_timelines(const struct look *look, const struct store_timeline *timelines, uint32_t count,
                           struct json_writer *out) {
    json_writer_key(out, "timelines");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < count; i++) {
        const bool current = timelines[i].timeline == look->timeline;
        json_writer_open_object(out);
        json_writer_member_unsigned(out, "timeline", timelines[i].timeline);
        json_writer_member_unsigned(out, "parent", timelines[i].parent_timeline);
        json_writer_member_unsigned(out, "first", timelines[i].first_tick);
        json_writer_member_unsigned(out, "last", current ? look->present : timelines[i].last_tick);
        json_writer_member_unsigned(out, "commands", timelines[i].entries);
        json_writer_member_unsigned(out, "physics", timelines[i].physics);
        json_writer_close_object(out);
    }
    json_writer_close_array(out);
}

// In the timeline that the listed one comes from, unless its beginning is gone.
static uint64_t find_first_tick(const struct store_timeline *at, const struct store_timeline *timelines,
                                uint32_t count) {
    uint64_t first = 0;
    while (at != NULL) {
        const bool goes_on = at->origin == STORE_ORIGIN_FORK && !at->compacted;
        first = at->first_tick;
        at = goes_on ? store_find_timeline(timelines, count, at->parent_timeline) : NULL;
    }
    return first;
}

static enum result list_snapshots(const struct look *look, struct json_writer *out, struct fault *fault) {
    struct store_snapshot_info *snapshots = NULL;
    uint32_t count = 0;
    const enum result result =
        store_list_snapshots(history_store(look->world), look->number, &snapshots, &count, fault);
    json_writer_key(out, "snapshots");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < count; i++) {
        if (snapshots[i].timeline == look->listed) {
            json_writer_open_object(out);
            json_writer_member_unsigned(out, "tick", snapshots[i].tick);
            json_writer_member_unsigned(out, "bytes", snapshots[i].bytes);
            json_writer_close_object(out);
        }
    }
    json_writer_close_array(out);
    free(snapshots);
    return result;
}

// What the server did of its own accord, or began with, is no method: `release`, `clock`, `scene`.
static void list_own(const struct store_entry *entry, struct bytes_reader *in, struct json_writer *out) {
    static const char *const names[] = {
        [RECORD_SCENE] = "scene", [RECORD_RELEASE] = "release", [RECORD_CLOCK] = "clock"};
    char scene[CONFIG_SCENE_NAME_MAX + 1];
    const uint32_t value = bytes_take_u32(in);
    const bool known = entry->kind < sizeof names / sizeof names[0] && names[entry->kind] != NULL && !in->failed;
    json_writer_member_string(out, "method", known ? names[entry->kind] : "?");
    json_writer_key(out, "params");
    json_writer_open_object(out);
    if (known && entry->kind == RECORD_RELEASE) {
        json_writer_member_unsigned(out, "grab", value);
    } else if (known) {
        json_writer_member_boolean(out, "running", value != 0);
    }
    if (known && entry->kind == RECORD_SCENE) {
        bytes_take_text(in, scene, sizeof scene);
        json_writer_member_string(out, "name", in->failed ? "" : scene);
    }
    json_writer_close_object(out);
}

static enum result list_entry(const struct store_logged *logged, struct json_writer *out, struct fault *fault) {
    struct proto_request *request = NULL;
    struct bytes_reader in = {.data = logged->entry.record.data, .length = logged->entry.record.size};
    uint32_t sequence = bytes_take_u32(&in);
    const bool command = logged->entry.kind == RECORD_COMMAND;
    const struct engine_record record = history_record(&logged->entry);
    const enum result result = command ? engine_read_command(&record, &sequence, &request, fault) : RESULT_OK;
    if (result != RESULT_OK) {
        return result;
    }
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "tick", logged->entry.tick);
    json_writer_member_unsigned(out, "timeline", logged->timeline);
    json_writer_member_unsigned(out, "sequence", logged->entry.sequence);
    json_writer_member_unsigned(out, "client", logged->entry.client);
    json_writer_member_unsigned(out, "number", sequence);
    if (command) {
        json_writer_member_string(out, "method", proto_methods[request->command.method].name);
        json_writer_key(out, "params");
        json_writer_raw(out, request->command.params_text, request->command.params_length);
    } else {
        list_own(&logged->entry, &in, out);
    }
    json_writer_close_object(out);
    proto_request_destroy(request);
    return RESULT_OK;
}

// What has been listed so far.
struct listing {
    const struct look *look;
    uint32_t listed;
    bool more;
};

// Commands of one timeline up to this entry.
static enum result list_part(struct listing *listing, uint32_t timeline, uint64_t last, struct json_writer *out,
                             struct fault *fault) {
    const struct look *look = listing->look;
    enum result result = RESULT_OK;
    for (uint64_t from = 1; from <= last && result == RESULT_OK && !listing->more; from += CHUNK) {
        struct store_history *entries = NULL;
        result = store_list_entries(history_store(look->world), look->number, timeline, from, CHUNK, &entries, fault);
        for (uint32_t i = 0; result == RESULT_OK && i < entries->entry_count && !listing->more; i++) {
            const struct store_logged *logged = &entries->entries[i];
            if (logged->entry.tick >= look->from && logged->entry.sequence <= last) {
                listing->more = listing->listed == look->most;
                result = listing->more ? RESULT_OK : list_entry(logged, out, fault);
                listing->listed++;
            }
        }
        store_history_free(entries);
    }
    return result;
}

// Those that the timeline shares with the ones it comes from, then its own.
static enum result list_commands(const struct look *look, const struct store_timeline *timelines, uint32_t count,
                                 struct json_writer *out, struct fault *fault) {
    struct listing listing = {.look = look};
    struct {
        uint32_t timeline;
        uint64_t last;
    } *way = calloc(count > 0 ? count : 1, sizeof *way);
    if (way == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    uint32_t parts = 0;
    const struct store_timeline *at = store_find_timeline(timelines, count, look->listed);
    for (uint64_t last = at != NULL ? at->last_sequence : 0; at != NULL && parts < count;) {
        way[parts].timeline = at->timeline;
        way[parts++].last = last;
        last = at->parent_sequence;
        at = store_find_parent(timelines, count, at);
    }
    enum result result = RESULT_OK;
    json_writer_key(out, "commands");
    json_writer_open_array(out);
    while (parts > 0 && result == RESULT_OK && !listing.more) {
        parts--;
        result = list_part(&listing, way[parts].timeline, way[parts].last, out, fault);
    }
    json_writer_close_array(out);
    json_writer_member_boolean(out, "more", listing.more);
    free(way);
    return result;
}

// The bytes that the histories of all worlds take, and the bytes that --history allows.
static void describe_kept(const struct world *world, struct json_writer *out) {
    struct store_figures figures;
    store_figures(history_store(world), &figures);
    json_writer_key(out, "kept");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "bytes", figures.history_bytes);
    if (figures.budget.bytes > 0) {
        json_writer_member_unsigned(out, "maxBytes", figures.budget.bytes);
    }
    if (figures.budget.age_ms > 0) {
        json_writer_member_unsigned(out, "maxSeconds", figures.budget.age_ms / 1000);
    }
    json_writer_member_boolean(out, "over", figures.over_budget);
    json_writer_close_object(out);
}

static enum result write_look(const struct look *look, struct json_writer *out, struct fault *fault) {
    struct store_timeline *timelines = NULL;
    uint32_t count = 0;
    enum result result = store_list_timelines(history_store(look->world), look->number, &timelines, &count, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_timeline *listed = store_find_timeline(timelines, count, look->listed);
    if (listed == NULL) {
        free(timelines);
        return fault_set(fault, RESULT_NOT_FOUND, "/timeline", "there is no timeline %u in this world", look->listed);
    }
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "tick", look->tick);
    json_writer_member_unsigned(out, "timeline", look->timeline);
    json_writer_member_unsigned(out, "home", look->home);
    json_writer_member_unsigned(out, "first", find_first_tick(listed, timelines, count));
    json_writer_member_unsigned(out, "last", look->listed == look->timeline ? look->present : listed->last_tick);
    describe_kept(look->world, out);
    list_timelines(look, timelines, count, out);
    result = list_snapshots(look, out, fault);
    if (result == RESULT_OK) {
        result = list_commands(look, timelines, count, out, fault);
    }
    json_writer_close_object(out);
    free(timelines);
    return result;
}

static void run_look(struct thread_job *job) {
    struct look *look = (struct look *)job;
    struct fault fault;
    struct json_writer value;
    json_writer_init(&value);
    const enum result result = write_look(look, &value, &fault);
    jobs_answer(look->world->net, look->connection_id, &look->id, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
    world_let_go(look->world);
    free(look);
}

enum result command_world_history(struct host_call *call) {
    const struct proto_world_history *params = call->command->params;
    const struct world *world = call->world;
    const enum result result = check_history(call);
    if (result != RESULT_OK) {
        return result;
    }
    struct look *look = malloc(sizeof *look);
    if (look == NULL) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    *look = (struct look){.job = {.run = run_look},
                          .world = call->world,
                          .connection_id = call->session->connection_id,
                          .number = world->history->number,
                          .tick = sim_world_tick(world->engine->sim),
                          .present = playback_present_tick(world),
                          .from = params->from,
                          .id = *call->id,
                          .timeline = world->history->timeline,
                          .home = history_home(world),
                          .listed = params->has_timeline ? params->timeline : history_home(world),
                          .most = params->most};
    world_hold(call->world);
    if (job_thread_post(world->job_thread, &look->job) != RESULT_OK) {
        world_let_go(call->world);
        free(look);
        return fault_set(call->fault, RESULT_BUSY, "", "too much is being read and written: try again");
    }
    call->deferred = true;
    return RESULT_OK;
}
