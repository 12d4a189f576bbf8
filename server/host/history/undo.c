// SPDX-License-Identifier: MIT
// The part of a undo that the world's worker does: it begins the undo, hands new log entries to the shadow, lets
// the world and the shadow change places, and ends the undo in every way in which it can end (undo.h).
#include "host/history/undo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/job_thread.h"
#include "base/log.h"
#include "base/result.h"
#include "engine/client/client.h"
#include "engine/command/world.h"
#include "engine/state/event.h"
#include "engine/state/reply.h"
#include "engine/world/engine_world.h"
#include "host/connection/connection_list.h"
#include "host/history/history.h"
#include "host/history/history_query.h"
#include "host/history/history_snapshots.h"
#include "host/history/redo.h"
#include "host/history/replay.h"
#include "host/history/undo_report.h"
#include "host/history/undo_state.h"
#include "host/history/undo_thread.h"
#include "host/run/scheduler.h"
#include "host/world/freeze.h"
#include "host/world/hold.h"
#include "host/world/host_call.h"
#include "host/world/reply.h"
#include "host/world/schedule.h"
#include "host/world/session.h"
#include "host/world/timing.h"
#include "proto/message/response.h"
#include "sim/archive.h"

#define FINAL_NS 20000000u          // of replaying that the worker itself may do at the end
#define TELL_NS 250000000u          // between two events that tell how far it has come
#define JOURNAL_BYTES (64u << 20)   // that the world may log meanwhile
#define JOURNAL_ENTRIES_MAX 500000u //

bool undo_is_on(const struct world *world) {
    return world->undo != NULL;
}

// ---- ends --------------------------------------------------------------------------------------------------------

static void let_go(struct world *world) {
    struct undo *undo = world->undo;
    world->undo = NULL;
    if (undo->stage == UNDO_WORKING) {
        undo_stop(undo);
    } else {
        undo_destroy(undo);
    }
}

void undo_free(struct world *world) {
    if (world->undo != NULL) {
        let_go(world);
    }
}

static void go_on(struct world *world, const struct undo *undo) {
    struct session *session = world_find_session(world, undo->connection_id);
    if (session != NULL && !undo->answered) {
        world_go_on(world, session);
    }
}

static void refuse(struct world *world, const char *state, const struct fault *fault) {
    struct undo *undo = world->undo;
    go_on(world, undo);
    world_note_refusal(world, fault->cause);
    if (!undo->answered && undo->id.present && world_find_session(world, undo->connection_id) != NULL) {
        json_writer_clear(&world->engine->reply);
        proto_open_error(&world->engine->reply, &undo->id, fault);
        if (undo->past != NULL) {
            undo_write_reasons(world, undo, &world->engine->reply);
        }
        proto_close_error(&world->engine->reply);
        engine_send_reply(world->engine, undo->connection_id, &undo->id);
    }
    undo_tell_progress(world, undo, state, fault->message);
    let_go(world);
}

static void end_cancelled(struct world *world) {
    struct fault fault;
    fault_set(&fault, RESULT_STATE, "", "nothing was undone or redone: %s", world->undo->cancelled);
    refuse(world, "cancelled", &fault);
}

void undo_cancel(struct world *world, const char *reason) {
    if (world->undo != NULL && world->undo->cancelled == NULL) {
        world->undo->cancelled = reason; // the next turn ends it
        scheduler_wake(world->scheduler, world->task);
    }
}

void undo_forget_client(struct world *world, struct session *session) {
    struct undo *undo = world->undo;
    if (undo != NULL && undo->connection_id == session->connection_id) {
        go_on(world, undo);
        undo->connection_id = WORLD_NO_CONNECTION;
    }
}

// ---- setting out -------------------------------------------------------------------------------------------------

