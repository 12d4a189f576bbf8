// SPDX-License-Identifier: MIT
// A table of worlds, and how each gets its first state: from a scene, or from its history.
#include "host/worlds/worlds.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/queue.h"
#include "base/result.h"
#include "engine/state/person.h"
#include "engine/world/membership.h"
#include "host/connection/connection_list.h"
#include "host/history/history.h"
#include "host/history/history_snapshots.h"
#include "host/history/playback.h"
#include "host/history/replay.h"
#include "host/history/seek.h"
#include "host/history/snapshot_copy.h"
#include "host/history/store_hub.h"
#include "host/history/undo.h"
#include "host/run/parallel_for.h"
#include "host/run/scheduler.h"
#include "host/world/copying.h"
#include "host/world/hold.h"
#include "host/world/inbox.h"
#include "host/world/item.h"
#include "host/world/load_scene.h"
#include "host/worlds/world_life.h"
#include "proto/gen/methods.h"
#include "sim/archive.h"
#include "store/capsule/capsule_unpack.h"

#define RECOVERY_SLICE_NS 1000000000u // after so long it is said how far a recovery has come
#define PEOPLE_MAX 64u                // that are told of each world
#define RECOVERY_EPOCHS 65536u        // that may have been seen after the last logged tick

// Written under the mutex, by the job thread and, to free what was removed, the net thread.
struct worlds {
    struct worlds_context context;
    pthread_mutex_t mutex;
    struct world *all[WORLDS_MAX];     // by index; removed ones too, until nobody has to do with them
    struct world *present[WORLDS_MAX]; // those without the removed ones, for who looks at them all
};

enum result worlds_create(const struct worlds_context *context, struct worlds **out) {
    struct worlds *worlds = calloc(1, sizeof *worlds);
    if (worlds == NULL) {
        return RESULT_MEMORY;
    }
    worlds->context = *context;
    pthread_mutex_init(&worlds->mutex, NULL);
    *out = worlds;
    return RESULT_OK;
}

void worlds_close(struct worlds *worlds) {
    for (uint32_t i = 0; worlds != NULL && i < WORLDS_MAX; i++) {
        if (worlds->all[i] != NULL) {
            struct world *world = worlds->all[i];
            history_close(world, world->seek != NULL ? seek_take_present(world) : NULL);
        }
    }
}

void worlds_destroy(struct worlds *worlds) {
    if (worlds == NULL) {
        return;
    }
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        world_destroy(worlds->all[i]);
    }
    pthread_mutex_destroy(&worlds->mutex);
    free(worlds);
}

// ---- finding -----------------------------------------------------------------------------------------------------

static bool is_present(const struct world *world) {
    return world != NULL && !atomic_load(&world->removed);
}

// Under the mutex.
static struct world *find(const struct worlds *worlds, const char *name) {
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        if (is_present(worlds->all[i]) && strcmp(worlds->all[i]->name, name) == 0) {
            return worlds->all[i];
        }
    }
    return NULL;
}

static struct world *find_first(const struct worlds *worlds) {
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        if (is_present(worlds->all[i])) {
            return worlds->all[i];
        }
    }
    return NULL;
}

void worlds_free_removed(struct worlds *worlds) {
    pthread_mutex_lock(&worlds->mutex);
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        struct world *world = worlds->all[i];
        if (world != NULL && atomic_load(&world->ended) && atomic_load(&world->holds) == 0 &&
            queue_length(&world->inbox) == 0) {
            worlds->all[i] = NULL;
            scheduler_remove(worlds->context.scheduler, world->task);
            world_destroy(world);
        }
    }
    pthread_mutex_unlock(&worlds->mutex);
}

int worlds_find(struct worlds *worlds, const char *name) {
    pthread_mutex_lock(&worlds->mutex);
    const struct world *world = find(worlds, name != NULL ? name : "main");
    world = world == NULL && name == NULL ? find_first(worlds) : world;
    const int index = world != NULL ? (int)world->index : -1;
    pthread_mutex_unlock(&worlds->mutex);
    return index;
}

