// SPDX-License-Identifier: MIT
#include "host/world.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/queue.h"
#include "base/result.h"
#include "engine/client/membership.h"
#include "engine/tick_event.h"
#include "engine/view/adaptive_rate.h"
#include "engine/view/variant.h"
#include "engine/world.h"
#include "host/engine_host.h"
#include "host/history.h"
#include "host/inbox.h"
#include "host/item.h"
#include "host/limits.h"
#include "host/playback.h"
#include "host/pool.h"
#include "host/redo.h"
#include "host/replies.h"
#include "host/rework.h"
#include "host/roster.h"
#include "host/timing.h"
#include "host/travel.h"

#define NS_PER_SECOND 1000000000u

enum result world_create(const struct config *config, const struct world_plan *plan, struct world **out,
                         struct fault *fault) {
    struct world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    if (queue_init(&world->inbox, WORLD_INBOX_MAX, 3 * (size_t)config->max_clients + CLERK_JOBS_MAX) != RESULT_OK) {
        free(world);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    snprintf(world->name, sizeof world->name, "%s", plan->name);
    world->index = plan->index;
    world->config = config;
    world->access = plan->access;
    world->clerk = plan->clerk;
    world->net = plan->net;
    world->pool = plan->pool;
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
    atomic_store(&world->figures.real_time_permille, 1000);
    *out = world;
    return RESULT_OK;
}

void world_start(struct world *world, pool_run run) {
    atomic_store(&world->figures.running, world->engine->running);
    world->next_tick_ns = pool_now_ns();
    world->task = pool_add(world->pool, run, world);
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
    rework_free(world);
    travel_free(world);
    playback_free(world);
    replies_free(world->replies);
    history_destroy(world->history);
    history_destroy(world->retired);
    for (uint32_t i = 0; i < world->session_count; i++) {
        redo_forget(&world->sessions[i]);
        free(world->sessions[i].resume_id);
        visitor_release(world->sessions[i].visitor);
    }
    free(world->sessions);
    engine_destroy(world->engine);
    free(world);
}
