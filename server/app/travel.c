// SPDX-License-Identifier: MIT
// The stages of a travel, and what becomes of the log: a timeline that shares its past with the one it came from.
#include "app/travel.h"

#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/history.h"
#include "app/past.h"
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
                              .epoch = sim_world_epoch(world->sim),
                              .running = world->running};
}

void travel_free(struct world *world) {
    if (world->travel != NULL) {
        past_free(atomic_exchange(&world->travel->arrived, NULL));
        past_free(world->travel->past);
        history_forget(world->travel->before);
        free(world->travel);
    }
}

// ---- the end -----------------------------------------------------------------------------------------------------

static void end(struct world *world) {
    struct travel *travel = world->travel;
    struct session *session = world_find_session(world, travel->peer);
    if (session != NULL) {
        session->waiting = false;
    }
    past_free(travel->past);
    history_forget(travel->before);
    travel->past = NULL;
    travel->before = NULL;
    travel->stage = TRAVEL_NONE;
    world->next_tick_ns = pool_now_ns();
    world->second_start_ns = 0;
    atomic_store(&world->figures.running, world->running);
}

static uint64_t refuse(struct world *world, const struct fault *fault) {
    world_send_fault(world, world->travel->peer, &world->travel->id, fault);
    end(world);
    return 0;
}

// Viewers have to be shown all of it.
static void show(struct world *world) {
    sim_world_renew_epoch(world->sim, world->travel->epoch);
    world_claim_ghosts(world);
    world->publish_whole = true;
    world->frame_stale = true;
    world->revision++;
    world->owned_stamp++;
}

// It did not work out half-way: back to what there was, in a timeline that says so.
static uint64_t turn_back(struct world *world, const struct fault *why) {
    struct travel *travel = world->travel;
    struct fault fault;
    if (history_bring_back(world, travel->before, &fault) != RESULT_OK) {
        log_error("world", "%s: what there was cannot be brought back: %s", world->name, fault.message);
    }
    show(world);
    world->running = travel->running;
    if (travel->forked) {
        atomic_store(&world->history->lost, true); // the log begins anew with what there is
    }
    return refuse(world, why);
}

static void begin_result(struct world *world) {
    proto_text_clear(&world->result);
    proto_text_open_object(&world->result);
}

static void answer(struct world *world) {
    proto_text_member_unsigned(&world->result, "timeline", world->history->timeline);
    proto_text_member_unsigned(&world->result, "epoch", sim_world_epoch(world->sim));
    proto_text_member_unsigned(&world->result, "tick", sim_world_tick(world->sim));
    proto_text_close_object(&world->result);
    history_answer(world, world->travel->peer, &world->travel->id, &world->result);
    end(world);
}

static uint64_t arrive_at_tick(struct world *world) {
    struct travel *travel = world->travel;
    const uint32_t home = travel->past->query.timeline;
    world->running = travel->past->whole_scene && travel->running;
    show(world);
    world_refuse_scheduled(world);
    history_begin_fork(world, travel->replay.timeline, travel->replay.sequence);
    history_note_clock(world);
    if (!travel->past->whole_scene) {
        world->history->home = home; // the rest of it can still be sought
    }
    world_tell_changed(world, travel->past->whole_scene ? "undo" : "seek");
    world_flush_events(world);
    begin_result(world);
    if (travel->past->whole_scene) {
        proto_text_member_string(&world->result, "undone", proto_methods[travel->past->method].name);
        proto_text_member_unsigned(&world->result, "dropped", 0);
    }
    answer(world);
    return 0;
}

static uint64_t arrive_without(struct world *world) {
    struct travel *travel = world->travel;
    world->running = travel->running;
    show(world);
    history_note_clock(world);
    history_leave_past(world);
    world_tell_changed(world, "undo");
    world_flush_events(world);
    begin_result(world);
    proto_text_member_string(&world->result, "undone", proto_methods[travel->past->method].name);
    proto_text_member_unsigned(&world->result, "dropped", travel->replay.dropped);
    answer(world);
    return 0;
}

// ---- on the way --------------------------------------------------------------------------------------------------

// Where the first undone entry stood, the new timeline branches off.
static bool before_entry(void *context, const struct store_logged *logged) {
    struct world *world = context;
    struct travel *travel = world->travel;
    const bool undone = past_is_undone(travel->past, logged);
    if (undone && !travel->forked) {
        travel->forked = true;
        history_begin_fork(world, travel->timeline_passed, travel->sequence_passed);
    }
    travel->timeline_passed = logged->timeline;
    travel->sequence_passed = logged->entry.sequence;
    return !undone;
}

static void after_entry(void *context, const struct store_logged *logged) {
    struct world *world = context;
    if (world->travel->forked) {
        history_copy_entry(world, &logged->entry);
    }
}

static uint64_t settle(struct world *world) {
    struct travel *travel = world->travel;
    struct fault fault;
    if (!history_is_stored(world)) {
        return POOL_NEVER; // woken when it is
    }
    struct past *past = calloc(1, sizeof *past);
    if (past == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
        return refuse(world, &fault);
    }
    const struct session *session = world_find_session(world, travel->peer);
    past->job.run = past_run;
    past->world = world;
    past->undo = travel->task == TRAVEL_UNDO;
    past->query = (struct store_query){
        .world = world->history->number,
        .timeline = past->undo ? world->history->timeline : travel->timeline,
        .tick = travel->tick,
    };
    past->client = session != NULL ? session->client : 0;
    memcpy(past->key, session != NULL ? session->key : "", session != NULL ? sizeof past->key : 1);
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

static uint64_t set_out(struct world *world) {
    struct travel *travel = world->travel;
    struct fault fault;
    travel->past = atomic_exchange(&travel->arrived, NULL);
    if (travel->past == NULL) {
        return POOL_NEVER;
    }
    if (travel->past->result != RESULT_OK) {
        const struct fault why = travel->past->fault;
        return refuse(world, &why);
    }
    travel->before = history_keep(world);
    if (travel->before == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
        return refuse(world, &fault);
    }
    const struct store_history *history = travel->past->history;
    const bool whole = travel->task == TRAVEL_SEEK || travel->past->whole_scene;
    travel->replay = (struct replay){.past = history, .until_tick = history->tick};
    if (!whole) {
        travel->replay.until_tick = sim_world_tick(world->sim);
        travel->replay.altered = true;
        travel->replay.before = before_entry;
        travel->replay.after = after_entry;
        travel->replay.context = world;
    } else if (travel->tick != STORE_END && travel->task == TRAVEL_SEEK) {
        travel->replay.until_tick = travel->tick;
    }
    travel->stage = TRAVEL_REPLAYING;
    if (replay_begin(world, &travel->replay, &fault) != RESULT_OK) {
        return turn_back(world, &fault);
    }
    travel->timeline_passed = travel->replay.timeline;
    travel->sequence_passed = travel->replay.sequence;
    return 0;
}

static uint64_t replay(struct world *world) {
    struct travel *travel = world->travel;
    struct fault fault;
    bool done = false;
    if (replay_advance(world, &travel->replay, pool_now_ns() + SLICE_NS, &done, &fault) != RESULT_OK) {
        return turn_back(world, &fault);
    }
    if (!done) {
        return 0;
    }
    return travel->replay.altered ? arrive_without(world) : arrive_at_tick(world);
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