struct world *worlds_enter(struct worlds *worlds, uint32_t index) {
    pthread_mutex_lock(&worlds->mutex);
    struct world *world = is_present(worlds->all[index]) ? worlds->all[index] : NULL;
    if (world != NULL) {
        world_hold(world);
    }
    pthread_mutex_unlock(&worlds->mutex);
    return world;
}

struct world *worlds_at(struct worlds *worlds, uint32_t index) {
    pthread_mutex_lock(&worlds->mutex);
    struct world *world = worlds->all[index];
    pthread_mutex_unlock(&worlds->mutex);
    return world;
}

struct world *const *worlds_all(struct worlds *worlds, uint32_t *count) {
    pthread_mutex_lock(&worlds->mutex);
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        worlds->present[i] = is_present(worlds->all[i]) ? worlds->all[i] : NULL;
    }
    pthread_mutex_unlock(&worlds->mutex);
    *count = WORLDS_MAX;
    return worlds->present;
}

void worlds_for_each(struct worlds *worlds, void (*act)(void *context, const struct world *world), void *context) {
    pthread_mutex_lock(&worlds->mutex);
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        if (is_present(worlds->all[i])) {
            act(context, worlds->all[i]);
        }
    }
    pthread_mutex_unlock(&worlds->mutex);
}

static void describe_people(const struct world *world, const struct connection_row *rows, uint32_t count,
                            struct json_writer *out) {
    uint32_t told = 0;
    json_writer_key(out, "people");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < count && told < PEOPLE_MAX; i++) {
        const struct connection_row *row = &rows[i];
        if (row->session != 0 && !row->facts.posted && strcmp(row->facts.world_name, world->name) == 0) {
            json_writer_open_object(out);
            json_writer_member_unsigned(out, "client", row->session);
            describe_person(&row->person, out);
            json_writer_member_string(out, "role", proto_role_names[row->facts.role]);
            json_writer_close_object(out);
            told++;
        }
    }
    json_writer_close_array(out);
}

void worlds_describe(struct worlds *worlds, const struct connection_row *rows, uint32_t count,
                     struct json_writer *out) {
    pthread_mutex_lock(&worlds->mutex);
    json_writer_open_array(out);
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        const struct world *world = worlds->all[i];
        if (is_present(world)) {
            json_writer_open_object(out);
            json_writer_member_string(out, "name", world->name);
            json_writer_member_unsigned(out, "tick", atomic_load(&world->metrics.tick));
            json_writer_member_boolean(out, "running", atomic_load(&world->metrics.running));
            json_writer_member_unsigned(out, "clients", atomic_load(&world->metrics.clients));
            json_writer_member_unsigned(out, "particles", atomic_load(&world->metrics.particles));
            json_writer_member_boolean(out, "kept", worlds->context.hub != NULL && !world->temporary);
            json_writer_member_boolean(out, "temporary", world->temporary);
            describe_copying(&world->copying, out);
            describe_physics(world, out);
            describe_people(world, rows, count, out);
            json_writer_close_object(out);
        }
    }
    json_writer_close_array(out);
    pthread_mutex_unlock(&worlds->mutex);
}

void worlds_describe_aside(struct worlds *worlds, struct json_writer *out) {
    store_hub_describe_aside(worlds->context.hub, out);
}

// ---- making ------------------------------------------------------------------------------------------------------