static struct undo *create(struct host_call *call, const struct undo_request *request) {
    const struct world *world = call->world;
    struct undo *undo = calloc(1, sizeof *undo);
    if (undo == NULL) {
        return NULL;
    }
    undo->threads = world->undo_threads;
    undo->request = *request;
    undo->stage = UNDO_SETTLING;
    undo->connection_id = call->session->connection_id;
    undo->id = *call->id;
    undo->client = call->session->client;
    snprintf(undo->name, sizeof undo->name, "%s", call->session->connection->person.name);
    undo->timeline = world->history->timeline;
    undo->sequence = world->history->sequence;
    undo->ticket = world->history->ticket;
    undo->live_tick = sim_world_tick(world->engine->sim);
    undo->seconds_left = -1.0;
    undo->config = world->config;
    undo->scheduler = world->scheduler;
    undo->task = world->task;
    undo->tick_hz = sim_world_tick_hz(world->engine->sim);
    snprintf(undo->world_name, sizeof undo->world_name, "%s", world->name);
    json_writer_init(&undo->opposite);
    json_writer_init(&undo->lost_text);
    pthread_mutex_init(&undo->mutex, NULL);
    return undo;
}

// The job thread's job, which says which part of the history to read; NULL when memory is out.
static struct history_query *create_past(const struct host_call *call, struct undo *undo) {
    struct history_query *past = calloc(1, sizeof *past);
    if (past == NULL) {
        return NULL;
    }
    past->job.run = history_query_run;
    past->world = call->world;
    past->arrived = &undo->arrived;
    past->undo = undo->request.task != UNDO_REDO;
    past->scene = undo->request.task == UNDO_SCENE;
    past->redo = undo->request.task == UNDO_REDO;
    past->range =
        (struct store_query){.world = call->world->history->number, .timeline = undo->timeline, .tick = STORE_END};
    past->current = undo->timeline;
    past->end_sequence = undo->sequence;
    past->client = undo->client;
    memcpy(past->key, call->session->key, sizeof past->key);
    return past;
}

