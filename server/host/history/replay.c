// SPDX-License-Identifier: MIT
// Entries in their order, steps between them, hashes after them.
#include "host/history/replay.h"

#include "base/log.h"
#include "base/result.h"
#include "engine/record/record.h"
#include "engine/state/tick.h"
#include "engine/world/names.h"
#include "engine/world/tick_record.h"
#include "host/history/history.h"
#include "host/run/scheduler.h"
#include "sim/archive.h"

static enum result begin_empty(struct engine_world *world) {
    sim_world_clear(world->sim);
    engine_free_records(world);
    proto_request_destroy(world->scene_request);
    world->scene_request = NULL;
    world->scene[0] = '\0';
    return RESULT_OK;
}

// The hash of an older physics version may have been made of other members of the state; that the bytes are those that
// were written, their own hash tells.
static enum result begin_with(struct engine_world *world, const struct store_snapshot *snapshot, bool older,
                              struct fault *fault) {
    enum result result = sim_world_unarchive(world->sim, snapshot->state.data, snapshot->state.size, fault);
    if (result == RESULT_OK) {
        result = engine_load_names(world, snapshot->extra.data, snapshot->extra.size, fault);
    }
    if (result == RESULT_OK && !older && sim_world_hash(world->sim) != snapshot->hash) {
        result =
            fault_set(fault, RESULT_DAMAGED, "", "the snapshot of tick %llu does not have the hash it was kept with",
                      (unsigned long long)snapshot->tick);
    }
    return result;
}

enum result replay_begin(struct engine_world *world, struct replay *replay, struct fault *fault) {
    const struct store_history *past = replay->past;
    if (past->newest_physics > SIM_PHYSICS_VERSION) {
        return fault_set(fault, RESULT_INVALID, "",
                         "it was computed with physics version %u, this server has version %u: use a newer one",
                         past->newest_physics, SIM_PHYSICS_VERSION);
    }
    world->replaying = true;
    replay->timeline = past->snapshot.timeline;
    replay->sequence = past->snapshot.sequence;
    replay->older = past->physics < SIM_PHYSICS_VERSION;
    const enum result result =
        past->from_empty ? begin_empty(world) : begin_with(world, &past->snapshot, replay->older, fault);
    world->replaying = false;
    if (result == RESULT_OK && replay->older && past->tick > past->snapshot.tick) {
        log_warn("world",
                 "%s: ticks %llu to %llu were computed with physics version %u; they are computed again with version "
                 "%u, which gives other results, and no hash is compared",
                 world->name, (unsigned long long)past->snapshot.tick, (unsigned long long)past->tick, past->physics,
                 SIM_PHYSICS_VERSION);
    }
    return result;
}

static enum result apply_entry(struct engine_world *world, struct replay *replay, const struct store_logged *logged,
                               struct fault *fault) {
    struct fault found;
    replay->timeline = logged->timeline;
    replay->sequence = logged->entry.sequence;
    if (replay->before != NULL && !replay->before(replay->context, logged)) {
        return RESULT_OK;
    }
    const struct engine_record record = history_record(&logged->entry);
    const enum result result = engine_apply_record(world, &record, &found);
    if (result == RESULT_MEMORY) {
        return fault_set(fault, result, "", "out of memory");
    }
    if (result == RESULT_OK && replay->after != NULL) {
        replay->after(replay->context, logged);
    }
    if (result == RESULT_OK) {
        return RESULT_OK;
    }
    if (replay->altered || replay->older) {
        replay->dropped++;
        if (replay->refused != NULL) {
            replay->refused(replay->context, logged);
        }
        if (replay->older) {
            log_warn("world", "%s: at tick %llu, entry %llu of timeline %u is skipped, because it is refused now: %s",
                     world->name, (unsigned long long)logged->entry.tick, (unsigned long long)logged->entry.sequence,
                     logged->timeline, found.message);
        }
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_DAMAGED, "",
                     "at tick %llu, entry %llu of timeline %u: a command that was accepted then is refused now: %.150s",
                     (unsigned long long)logged->entry.tick, (unsigned long long)logged->entry.sequence,
                     logged->timeline, found.message);
}

// All that the next step is to see.
static enum result apply_due(struct engine_world *world, struct replay *replay, struct fault *fault) {
    const struct store_history *past = replay->past;
    enum result result = RESULT_OK;
    while (result == RESULT_OK && replay->next_entry < past->entry_count &&
           past->entries[replay->next_entry].entry.tick <= engine_next_tick(world)) {
        result = apply_entry(world, replay, &past->entries[replay->next_entry], fault);
        replay->next_entry++;
    }
    return result;
}

static enum result check_hash(struct engine_world *world, struct replay *replay, struct fault *fault) {
    const struct store_history *past = replay->past;
    const uint64_t tick = sim_world_tick(world->sim);
    for (; replay->next_hash < past->hash_count && past->hashes[replay->next_hash].tick <= tick; replay->next_hash++) {
        const struct store_hash *known = &past->hashes[replay->next_hash];
        if (replay->altered || known->tick != tick || known->timeline != replay->timeline ||
            known->sequence != replay->sequence) {
            continue;
        }
        if (replay->older) {
            replay->unchecked++;
            continue;
        }
        const uint64_t hash = sim_world_hash(world->sim);
        if (hash != known->hash) {
            return fault_set(fault, RESULT_DAMAGED, "",
                             "at tick %llu the state differs from what it was: its hash is %016llx, it was %016llx",
                             (unsigned long long)tick, (unsigned long long)hash, (unsigned long long)known->hash);
        }
    }
    return RESULT_OK;
}

enum result replay_advance(struct engine_world *world, struct replay *replay, uint64_t deadline_ns, bool *done,
                           struct fault *fault) {
    enum result result = RESULT_OK;
    world->replaying = true;
    *done = false;
    do {
        *done = replay->short_of_commands && sim_world_tick(world->sim) >= replay->until_tick;
        if (!*done) {
            result = apply_due(world, replay, fault);
            *done = result != RESULT_OK || sim_world_tick(world->sim) >= replay->until_tick;
        }
        if (!*done) {
            sim_world_step(world->sim);
            result = check_hash(world, replay, fault);
        }
    } while (result == RESULT_OK && !*done && scheduler_now_ns() < deadline_ns);
    *done = *done || result != RESULT_OK;
    world->replaying = false;
    return result;
}

struct world_recomputed replay_recomputed(const struct engine_world *world, const struct replay *replay) {
    if (!replay->older || (sim_world_tick(world->sim) == replay->past->snapshot.tick && replay->next_entry == 0)) {
        return (struct world_recomputed){0};
    }
    return (struct world_recomputed){.physics = replay->past->physics,
                                     .from = replay->past->snapshot.tick,
                                     .to = sim_world_tick(world->sim),
                                     .commands = replay->next_entry,
                                     .left_out = replay->dropped};
}

void describe_recomputed(const struct world_recomputed *recomputed, struct json_writer *out) {
    if (recomputed->physics == 0) {
        return;
    }
    json_writer_key(out, "recomputed");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "physics", recomputed->physics);
    json_writer_member_unsigned(out, "from", recomputed->from);
    json_writer_member_unsigned(out, "to", recomputed->to);
    json_writer_member_unsigned(out, "commands", recomputed->commands);
    json_writer_member_unsigned(out, "leftOut", recomputed->left_out);
    json_writer_close_object(out);
}

void describe_physics(const struct world *world, struct json_writer *out) {
    json_writer_member_unsigned(out, "physics", SIM_PHYSICS_VERSION);
    describe_recomputed(&world->recomputed, out);
}