// Whether there may be one more; `index` is its place.
static enum result find_place(struct worlds *worlds, const char *name, uint64_t owner, uint32_t *index,
                              struct fault *fault) {
    const struct config *config = worlds->context.config;
    uint32_t count = 0;
    uint32_t own = 0;
    uint32_t place = WORLDS_MAX;
    pthread_mutex_lock(&worlds->mutex);
    const bool taken = find(worlds, name) != NULL;
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        const struct world *world = worlds->all[i];
        place = world == NULL && place == WORLDS_MAX ? i : place;
        count += is_present(world) ? 1 : 0;
        own += is_present(world) && owner != 0 && world->owner == owner ? 1 : 0;
    }
    pthread_mutex_unlock(&worlds->mutex);
    if (taken) {
        return fault_set(fault, RESULT_STATE, "/name", "there is a world \"%s\" already: choose another name", name);
    }
    if (store_hub_find_aside(worlds->context.hub, name) != 0) {
        return fault_set(fault, RESULT_STATE, "/name",
                         "there is already a world \"%s\", which is damaged and unavailable: choose another name",
                         name);
    }
    if (count < config->max_worlds && place == WORLDS_MAX) {
        fault_set(fault, RESULT_BUSY, "", "worlds that were removed have not ended yet: try again in %u ms",
                  NET_POLL_MS);
        fault->retry_after_ms = NET_POLL_MS;
        return RESULT_BUSY;
    }
    if (count >= config->max_worlds) {
        return fault_set(fault, RESULT_LIMIT, "", "at most %u worlds are allowed (--max-worlds), and there are %u",
                         config->max_worlds, count);
    }
    if (own >= config->own_worlds) {
        return fault_set(fault, RESULT_LIMIT, "", "at most %u worlds may be yours, and %u are", config->own_worlds,
                         own);
    }
    *index = place;
    return RESULT_OK;
}

enum result worlds_can_make(struct worlds *worlds, const char *name, uint64_t owner, struct fault *fault) {
    uint32_t index;
    return find_place(worlds, name, owner, &index, fault);
}

static void note_taken(struct world *world) {
    const struct worlds_node *node = &world->worlds->context.node;
    node->wake(node->node);
}

