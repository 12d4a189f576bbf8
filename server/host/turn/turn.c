// SPDX-License-Identifier: MIT
// The tick is paced by absolute deadlines of the monotonic clock, so it does not drift. A world that cannot keep up
// slows down openly: late ticks are counted, the time it fell behind for good and the real-time factor are reported; no
// tick is ever left out.
#include "host/turn/turn.h"

#include "engine/record/tick_event.h"
#include "engine/view/adaptive_rate.h"
#include "engine/view/variant.h"
#include "engine/world/lockstep.h"
#include "engine/world/membership.h"
#include "host/command/command_world.h"
#include "host/history/history.h"
#include "host/history/history_snapshots.h"
#include "host/history/playback.h"
#include "host/history/playback_state.h"
#include "host/history/seek.h"
#include "host/history/seek_state.h"
#include "host/history/undo.h"
#include "host/run/scheduler.h"
#include "host/turn/apply.h"
#include "host/world/clock.h"
#include "host/world/inbox.h"
#include "host/world/timing.h"
#include "host/world/world_metrics.h"
#include "host/worlds/broadcast.h"

#define NS_PER_SECOND 1000000000u
#define SLICE_NS 4000000u         // one turn of commands or of world.step, before anything else gets a turn
#define COMMANDS_LEAST_NS 500000u // for commands, also when the next tick is overdue
#define DESERTED_NS 10000000000u  // a temporary world that nobody is in ends after so long
#define GIVE_BACK_EVERY_NS 10000000000u
#define GIVE_BACK_NS 1000000u // that it may take: rarely a tenth
#define LATE_TICKS_MAX 4u     // ticks that a stalled world may catch up in a burst

static uint32_t microseconds(uint64_t from_ns, uint64_t to_ns) {
    uint64_t elapsed = to_ns > from_ns ? (to_ns - from_ns) / 1000u : 0;
    return elapsed < UINT32_MAX ? (uint32_t)elapsed : UINT32_MAX;
}

// A world that has been too slow for some seconds takes nothing new.
static void note_speed(struct world *world) {
    struct engine_world *engine = world->engine;
    const uint32_t permille = atomic_load(&world->metrics.real_time_permille);
    const bool slow = engine->running && permille < 10 * world->config->slow_percent;
    world->slow_seconds = !slow                                      ? 0
                          : world->slow_seconds < WORLD_SLOW_SECONDS ? world->slow_seconds + 1
                                                                     : world->slow_seconds;
    engine->refuses_growth = world->slow_seconds >= WORLD_SLOW_SECONDS;
    engine->speed_percent = permille / 10;
}

// Once a second: how fast the world's time went, and the slowest tick of that second.
static void note_second(struct world *world, uint64_t now_ns) {
    uint64_t tick = sim_world_tick(world->engine->sim);
    if (world->second_start_ns == 0 || tick < world->second_start_tick) {
        world->second_start_ns = now_ns;
        world->second_start_tick = tick;
        return;
    }
    uint64_t elapsed_ns = now_ns - world->second_start_ns;
    if (elapsed_ns < NS_PER_SECOND) {
        return;
    }
    double world_ns = (double)(tick - world->second_start_tick) * (double)world->period_ns;
    atomic_store(&world->metrics.real_time_permille, (uint32_t)(1000.0 * world_ns / (double)elapsed_ns + 0.5));
    atomic_store(&world->metrics.tick_max_us, world->second_max_us);
    world->second_max_us = 0;
    note_speed(world);
    adaptive_rate_reconsider(world->engine, now_ns);
    world->second_start_ns = now_ns;
    world->second_start_tick = tick;
}

// What is gone gives its memory back, now and then, while there is time until the next tick.
static void give_back_when_due(struct world *world, uint64_t now_ns) {
    if (now_ns < world->give_back_ns || (world->engine->running && world->next_tick_ns < now_ns + GIVE_BACK_NS)) {
        return;
    }
    world->give_back_ns = now_ns + GIVE_BACK_EVERY_NS;
    sim_world_give_back(world->engine->sim);
}

static void tick_once(struct world *world) {
    uint64_t start_ns = scheduler_now_ns();
    history_leave_past(world);
    engine_release_orphaned_grabs(world->engine);
    world_apply_scheduled(world);
    uint64_t step_ns = scheduler_now_ns();
    sim_world_step(world->engine->sim);
    uint64_t pack_ns = scheduler_now_ns();
    world->engine->statistics.encode_ns = 0; // what was packed for who came since the last tick is not this one's
    world->engine->revision++;
    history_tick(world, pack_ns - start_ns);
    engine_publish(world->engine, false);
    lockstep_publish(world->engine, false);
    engine_tell_tick_events(world->engine);
    uint64_t end_ns = scheduler_now_ns();
    uint32_t tick_us = microseconds(start_ns, end_ns);
    timing_note_stages(world, step_ns - start_ns, end_ns - pack_ns);
    atomic_store(&world->metrics.step_us, microseconds(step_ns, pack_ns));
    atomic_store(&world->metrics.pack_us, microseconds(pack_ns, end_ns));
    atomic_store(&world->metrics.tick_us, tick_us);
    atomic_fetch_add(&world->metrics.ticks, 1);
    histogram_note(&world->metrics.tick_times, tick_us);
    if (tick_us > world->second_max_us) {
        world->second_max_us = tick_us;
    }
}

