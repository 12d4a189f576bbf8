// SPDX-License-Identifier: MIT
// Where in the past a world is: ways to a tick, from the nearest copy; playing, tick by tick.
#include "host/history/playback.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "engine/command/world.h"
#include "engine/record/tick_event.h"
#include "engine/state/event.h"
#include "engine/view/variant.h"
#include "engine/world/lockstep.h"
#include "engine/world/membership.h"
#include "host/history/history.h"
#include "host/history/history_query.h"
#include "host/history/history_snapshots.h"
#include "host/history/playback_state.h"
#include "host/history/redo.h"
#include "host/history/replay.h"
#include "host/history/snapshot_copy.h"
#include "host/run/scheduler.h"
#include "sim/archive.h"

#define NEAR_NS 100000000u // of replaying; what is further is read, for there is a snapshot closer
#define MARK_NS 15000000u  // of replaying, between two copies
#define TICK_NS 2000000u   // that a tick may take, until one was measured
#define SLICE_NS 4000000u  // of playing, before anything else gets a turn
#define LATE_TICKS_MAX 4u
#define AHEAD_TICKS 600u // that are read beyond a tick that is only shown

// ---- copies ------------------------------------------------------------------------------------------------------

static void drop(struct playback_mark *mark) {
    snapshot_free(mark->kept);
    *mark = (struct playback_mark){0};
}

static uint64_t tick_of(const struct playback_mark *mark) {
    return snapshot_view(mark->kept)->tick;
}

static struct playback_mark make_mark(struct world *world) {
    struct playback *playback = world->playback;
    return (struct playback_mark){
        .kept = snapshot_take(world->engine, world->history), .position = playback->replay, .era = playback->era};
}

// Without memory for it the way back is longer.
static void leave_mark(struct world *world) {
    struct playback *playback = world->playback;
    struct playback_mark mark = make_mark(world);
    playback->trail_ns = 0;
    if (mark.kept == NULL) {
        return;
    }
    if (playback->trail_count == PLAYBACK_TRAIL) {
        drop(&playback->trail[0]);
        memmove(playback->trail, playback->trail + 1, (PLAYBACK_TRAIL - 1) * sizeof mark);
        playback->trail_count--;
    }
    playback->trail[playback->trail_count++] = mark;
}

static const struct playback_mark *find_mark(const struct playback *playback, uint64_t tick) {
    const struct playback_mark *best = NULL;
    for (uint32_t i = 0; i < playback->trail_count; i++) {
        const uint64_t at = tick_of(&playback->trail[i]);
        if (at <= tick && (best == NULL || at >= tick_of(best))) {
            best = &playback->trail[i];
        }
    }
    return best;
}

// Copies behind this tick are of no use: they would be made again on the way.
static void cut_trail(struct playback *playback, uint64_t tick) {
    while (playback->trail_count > 0 && tick_of(&playback->trail[playback->trail_count - 1]) > tick) {
        drop(&playback->trail[--playback->trail_count]);
    }
}

void playback_forget(struct world *world) {
    struct playback *playback = world->playback;
    if (playback == NULL || playback->past == NULL) {
        return;
    }
    while (playback->trail_count > 0) {
        drop(&playback->trail[--playback->trail_count]);
    }
    drop(&playback->start);
    history_query_free(playback->past);
    playback->past = NULL;
    playback->replay = (struct replay){0};
}

void playback_free(struct world *world) {
    if (world->playback != NULL) {
        playback_forget(world);
        snapshot_free(world->playback->present);
        free(world->playback);
    }
}

// ---- ways --------------------------------------------------------------------------------------------------------

bool playback_is_near(const struct world *world, const struct playback_request *request) {
    const struct playback *playback = world->playback;
    const struct history_query *past = playback->past;
    if (past == NULL || past->range.timeline != request->timeline || request->from < past->first) {
        return false;
    }
    const uint64_t to = request->to == STORE_END ? past->last : request->to;
    const uint64_t needed = request->speed > 0.0f ? to : request->tick;
    if (to > past->last || request->tick > past->last || needed > past->range.tick) {
        return false;
    }
    const struct playback_mark *mark = find_mark(playback, request->tick);
    const uint64_t here = sim_world_tick(world->engine->sim);
    if (mark == NULL && here > request->tick) {
        return false;
    }
    const uint64_t before = here <= request->tick && (mark == NULL || here >= tick_of(mark)) ? here : tick_of(mark);
    const uint64_t tick_ns = playback->tick_ns > 0 ? playback->tick_ns : TICK_NS;
    return (request->tick - before) * tick_ns <= NEAR_NS;
}

void playback_plan(const struct playback_request *request, struct history_query *past) {
    past->interval = true;
    past->tick = request->tick;
    past->from = request->from;
    past->to = request->to;
    past->ahead = request->speed > 0.0f ? STORE_END : AHEAD_TICKS;
}

// What a topology tells may be another after an entry.
static void note_entry(void *context, const struct store_logged *logged) {
    const struct world *world = context;
    struct playback *playback = world->playback;
    (void)logged;
    playback->era = ++playback->eras;
}