// An empty world of this name and rate that ticks with the others' help, not yet in the table.
static enum result make(struct worlds *worlds, const char *name, uint64_t owner, float tick_hz, struct world **out,
                        struct fault *fault) {
    const struct worlds_context *context = &worlds->context;
    struct world_plan plan = {.name = name,
                              .tick_hz = tick_hz,
                              .access = context->access,
                              .job_thread = context->job_thread,
                              .undo_threads = context->undo_threads,
                              .net = context->net,
                              .scheduler = context->scheduler,
                              .worlds = worlds};
    struct world *world = NULL;
    enum result result = find_place(worlds, name, owner, &plan.index, fault);
    if (result == RESULT_OK) {
        result = world_create(context->config, &plan, &world, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    world->workers = (struct sim_workers){
        .context = context->parallel_for, .count = context->config->threads, .run = parallel_for_run};
    sim_world_set_workers(world->engine->sim, &world->workers);
    world->remove = worlds_remove;
    world->entry_logged = undo_note_entry;
    world->past_left = playback_forget;
    world->node = context->node.node;
    world->describe_nodes = context->node.describe_urls;
    world->taken = context->node.node != NULL ? note_taken : NULL;
    world->owner = owner;
    *out = world;
    return RESULT_OK;
}

static void enter(struct worlds *worlds, struct world *world) {
    atomic_store(&world->metrics.running, world->engine->running);
    world_metrics_note_engine(&world->metrics, world->engine); // a list may be asked for before the world's first turn
    pthread_mutex_lock(&worlds->mutex);
    worlds->all[world->index] = world;
    pthread_mutex_unlock(&worlds->mutex);
    world_start(world, worlds->context.run);
}

// What the store keeps of a world for the app: its tick rate, and after it what it has to do with assignments, if
// anything.
static enum result read_settings(const struct store_world *kept, float *tick_hz, struct copying *copying,
                                 struct fault *fault) {
    struct bytes_reader in = {.data = kept->settings.data, .length = kept->settings.size};
    const uint32_t bits = bytes_take_u32(&in);
    float hz = 0.0f;
    memcpy(&hz, &bits, sizeof hz);
    *copying = (struct copying){0};
    if (in.at < in.length) {
        copying_read(copying, &in);
    }
    if (!bytes_are_read(&in) || !(hz >= 1.0f && hz <= 1000.0f)) {
        return fault_set(fault, RESULT_DAMAGED, "", "its settings are not known");
    }
    *tick_hz = hz;
    return RESULT_OK;
}

// Lists a new world in the store; what it is made of follows.
static enum result keep(struct worlds *worlds, struct world *world, const struct store_world *parent,
                        struct fault *fault) {
    struct store_hub *hub = worlds->context.hub;
    if (hub == NULL) {
        return RESULT_OK;
    }
    const float tick_hz = sim_world_tick_hz(world->engine->sim);
    struct bytes settings = {0};
    bytes_add(&settings, &tick_hz, sizeof tick_hz);
    copying_write(&world->copying, &settings);
    if (settings.failed) {
        bytes_free(&settings);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    struct store_world given = {.settings = {settings.data, settings.length}};
    if (parent != NULL) {
        given.parent = parent->parent;
        given.parent_timeline = parent->parent_timeline;
        given.parent_tick = parent->parent_tick;
    }
    snprintf(given.name, sizeof given.name, "%s", world->name);
    uint64_t number = 0;
    enum result result = store_world_create(store_hub_store(hub), &given, &number, fault);
    bytes_free(&settings);
    if (result == RESULT_OK) {
        world->number = number;
        result = history_create(world, hub, number);
        if (result != RESULT_OK) {
            fault_set(fault, result, "", "out of memory");
        }
    }
    return result;
}

// The simulation's sequence number before the scene, of whose commands each took one.
static uint32_t sequence_before_scene(const struct world *world) {
    const struct proto_batch_run *scene =
        world->engine->scene_request != NULL ? world->engine->scene_request->command.params : NULL;
    const uint32_t commands = scene != NULL ? scene->commands.count : 0;
    const uint32_t sequence = sim_world_sequence(world->engine->sim);
    return sim_world_tick(world->engine->sim) == 0 && sequence >= commands ? sequence - commands : sequence;
}

// Begins its history with what it is.
static void begin_history(struct world *world) {
    if (world->history != NULL) {
        const struct history_change change = {.kind = RECORD_SCENE, .sequence = sequence_before_scene(world)};
        history_begin_scene(world);
        history_note(world, &change);
    }
}

// ---- bringing back -----------------------------------------------------------------------------------------------

static void tell_progress(const struct world *world, const struct replay *replay, uint64_t from_tick) {
    const uint64_t all = replay->until_tick - from_tick;
    const uint64_t done = sim_world_tick(world->engine->sim) - from_tick;
    log_info("store", "%s: bringing it back, tick %llu of %llu (%llu %%)", world->name,
             (unsigned long long)sim_world_tick(world->engine->sim), (unsigned long long)replay->until_tick,
             (unsigned long long)(all > 0 ? 100 * done / all : 100));
}

static enum result replay_all(struct world *world, const struct store_history *past, struct replay *replay,
                              struct fault *fault) {
    *replay = (struct replay){.past = past, .until_tick = past->tick};
    enum result result = replay_begin(world->engine, replay, fault);
    const uint64_t from_tick = result == RESULT_OK ? sim_world_tick(world->engine->sim) : 0;
    for (bool done = false; result == RESULT_OK && !done;) {
        result = replay_advance(world->engine, replay, scheduler_now_ns() + RECOVERY_SLICE_NS, &done, fault);
        if (!done) {
            tell_progress(world, replay, from_tick);
        }
    }
    if (result == RESULT_OK) {
        world->recomputed = replay_recomputed(world->engine, replay);
    }
    return result;
}

static enum result bring_back(struct worlds *worlds, const struct store_world *kept, struct world *world,
                              struct fault *fault) {
    struct store_hub *hub = worlds->context.hub;
    struct store_history *past = NULL;
    struct replay replay;
    const struct store_query query = {.world = kept->world, .timeline = kept->timeline, .tick = STORE_END};
    enum result result = store_read(store_hub_store(hub), &query, &past, fault);
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
        result = history_create(world, hub, kept->world);
        if (result != RESULT_OK) {
            return fault_set(fault, result, "", "out of memory");
        }
        world->number = kept->world;
        world->history->newest = kept->timeline;
        sim_world_renew_epoch(world->engine->sim, sim_world_epoch(world->engine->sim) + RECOVERY_EPOCHS);
        world->engine->running = world->engine->running && !world->config->paused;
        engine_claim_orphaned_grabs(world->engine);
        world->engine->publish_whole = true;
        history_begin_fork(world, replay.timeline, replay.sequence);
        history_note_clock(world);
        history_leave_past(world);
        log_info("store", "%s: back at tick %llu, with %u entries of its log applied again", world->name,
                 (unsigned long long)sim_world_tick(world->engine->sim), entries);
    }
    return result;
}

static enum result reopen(struct worlds *worlds, const struct store_world *kept, struct fault *fault) {
    struct fault found;
    float tick_hz = 0.0f;
    struct world *world = NULL;
    struct copying copying;
    if (kept->damaged) {
        *fault = kept->why;
        return RESULT_DAMAGED;
    }
    enum result result = read_settings(kept, &tick_hz, &copying, fault);
    if (result == RESULT_OK) {
        result = make(worlds, kept->name, 0, tick_hz, &world, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    world->copying = copying;
    result = bring_back(worlds, kept, world, &found);
    if (result != RESULT_OK) {
        world_destroy(world);
        return fault_set(fault, result, "", "it cannot be brought back: %.280s", found.message);
    }
    enter(worlds, world);
    return RESULT_OK;
}

// One that cannot be brought back keeps none of the others down.
static enum result reopen_or_set_aside(struct worlds *worlds, const struct store_world *kept, struct fault *fault) {
    const enum result result = reopen(worlds, kept, fault);
    if (result == RESULT_OK || result == RESULT_MEMORY) {
        return result;
    }
    store_hub_set_aside(worlds->context.hub, kept->world, kept->name, fault);
    return RESULT_OK;
}

enum result worlds_bring_back(struct worlds *worlds, const struct store_world *kept, struct fault *fault) {
    if (!kept->damaged && kept->physics != SIM_PHYSICS_VERSION) {
        return fault_set(
            fault, RESULT_INVALID, "",
            "physics version %u computed it, and this node has version %u: nodes that share a database are "
            "of one version",
            kept->physics, SIM_PHYSICS_VERSION);
    }
    return reopen(worlds, kept, fault);
}

static enum result reopen_all(struct worlds *worlds, struct fault *fault) {
    struct store_world *kept = NULL;
    uint32_t count = 0;
    struct store_hub *hub = worlds->context.hub;
    enum result result = store_world_list(store_hub_store(hub), &kept, &count, fault);
    for (uint32_t i = 0; result == RESULT_OK && i < count; i++) {
        if (kept[i].timeline > 0 || kept[i].damaged) { // else it was not made yet, and no client got a reply
            result = reopen_or_set_aside(worlds, &kept[i], fault);
        } else {
            result = store_world_remove(store_hub_store(hub), kept[i].world, fault);
        }
    }
    store_worlds_free(kept, count);
    return result;
}

// ---- on demand ---------------------------------------------------------------------------------------------------

static enum result replay_moment(struct world *world, const struct worlds_request *request, struct fault *fault) {
    const struct store_query query = {
        .world = request->parent->number, .timeline = request->timeline, .tick = request->tick};
    struct store_history *past = NULL;
    struct replay replay;
    enum result result = store_read(history_store(request->parent), &query, &past, fault);
    if (result == RESULT_OK) {
        result = replay_all(world, past, &replay, fault);
        store_history_free(past);
    }
    return result;
}

static enum result fill(struct world *world, const struct worlds_request *request, struct fault *fault) {
    if (request->scene != NULL) {
        return world_open_scene(world, request->scene, fault);
    }
    struct replay replay;
    enum result result = RESULT_OK;
    if (request->capsule != NULL) {
        result = replay_all(world, request->capsule->history, &replay, fault);
    } else if (request->now != NULL) {
        result = snapshot_restore(world->engine, request->now, fault);
    } else {
        result = replay_moment(world, request, fault);
    }
    if (result == RESULT_OK) {
        engine_claim_orphaned_grabs(world->engine); // whose hands they were is not here
        world->engine->publish_whole = true;
    }
    return result;
}

enum result worlds_make(struct worlds *worlds, const struct worlds_request *request, uint64_t *tick,
                        struct fault *fault) {
    struct world *world = NULL;
    enum result result = make(worlds, request->name, request->owner, request->tick_hz, &world, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_world parent = {.parent = request->parent != NULL ? request->parent->number : 0,
                                       .parent_timeline = request->timeline,
                                       .parent_tick = request->parent != NULL ? request->tick : 0};
    result = fill(world, request, fault);
    world->temporary = request->temporary;
    if (request->copying != NULL) {
        world->copying = *request->copying;
    }
    if (result == RESULT_OK && !request->temporary) {
        result = keep(worlds, world, &parent, fault);
    }
    if (result != RESULT_OK) {
        world_destroy(world);
        return result;
    }
    world->engine->running = request->has_paused ? !request->paused : world->engine->running;
    begin_history(world);
    *tick = sim_world_tick(world->engine->sim);
    enter(worlds, world);
    log_info("world", "%s: made", request->name);
    if (worlds->context.node.node != NULL) {
        worlds->context.node.place(worlds->context.node.node, world->number);
    }
    return RESULT_OK;
}

static enum result remove_aside(struct worlds *worlds, uint64_t number, const char *name, struct fault *fault) {
    const enum result result = store_world_remove(store_hub_store(worlds->context.hub), number, fault);
    if (result == RESULT_OK) {
        store_hub_forget_aside(worlds->context.hub, number);
        log_info("world", "%s: removed; it was damaged and unavailable", name);
    }
    return result;
}

static bool has_others(const struct worlds *worlds) {
    const struct worlds_node *node = &worlds->context.node;
    return node->node != NULL && node->has_others(node->node);
}

enum result worlds_remove(struct worlds *worlds, const char *name, struct fault *fault) {
    struct item *item = calloc(1, sizeof *item);
    if (item == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    item->kind = ITEM_END;
    uint32_t count = 0;
    pthread_mutex_lock(&worlds->mutex);
    struct world *world = find(worlds, name);
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        count += is_present(worlds->all[i]) ? 1 : 0;
    }
    pthread_mutex_unlock(&worlds->mutex);
    enum result result = RESULT_OK;
    const uint64_t aside = world == NULL ? store_hub_find_aside(worlds->context.hub, name) : 0;
    if (aside != 0) {
        free(item);
        return remove_aside(worlds, aside, name, fault);
    }
    if (world == NULL) {
        result = fault_set(fault, RESULT_NOT_FOUND, "/name", "there is no world \"%s\"", name);
    } else if (count == 1 && !has_others(worlds)) {
        result = fault_set(fault, RESULT_STATE, "/name", "\"%s\" is the only world: make another one first", name);
    } else if (world->number != 0) {
        result = store_world_remove(store_hub_store(worlds->context.hub), world->number, fault);
    }
    if (result != RESULT_OK) {
        free(item);
        return result;
    }
    atomic_store(&world->removed, true);
    if (world_post(world, item) != RESULT_OK) { // it finds room, or the world stays as it is until the end
        free(item);
    }
    log_info("world", "%s: removed", name);
    return RESULT_OK;
}

// ---- for the node ------------------------------------------------------------------------------------------------

// Under the mutex.
static struct world *find_number(const struct worlds *worlds, uint64_t number) {
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        if (is_present(worlds->all[i]) && worlds->all[i]->number == number) {
            return worlds->all[i];
        }
    }
    return NULL;
}

bool worlds_has(struct worlds *worlds, uint64_t number) {
    pthread_mutex_lock(&worlds->mutex);
    const bool there = find_number(worlds, number) != NULL;
    pthread_mutex_unlock(&worlds->mutex);
    return there;
}

bool worlds_is_ending(struct worlds *worlds, uint64_t number) {
    bool ending = false;
    pthread_mutex_lock(&worlds->mutex);
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        const struct world *world = worlds->all[i];
        if (world != NULL && world->number == number && atomic_load(&world->removed)) {
            ending = ending || !atomic_load(&world->ended) || history_is_saving(world->retired);
        }
    }
    pthread_mutex_unlock(&worlds->mutex);
    return ending;
}

uint32_t worlds_count(struct worlds *worlds) {
    uint32_t count = 0;
    pthread_mutex_lock(&worlds->mutex);
    for (uint32_t i = 0; i < WORLDS_MAX; i++) {
        count += is_present(worlds->all[i]) ? 1 : 0;
    }
    pthread_mutex_unlock(&worlds->mutex);
    return count;
}

// Finds the world and posts an item to it. False: there is no such world, or no room for the item.
static bool post_item(struct worlds *worlds, uint64_t number, enum item_kind kind, char *take) {
    struct item *item = calloc(1, sizeof *item);
    pthread_mutex_lock(&worlds->mutex);
    struct world *world = find_number(worlds, number);
    if (world != NULL && item != NULL && kind == ITEM_END) {
        atomic_store(&world->departs, true);
        atomic_store(&world->removed, true);
    }
    pthread_mutex_unlock(&worlds->mutex);
    if (world == NULL || item == NULL) {
        free(item);
        free(take);
        return false;
    }
    item->kind = kind;
    item->url = take;
    if (world_post(world, item) != RESULT_OK) {
        item_destroy(item);
        return false;
    }
    return true;
}

void worlds_depart(struct worlds *worlds, uint64_t number, const char *url) {
    char *copy = strdup(url);
    if (copy != NULL && post_item(worlds, number, ITEM_END, copy)) {
        log_info("world", "world %llu left this node%s%s", (unsigned long long)number, url[0] != '\0' ? " for " : "",
                 url);
    }
}

bool worlds_save(struct worlds *worlds, uint64_t number) {
    return post_item(worlds, number, ITEM_SAVE, NULL);
}

void worlds_set_node(struct worlds *worlds, const struct worlds_node *node) {
    worlds->context.node = *node;
}

// ---- at start-up -------------------------------------------------------------------------------------------------

enum result worlds_open(struct worlds *worlds, struct fault *fault) {
    const struct config *config = worlds->context.config;
    const struct worlds_node *node = &worlds->context.node;
    enum result result = RESULT_OK;
    if (node->node != NULL) {
        if (!node->wait(node->node)) {
            result = fault_set(fault, RESULT_STATE, "/node-url", "this node has lost its place before it was ready");
        }
    } else if (worlds->context.hub != NULL) {
        result = reopen_all(worlds, fault);
    }
    for (uint32_t i = 0; i < config->world_count && result == RESULT_OK; i++) {
        const struct config_world *plan = &config->worlds[i];
        const struct worlds_request request = {.name = plan->name, .tick_hz = config->tick_hz, .scene = plan->scene};
        uint64_t tick = 0;
        if (find(worlds, plan->name) != NULL) {
            log_info("store", "%s: it is there already and keeps its scene", plan->name);
        } else if (node->node != NULL && node->knows(node->node, plan->name)) {
            log_info("store", "%s: it is there already, on another node, and keeps its scene", plan->name);
        } else if (store_hub_find_aside(worlds->context.hub, plan->name) == 0) {
            result = worlds_make(worlds, &request, &tick, fault);
            result = result == RESULT_STATE && node->node != NULL ? RESULT_OK : result; // another node made it first
        }
    }
    const uint32_t aside = store_hub_aside_count(worlds->context.hub);
    if (result == RESULT_OK && aside > 0 && node->node == NULL && find_first(worlds) == NULL) {
        result = fault_set(fault, RESULT_DAMAGED, "",
                           "%s%.120s: none of its %u worlds can be brought back; the log says why, and weftctl "
                           "salvage gets out what is intact",
                           config->store[0] != '\0' ? "--store" : "--data ",
                           config->store[0] != '\0' ? "" : config->data, aside);
    }
    return result;
}
