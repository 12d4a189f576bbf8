// SPDX-License-Identifier: MIT
// Making capsules from the store, and replaying them without a server.
#include "host/history/capsule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/result.h"
#include "base/version.h"
#include "engine/world/engine_world.h"
#include "host/history/capsule_file.h"
#include "host/history/history.h"
#include "host/history/replay.h"
#include "host/history/snapshot_copy.h"
#include "host/world/silent_host.h"
#include "sim/archive.h"

// ---- making ------------------------------------------------------------------------------------------------------

static struct store_capsule_meta meta_of(const struct world *world) {
    struct timespec now;
    struct store_capsule_meta meta = {.tick_hz = (double)sim_world_tick_hz(world->engine->sim)};
    clock_gettime(CLOCK_REALTIME, &now);
    meta.made_ms = (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
    snprintf(meta.version, sizeof meta.version, "%s", WEFT_VERSION);
    snprintf(meta.world, sizeof meta.world, "%s", world->name);
    return meta;
}

// So that the snapshot is not later than `from`: the last before it, or the one that the first timeline begins with.
static enum result query_from(const struct capsule_request *request, struct store_query *query, struct fault *fault) {
    struct store_timeline *timelines = NULL;
    uint32_t count = 0;
    enum result result =
        store_list_timelines(history_store(request->world), request->world->number, &timelines, &count, fault);
    if (result != RESULT_OK) {
        return result;
    }
    uint32_t root = request->timeline;
    uint64_t first = 0;
    for (uint32_t i = count; i-- > 0;) { // rising numbers, and a parent's is the lower one
        if (timelines[i].timeline == root) {
            first = timelines[i].first_tick;
            root = timelines[i].origin == STORE_ORIGIN_FORK ? timelines[i].parent_timeline : root;
        }
    }
    free(timelines);
    query->before_tick = request->from > first ? request->from : first;
    query->bounded = true;
    if (query->before_tick == 0) {
        query->before_timeline = root;
        query->before_sequence = 1;
    }
    return RESULT_OK;
}

enum result capsule_make(const struct capsule_request *request, unsigned char **bytes, size_t *size,
                         struct fault *fault) {
    const struct store_capsule_meta meta = meta_of(request->world);
    if (request->now != NULL) {
        struct store_history history = {.snapshot = *snapshot_view(request->now),
                                        .physics = SIM_PHYSICS_VERSION,
                                        .newest_physics = SIM_PHYSICS_VERSION};
        struct store_hash hash = {.timeline = 1, .tick = history.snapshot.tick, .hash = history.snapshot.hash};
        history.tick = history.snapshot.tick;
        history.hashes = &hash;
        history.hash_count = 1;
        history.snapshot.timeline = 1;
        history.snapshot.sequence = 0;
        return capsule_pack(&(struct store_capsule){.meta = meta, .history = &history}, bytes, size, fault);
    }
    struct store_query query = {.world = request->world->number, .timeline = request->timeline, .tick = request->to};
    struct store_history *history = NULL;
    enum result result = query_from(request, &query, fault);
    if (result == RESULT_OK) {
        result = store_read(history_store(request->world), &query, &history, fault);
    }
    if (result == RESULT_OK) {
        result = capsule_pack(&(struct store_capsule){.meta = meta, .history = history}, bytes, size, fault);
        store_history_free(history);
    }
    return result;
}

// ---- replaying ---------------------------------------------------------------------------------------------------

// With room for any world that a server may have been allowed.
static enum result make_world(const struct store_capsule *capsule, struct engine_world **world, struct fault *fault) {
    struct engine_options options = {
        .name = "capsule",
        .tick_hz = (float)capsule->meta.tick_hz,
        .capacity = sim_capacity_default(),
        .quota = {.particles = UINT32_MAX, .sticks = UINT32_MAX, .objects = UINT32_MAX, .obstacles = UINT32_MAX},
        .host = &silent_engine_host};
    options.capacity.particles = 10000000;
    options.capacity.sticks = 80000000;
    options.capacity.objects = 1000000;
    options.capacity.obstacles = 100000;
    if (!(options.tick_hz >= 1.0f && options.tick_hz <= 1000.0f)) {
        return fault_set(fault, RESULT_INVALID, "", "the capsule's tick rate must be 1 to 1000, it is %g",
                         capsule->meta.tick_hz);
    }
    return engine_create(&options, world, fault);
}

static enum result replay_all(struct engine_world *world, const struct store_capsule *capsule,
                              struct capsule_report *report, struct fault *fault) {
    const struct store_history *history = capsule->history;
    struct replay replay = {.past = history, .until_tick = history->tick};
    enum result result = replay_begin(world, &replay, fault);
    report->equal_until = report->first_tick;
    for (bool done = false; result == RESULT_OK && !done;) {
        result = replay_advance(world, &replay, UINT64_MAX, &done, fault);
    }
    for (uint32_t i = 0; i < history->hash_count; i++) {
        const uint64_t tick = history->hashes[i].tick;
        const bool met = !replay.older && (result == RESULT_OK || tick < sim_world_tick(world->sim));
        report->equal_until = met && tick > report->equal_until ? tick : report->equal_until;
    }
    report->unchecked = replay.unchecked;
    report->left_out = replay.dropped;
    report->hash = sim_world_hash(world->sim);
    return result;
}

static void fill(struct capsule_report *report, const struct store_capsule *capsule) {
    *report = (struct capsule_report){.tick_hz = capsule->meta.tick_hz,
                                      .first_tick = capsule->history->snapshot.tick,
                                      .last_tick = capsule->history->tick,
                                      .commands = capsule->history->entry_count,
                                      .hashes = capsule->history->hash_count,
                                      .physics = capsule->history->physics,
                                      .newest_physics = capsule->history->newest_physics,
                                      .present_physics = SIM_PHYSICS_VERSION};
    memcpy(report->world, capsule->meta.world, sizeof report->world);
    memcpy(report->version, capsule->meta.version, sizeof report->version);
}

enum result capsule_look(const void *bytes, size_t size, struct capsule_report *report, struct fault *fault) {
    struct store_capsule *capsule = NULL;
    const enum result result = capsule_unpack(bytes, size, &capsule, fault);
    if (result == RESULT_OK) {
        fill(report, capsule);
        store_capsule_free(capsule);
    }
    return result;
}

enum result capsule_replay(const void *bytes, size_t size, struct capsule_report *report, struct fault *fault) {
    struct store_capsule *capsule = NULL;
    struct engine_world *world = NULL;
    *report = (struct capsule_report){0};
    enum result result = capsule_unpack(bytes, size, &capsule, fault);
    if (result != RESULT_OK) {
        return result;
    }
    fill(report, capsule);
    result = make_world(capsule, &world, fault);
    if (result == RESULT_OK && world != NULL) {
        result = replay_all(world, capsule, report, fault);
        engine_destroy(world);
    }
    store_capsule_free(capsule);
    return result;
}
