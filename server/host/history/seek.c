// SPDX-License-Identifier: MIT
// The stages of a seek, and what becomes of the log: a timeline that shares its past with the one it came from.
#include "host/history/seek.h"

#include <stdlib.h>
#include <string.h>

#include "base/job_thread.h"
#include "base/result.h"
#include "engine/client/client.h"
#include "engine/command/world.h"
#include "engine/state/event.h"
#include "engine/world/membership.h"
#include "host/history/history.h"
#include "host/history/history_query.h"
#include "host/history/history_snapshots.h"
#include "host/history/playback.h"
#include "host/history/playback_state.h"
#include "host/history/redo.h"
#include "host/history/replay.h"
#include "host/history/seek_state.h"
#include "host/history/snapshot_copy.h"
#include "host/run/scheduler.h"
#include "host/world/hold.h"
#include "host/world/reply.h"
#include "host/world/schedule.h"
#include "host/world/session.h"
#include "sim/archive.h"

#define SLICE_NS 20000000u // of replaying, before other worlds get a turn

void seek_begin(struct world *world, const struct seek *wanted) {
    struct seek *seek = world->seek;
    *seek = (struct seek){.stage = SEEK_SETTLING,
                          .task = wanted->task,
                          .connection_id = wanted->connection_id,
                          .id = wanted->id,
                          .tick = wanted->tick,
                          .timeline = wanted->timeline,
                          .request = wanted->request,
                          .epoch = sim_world_epoch(world->engine->sim),
                          .running = world->engine->running};
}

void seek_begin_wanted(struct world *world) {
    struct playback *playback = world->playback;
    if (playback == NULL || !playback->seek_wanted) {
        return;
    }
    playback->seek_wanted = false;
    struct seek wanted = {.task = SEEK_SHOW, .connection_id = WORLD_NO_CONNECTION, .request = playback->request};
    wanted.request.tick = wanted.tick = wanted.request.from;
    wanted.timeline = wanted.request.timeline;
    seek_begin(world, &wanted);
}

void seek_free(struct world *world) {
    if (world->seek != NULL) {
        history_query_free(atomic_exchange(&world->seek->arrived, NULL));
        history_query_free(world->seek->past);
        snapshot_free(world->seek->before);
        free(world->seek);
    }
}

struct snapshot_job *seek_take_present(struct world *world) {
    struct snapshot_job **place = world->seek->before != NULL ? &world->seek->before : &world->playback->present;
    struct snapshot_job *present = *place;
    *place = NULL;
    return present;
}

// ---- the end -----------------------------------------------------------------------------------------------------

static void end(struct world *world) {
    struct seek *seek = world->seek;
    struct session *session = world_find_session(world, seek->connection_id);
    if (session != NULL) {
        world_go_on(world, session);
    }
    history_query_free(seek->past);
    snapshot_free(seek->before);
    history_hand_over(world);
    seek->past = NULL;
    seek->before = NULL;
    seek->stage = SEEK_NONE;
    world->next_tick_ns = scheduler_now_ns();
    world->second_start_ns = 0;
    atomic_store(&world->metrics.running, world->engine->running);
}

static uint64_t refuse(struct world *world, const struct fault *fault) {
    world_send_fault(world, world->seek->connection_id, &world->seek->id, fault);
    end(world);
    return 0;
}

// Viewers have to be shown all of it.
static void show(struct world *world) {
    sim_world_renew_epoch(world->engine->sim, world->seek->epoch);
    engine_claim_orphaned_grabs(world->engine);
    world->engine->publish_whole = true;
    world->engine->frame_stale = true;
    world->engine->revision++;
    world->engine->owned_stamp++;
}

// It did not work out half-way: back to what there was, in a timeline that says so.
static uint64_t turn_back(struct world *world, const struct fault *why) {
    struct seek *seek = world->seek;
    struct fault fault;
    if (snapshot_restore(world->engine, seek->before, &fault) != RESULT_OK) {
        log_error("world", "%s: what there was cannot be brought back: %s", world->name, fault.message);
    }
    if (world->playback->past != NULL || world->playback->showing) {
        playback_leave(world);
        playback_forget(world);
    }
    show(world);
    world->engine->running = seek->running;
    return refuse(world, why);
}

static void begin_result(struct world *world) {
    json_writer_clear(&world->engine->result);
    json_writer_open_object(&world->engine->result);
}

// Replies at the end of `way`. The reply says which ticks of an older physics version were computed again.
static void answer(struct world *world, const struct replay *way) {
    const struct world_recomputed recomputed = replay_recomputed(world->engine, way);
    describe_recomputed(&recomputed, &world->engine->result);
    json_writer_member_unsigned(&world->engine->result, "timeline", world->history->timeline);
    json_writer_member_unsigned(&world->engine->result, "epoch", sim_world_epoch(world->engine->sim));
    json_writer_member_unsigned(&world->engine->result, "tick", sim_world_tick(world->engine->sim));
    json_writer_close_object(&world->engine->result);
    history_answer(world, world->seek->connection_id, &world->seek->id, &world->engine->result);
    end(world);
}

