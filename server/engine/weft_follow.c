// SPDX-License-Identifier: MIT
#include "engine/weft_follow.h"

#include <stdlib.h>

#include "engine/client/client.h"
#include "engine/command/run.h"
#include "engine/record/record.h"
#include "engine/weft_core.h"
#include "engine/world/follow.h"
#include "engine/world/lockstep.h"
#include "engine/world/names.h"
#include "proto/gen/methods.h"
#include "sim/archive.h"

// ---- following ---------------------------------------------------------------------------------------------------

// Steps, applies the records and steps again, as the other world did.
static enum result make_ticks(struct weft_world *world, const struct followed_ticks *ticks, struct fault *fault) {
    struct sim_world *sim = world->engine->sim;
    for (uint32_t i = 0; i < LOCKSTEP_STEPS_MAX && sim_world_tick(sim) < ticks->tick; i++) {
        weft_core_step(world);
    }
    enum result result = follow_apply_records(world->engine, ticks, fault);
    world->engine->revision++;
    world->engine->frame_stale = true;
    for (uint32_t i = 0; i < ticks->steps && result == RESULT_OK; i++) {
        weft_core_step(world);
    }
    if (result == RESULT_OK && ticks->has_hash && sim_world_hash(sim) != ticks->hash) {
        result = fault_set(fault, RESULT_DAMAGED, "", "after tick %llu the state differs from that of the other world",
                           (unsigned long long)sim_world_tick(sim));
    }
    weft_core_show(world);
    return result;
}

enum result weft_follow_ticks(struct weft_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct followed_ticks ticks;
    const uint64_t tick = sim_world_tick(world->engine->sim);
    enum result result = follow_read_ticks(bytes, length, &ticks, fault);
    if (result == RESULT_OK && (!world->follows || ticks.generation != world->generation)) {
        result = fault_set(fault, RESULT_STATE, "", "the ticks are of a snapshot that has not come");
    }
    if (result == RESULT_OK && ticks.tick > tick + LOCKSTEP_STEPS_MAX) {
        result = fault_set(fault, RESULT_STATE, "", "the ticks from %llu to %llu are missing",
                           (unsigned long long)tick + 1, (unsigned long long)ticks.tick);
    }
    // A snapshot that was taken between two messages holds the records of those before it.
    const bool is_passed = ticks.tick < tick && ticks.tick + ticks.steps <= tick;
    if (result == RESULT_OK && ticks.tick < tick && !is_passed) {
        result = fault_set(fault, RESULT_DAMAGED, "", "the ticks after %llu do not follow on tick %llu",
                           (unsigned long long)ticks.tick, (unsigned long long)tick);
    }
    if (result == RESULT_OK && !is_passed) {
        result = make_ticks(world, &ticks, fault);
    }
    return result;
}

// ---- predicting --------------------------------------------------------------------------------------------------

enum result weft_follow_predict(struct weft_world *world, uint32_t number, const char *json, size_t length,
                                struct fault *fault) {
    struct engine_world *engine = world->engine;
    struct proto_request *request = NULL;
    struct proto_id id;
    enum result result = proto_request_parse(json, length, &request, &id, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct proto_command *command = &request->command;
    const struct proto_method_info *info = &proto_methods[command->method];
    if (info->kind != PROTO_KIND_CHANGE || info->clock || command->method == PROTO_METHOD_WORLD_RESET) {
        result = fault_set(fault, RESULT_INVALID, "/method", "%s cannot be predicted: it makes no change of a tick",
                           info->name);
    } else {
        struct client sender = engine_logged_client(number);
        engine->replaying = engine->tells_events = true;
        result = engine_apply_again(engine, &sender, command, fault);
        engine->replaying = engine->tells_events = false;
        engine->revision++;
        engine->frame_stale = true;
    }
    proto_request_destroy(request);
    return result;
}

static bool is_held_by(const struct engine_world *engine, uint32_t grab, uint32_t number) {
    for (uint32_t i = 0; i < engine->grab_count; i++) {
        if (engine->grabs[i].id == grab) {
            return engine->grabs[i].number == number;
        }
    }
    return false;
}

enum result weft_follow_isolate(struct weft_world *world, uint32_t number, const uint32_t *objects, uint32_t count,
                                struct fault *fault) {
    const struct engine_world *engine = world->engine;
    const uint32_t grabs = sim_world_grab_count(engine->sim);
    uint32_t *touched = malloc(((size_t)count + grabs) * sizeof *touched + 1);
    if (touched == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for %u objects", count);
    }
    uint32_t n = 0;
    for (; n < count; n++) {
        touched[n] = objects[n];
    }
    for (uint32_t i = 0; i < grabs; i++) {
        const struct sim_grab_view grab = sim_world_grab_at(engine->sim, i);
        if (is_held_by(engine, grab.id, number)) {
            touched[n++] = grab.object;
        }
    }
    sim_world_isolate(engine->sim, touched, n);
    free(touched);
    return RESULT_OK;
}

// ---- states that are kept ----------------------------------------------------------------------------------------

struct weft_state {
    struct sim_snapshot *snapshot;
    struct bytes names;
    bool running;
};

enum result weft_follow_keep(struct weft_world *world, struct weft_state **state, struct fault *fault) {
    struct engine_world *engine = world->engine;
    struct weft_state *made = calloc(1, sizeof *made);
    enum result result = made == NULL ? RESULT_MEMORY : sim_world_save(engine->sim, &made->snapshot);
    if (result == RESULT_OK) {
        engine_sweep_records(engine);
        engine_save_names(engine, &made->names);
        made->running = engine->running;
        result = made->names.failed ? RESULT_MEMORY : RESULT_OK;
    }
    if (result != RESULT_OK) {
        weft_follow_forget(made);
        return fault_set(fault, result, "", "out of memory for the state of a world");
    }
    *state = made;
    return RESULT_OK;
}

enum result weft_follow_return(struct weft_world *world, const struct weft_state *state, struct fault *fault) {
    struct engine_world *engine = world->engine;
    const uint32_t epoch = sim_world_epoch(engine->sim);
    sim_world_restore(engine->sim, state->snapshot);
    const enum result result = engine_load_names(engine, state->names.data, state->names.length, fault);
    if (sim_world_epoch(engine->sim) != epoch) {
        sim_world_renew_epoch(engine->sim, epoch); // the layout that viewers know may be another one
    }
    engine->running = state->running;
    engine->revision++;
    engine->owned_stamp++;
    engine->frame_stale = true;
    return result;
}

void weft_follow_forget(struct weft_state *state) {
    if (state != NULL) {
        sim_snapshot_destroy(state->snapshot);
        bytes_free(&state->names);
        free(state);
    }
}
