// SPDX-License-Identifier: MIT
// A table of worlds, and how each gets its first state: from a scene, or from its history.
#include "app/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/history.h"
#include "app/replay.h"
#include "sim/archive.h"

#define RECOVERY_SLICE_NS 1000000000u // after so long it is said how far a recovery has come
#define RECOVERY_EPOCHS 65536u        // that may have been seen after the last logged tick

struct worlds {
    struct worlds_context context;
    struct world *all[WORLDS_MAX];
    uint32_t count;
};

enum result worlds_create(const struct worlds_context *context, struct worlds **out) {
    struct worlds *worlds = calloc(1, sizeof *worlds);
    if (worlds == NULL) {
        return RESULT_MEMORY;
    }
    worlds->context = *context;
    *out = worlds;
    return RESULT_OK;
}

void worlds_close(struct worlds *worlds) {
    for (uint32_t i = 0; worlds != NULL && i < worlds->count; i++) {
        history_close(worlds->all[i]);
    }
}

void worlds_destroy(struct worlds *worlds) {
    if (worlds == NULL) {
        return;
    }
    for (uint32_t i = 0; i < worlds->count; i++) {
        world_destroy(worlds->all[i]);
    }
    free(worlds);
}

// ---- finding -----------------------------------------------------------------------------------------------------

struct world *worlds_find(const struct worlds *worlds, const char *name) {
    for (uint32_t i = 0; i < worlds->count; i++) {
        if (strcmp(worlds->all[i]->name, name != NULL ? name : "main") == 0) {
            return worlds->all[i];
        }
    }
    return name == NULL && worlds->count > 0 ? worlds->all[0] : NULL;
}

struct world *worlds_at(const struct worlds *worlds, uint32_t index) {
    return worlds->all[index];
}

struct world *const *worlds_all(const struct worlds *worlds, uint32_t *count) {
    *count = worlds->count;
    return worlds->all;
}

// ---- making ------------------------------------------------------------------------------------------------------

