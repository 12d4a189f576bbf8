// SPDX-License-Identifier: MIT
// The part of a rework that the world's worker does: it begins the rework, hands new log entries to the shadow, lets
// the world and the shadow change places, and ends the rework in every way in which it can end (rework.h).
#include "host/rework.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "base/result.h"
#include "engine/client/client.h"
#include "engine/command/world.h"
#include "engine/event.h"
#include "engine/reply.h"
#include "engine/world.h"
#include "host/clerk.h"
#include "host/command.h"
#include "host/freeze.h"
#include "host/history.h"
#include "host/history_keep.h"
#include "host/hold.h"
#include "host/past.h"
#include "host/pool.h"
#include "host/redo.h"
#include "host/replay.h"
#include "host/reply.h"
#include "host/rework_internal.h"
#include "host/rework_tell.h"
#include "host/rework_thread.h"
#include "host/roster.h"
#include "host/schedule.h"
#include "host/session.h"
#include "host/timing.h"
#include "proto/message/response.h"
#include "sim/archive.h"

#define FINAL_NS 20000000u          // of replaying that the worker itself may do at the end
#define TELL_NS 250000000u          // between two events that tell how far it has come
#define JOURNAL_BYTES (64u << 20)   // that the world may log meanwhile
#define JOURNAL_ENTRIES_MAX 500000u //

bool rework_is_on(const struct world *world) {
    return world->rework != NULL;
}

// ---- ends --------------------------------------------------------------------------------------------------------

// Ends the rework for the world. The worker or the thread frees its memory, whichever of the two is the last to need
// it.
static void let_go(struct world *world) {
    struct rework *rework = world->rework;
    world->rework = NULL;
    pthread_mutex_lock(&rework->mutex);
    rework->turnstile = REWORK_STOPPED;
    pthread_cond_signal(&rework->changed);
    pthread_mutex_unlock(&rework->mutex);
    rework_release(rework);
}

void rework_free(struct world *world) {
    if (world->rework != NULL) {
        let_go(world);
    }
}

static void go_on(struct world *world, const struct rework *rework) {
    struct session *session = world_find_session(world, rework->peer);
    if (session != NULL && !rework->answered) {
        world_go_on(world, session);
    }
}

static void refuse(struct world *world, const char *state, const struct fault *fault) {
    struct rework *rework = world->rework;
    go_on(world, rework);
    world_note_refusal(world, fault->cause);
    if (!rework->answered && rework->id.present && world_find_session(world, rework->peer) != NULL) {
        json_writer_clear(&world->engine->reply);
        proto_open_error(&world->engine->reply, &rework->id, fault);
        if (rework->past != NULL) {
            rework_write_reasons(world, rework, &world->engine->reply);
        }
        proto_close_error(&world->engine->reply);
        engine_send_reply(world->engine, rework->peer, &rework->id);
    }
    rework_tell_progress(world, rework, state, fault->message);
    let_go(world);
}

static void end_cancelled(struct world *world) {
    struct fault fault;
    fault_set(&fault, RESULT_STATE, "", "nothing was taken back or given again: %s", world->rework->cancelled);
    refuse(world, "cancelled", &fault);
}

void rework_cancel(struct world *world, const char *reason) {
    if (world->rework != NULL && world->rework->cancelled == NULL) {
        world->rework->cancelled = reason; // the next turn ends it
        pool_wake(world->pool, world->task);
    }
}

void rework_forget_client(struct world *world, struct session *session) {
    struct rework *rework = world->rework;
    if (rework != NULL && rework->peer == session->peer) {
        go_on(world, rework);
        rework->peer = WORLD_NO_PEER;
    }
}

// ---- setting out -------------------------------------------------------------------------------------------------

