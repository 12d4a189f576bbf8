// SPDX-License-Identifier: MIT
// Keeping what a world is: snapshots as it goes along, and timelines where its clock jumps.
//
// A snapshot is due when stepping and changing since the last took SNAPSHOT_COST_NS: then to go back to any tick takes
// little more than that. Where ticks are slow, snapshots would soon fill the history: they lie SNAPSHOT_TICKS_LEAST
// apart, unless that costs SNAPSHOT_COST_MOST_NS. It is a copy made between two ticks; the job thread compresses it.
#include "host/history/history_snapshots.h"

#include <stdlib.h>

#include "base/job_thread.h"
#include "base/log.h"
#include "base/result.h"
#include "engine/record/record.h"
#include "engine/world/names.h"
#include "host/history/history.h"
#include "host/history/playback_state.h"
#include "host/history/snapshot_copy.h"
#include "host/history/store_hub.h"
#include "host/world/hold.h"
#include "sim/archive.h"

#define SNAPSHOT_COST_NS 150000000u
#define SNAPSHOT_TICKS_LEAST 30u
#define SNAPSHOT_COST_MOST_NS 400000000u

// ---- snapshots ---------------------------------------------------------------------------------------------------

static void run_snapshot(struct thread_job *base) {
    struct snapshot_job *job = (struct snapshot_job *)base;
    struct history *history = job->history;
    struct fault fault;
    if (store_save(store_hub_store(history->hub), history->number, &job->snapshot, HISTORY_NO_TICKET, &fault) !=
        RESULT_OK) {
        log_debug("store", "%s: no snapshot of tick %llu: %s", history->world->name,
                  (unsigned long long)job->snapshot.tick, fault.message);
    }
    atomic_store(&history->saving, false);
    world_let_go(history->world);
    snapshot_free(job);
}

static void keep_snapshot(struct world *world, uint64_t hash) {
    struct history *history = world->history;
    history->cost_ns = 0;
    history->snapshot_tick = sim_world_tick(world->engine->sim);
    struct snapshot_job *job = snapshot_take_hashed(world->engine, history, hash);
    if (job == NULL) {
        return;
    }
    job->job.run = run_snapshot;
    atomic_store(&history->saving, true);
    world_hold(world);
    if (job_thread_post(world->job_thread, &job->job) != RESULT_OK) {
        world_let_go(world);
        atomic_store(&history->saving, false);
        snapshot_free(job);
    }
}

// ---- ticks -------------------------------------------------------------------------------------------------------

void history_tick(struct world *world, uint64_t cost_ns) {
    struct history *history = world->history;
    if (history == NULL) {
        return;
    }
    const uint64_t tick = sim_world_tick(world->engine->sim);
    history->cost_ns += cost_ns;
    const bool apart = tick >= history->snapshot_tick + SNAPSHOT_TICKS_LEAST;
    const bool due =
        history->cost_ns >= (apart ? SNAPSHOT_COST_NS : SNAPSHOT_COST_MOST_NS) && !atomic_load(&history->saving);
    if ((!due && tick % HISTORY_MARK_TICKS != 0) || atomic_load(&history->lost)) {
        return;
    }
    const uint64_t hash = sim_world_hash(world->engine->sim);
    struct fault fault;
    if (tick % HISTORY_MARK_TICKS == 0) {
        (void)history_mark(world, hash, &fault);
    }
    if (due) {
        keep_snapshot(world, hash);
    }
}

// ---- timelines ---------------------------------------------------------------------------------------------------

static enum result begin(struct world *world, const struct store_beginning *given, struct store_snapshot *snapshot) {
    struct history *history = world->history;
    struct fault fault;
    struct store_beginning beginning = *given;
    beginning.timeline = history->newest + 1;
    beginning.physics = SIM_PHYSICS_VERSION;
    if (snapshot != NULL) {
        snapshot->timeline = beginning.timeline;
        snapshot->sequence = 0;
    }
    history->ticket++;
    const enum result result =
        store_begin(history_store(world), history->number, &beginning, snapshot, history->ticket, &fault);
    if (result != RESULT_OK) {
        return history_note_post(world, result, &fault);
    }
    history->begun = history->ticket;
    history->newest = beginning.timeline;
    history->timeline = beginning.timeline;
    history->sequence = 0;
    history->cost_ns = 0;
    history->snapshot_tick = beginning.tick;
    atomic_store(&history->lost, false);
    return RESULT_OK;
}

