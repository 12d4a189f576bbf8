// SPDX-License-Identifier: MIT
#include "host/worlds/world_life.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/queue.h"
#include "base/result.h"
#include "engine/record/tick_event.h"
#include "engine/view/adaptive_rate.h"
#include "engine/view/variant.h"
#include "engine/world/engine_world.h"
#include "engine/world/membership.h"
#include "host/config/limits.h"
#include "host/connection/connection_list.h"
#include "host/history/history.h"
#include "host/history/playback.h"
#include "host/history/redo.h"
#include "host/history/reply_cache.h"
#include "host/history/seek.h"
#include "host/history/undo.h"
#include "host/run/jobs.h"
#include "host/run/scheduler.h"
#include "host/world/inbox.h"
#include "host/world/item.h"
#include "host/world/timing.h"
#include "host/worlds/broadcast.h"
#include "host/worlds/engine_host.h"

#define NS_PER_SECOND 1000000000u

enum result world_create(const struct config *config, const struct world_plan *plan, struct world **out,
                         struct fault *fault) {
    struct world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    if (queue_init(&world->inbox, WORLD_INBOX_MAX, 3 * (size_t)config->max_clients + JOBS_WAITING_MAX) != RESULT_OK) {
        free(world);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    snprintf(world->name, sizeof world->name, "%s", plan->name);
    world->index = plan->index;
    world->config = config;
    world->access = plan->access;
    world->job_thread = plan->job_thread;
    world->undo_threads = plan->undo_threads;
    world->net = plan->net;
    world->scheduler = plan->scheduler;
    world->worlds = plan->worlds;
    world->period_ns = (uint64_t)((double)NS_PER_SECOND / (double)plan->tick_hz);
    world->pending_tail = &world->pending;
    struct engine_host host = world_engine_host;
    host.context = world;
    const struct engine_options options = {.name = plan->name,
                                           .tick_hz = plan->tick_hz,
                                           .capacity = world_capacity(config),
                                           .quota = world_quota(config),
                                           .host = &host};
    const enum result result = engine_create(&options, &world->engine, fault);
    if (result != RESULT_OK) {
        world_destroy(world);
        return fault_set(fault, result, "", "not enough memory for a world of %u particles: lower --max-particles",
                         config->max_particles);
    }
    world->engine->running = world->was_running = !config->paused;
    world->engine->speed_percent_min = config->slow_percent;
    timing_attach(world);
    atomic_store(&world->metrics.real_time_permille, 1000);
    *out = world;
    return RESULT_OK;
}

void world_start(struct world *world, scheduler_task run) {
    world->next_tick_ns = scheduler_now_ns();
    world->task = scheduler_add(world->scheduler, run, world);
    atomic_store(&world->started, true);
}

static void free_items(struct world *world) {
    world_intake(world);
    while (world->pending != NULL) {
        struct item *item = world->pending;
        world->pending = item->next;
        item_destroy(item);
    }
    while (world->scheduled != NULL) {
        struct scheduled_item *scheduled = world->scheduled;
        world->scheduled = scheduled->next;
        item_destroy(scheduled->item);
        free(scheduled);
    }
}

void world_destroy(struct world *world) {
    if (world == NULL) {
        return;
    }
    free_items(world);
    queue_free(&world->inbox);
    undo_free(world);
    seek_free(world);
    playback_free(world);
    broadcast_free(world);
    reply_cache_free(world->replies);
    history_destroy(world->history);
    history_destroy(world->retired);
    for (uint32_t i = 0; i < world->session_count; i++) {
        redo_forget(&world->sessions[i]);
        free(world->sessions[i].resume_id);
        connection_release(world->sessions[i].connection);
    }
    free(world->sessions);
    engine_destroy(world->engine);
    free(world->moved);
    free(world);
}