enum result undo_begin(struct host_call *call, const struct undo_request *request) {
    struct world *world = call->world;
    if (world->undo != NULL) {
        fault_set(call->fault, RESULT_BUSY, "",
                  "an undo or redo of %s (client %u) is running: try again when it is done", world->undo->name,
                  world->undo->client);
        call->fault->retry_after_ms = 500;
        return RESULT_BUSY;
    }
    struct undo *undo = create(call, request);
    struct history_query *past = undo != NULL ? create_past(call, undo) : NULL;
    if (past == NULL) {
        if (undo != NULL) {
            undo_destroy(undo);
        }
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    undo->past = past;
    if (past->redo && redo_begin(call->session, past) != RESULT_OK) {
        *call->fault = past->fault;
        undo_destroy(undo);
        return call->fault->cause;
    }
    world->undo = undo;
    call->deferred = true;
    call->session->waiting = !request->background;
    if (request->background) {
        json_writer_member_boolean(call->result, "background", true);
        json_writer_close_object(call->result);
        history_answer(world, undo->connection_id, call->id, call->result);
        undo->answered = true;
    }
    return RESULT_OK;
}

// Copies an entry behind the others; its bytes are one block, which begins with the record. False when there is no
// room.
static bool copy_entry(struct undo *undo, uint32_t timeline, const struct store_entry *entry) {
    const size_t session = entry->session != NULL ? strlen(entry->session) + 1 : 0;
    undo->journal_bytes += entry->record.size + session;
    undo->journal_entries++;
    if (undo->journal_bytes > JOURNAL_BYTES || undo->journal_entries > JOURNAL_ENTRIES_MAX) {
        return false;
    }
    struct entry_list *journal = &undo->journal;
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

void undo_note_entry(struct world *world, const struct store_entry *entry) {
    struct undo *undo = world->undo;
    if (undo == NULL || entry->sequence == 0) {
        return;
    }
    pthread_mutex_lock(&undo->mutex);
    const bool copied = copy_entry(undo, world->history->timeline, entry);
    pthread_mutex_unlock(&undo->mutex);
    if (!copied) {
        undo_cancel(world, "there is no room for the commands that arrive meanwhile");
    }
}

// ---- changing places ---------------------------------------------------------------------------------------------

static void change_places(struct world *world, struct engine_world *shadow) {
    engine_change_places(world->engine, shadow);
    timing_attach(world);
    sim_world_set_workers(world->engine->sim, &world->workers);
}

// Logs the new timeline, in which the world goes on.
static void write_log(struct world *world, struct undo *undo) {
    if (undo->past->whole_scene) {
        world->second_start_ns = 0;
        redo_forget_all(world);
        world_refuse_scheduled(world);
    }
    history_begin_fork_at(world, undo->fork_timeline, undo->fork_sequence, undo->fork);
    history_copy_entries(world, undo->copies, undo->copy_count);
    history_note_clock(world);
    history_leave_past(world);
}

// Newest first, as they are looked for.
static struct log_place *take_places(struct undo *undo) {
    struct log_place *places = undo->taken;
    for (uint32_t i = 0; i < undo->taken_count / 2; i++) {
        const struct log_place other = places[i];
        places[i] = places[undo->taken_count - 1 - i];
        places[undo->taken_count - 1 - i] = other;
    }
    undo->taken = NULL;
    return places;
}

static void note_redo(struct session *session, struct undo *undo) {
    if (undo->request.task == UNDO_REDO) {
        if (!undo->past->whole_scene) {
            redo_drop_newest(session);
        }
        return;
    }
    const struct redo redo = {.method = undo->past->method,
                              .whole_scene = undo->past->whole_scene,
                              .timeline = undo->past->scene_timeline,
                              .count = undo->taken_count,
                              .places = take_places(undo)};
    redo_keep(session, &redo);
}

static void write_result(struct world *world, struct undo *undo) {
    struct json_writer *out = &world->engine->result;
    const bool redo = undo->request.task == UNDO_REDO;
    json_writer_clear(out);
    json_writer_open_object(out);
    json_writer_member_string(out, redo ? "redone" : "undone", proto_methods[undo->past->method].name);
    json_writer_member_unsigned(out, "dropped", undo_lost(undo)->entries);
    json_writer_key(out, "lost");
    json_writer_value(out, &undo->lost_text);
    const struct world_recomputed recomputed = replay_recomputed(world->engine, &undo->replay);
    describe_recomputed(&recomputed, out);
    json_writer_member_unsigned(out, "timeline", world->history->timeline);
    json_writer_member_unsigned(out, "epoch", sim_world_epoch(world->engine->sim));
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->engine->sim));
    json_writer_close_object(out);
}

static void finish(struct world *world) {
    struct undo *undo = world->undo;
    struct session *session = world_find_session(world, undo->connection_id);
    const bool running = world->engine->running;
    undo_write_lost(world, undo_lost(undo),
                    &undo->lost_text); // while the world still holds the objects that they name
    undo_tell_lost(world, undo);
    world->undo = NULL; // entries logged from here on are not for the shadow
    change_places(world, undo->shadow);
    world->engine->running = running;
    write_log(world, undo);
    engine_tell_changed_by(world->engine, undo->request.task == UNDO_REDO ? "redo" : "undo",
                           engine_find_client(world->engine, undo->connection_id));
    engine_flush_events(world->engine);
    if (session != NULL) {
        note_redo(session, undo);
        go_on(world, undo);
    }
    world->undo = undo;
    write_result(world, undo);
    if (!undo->answered) {
        history_answer(world, undo->connection_id, &undo->id, &world->engine->result);
    }
    history_hand_over(world);
    undo_tell_progress(world, undo, "done", NULL);
    let_go(world);
}