static struct rework *create(struct host_call *call, const struct rework_wish *wish) {
    const struct world *world = call->world;
    struct rework *rework = calloc(1, sizeof *rework);
    if (rework == NULL) {
        return NULL;
    }
    rework->wish = *wish;
    rework->stage = REWORK_SETTLING;
    rework->peer = call->session->peer;
    rework->id = *call->id;
    rework->client = call->session->client;
    snprintf(rework->name, sizeof rework->name, "%s", call->session->visitor->person.name);
    rework->timeline = world->history->timeline;
    rework->sequence = world->history->sequence;
    rework->ticket = world->history->ticket;
    rework->live_tick = sim_world_tick(world->engine->sim);
    rework->seconds_left = -1.0;
    rework->config = world->config;
    rework->pool = world->pool;
    rework->task = world->task;
    rework->tick_hz = sim_world_tick_hz(world->engine->sim);
    snprintf(rework->world_name, sizeof rework->world_name, "%s", world->name);
    json_writer_init(&rework->opposite);
    json_writer_init(&rework->lost_text);
    pthread_mutex_init(&rework->mutex, NULL);
    pthread_cond_init(&rework->changed, NULL);
    atomic_init(&rework->references, 1);
    return rework;
}

// The clerk's job, which says which part of the history to read; NULL when memory is out.
static struct past *create_past(const struct host_call *call, struct rework *rework) {
    struct past *past = calloc(1, sizeof *past);
    if (past == NULL) {
        return NULL;
    }
    past->job.run = past_run;
    past->world = call->world;
    past->arrived = &rework->arrived;
    past->undo = rework->wish.task != REWORK_REDO;
    past->scene = rework->wish.task == REWORK_UNDO_SCENE;
    past->redo = rework->wish.task == REWORK_REDO;
    past->query =
        (struct store_query){.world = call->world->history->number, .timeline = rework->timeline, .tick = STORE_END};
    past->current = rework->timeline;
    past->end_sequence = rework->sequence;
    past->client = rework->client;
    memcpy(past->key, call->session->key, sizeof past->key);
    return past;
}

enum result rework_begin(struct host_call *call, const struct rework_wish *wish) {
    struct world *world = call->world;
    if (world->rework != NULL) {
        fault_set(call->fault, RESULT_BUSY, "",
                  "%s (client %u) takes something back just now, or gives it again: one at a time, try again when that "
                  "is done",
                  world->rework->name, world->rework->client);
        call->fault->retry_after_ms = 500;
        return RESULT_BUSY;
    }
    struct rework *rework = create(call, wish);
    struct past *past = rework != NULL ? create_past(call, rework) : NULL;
    if (past == NULL) {
        if (rework != NULL) {
            rework_release(rework);
        }
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    rework->past = past;
    if (past->redo && redo_begin(call->session, past) != RESULT_OK) {
        *call->fault = past->fault;
        rework_release(rework);
        return call->fault->cause;
    }
    world->rework = rework;
    call->deferred = true;
    call->session->waiting = !wish->background;
    if (wish->background) {
        json_writer_member_boolean(call->result, "background", true);
        json_writer_close_object(call->result);
        history_answer(world, rework->peer, call->id, call->result);
        rework->answered = true;
    }
    return RESULT_OK;
}

// Copies an entry behind the others; its bytes are one block, which begins with the record. False when there is no
// room.
static bool copy_entry(struct rework *rework, uint32_t timeline, const struct store_entry *entry) {
    const size_t session = entry->session != NULL ? strlen(entry->session) + 1 : 0;
    rework->journal_bytes += entry->record.size + session;
    rework->journal_entries++;
    if (rework->journal_bytes > JOURNAL_BYTES || rework->journal_entries > JOURNAL_ENTRIES_MAX) {
        return false;
    }
    struct entry_list *journal = &rework->journal;
    struct store_logged *items = array_grow(journal->items, journal->count, sizeof *items);
    journal->items = items != NULL ? items : journal->items;
    unsigned char *bytes = items != NULL ? malloc(entry->record.size + session + 1) : NULL;
    if (bytes == NULL) {
        return false;
    }
    struct store_logged *logged = &items[journal->count++];
    *logged = (struct store_logged){.timeline = timeline, .entry = *entry};
    memcpy(bytes, entry->record.data, entry->record.size);
    logged->entry.record.data = bytes;
    if (session > 0) {
        memcpy(bytes + entry->record.size, entry->session, session);
        logged->entry.session = (const char *)bytes + entry->record.size;
    }
    logged->entry.request = logged->entry.reply = NULL;
    return true;
}

void rework_note_entry(struct world *world, const struct store_entry *entry) {
    struct rework *rework = world->rework;
    if (rework == NULL || entry->sequence == 0) {
        return;
    }
    pthread_mutex_lock(&rework->mutex);
    const bool copied = copy_entry(rework, world->history->timeline, entry);
    pthread_mutex_unlock(&rework->mutex);
    if (!copied) {
        rework_cancel(world, "there is no room to note the commands that come meanwhile");
    }
}

// ---- changing places ---------------------------------------------------------------------------------------------

static void change_places(struct world *world, struct engine_world *shadow) {
    engine_change_places(world->engine, shadow);
    timing_attach(world);
    sim_world_set_workers(world->engine->sim, &world->workers);
}

// Logs the new timeline, in which the world goes on.
static void write_log(struct world *world, struct rework *rework) {
    if (rework->past->whole_scene) {
        world->second_start_ns = 0;
        redo_forget_all(world);
        world_refuse_scheduled(world);
    }
    history_begin_fork_at(world, rework->fork_timeline, rework->fork_sequence, rework->fork);
    history_copy_entries(world, rework->copies, rework->copy_count);
    history_note_clock(world);
    history_leave_past(world);
}

// Newest first, as they are looked for.
static struct past_place *take_places(struct rework *rework) {
    struct past_place *places = rework->taken;
    for (uint32_t i = 0; i < rework->taken_count / 2; i++) {
        const struct past_place other = places[i];
        places[i] = places[rework->taken_count - 1 - i];
        places[rework->taken_count - 1 - i] = other;
    }
    rework->taken = NULL;
    return places;
}

static void note_redo(struct session *session, struct rework *rework) {
    if (rework->wish.task == REWORK_REDO) {
        if (!rework->past->whole_scene) {
            redo_drop_newest(session);
        }
        return;
    }
    const struct redo redo = {.method = rework->past->method,
                              .whole_scene = rework->past->whole_scene,
                              .timeline = rework->past->scene_timeline,
                              .count = rework->taken_count,
                              .places = take_places(rework)};
    redo_keep(session, &redo);
}

static void write_result(struct world *world, struct rework *rework) {
    struct json_writer *out = &world->engine->result;
    const bool redo = rework->wish.task == REWORK_REDO;
    json_writer_clear(out);
    json_writer_open_object(out);
    json_writer_member_string(out, redo ? "redone" : "undone", proto_methods[rework->past->method].name);
    json_writer_member_unsigned(out, "dropped", rework_lost(rework)->entries);
    json_writer_key(out, "lost");
    json_writer_value(out, &rework->lost_text);
    const struct world_recomputed recomputed = replay_recomputed(world->engine, &rework->replay);
    describe_recomputed(&recomputed, out);
    json_writer_member_unsigned(out, "timeline", world->history->timeline);
    json_writer_member_unsigned(out, "epoch", sim_world_epoch(world->engine->sim));
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->engine->sim));
    json_writer_close_object(out);
}