static enum result go_to_mark(struct world *world, const struct playback_mark *mark, struct fault *fault) {
    const struct playback_mark to = *mark;
    world->playback->replay = to.position;
    world->playback->era = to.era;
    return snapshot_restore(world->engine, to.kept, fault);
}

static enum result begin_with_past(struct world *world, struct history_query *take, uint32_t epoch,
                                   struct fault *fault) {
    struct playback *playback = world->playback;
    playback_forget(world);
    playback->past = take;
    playback->replay =
        (struct replay){.past = take->history, .short_of_commands = true, .after = note_entry, .context = world};
    playback->era = ++playback->eras;
    const enum result result = replay_begin(world->engine, &playback->replay, fault);
    if (result == RESULT_OK) {
        sim_world_renew_epoch(world->engine->sim, epoch); // now, so that the copies have it
        leave_mark(world);
    }
    return result;
}

enum result playback_set_out(struct world *world, const struct playback_request *request, struct history_query *take,
                             struct fault *fault) {
    struct playback *playback = world->playback;
    const uint32_t epoch = sim_world_epoch(world->engine->sim);
    enum result result = RESULT_OK;
    if (take != NULL) {
        result = begin_with_past(world, take, epoch, fault);
    } else {
        const uint64_t here = sim_world_tick(world->engine->sim);
        const struct playback_mark *mark = find_mark(playback, request->tick);
        if (mark != NULL && (here > request->tick || here < tick_of(mark))) {
            result = go_to_mark(world, mark, fault);
        }
        cut_trail(playback, request->tick);
    }
    playback->request = *request;
    playback->request.to = request->to == STORE_END ? playback->past->last : request->to;
    playback->playing = false;
    playback->replay.until_tick = request->tick;
    return result;
}

enum result playback_advance(struct world *world, uint64_t deadline_ns, bool *done, struct fault *fault) {
    struct playback *playback = world->playback;
    const uint64_t before = sim_world_tick(world->engine->sim), start_ns = scheduler_now_ns();
    const uint64_t mark_ns = start_ns + MARK_NS;
    const enum result result =
        replay_advance(world->engine, &playback->replay, mark_ns < deadline_ns ? mark_ns : deadline_ns, done, fault);
    const uint64_t cost_ns = scheduler_now_ns() - start_ns, ticks = sim_world_tick(world->engine->sim) - before;
    engine_drop_events(world->engine);
    if (ticks > 0) {
        playback->tick_ns = cost_ns / ticks;
        playback->trail_ns += cost_ns;
    }
    if (result == RESULT_OK && playback->trail_ns >= MARK_NS) {
        leave_mark(world);
    }
    return result;
}

// Viewers that know this make-up of the world are shown where things are; others all of it.
static void show(struct world *world) {
    struct playback *playback = world->playback;
    if (playback->era != playback->shown_era || sim_world_epoch(world->engine->sim) != world->engine->published_epoch) {
        sim_world_renew_epoch(world->engine->sim, world->engine->published_epoch);
        playback->era = playback->shown_era = ++playback->eras;
        world->engine->publish_whole = true;
    }
    for (uint32_t i = 0; i < world->engine->published_count; i++) {
        world->engine->published[i].resting = false; // it may rest elsewhere
    }
    world->engine->resting = 0;
    world->engine->running = false;
    world->engine->frame_stale = true;
    world->engine->revision++;
    world->engine->owned_stamp++;
}

// From one tick to the next, as they are played.
static uint64_t period_of(const struct world *world) {
    return (uint64_t)((double)world->period_ns / (double)world->playback->request.speed);
}

void playback_arrive(struct world *world, struct snapshot_job *present) {
    struct playback *playback = world->playback;
    const struct playback_request *request = &playback->request;
    playback->present = present;
    playback->showing = world->engine->shows_past = true;
    show(world);
    drop(&playback->start);
    if (request->speed > 0.0f && (request->tick < request->to || (request->loop && request->from < request->to))) {
        playback->playing = true;
        playback->stride = (uint32_t)ceilf(request->speed);
        playback->next_ns = scheduler_now_ns() + period_of(world);
        if (request->loop && request->tick == request->from) {
            playback->start = make_mark(world);
        }
    }
    engine_tell_changed(world->engine, "replay");
    engine_flush_events(world->engine);
}

// ---- ends --------------------------------------------------------------------------------------------------------

void playback_leave(struct world *world) {
    struct playback *playback = world->playback;
    playback->showing = playback->playing = world->engine->shows_past = false;
    playback->era = ++playback->eras; // what comes now is not of what was read
    snapshot_free(playback->present);
    playback->present = NULL;
    drop(&playback->start);
}

bool playback_is_left_by(enum proto_method method) {
    switch (method) {
    case PROTO_METHOD_WORLD_REPLAY:
    case PROTO_METHOD_WORLD_SEEK:
    case PROTO_METHOD_WORLD_PAUSE:
    case PROTO_METHOD_GRAB_MOVE: // of a hand in the present: it does not hold anything that is shown
    case PROTO_METHOD_GRAB_END:
        return false;
    default:
        return true;
    }
}