// What is kept on the way, and so which ticks are near (playback.h).
static bool goes_by_playback(const struct seek *seek) {
    return seek->task == SEEK_SHOW || (seek->task == SEEK_TO_TICK && seek->tick != STORE_END);
}

static uint64_t arrive_showing(struct world *world) {
    struct seek *seek = world->seek;
    struct snapshot_job *present = seek->before;
    seek->before = NULL;
    world_refuse_scheduled(world);
    playback_arrive(world, present);
    begin_result(world);
    json_writer_member_unsigned(&world->engine->result, "from", world->playback->request.from);
    json_writer_member_unsigned(&world->engine->result, "to", world->playback->request.to);
    answer(world, &world->playback->replay);
    return 0;
}

static uint64_t arrive_at_tick(struct world *world) {
    const struct seek *seek = world->seek;
    const struct replay *passed = goes_by_playback(seek) ? &world->playback->replay : &seek->replay;
    const struct replay position = *passed;
    world->engine->running = false;
    playback_leave(world);
    show(world);
    redo_forget_all(world);
    world_refuse_scheduled(world);
    history_begin_fork(world, position.timeline, position.sequence);
    history_note_clock(world);
    world->history->home = seek->timeline; // the rest of it can still be sought
    engine_tell_changed_by(world->engine, "seek", engine_find_client(world->engine, seek->connection_id));
    engine_flush_events(world->engine);
    begin_result(world);
    answer(world, &position);
    return 0;
}

// ---- on the way --------------------------------------------------------------------------------------------------

static uint64_t settle(struct world *world) {
    struct seek *seek = world->seek;
    struct fault fault;
    seek->near = goes_by_playback(seek) && playback_is_near(world, &seek->request);
    if (seek->near) {
        seek->stage = SEEK_READING;
        return 0;
    }
    if (!history_is_stored(world)) {
        return SCHEDULER_NEVER; // woken when it is
    }
    struct history_query *past = calloc(1, sizeof *past);
    if (past == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
        return refuse(world, &fault);
    }
    past->job.run = history_query_run;
    past->world = world;
    past->arrived = &seek->arrived;
    past->range = (struct store_query){
        .world = world->history->number,
        .timeline = seek->timeline != 0 ? seek->timeline : world->history->timeline,
        .tick = seek->tick,
    };
    if (goes_by_playback(seek)) {
        playback_plan(&seek->request, past);
    }
    world_hold(world);
    if (job_thread_post(world->job_thread, &past->job) != RESULT_OK) {
        world_let_go(world);
        history_query_free(past);
        fault_set(&fault, RESULT_BUSY, "", "too much is being read and written: try again");
        return refuse(world, &fault);
    }
    seek->stage = SEEK_READING;
    return SCHEDULER_NEVER;
}

// A world that shows what was is brought back to what it has become, if need be.
static struct snapshot_job *keep_before(struct world *world) {
    struct snapshot_job *present = world->playback->present;
    world->playback->present = NULL;
    return present != NULL ? present : snapshot_take(world->engine, world->history);
}

static uint64_t set_out(struct world *world) {
    struct seek *seek = world->seek;
    struct fault fault;
    seek->past = atomic_exchange(&seek->arrived, NULL);
    if (seek->past == NULL && !seek->near) {
        return SCHEDULER_NEVER;
    }
    if (seek->past != NULL && seek->past->result != RESULT_OK) {
        const struct fault why = seek->past->fault;
        return refuse(world, &why);
    }
    if (history_gather(world, &fault) != RESULT_OK) {
        return refuse(world, &fault);
    }
    seek->before = keep_before(world);
    if (seek->before == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
        return refuse(world, &fault);
    }
    if (goes_by_playback(seek)) {
        struct history_query *past = seek->past;
        seek->past = NULL;
        seek->stage = SEEK_REPLAYING;
        return playback_set_out(world, &seek->request, past, &fault) == RESULT_OK ? 0 : turn_back(world, &fault);
    }
    playback_forget(world);
    const struct store_history *history = seek->past->history;
    seek->replay = (struct replay){.past = history, .until_tick = history->tick};
    seek->stage = SEEK_REPLAYING;
    if (replay_begin(world->engine, &seek->replay, &fault) != RESULT_OK) {
        return turn_back(world, &fault);
    }
    return 0;
}

static uint64_t replay(struct world *world) {
    struct seek *seek = world->seek;
    struct fault fault;
    bool done = false;
    const uint64_t deadline_ns = scheduler_now_ns() + SLICE_NS;
    const enum result result = goes_by_playback(seek)
                                   ? playback_advance(world, deadline_ns, &done, &fault)
                                   : replay_advance(world->engine, &seek->replay, deadline_ns, &done, &fault);
    if (result != RESULT_OK) {
        return turn_back(world, &fault);
    }
    if (!done) {
        return 0;
    }
    return seek->task == SEEK_SHOW ? arrive_showing(world) : arrive_at_tick(world);
}

uint64_t seek_run(struct world *world) {
    switch (world->seek->stage) {
    case SEEK_SETTLING:
        return settle(world);
    case SEEK_READING:
        return set_out(world);
    case SEEK_REPLAYING:
        return replay(world);
    case SEEK_NONE:
        break;
    }
    return 0;
}