static enum result begin_with_snapshot(struct world *world, const struct store_beginning *beginning) {
    struct snapshot_job *job = snapshot_take_hashed(world->engine, world->history, sim_world_hash(world->engine->sim));
    if (job == NULL) {
        return RESULT_MEMORY;
    }
    const enum result result = begin(world, beginning, &job->snapshot);
    snapshot_free(job);
    return result;
}

void history_begin_scene(struct world *world) {
    if (world->history == NULL) {
        return;
    }
    const struct store_beginning beginning = {.tick = sim_world_tick(world->engine->sim),
                                              .origin = STORE_ORIGIN_SNAPSHOT};
    (void)begin_with_snapshot(world, &beginning);
    history_leave_past(world);
}

void history_begin_fork(struct world *world, uint32_t timeline, uint64_t sequence) {
    const struct store_beginning beginning = {.tick = sim_world_tick(world->engine->sim),
                                              .origin = STORE_ORIGIN_FORK,
                                              .parent_timeline = timeline,
                                              .parent_sequence = sequence};
    (void)begin_with_snapshot(world, &beginning);
}

void history_begin_fork_at(struct world *world, uint32_t timeline, uint64_t sequence, struct snapshot_job *at) {
    const struct store_beginning beginning = {.tick = at->snapshot.tick,
                                              .origin = STORE_ORIGIN_FORK,
                                              .parent_timeline = timeline,
                                              .parent_sequence = sequence};
    (void)begin(world, &beginning, &at->snapshot);
}

// ---- keeping what there is ---------------------------------------------------------------------------------------

void history_close(struct world *world, struct snapshot_job *take) {
    struct snapshot_job *job = take;
    if (world->history == NULL || atomic_load(&world->history->lost)) {
        snapshot_free(take);
        return;
    }
    store_group_discard(history_store(world), world->history->number); // it has not arrived
    job = job != NULL ? job : snapshot_take(world->engine, world->history);
    if (job != NULL) {
        world_hold(world);
        run_snapshot(&job->job);
    }
}

void history_repair(struct world *world) {
    struct history *history = world->history;
    if (history == NULL || !atomic_load(&history->lost) || atomic_load(&history->taken) || playback_is_showing(world)) {
        return; // what is shown is not to be stored
    }
    struct fault fault;
    if (store_accepts(history_store(world), history->number, &fault) == RESULT_IO) {
        return; // the store is not well yet
    }
    const struct store_beginning beginning = {.tick = sim_world_tick(world->engine->sim),
                                              .origin = STORE_ORIGIN_SNAPSHOT};
    if (begin_with_snapshot(world, &beginning) == RESULT_OK) {
        history_leave_past(world);
        log_info("store", "%s: stored again, from tick %llu on", world->name,
                 (unsigned long long)sim_world_tick(world->engine->sim));
    }
}

enum result history_accepts(struct world *world, struct fault *fault) {
    if (world->history == NULL) {
        return RESULT_OK;
    }
    struct fault found;
    enum result result = store_hub_has_lease(world->hub, &found);
    if (result != RESULT_OK) {
        return fault_set(fault, RESULT_IO, "", "nothing was changed, because it could not be stored: %s",
                         found.message);
    }
    result = store_accepts(history_store(world), world->history->number, &found);
    if (result == RESULT_STATE) {
        atomic_store(&world->history->lost, true);
        history_repair(world);
        result = store_accepts(history_store(world), world->history->number, &found);
    }
    if (result == RESULT_OK) {
        return RESULT_OK;
    }
    const enum result cause = result == RESULT_BUSY ? RESULT_BUSY : RESULT_IO;
    return fault_set(fault, cause, "", "nothing was changed, because it could not be stored: %s", found.message);
}

void history_describe_loss(const struct world *world, struct json_writer *out) {
    struct fault reason;
    if (world->history != NULL && !store_hub_is_well(world->hub, &reason)) {
        json_writer_member_boolean(out, "unstored", true);
    }
}
