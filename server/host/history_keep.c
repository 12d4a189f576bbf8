// SPDX-License-Identifier: MIT
// Keeping what a world is: snapshots as it goes along, and timelines where its clock jumps.
//
// A snapshot is due when stepping and changing since the last took SNAPSHOT_COST_NS: then to go back to any tick takes
// little more than that. Where ticks are slow, snapshots would soon fill the history: they lie SNAPSHOT_TICKS_LEAST
// apart, unless that costs SNAPSHOT_COST_MOST_NS. It is a copy made between two ticks; the clerk compresses it.
#include <stdlib.h>

#include "base/log.h"
#include "engine/record/record.h"
#include "engine/snapshot.h"
#include "host/clerk.h"
#include "host/history.h"
#include "host/rework.h"
#include "host/travel.h"
#include "sim/archive.h"

#define SNAPSHOT_COST_NS 150000000u
#define SNAPSHOT_TICKS_LEAST 30u
#define SNAPSHOT_COST_MOST_NS 400000000u

// ---- snapshots ---------------------------------------------------------------------------------------------------

// A copy of all there is to come back to; its bytes follow one another in one block.
struct snapshot_job {
    struct clerk_job job;
    struct history *history;
    uint64_t ticket;
    struct store_snapshot snapshot;
    struct bytes state, extra;
};

static void free_snapshot(struct snapshot_job *job) {
    bytes_free(&job->state);
    bytes_free(&job->extra);
    free(job);
}

// `history` NULL: of a world that keeps none, or for a branch.
static struct snapshot_job *take_snapshot(struct engine_world *engine, struct history *history, uint64_t hash) {
    struct snapshot_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        return NULL;
    }
    unsigned char *state = bytes_reserve(&job->state, sim_world_archive_length(engine->sim));
    engine_sweep_records(engine);
    engine_save_names(engine, &job->extra);
    if (state == NULL || job->extra.failed) {
        free_snapshot(job);
        return NULL;
    }
    sim_world_archive(engine->sim, state);
    job->history = history;
    job->snapshot = (struct store_snapshot){.timeline = history != NULL ? history->timeline : 0,
                                            .tick = sim_world_tick(engine->sim),
                                            .sequence = history != NULL ? history->sequence : 0,
                                            .hash = hash,
                                            .version = ENGINE_NAMES_VERSION,
                                            .state = {job->state.data, job->state.length},
                                            .extra = {job->extra.data, job->extra.length}};
    return job;
}

static void run_snapshot(struct clerk_job *base) {
    struct snapshot_job *job = (struct snapshot_job *)base;
    struct history *history = job->history;
    struct fault fault;
    if (store_save(ledger_store(history->ledger), history->number, &job->snapshot, HISTORY_NO_TICKET, &fault) !=
        RESULT_OK) {
        log_debug("store", "%s: no snapshot of tick %llu: %s", history->world->name,
                  (unsigned long long)job->snapshot.tick, fault.message);
    }
    atomic_store(&history->saving, false);
    world_let_go(history->world);
    free_snapshot(job);
}

static void keep_snapshot(struct world *world, uint64_t hash) {
    struct history *history = world->history;
    history->cost_ns = 0;
    history->snapshot_tick = sim_world_tick(world->engine->sim);
    struct snapshot_job *job = take_snapshot(world->engine, history, hash);
    if (job == NULL) {
        return;
    }
    job->job.run = run_snapshot;
    atomic_store(&history->saving, true);
    world_hold(world);
    if (clerk_post(world->clerk, &job->job) != RESULT_OK) {
        world_let_go(world);
        atomic_store(&history->saving, false);
        free_snapshot(job);
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
    rework_cancel(world, "the world began anew before it was done");
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
    struct snapshot_job *job = take_snapshot(world->engine, world->history, sim_world_hash(world->engine->sim));
    if (job == NULL) {
        return RESULT_MEMORY;
    }
    const enum result result = begin(world, beginning, &job->snapshot);
    free_snapshot(job);
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

struct snapshot_job *history_keep(struct engine_world *engine, struct history *history) {
    return take_snapshot(engine, history, sim_world_hash(engine->sim));
}

enum result history_bring_back(struct engine_world *engine, const struct snapshot_job *kept, struct fault *fault) {
    const enum result result = sim_world_unarchive(engine->sim, kept->state.data, kept->state.length, fault);
    return result == RESULT_OK ? engine_load_names(engine, kept->extra.data, kept->extra.length, fault) : result;
}

const struct store_snapshot *history_kept(const struct snapshot_job *kept) {
    return &kept->snapshot;
}

void history_forget(struct snapshot_job *kept) {
    if (kept != NULL) {
        free_snapshot(kept);
    }
}

void history_close(struct world *world) {
    struct snapshot_job *job = NULL;
    if (world->history != NULL && !atomic_load(&world->history->lost)) {
        store_group_discard(history_store(world), world->history->number); // it has not arrived
        job = travel_take_present(world);
        job = job != NULL ? job : history_keep(world->engine, world->history);
    }
    if (job != NULL) {
        world_hold(world);
        run_snapshot(&job->job);
    }
}

void history_repair(struct world *world) {
    struct history *history = world->history;
    if (history == NULL || !atomic_load(&history->lost) || playback_is_showing(world)) {
        return; // what is shown is not to be stored
    }
    struct fault fault;
    if (store_accepts(history_store(world), history->number, &fault) == RESULT_IO) {
        return; // the disk is not well yet
    }
    const struct store_beginning beginning = {.tick = sim_world_tick(world->engine->sim),
                                              .origin = STORE_ORIGIN_SNAPSHOT};
    if (begin_with_snapshot(world, &beginning) == RESULT_OK) {
        history_leave_past(world);
        log_info("store", "%s: stored again, from tick %llu on", world->name,
                 (unsigned long long)sim_world_tick(world->engine->sim));
    }
}