// The shadow has caught up: checks whether it may take the world's place. The client gets the error.
static enum result check(struct world *world, struct fault *fault) {
    struct undo *undo = world->undo;
    const struct lost *lost = undo_lost(undo);
    enum result result = history_accepts(world, fault);
    if (result == RESULT_OK) {
        result = world_check_freeze(world, world_find_session(world, undo->connection_id), fault);
    }
    if (result == RESULT_OK && lost->of_others > 0 && !undo->request.force) {
        undo->needs_force = true;
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
    struct undo *undo = world->undo;
    struct fault fault;
    bool done = false;
    const uint64_t began_ns = scheduler_now_ns();
    undo->replay.until_tick = undo_take_journal(undo);
    enum result result = replay_advance(undo->shadow, &undo->replay, scheduler_now_ns() + FINAL_NS, &done, &fault);
    engine_drop_events(undo->shadow);
    if (result == RESULT_OK && (undo->out_of_memory || !undo->forked)) {
        result = fault_set(&fault, RESULT_MEMORY, "", "out of memory");
    }
    if (result == RESULT_OK && !done) { // the world has gone further than it takes: the thread follows
        undo_go_on(undo);
        return;
    }
    result = result == RESULT_OK ? check(world, &fault) : result;
    if (result == RESULT_OK) {
        finish(world);
        log_debug("world", "%s: the reworked world took its place in %.1f ms", world->name,
                  (double)(scheduler_now_ns() - began_ns) / 1e6);
    } else {
        refuse(world, "refused", &fault);
    }
}

// ---- the worker's share ------------------------------------------------------------------------------------------

static void read_past(struct world *world) {
    struct undo *undo = world->undo;
    struct fault fault;
    struct history_query *past = undo->past;
    undo->past = NULL;
    undo->stage = UNDO_READING;
    world_hold(world);
    if (job_thread_post(world->job_thread, &past->job) != RESULT_OK) {
        world_let_go(world);
        history_query_free(past);
        fault_set(&fault, RESULT_BUSY, "", "too much is being read and written: try again");
        refuse(world, "refused", &fault);
    }
}

static void set_out(struct world *world, struct history_query *past) {
    struct undo *undo = world->undo;
    struct fault fault = past->fault;
    enum result result = past->result;
    if (result == RESULT_OK) {
        undo->past = past;
        result = undo_start(undo, &fault);
        undo->stage = result == RESULT_OK ? UNDO_WORKING : undo->stage;
    } else {
        history_query_free(past);
    }
    if (result != RESULT_OK) {
        refuse(world, "refused", &fault);
        return;
    }
    undo->told_ns = scheduler_now_ns();
    undo_tell_progress(world, undo, "begun", NULL);
}

static void look_at_thread(struct world *world) {
    struct undo *undo = world->undo;
    pthread_mutex_lock(&undo->mutex);
    undo->live_tick = sim_world_tick(world->engine->sim);
    undo->live_runs = world->engine->running;
    const enum undo_turnstile turnstile = undo->turnstile;
    pthread_mutex_unlock(&undo->mutex);
    const uint64_t now_ns = scheduler_now_ns();
    if (turnstile == UNDO_NEAR) {
        come_near(world);
    } else if (turnstile == UNDO_FAILED) {
        const struct fault fault = undo->fault;
        refuse(world, "refused", &fault);
    } else if (now_ns - undo->told_ns >= TELL_NS) {
        undo->told_ns = now_ns;
        undo_tell_progress(world, undo, "running", NULL);
    }
}

void undo_turn(struct world *world) {
    struct undo *undo = world->undo;
    if (undo == NULL) {
        return;
    }
    if (world->history != NULL && world->history->timeline != undo->timeline) {
        undo_cancel(world, "the world was restarted before it was done");
    }
    if (undo->stage == UNDO_READING) {
        struct history_query *past = atomic_exchange(&undo->arrived, NULL);
        if (past == NULL) {
            return;
        }
        set_out(world, past);
    } else if (undo->cancelled != NULL) {
        end_cancelled(world);
    } else if (undo->stage == UNDO_WORKING) {
        look_at_thread(world);
    } else if (history_is_stored_to(world, undo->ticket)) {
        read_past(world);
    }
    if (world->undo != NULL && world->undo->cancelled != NULL && world->undo->stage == UNDO_WORKING) {
        end_cancelled(world);
    }
}
