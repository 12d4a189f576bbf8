// SPDX-License-Identifier: MIT
// The stages of a travel, and what becomes of the log: a timeline that shares its past with the one it came from.
#include "host/travel.h"

#include <stdlib.h>
#include <string.h>

#include "base/result.h"
#include "engine/client/client.h"
#include "engine/client/membership.h"
#include "engine/command/world.h"
#include "engine/event.h"
#include "host/clerk.h"
#include "host/history.h"
#include "host/history_keep.h"
#include "host/hold.h"
#include "host/past.h"
#include "host/playback.h"
#include "host/playback_state.h"
#include "host/pool.h"
#include "host/redo.h"
#include "host/replay.h"
#include "host/reply.h"
#include "host/schedule.h"
#include "host/session.h"
#include "host/snapshot_copy.h"
#include "host/travel_state.h"
#include "sim/archive.h"

#define SLICE_NS 20000000u // of replaying, before other worlds get a turn

void travel_begin(struct world *world, const struct travel *wanted) {
    struct travel *travel = world->travel;
    *travel = (struct travel){.stage = TRAVEL_SETTLING,
                              .task = wanted->task,
                              .peer = wanted->peer,
                              .id = wanted->id,
                              .tick = wanted->tick,
                              .timeline = wanted->timeline,
                              .wish = wanted->wish,
                              .epoch = sim_world_epoch(world->engine->sim),
                              .running = world->engine->running};
}

void travel_begin_wanted(struct world *world) {
    struct playback *playback = world->playback;
    if (playback == NULL || !playback->seek_wanted) {
        return;
    }
    playback->seek_wanted = false;
    struct travel wanted = {.task = TRAVEL_SHOW, .peer = WORLD_NO_PEER, .wish = playback->wish};
    wanted.wish.tick = wanted.tick = wanted.wish.from;
    wanted.timeline = wanted.wish.timeline;
    travel_begin(world, &wanted);
}

void travel_free(struct world *world) {
    if (world->travel != NULL) {
        past_free(atomic_exchange(&world->travel->arrived, NULL));
        past_free(world->travel->past);
        snapshot_free(world->travel->before);
        free(world->travel);
    }
}

struct snapshot_job *travel_take_present(struct world *world) {
    struct snapshot_job **place = world->travel->before != NULL ? &world->travel->before : &world->playback->present;
    struct snapshot_job *present = *place;
    *place = NULL;
    return present;
}

// ---- the end -----------------------------------------------------------------------------------------------------

static void end(struct world *world) {
    struct travel *travel = world->travel;
    struct session *session = world_find_session(world, travel->peer);
    if (session != NULL) {
        world_go_on(world, session);
    }
    past_free(travel->past);
    snapshot_free(travel->before);
    history_hand_over(world);
    travel->past = NULL;
    travel->before = NULL;
    travel->stage = TRAVEL_NONE;
    world->next_tick_ns = pool_now_ns();
    world->second_start_ns = 0;
    atomic_store(&world->figures.running, world->engine->running);
}

static uint64_t refuse(struct world *world, const struct fault *fault) {
    world_send_fault(world, world->travel->peer, &world->travel->id, fault);
    end(world);
    return 0;
}

// Viewers have to be shown all of it.
static void show(struct world *world) {
    sim_world_renew_epoch(world->engine->sim, world->travel->epoch);
    engine_claim_orphaned_grabs(world->engine);
    world->engine->publish_whole = true;
    world->engine->frame_stale = true;
    world->engine->revision++;
    world->engine->owned_stamp++;
}

// It did not work out half-way: back to what there was, in a timeline that says so.
static uint64_t turn_back(struct world *world, const struct fault *why) {
    struct travel *travel = world->travel;
    struct fault fault;
    if (snapshot_restore(world->engine, travel->before, &fault) != RESULT_OK) {
        log_error("world", "%s: what there was cannot be brought back: %s", world->name, fault.message);
    }
    if (world->playback->past != NULL || world->playback->showing) {
        playback_leave(world);
        playback_forget(world);
    }
    show(world);
    world->engine->running = travel->running;
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
    history_answer(world, world->travel->peer, &world->travel->id, &world->engine->result);
    end(world);
}

// What is kept on the way, and so which ticks are near (playback.h).
static bool goes_by_playback(const struct travel *travel) {
    return travel->task == TRAVEL_SHOW || (travel->task == TRAVEL_SEEK && travel->tick != STORE_END);
}

static uint64_t arrive_showing(struct world *world) {
    struct travel *travel = world->travel;
    struct snapshot_job *present = travel->before;
    travel->before = NULL;
    world_refuse_scheduled(world);
    playback_arrive(world, present);
    begin_result(world);
    json_writer_member_unsigned(&world->engine->result, "from", world->playback->wish.from);
    json_writer_member_unsigned(&world->engine->result, "to", world->playback->wish.to);
    answer(world, &world->playback->replay);
    return 0;
}