static void finish(struct world *world) {
    struct rework *rework = world->rework;
    struct session *session = world_find_session(world, rework->peer);
    const bool running = world->engine->running;
    rework_write_lost(world, rework_lost(rework),
                      &rework->lost_text); // while the world still holds the objects that they name
    rework_tell_lost(world, rework);
    world->rework = NULL; // entries logged from here on are not for the shadow
    change_places(world, rework->shadow);
    world->engine->running = running;
    write_log(world, rework);
    engine_tell_changed_by(world->engine, rework->wish.task == REWORK_REDO ? "redo" : "undo",
                           engine_find_client(world->engine, rework->peer));
    engine_flush_events(world->engine);
    if (session != NULL) {
        note_redo(session, rework);
        go_on(world, rework);
    }
    world->rework = rework;
    write_result(world, rework);
    if (!rework->answered) {
        history_answer(world, rework->peer, &rework->id, &world->engine->result);
    }
    history_hand_over(world);
    rework_tell_progress(world, rework, "done", NULL);
    let_go(world);
}

// The shadow has caught up: checks whether it may take the world's place. The client gets the error.
static enum result check(struct world *world, struct fault *fault) {
    struct rework *rework = world->rework;
    const struct lost *lost = rework_lost(rework);
    enum result result = history_accepts(world, fault);
    if (result == RESULT_OK) {
        result = world_check_freeze(world, world_find_session(world, rework->peer), fault);
    }
    if (result == RESULT_OK && lost->of_others > 0 && !rework->wish.force) {
        rework->needs_force = true;
        result =
            fault_set(fault, RESULT_STATE, "/force",
                      "%u command%s of others would be lost, for what they need would not be there: data.lost lists "
                      "them, and force: true accepts that",
                      lost->of_others, lost->of_others == 1 ? "" : "s");
    }
    return result == RESULT_OK ? history_gather(world, fault) : result;
}