void playback_take_over(struct world *world) {
    struct playback *playback = world->playback;
    if (!playback_is_showing(world)) {
        return;
    }
    const uint32_t home = playback->request.timeline;
    const struct replay position = playback->replay;
    playback_leave(world);
    engine_claim_orphaned_grabs(world->engine);
    redo_forget_all(world);
    history_begin_fork(world, position.timeline, position.sequence);
    history_note_clock(world);
    world->history->home = home;
    engine_tell_changed(world->engine, "seek");
    engine_flush_events(world->engine);
}

void playback_hold(struct world *world) {
    world->playback->playing = false;
    world->engine->frame_stale = true; // who sees fewer frames may have missed the last
    engine_tell_changed(world->engine, "replay");
    engine_flush_events(world->engine);
}

void playback_end(struct world *world) {
    if (playback_is_showing(world)) {
        world->playback->playing = false;
    }
}

enum result playback_return(struct world *world, struct fault *fault) {
    struct playback *playback = world->playback;
    const uint32_t epoch = sim_world_epoch(world->engine->sim);
    const enum result result = snapshot_restore(world->engine, playback->present, fault);
    if (result != RESULT_OK) {
        log_error("world", "%s: what there was cannot be brought back: %s", world->name, fault->message);
        atomic_store(&world->history->lost, true); // the log begins anew with what there is
    }
    playback_leave(world);
    playback_forget(world);
    sim_world_renew_epoch(world->engine->sim, epoch);
    engine_claim_orphaned_grabs(world->engine);
    show(world);
    world->engine->publish_whole = true;
    engine_tell_changed(world->engine, "replay");
    engine_flush_events(world->engine);
    return result;
}

// ---- playing -----------------------------------------------------------------------------------------------------

static void begin_again(struct world *world) {
    struct playback *playback = world->playback;
    struct fault fault;
    if (playback->start.kept == NULL || go_to_mark(world, &playback->start, &fault) != RESULT_OK) {
        playback->seek_wanted = true;
        return;
    }
    show(world);
    engine_publish(world->engine, true);
    lockstep_publish(world->engine, true);
}

static void play_tick(struct world *world) {
    struct playback *playback = world->playback;
    struct fault fault;
    bool done = false;
    playback->replay.until_tick = sim_world_tick(world->engine->sim) + 1;
    world->engine->tells_events = true;
    const enum result result = replay_advance(world->engine, &playback->replay, UINT64_MAX, &done, &fault);
    world->engine->tells_events = false;
    world->engine->running = false; // whatever the clock did then
    atomic_store(&world->metrics.running, false);
    world->engine->revision++;
    const uint64_t tick = sim_world_tick(world->engine->sim);
    playback->shown_era = playback->era; // they were told
    if (tick % playback->stride == 0) {
        world->engine->statistics.encode_ns = 0;
        engine_publish(world->engine, false);
    }
    lockstep_publish(world->engine, false);
    engine_tell_tick_events(world->engine);
    engine_flush_events(world->engine);
    if (result != RESULT_OK) {
        log_error("world", "%s: the replay ends: %s", world->name, fault.message);
    }
    if (result != RESULT_OK || (tick >= playback->request.to && !playback->request.loop)) {
        playback_hold(world);
    }
}

uint64_t playback_turn(struct world *world) {
    struct playback *playback = world->playback;
    uint64_t now_ns = scheduler_now_ns();
    const uint64_t until_ns = now_ns + SLICE_NS;
    while (playback->playing && !playback->seek_wanted && now_ns >= playback->next_ns && now_ns < until_ns) {
        const uint64_t period_ns = period_of(world);
        if (sim_world_tick(world->engine->sim) >= playback->request.to) {
            begin_again(world);
        } else {
            play_tick(world);
        }
        playback->next_ns += period_ns;
        now_ns = scheduler_now_ns();
        if (now_ns > playback->next_ns + LATE_TICKS_MAX * period_ns) {
            playback->next_ns = now_ns; // slower, but no tick is left out
        }
    }
    return playback->seek_wanted ? 0 : playback->playing ? playback->next_ns : SCHEDULER_NEVER;
}

uint64_t playback_present_tick(const struct world *world) {
    return playback_is_showing(world) ? snapshot_view(world->playback->present)->tick
                                      : sim_world_tick(world->engine->sim);
}

void describe_playback(const struct world *world, struct json_writer *out) {
    if (!playback_is_showing(world)) {
        return;
    }
    const struct playback *playback = world->playback;
    json_writer_key(out, "replay");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "timeline", playback->request.timeline);
    json_writer_member_unsigned(out, "from", playback->request.from);
    json_writer_member_unsigned(out, "to", playback->request.to);
    json_writer_member_float(out, "speed", playback->request.speed);
    json_writer_member_boolean(out, "loop", playback->request.loop);
    json_writer_member_boolean(out, "playing", playback->playing);
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->engine->sim));
    json_writer_member_unsigned(out, "present", snapshot_view(playback->present)->tick);
    json_writer_close_object(out);
}