static void tick_when_due(struct world *world, uint64_t now_ns) {
    if (now_ns < world->next_tick_ns) {
        return;
    }
    uint32_t late_us = microseconds(world->next_tick_ns, now_ns);
    atomic_store(&world->metrics.lateness_us, late_us);
    histogram_note(&world->metrics.latenesses, late_us);
    if (late_us > world->period_ns / 1000u) {
        atomic_fetch_add(&world->metrics.late_ticks, 1);
    }
    tick_once(world);
    world->next_tick_ns += world->period_ns;
    if (now_ns > world->next_tick_ns + LATE_TICKS_MAX * world->period_ns) {
        // Too far behind to catch up: no tick is left out, but the world's time is slower now.
        atomic_fetch_add(&world->metrics.lost_us, microseconds(world->next_tick_ns, now_ns));
        world->next_tick_ns = now_ns;
    }
    note_second(world, now_ns);
}

static void step_a_while(struct world *world, uint64_t until_ns) {
    do {
        if (sim_world_tick(world->engine->sim) >= world->step.until_tick) {
            world_finish_step(world);
            return;
        }
        tick_once(world);
    } while (scheduler_now_ns() < until_ns);
}

// A command that was taken back leaves all as it was, but for the epoch.
static bool is_frame_stale(const struct world *world) {
    return world->engine->frame_stale || world->engine->published_epoch != sim_world_epoch(world->engine->sim);
}

// While the clock stands still, viewers see what commands change, at the pace of the ticks.
static void refresh_when_due(struct world *world, uint64_t now_ns) {
    const bool needed = is_frame_stale(world) || world->engine->starving;
    if (world->engine->running || world->step.active || !needed || now_ns < world->frame_due_ns) {
        return;
    }
    if (is_frame_stale(world)) {
        engine_publish(world->engine, true);
        lockstep_publish(world->engine, true);
    }
    engine_feed_all_starved(world->engine);
    world->frame_due_ns = now_ns + world->period_ns;
}

static uint64_t take_turn(struct world *world, uint64_t now_ns) {
    world_intake(world);
    world_follow_clock(world);
    if (seek_is_on(world)) {
        const uint64_t next_ns = seek_run(world);
        world_follow_clock(world);
        world_metrics_note_engine(&world->metrics, world->engine);
        return world->someone_goes_on ? 0 : next_ns;
    }
    history_repair(world);
    uint64_t until_ns = now_ns + SLICE_NS;
    if (world->engine->running && world->next_tick_ns < until_ns) {
        until_ns = world->next_tick_ns > now_ns + COMMANDS_LEAST_NS ? world->next_tick_ns : now_ns + COMMANDS_LEAST_NS;
    }
    bool more = world_apply_pending(world, until_ns);
    if (seek_is_on(world)) {
        return 0;
    }
    undo_turn(world);
    bool stepped = world->step.active;
    if (world->step.active) {
        step_a_while(world, scheduler_now_ns() + SLICE_NS);
    } else if (world->engine->running) {
        tick_when_due(world, scheduler_now_ns());
    }
    give_back_when_due(world, scheduler_now_ns());
    const uint64_t playing_ns = playback_is_showing(world) ? playback_turn(world) : SCHEDULER_NEVER;
    seek_begin_wanted(world);
    refresh_when_due(world, scheduler_now_ns());
    const uint64_t broadcast_ns = broadcast_turn(world, scheduler_now_ns()); // also of what was refreshed
    world_metrics_note_engine(&world->metrics, world->engine);
    if (more || stepped || world->someone_goes_on) { // what waited for an end in this turn is applied at once
        return 0;
    }
    if (world->engine->running) {
        return world->next_tick_ns < broadcast_ns ? world->next_tick_ns : broadcast_ns;
    }
    const uint64_t refresh_ns =
        is_frame_stale(world) || world->engine->starving ? world->frame_due_ns : SCHEDULER_NEVER;
    const uint64_t shown_ns = playing_ns < refresh_ns ? playing_ns : refresh_ns;
    return shown_ns < broadcast_ns ? shown_ns : broadcast_ns;
}

// Nobody has been in a temporary world for a while: it ends. Returns when it wants its next turn.
static uint64_t end_if_deserted(struct world *world, uint64_t now_ns, uint64_t next_ns) {
    if (!world->temporary || atomic_load(&world->removed)) {
        return next_ns;
    }
    if (world->session_count > 0 || atomic_load(&world->holds) > 0) {
        world->deserted_ns = 0;
        return next_ns;
    }
    world->deserted_ns = world->deserted_ns == 0 ? now_ns : world->deserted_ns;
    const uint64_t end_ns = world->deserted_ns + DESERTED_NS;
    struct fault fault;
    if (now_ns < end_ns) {
        return next_ns < end_ns ? next_ns : end_ns;
    }
    world->deserted_ns = now_ns;
    return world->remove(world->worlds, world->name, &fault) == RESULT_OK ? 0
                                                                          : now_ns + DESERTED_NS; // the last one stays
}

uint64_t world_run(void *context, uint64_t now_ns) {
    struct world *world = context;
    atomic_store(&world->metrics.turn_began_ns, now_ns);
    const uint64_t next_ns = end_if_deserted(world, now_ns, take_turn(world, now_ns));
    atomic_store(&world->metrics.waiting, world->pending != NULL || world->step.active || undo_is_on(world));
    atomic_store(&world->metrics.turn_ended_ns, scheduler_now_ns());
    atomic_store(&world->metrics.turn_began_ns, 0);
    return next_ns;
}