// The last steps, which the worker does itself.
static void come_near(struct world *world) {
    struct rework *rework = world->rework;
    struct fault fault;
    bool done = false;
    const uint64_t began_ns = pool_now_ns();
    rework->replay.until_tick = rework_take_journal(rework);
    enum result result = replay_advance(rework->shadow, &rework->replay, pool_now_ns() + FINAL_NS, &done, &fault);
    engine_drop_events(rework->shadow);
    if (result == RESULT_OK && (rework->out_of_memory || !rework->forked)) {
        result = fault_set(&fault, RESULT_MEMORY, "", "out of memory");
    }
    if (result == RESULT_OK && !done) { // the world has gone further than it takes: the thread follows
        pthread_mutex_lock(&rework->mutex);
        rework->turnstile = REWORK_APART;
        pthread_cond_signal(&rework->changed);
        pthread_mutex_unlock(&rework->mutex);
        return;
    }
    result = result == RESULT_OK ? check(world, &fault) : result;
    if (result == RESULT_OK) {
        finish(world);
        log_debug("world", "%s: the reworked world took its place in %.1f ms", world->name,
                  (double)(pool_now_ns() - began_ns) / 1e6);
    } else {
        refuse(world, "refused", &fault);
    }
}

// ---- the worker's share ------------------------------------------------------------------------------------------

static void read_past(struct world *world) {
    struct rework *rework = world->rework;
    struct fault fault;
    struct past *past = rework->past;
    rework->past = NULL;
    rework->stage = REWORK_READING;
    world_hold(world);
    if (clerk_post(world->clerk, &past->job) != RESULT_OK) {
        world_let_go(world);
        past_free(past);
        fault_set(&fault, RESULT_BUSY, "", "too much is being read and written: try again");
        refuse(world, "refused", &fault);
    }
}

static void set_out(struct world *world, struct past *past) {
    struct rework *rework = world->rework;
    struct fault fault = past->fault;
    enum result result = past->result;
    if (result == RESULT_OK) {
        rework->past = past;
        rework->stage = REWORK_WORKING;
        result = rework_start_thread(rework, &fault);
    } else {
        past_free(past);
    }
    if (result != RESULT_OK) {
        refuse(world, "refused", &fault);
        return;
    }
    rework->told_ns = pool_now_ns();
    rework_tell_progress(world, rework, "begun", NULL);
}

static void look_at_thread(struct world *world) {
    struct rework *rework = world->rework;
    pthread_mutex_lock(&rework->mutex);
    rework->live_tick = sim_world_tick(world->engine->sim);
    rework->live_runs = world->engine->running;
    const enum rework_turnstile turnstile = rework->turnstile;
    pthread_mutex_unlock(&rework->mutex);
    const uint64_t now_ns = pool_now_ns();
    if (turnstile == REWORK_NEAR) {
        come_near(world);
    } else if (turnstile == REWORK_FAILED) {
        const struct fault fault = rework->fault;
        refuse(world, "refused", &fault);
    } else if (now_ns - rework->told_ns >= TELL_NS) {
        rework->told_ns = now_ns;
        rework_tell_progress(world, rework, "running", NULL);
    }
}

void rework_turn(struct world *world) {
    struct rework *rework = world->rework;
    if (rework == NULL) {
        return;
    }
    if (world->history != NULL && world->history->timeline != rework->timeline) {
        rework_cancel(world, "the world began anew before it was done");
    }
    if (rework->stage == REWORK_READING) {
        struct past *past = atomic_exchange(&rework->arrived, NULL);
        if (past == NULL) {
            return;
        }
        set_out(world, past);
    } else if (rework->cancelled != NULL) {
        end_cancelled(world);
    } else if (rework->stage == REWORK_WORKING) {
        look_at_thread(world);
    } else if (history_is_stored_to(world, rework->ticket)) {
        read_past(world);
    }
    if (world->rework != NULL && world->rework->cancelled != NULL && world->rework->stage == REWORK_WORKING) {
        end_cancelled(world);
    }
}