// An empty world of this name and rate that ticks with the others' help, not yet in the table.
static enum result make(struct worlds *worlds, const char *name, float tick_hz, struct world **out,
                        struct fault *fault) {
    const struct worlds_context *context = &worlds->context;
    const struct world_plan plan = {.name = name,
                                    .index = worlds->count,
                                    .tick_hz = tick_hz,
                                    .clerk = context->clerk,
                                    .net = context->net,
                                    .pool = context->pool};
    if (worlds->count == WORLDS_MAX) {
        return fault_set(fault, RESULT_LIMIT, "", "at most %d worlds are allowed", WORLDS_MAX);
    }
    struct world *world = NULL;
    const enum result result = world_create(context->config, &plan, &world, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct sim_workers workers = {.context = context->crew, .count = context->config->threads, .run = crew_run};
    sim_world_set_workers(world->sim, &workers);
    *out = world;
    return RESULT_OK;
}

static void enter(struct worlds *worlds, struct world *world) {
    worlds->all[worlds->count] = world;
    worlds->count++;
    world_start(world);
}

// What the store keeps of a world for the app: its tick rate.
static enum result read_settings(const struct store_world *kept, float *tick_hz, struct fault *fault) {
    struct bytes_reader in = {.data = kept->settings.data, .length = kept->settings.size};
    const uint32_t bits = bytes_take_u32(&in);
    float hz = 0.0f;
    memcpy(&hz, &bits, sizeof hz);
    if (!bytes_are_read(&in) || !(hz >= 1.0f && hz <= 1000.0f)) {
        return fault_set(fault, RESULT_DAMAGED, "", "world \"%s\": its tick rate is not known", kept->name);
    }
    *tick_hz = hz;
    return RESULT_OK;
}

// Lists a new world in the store; what it is made of follows.
static enum result keep(struct worlds *worlds, struct world *world, const struct store_world *parent,
                        struct fault *fault) {
    struct ledger *ledger = worlds->context.ledger;
    if (ledger == NULL) {
        return RESULT_OK;
    }
    const float tick_hz = sim_world_tick_hz(world->sim);
    struct store_world given = {.settings = {&tick_hz, sizeof tick_hz}};
    if (parent != NULL) {
        given.parent = parent->parent;
        given.parent_timeline = parent->parent_timeline;
        given.parent_tick = parent->parent_tick;
    }
    snprintf(given.name, sizeof given.name, "%s", world->name);
    uint64_t number = 0;
    enum result result = store_world_create(ledger_store(ledger), &given, &number, fault);
    if (result == RESULT_OK) {
        result = history_create(world, ledger, number);
        if (result != RESULT_OK) {
            fault_set(fault, result, "", "out of memory");
        }
    }
    return result;
}

static enum result make_from_scene(struct worlds *worlds, const struct config_world *plan, struct fault *fault) {
    struct world *world = NULL;
    enum result result = make(worlds, plan->name, worlds->context.config->tick_hz, &world, fault);
    if (result != RESULT_OK) {
        return result;
    }
    result = world_open_scene(world, plan->scene, fault);
    if (result == RESULT_OK) {
        result = keep(worlds, world, NULL, fault);
    }
    if (result != RESULT_OK) {
        world_destroy(world);
        return result;
    }
    if (world->history != NULL) {
        const struct history_change change = {.kind = HISTORY_SCENE};
        history_begin_scene(world);
        history_note(world, &change);
    }
    enter(worlds, world);
    return RESULT_OK;
}

// ---- bringing back -----------------------------------------------------------------------------------------------

static void tell_progress(const struct world *world, const struct replay *replay, uint64_t from_tick) {
    const uint64_t all = replay->until_tick - from_tick;
    const uint64_t done = sim_world_tick(world->sim) - from_tick;
    log_info("store", "%s: bringing it back, tick %llu of %llu (%llu %%)", world->name,
             (unsigned long long)sim_world_tick(world->sim), (unsigned long long)replay->until_tick,
             (unsigned long long)(all > 0 ? 100 * done / all : 100));
}

static enum result replay_all(struct world *world, const struct store_history *past, struct replay *replay,
                              struct fault *fault) {
    *replay = (struct replay){.past = past, .until_tick = past->tick};
    enum result result = replay_begin(world, replay, fault);
    const uint64_t from_tick = result == RESULT_OK ? sim_world_tick(world->sim) : 0;
    for (bool done = false; result == RESULT_OK && !done;) {
        result = replay_advance(world, replay, pool_now_ns() + RECOVERY_SLICE_NS, &done, fault);
        if (!done) {
            tell_progress(world, replay, from_tick);
        }
    }
    return result;
}

static enum result bring_back(struct worlds *worlds, const struct store_world *kept, struct world *world,
                              struct fault *fault) {
    struct ledger *ledger = worlds->context.ledger;
    struct store_history *past = NULL;
    struct replay replay;
    const struct store_query query = {.world = kept->world, .timeline = kept->timeline, .tick = STORE_END};
    enum result result = store_read(ledger_store(ledger), &query, &past, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (past->passed_over > 0) {
        log_warn("store", "%s: passed over %u damaged snapshots: %s", world->name, past->passed_over,
                 past->last_why.message);
    }
    result = replay_all(world, past, &replay, fault);
    const uint32_t entries = past->entry_count;
    store_history_free(past);
    if (result == RESULT_OK) {
        result = history_create(world, ledger, kept->world);
        if (result != RESULT_OK) {
            return fault_set(fault, result, "", "out of memory");
        }
        world->history->newest = kept->timeline;
        sim_world_renew_epoch(world->sim, sim_world_epoch(world->sim) + RECOVERY_EPOCHS);
        world->running = world->running && !world->config->paused;
        world_claim_ghosts(world);
        world->publish_whole = true;
        history_begin_fork(world, replay.timeline, replay.sequence);
        history_note_clock(world);
        history_leave_past(world);
        log_info("store", "%s: back at tick %llu, with %u entries of its log applied again", world->name,
                 (unsigned long long)sim_world_tick(world->sim), entries);
    }
    return result;
}

static enum result reopen(struct worlds *worlds, const struct store_world *kept, struct fault *fault) {
    struct fault found;
    float tick_hz = 0.0f;
    struct world *world = NULL;
    enum result result = read_settings(kept, &tick_hz, fault);
    if (result == RESULT_OK) {
        result = make(worlds, kept->name, tick_hz, &world, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    result = bring_back(worlds, kept, world, &found);
    if (result != RESULT_OK) {
        world_destroy(world);
        return fault_set(fault, result, "", "world \"%s\" cannot be brought back: %s", kept->name, found.message);
    }
    enter(worlds, world);
    return RESULT_OK;
}

static enum result reopen_all(struct worlds *worlds, struct fault *fault) {
    struct store_world *kept = NULL;
    uint32_t count = 0;
    struct ledger *ledger = worlds->context.ledger;
    enum result result = store_world_list(ledger_store(ledger), &kept, &count, fault);
    for (uint32_t i = 0; result == RESULT_OK && i < count; i++) {
        if (kept[i].timeline > 0) { // else it was being made, and nobody was told of it
            result = reopen(worlds, &kept[i], fault);
        } else {
            result = store_world_remove(ledger_store(ledger), kept[i].world, fault);
        }
    }
    store_worlds_free(kept, count);
    return result;
}

enum result worlds_open(struct worlds *worlds, struct fault *fault) {
    const struct config *config = worlds->context.config;
    enum result result = worlds->context.ledger != NULL ? reopen_all(worlds, fault) : RESULT_OK;
    for (uint32_t i = 0; i < config->world_count && result == RESULT_OK; i++) {
        const struct world *there = worlds_find(worlds, config->worlds[i].name);
        if (there == NULL) {
            result = make_from_scene(worlds, &config->worlds[i], fault);
        } else {
            log_info("store", "%s: it is there already and keeps its scene", there->name);
        }
    }
    return result;
}