static uint64_t arrive_at_tick(struct world *world) {
    const struct travel *travel = world->travel;
    const struct replay *passed = goes_by_playback(travel) ? &world->playback->replay : &travel->replay;
    const struct replay position = *passed;
    world->engine->running = false;
    playback_leave(world);
    show(world);
    redo_forget_all(world);
    world_refuse_scheduled(world);
    history_begin_fork(world, position.timeline, position.sequence);
    history_note_clock(world);
    world->history->home = travel->timeline; // the rest of it can still be sought
    engine_tell_changed_by(world->engine, "seek", engine_find_client(world->engine, travel->peer));
    engine_flush_events(world->engine);
    begin_result(world);
    answer(world, &position);
    return 0;
}

// ---- on the way --------------------------------------------------------------------------------------------------

static uint64_t settle(struct world *world) {
    struct travel *travel = world->travel;
    struct fault fault;
    travel->near = goes_by_playback(travel) && playback_is_near(world, &travel->wish);
    if (travel->near) {
        travel->stage = TRAVEL_READING;
        return 0;
    }
    if (!history_is_stored(world)) {
        return POOL_NEVER; // woken when it is
    }
    struct past *past = calloc(1, sizeof *past);
    if (past == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
        return refuse(world, &fault);
    }
    past->job.run = past_run;
    past->world = world;
    past->arrived = &travel->arrived;
    past->query = (struct store_query){
        .world = world->history->number,
        .timeline = travel->timeline != 0 ? travel->timeline : world->history->timeline,
        .tick = travel->tick,
    };
    if (goes_by_playback(travel)) {
        playback_plan(&travel->wish, past);
    }
    world_hold(world);
    if (clerk_post(world->clerk, &past->job) != RESULT_OK) {
        world_let_go(world);
        past_free(past);
        fault_set(&fault, RESULT_BUSY, "", "too much is being read and written: try again");
        return refuse(world, &fault);
    }
    travel->stage = TRAVEL_READING;
    return POOL_NEVER;
}

// A world that shows what was is brought back to what it has become, if need be.
static struct snapshot_job *keep_before(struct world *world) {
    struct snapshot_job *present = world->playback->present;
    world->playback->present = NULL;
    return present != NULL ? present : snapshot_take(world->engine, world->history);
}

static uint64_t set_out(struct world *world) {
    struct travel *travel = world->travel;
    struct fault fault;
    travel->past = atomic_exchange(&travel->arrived, NULL);
    if (travel->past == NULL && !travel->near) {
        return POOL_NEVER;
    }
    if (travel->past != NULL && travel->past->result != RESULT_OK) {
        const struct fault why = travel->past->fault;
        return refuse(world, &why);
    }
    if (history_gather(world, &fault) != RESULT_OK) {
        return refuse(world, &fault);
    }
    travel->before = keep_before(world);
    if (travel->before == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
        return refuse(world, &fault);
    }
    if (goes_by_playback(travel)) {
        struct past *past = travel->past;
        travel->past = NULL;
        travel->stage = TRAVEL_REPLAYING;
        return playback_set_out(world, &travel->wish, past, &fault) == RESULT_OK ? 0 : turn_back(world, &fault);
    }
    playback_forget(world);
    const struct store_history *history = travel->past->history;
    travel->replay = (struct replay){.past = history, .until_tick = history->tick};
    travel->stage = TRAVEL_REPLAYING;
    if (replay_begin(world->engine, &travel->replay, &fault) != RESULT_OK) {
        return turn_back(world, &fault);
    }
    return 0;
}

static uint64_t replay(struct world *world) {
    struct travel *travel = world->travel;
    struct fault fault;
    bool done = false;
    const uint64_t deadline_ns = pool_now_ns() + SLICE_NS;
    const enum result result = goes_by_playback(travel)
                                   ? playback_advance(world, deadline_ns, &done, &fault)
                                   : replay_advance(world->engine, &travel->replay, deadline_ns, &done, &fault);
    if (result != RESULT_OK) {
        return turn_back(world, &fault);
    }
    if (!done) {
        return 0;
    }
    return travel->task == TRAVEL_SHOW ? arrive_showing(world) : arrive_at_tick(world);
}

uint64_t travel_run(struct world *world) {
    switch (world->travel->stage) {
    case TRAVEL_SETTLING:
        return settle(world);
    case TRAVEL_READING:
        return set_out(world);
    case TRAVEL_REPLAYING:
        return replay(world);
    case TRAVEL_NONE:
        break;
    }
    return 0;
}
