// SPDX-License-Identifier: MIT
// The shadow of an undo, and the job that replays into it until it has caught up with the first world (undo.h).
//
// There are as many threads as undos may be at work, so a job waits for no other, and it may last. When the shadow has
// caught up, the job ends and the undo is the worker's, which ends it by a last job that frees its memory, or posts the
// job again.
//
// The job runs in slices. Between two slices it takes the entries that the first world has logged meanwhile, notes
// its progress, and estimates whether it will catch up at all. Of the first world it touches only the scheduler, to
// wake it.
#include "host/history/undo_thread.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/result.h"
#include "engine/state/event.h"
#include "engine/world/engine_world.h"
#include "engine/world/opposite.h"
#include "engine/world/tick_record.h"
#include "host/config/limits.h"
#include "host/history/history.h"
#include "host/history/history_query.h"
#include "host/history/replay.h"
#include "host/history/snapshot_copy.h"
#include "host/run/scheduler.h"
#include "host/world/silent_host.h"
#include "proto/gen/methods.h"
#include "sim/archive.h"

#define SLICE_NS 20000000u
#define LOOK_NS 250000000u         // between two looks at how far it has come
#define NO_PROGRESS_NS 3000000000u // after so long a shadow that does not come closer never will
#define FIRST_LOOKS_S 1.5
#define NEAR_TICKS 2u // that the worker steps itself
#define THREAD_NICE 5 // ticks come first

static atomic_uint working_count; // undos that were started and have not ended

// ---- the end -----------------------------------------------------------------------------------------------------

static void free_list(struct entry_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        free((void *)list->items[i].entry.record.data);
    }
    free(list->items);
}

void undo_destroy(struct undo *undo) {
    engine_destroy(undo->shadow);
    history_query_free(atomic_load(&undo->arrived));
    history_query_free(undo->past);
    free_list(&undo->journal);
    snapshot_free(undo->fork);
    free(undo->copies);
    free(undo->taken);
    json_writer_free(&undo->opposite);
    json_writer_free(&undo->lost_text);
    pthread_mutex_destroy(&undo->mutex);
    free(undo);
}

// ---- on the way --------------------------------------------------------------------------------------------------

static void note_taken(struct undo *undo, const struct store_logged *logged) {
    struct log_place *grown = array_grow(undo->taken, undo->taken_count, sizeof *grown);
    if (grown == NULL) {
        undo->out_of_memory = true;
        return;
    }
    undo->taken = grown;
    grown[undo->taken_count++] = (struct log_place){logged->timeline, logged->entry.sequence, logged->entry.tick};
}

// The shadow has come to the moment just before the change. There the new timeline branches off.
static void come_to_change(struct undo *undo) {
    undo->forked = true;
    undo->fork = snapshot_take(undo->shadow, NULL);
    if (undo->fork == NULL) {
        undo->out_of_memory = true;
    }
}

static bool before_entry(void *context, const struct store_logged *logged) {
    struct undo *undo = context;
    const bool redo = undo->request.task == UNDO_REDO;
    const bool changed = history_query_is_undone(undo->past, logged);
    const struct engine_record record = history_record(&logged->entry);
    if (changed && !undo->forked) {
        come_to_change(undo);
    }
    if (changed && redo) {
        if (undo->request.within_seconds > 0.0f && history_query_is_own(undo->past, &logged->entry)) {
            engine_write_again(&record, &undo->opposite);
        }
        return true; // it is of no timeline on the way
    }
    if (changed) {
        note_taken(undo, logged);
        if (undo->request.within_seconds > 0.0f) {
            (void)engine_write_opposite(undo->shadow, &record, &undo->opposite);
        }
        return false;
    }
    if (!undo->forked) {
        undo->fork_timeline = logged->timeline;
        undo->fork_sequence = logged->entry.sequence;
    }
    return true;
}

static void after_entry(void *context, const struct store_logged *logged) {
    struct undo *undo = context;
    if (!undo->forked) {
        return;
    }
    struct store_entry *grown = array_grow(undo->copies, undo->copy_count, sizeof *grown);
    if (grown == NULL) {
        undo->out_of_memory = true;
        return;
    }
    undo->copies = grown;
    struct store_entry *copy = &grown[undo->copy_count++];
    *copy = logged->entry;
    copy->sequence = undo->copy_count;
    copy->request = NULL; // its answer was given long ago
    copy->reply = NULL;
}

static void refused_entry(void *context, const struct store_logged *logged) {
    struct undo *undo = context;
    note_taken(undo, logged);
    if (history_query_note_lost(undo->past, &undo->lost, logged) != RESULT_OK) {
        undo->out_of_memory = true;
    }
}

static enum result begin(struct undo *undo, struct fault *fault) {
    const struct engine_options options = {.name = undo->world_name,
                                           .tick_hz = undo->tick_hz,
                                           .capacity = world_capacity(undo->config),
                                           .quota = world_quota(undo->config),
                                           .host = &silent_engine_host};
    enum result result = engine_create(&options, &undo->shadow, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_history *history = undo->past->history;
    const bool whole = undo->past->whole_scene;
    undo->replay = (struct replay){.past = history, .until_tick = history->tick, .altered = !whole};
    if (!whole) {
        undo->replay.before = before_entry;
        undo->replay.after = after_entry;
        undo->replay.refused = refused_entry;
        undo->replay.context = undo;
    }
    result = replay_begin(undo->shadow, &undo->replay, fault);
    undo->fork_timeline = undo->replay.timeline;
    undo->fork_sequence = undo->replay.sequence;
    pthread_mutex_lock(&undo->mutex);
    undo->first_tick = undo->at_tick = sim_world_tick(undo->shadow->sim);
    pthread_mutex_unlock(&undo->mutex);
    return result;
}

uint64_t undo_take_journal(struct undo *undo) {
    pthread_mutex_lock(&undo->mutex);
    struct entry_list journal = undo->journal;
    const uint64_t live_tick = undo->live_tick;
    undo->journal = (struct entry_list){0};
    pthread_mutex_unlock(&undo->mutex);
    struct store_history *history = undo->past->history;
    if (journal.count > 0 && !undo->past->whole_scene) {
        const size_t count = (size_t)history->entry_count + journal.count;
        struct store_logged *grown = realloc(history->entries, count * sizeof *grown);
        if (grown == NULL) {
            undo->out_of_memory = true;
        } else {
            history->entries = grown;
            memcpy(grown + history->entry_count, journal.items, journal.count * sizeof *grown);
            history->entry_count = (uint32_t)count;
            journal.count = 0; // they are the history's now
        }
    }
    free_list(&journal);
    return undo->past->whole_scene ? history->tick : live_tick;
}

// ---- work of other clients ---------------------------------------------------------------------------------------

#define MADE_MAX 256u // objects of one change that are looked for

// The ids of the objects that an entry made.
static uint32_t list_made(const struct store_entry *entry, uint32_t made[MADE_MAX]) {
    struct proto_request *request = NULL;
    struct fault fault;
    uint32_t sequence = 0, count = 0;
    const struct engine_record record = history_record(entry);
    if (engine_read_command(&record, &sequence, &request, &fault) != RESULT_OK) {
        return 0;
    }
    const struct proto_command *command = &request->command;
    const bool batch = command->method == PROTO_METHOD_BATCH_RUN;
    const struct proto_commands *commands = batch ? &((const struct proto_batch_run *)command->params)->commands : NULL;
    for (uint32_t i = 0; i < (batch ? commands->count : 1) && count < MADE_MAX; i++) {
        if (proto_methods[batch ? commands->items[i].method : command->method].makes == PROTO_MAKES_OBJECT) {
            made[count++] = sequence + 1 + i;
        }
    }
    proto_request_destroy(request);
    return count;
}

static bool is_about(const struct store_logged *logged, const uint32_t *made, uint32_t count) {
    struct proto_request *request = NULL;
    struct fault fault;
    uint32_t sequence = 0;
    bool about = false;
    const struct engine_record record = history_record(&logged->entry);
    if (record.kind != RECORD_COMMAND || engine_read_command(&record, &sequence, &request, &fault) != RESULT_OK) {
        return false;
    }
    const uint32_t object = command_object_of(&request->command);
    for (uint32_t i = 0; i < count && !about; i++) {
        about = object == made[i];
    }
    proto_request_destroy(request);
    return about;
}

// It is not known which commands an undo would lose that was given up. So the commands of other clients on the objects
// that the change made are noted instead.
static void find_workers(struct undo *undo) {
    const struct store_history *history = undo->past->history;
    uint32_t made[MADE_MAX], count = 0;
    undo->lost = (struct lost){0};
    for (uint32_t i = 0; i < history->entry_count; i++) {
        const struct store_logged *logged = &history->entries[i];
        if (history_query_is_undone(undo->past, logged)) {
            count = count == 0 ? list_made(&logged->entry, made) : count;
        } else if (count > 0 && !history_query_is_own(undo->past, &logged->entry) && is_about(logged, made, count)) {
            if (history_query_note_lost(undo->past, &undo->lost, logged) != RESULT_OK) {
                return; // the rest is left out
            }
        }
    }
}

// ---- how long it takes -------------------------------------------------------------------------------------------

static enum result give_up(struct undo *undo) {
    undo->too_long = true;
    if (undo->request.task == UNDO_CHANGE && undo->forked) {
        find_workers(undo);
    }
    return RESULT_STATE;
}

// Looks at its pace now and then. Errors: RESULT_STATE: it would take too long, or would never get there.
static enum result look_at_pace(struct undo *undo, uint64_t target, struct fault *fault) {
    const uint64_t now_ns = scheduler_now_ns(), tick = sim_world_tick(undo->shadow->sim);
    const uint64_t gap = target > tick ? target - tick : 0;
    const double elapsed = (double)(now_ns - undo->looked_ns) / 1e9, all = (double)(now_ns - undo->began_ns) / 1e9;
    if (elapsed < (double)LOOK_NS / 1e9) {
        return RESULT_OK;
    }
    pthread_mutex_lock(&undo->mutex);
    const double live_hz = undo->live_runs && !undo->past->whole_scene ? (double)undo->tick_hz : 0.0;
    const double pace = (double)(tick - undo->looked_tick) / elapsed - live_hz; // ticks that it gains in a second
    undo->seconds_left = pace > 0.0 ? (double)gap / pace : -1.0;
    undo->at_tick = tick;
    scheduler_wake(undo->scheduler, undo->task); // the worker tells of it
    const double left = undo->seconds_left;
    pthread_mutex_unlock(&undo->mutex);
    undo->looked_ns = now_ns;
    undo->looked_tick = tick;
    const double within = (double)undo->request.within_seconds;
    const bool begins = all < FIRST_LOOKS_S; // later the time that is spent already is no reason to give up
    if (within > 0.0 && undo->forked && gap > NEAR_TICKS && (left < 0.0 || (begins ? all + left : left) > within)) {
        const enum result result = give_up(undo);
        if (left < 0.0) {
            return fault_set(fault, result, "/within",
                             "it would take longer than %.3g s: this world is so heavy that a replay beside it does "
                             "not catch up while it runs",
                             within);
        }
        return fault_set(fault, result, "/within", "it would take about %.1f s, and within is %.3g s", all + left,
                         within);
    }
    if (left >= 0.0 || gap <= NEAR_TICKS) {
        undo->stuck_since_ns = 0;
    } else if (undo->stuck_since_ns == 0) {
        undo->stuck_since_ns = now_ns;
    } else if (now_ns - undo->stuck_since_ns > NO_PROGRESS_NS) {
        return fault_set(fault, give_up(undo), "",
                         "this world is so heavy that a replay beside it does not catch up while it runs: call "
                         "world.pause first");
    }
    return RESULT_OK;
}

// ---- the thread --------------------------------------------------------------------------------------------------

// The worker's turn. False when the worker needs the thread no more; else the undo is no longer the thread's.
static bool hand_over(struct undo *undo, enum result result, const struct fault *fault) {
    pthread_mutex_lock(&undo->mutex);
    const bool wanted = undo->turnstile == UNDO_APART;
    if (wanted) {
        undo->turnstile = result == RESULT_OK ? UNDO_NEAR : UNDO_FAILED;
        undo->at_tick = undo->shadow != NULL ? sim_world_tick(undo->shadow->sim) : 0;
        if (result != RESULT_OK) {
            undo->fault = *fault;
        }
        scheduler_wake(undo->scheduler, undo->task);
    }
    pthread_mutex_unlock(&undo->mutex);
    return wanted;
}

static bool is_stopped(struct undo *undo) {
    pthread_mutex_lock(&undo->mutex);
    const bool stopped = undo->turnstile == UNDO_STOPPED;
    pthread_mutex_unlock(&undo->mutex);
    return stopped;
}

// Goes on until the shadow has caught up.
static enum result catch_up(struct undo *undo, struct fault *fault) {
    enum result result = RESULT_OK;
    for (bool near = false; result == RESULT_OK && !near && !is_stopped(undo);) {
        bool done = false;
        const uint64_t target = undo_take_journal(undo);
        undo->replay.until_tick = target;
        result = replay_advance(undo->shadow, &undo->replay, scheduler_now_ns() + SLICE_NS, &done, fault);
        engine_drop_events(undo->shadow);
        if (result == RESULT_OK && undo->out_of_memory) {
            result = fault_set(fault, RESULT_MEMORY, "", "out of memory");
        }
        if (result == RESULT_OK) {
            result = look_at_pace(undo, target, fault);
        }
        pthread_mutex_lock(&undo->mutex);
        near = done && (undo->past->whole_scene || undo->live_tick <= target + NEAR_TICKS);
        pthread_mutex_unlock(&undo->mutex);
        if (near && undo->past->whole_scene && !undo->forked) {
            come_to_change(undo);
            undo->fork_timeline = undo->replay.timeline;
            undo->fork_sequence = undo->replay.sequence;
        }
    }
    return result;
}

static void end(struct undo *undo) {
    atomic_fetch_sub(&working_count, 1);
    undo_destroy(undo);
}

static void work(struct thread_job *job) {
    struct undo *undo = (struct undo *)job;
    struct fault fault;
    enum result result = RESULT_OK;
    if (undo->began_ns == 0) {
        undo->began_ns = undo->looked_ns = scheduler_now_ns();
        result = begin(undo, &fault);
        undo->looked_tick = undo->shadow != NULL ? sim_world_tick(undo->shadow->sim) : 0;
    }
    if (result == RESULT_OK) {
        result = catch_up(undo, &fault);
    }
    if (!hand_over(undo, result, &fault)) {
        end(undo);
    }
}

enum result undo_threads_create(struct job_thread **threads) {
    const struct job_thread_options options = {.threads = UNDO_WORKING_MAX, .nice = THREAD_NICE};
    return job_thread_create(&options, threads);
}

// ---- for the worker ----------------------------------------------------------------------------------------------

enum result undo_start(struct undo *undo, struct fault *fault) {
    undo->job.run = work;
    if (atomic_fetch_add(&working_count, 1) < UNDO_WORKING_MAX &&
        job_thread_post(undo->threads, &undo->job) == RESULT_OK) {
        return RESULT_OK;
    }
    atomic_fetch_sub(&working_count, 1);
    return fault_set(fault, RESULT_BUSY, "",
                     "%u worlds are running an undo or redo, which is the limit: try again in a moment",
                     UNDO_WORKING_MAX);
}

void undo_go_on(struct undo *undo) {
    pthread_mutex_lock(&undo->mutex);
    undo->turnstile = UNDO_APART;
    if (job_thread_post(undo->threads, &undo->job) != RESULT_OK) {
        undo->turnstile = UNDO_NEAR; // the worker comes back to it
    }
    pthread_mutex_unlock(&undo->mutex);
}

void undo_stop(struct undo *undo) {
    pthread_mutex_lock(&undo->mutex);
    const bool apart = undo->turnstile == UNDO_APART; // the thread sees that it is stopped, and ends it
    undo->turnstile = UNDO_STOPPED;
    pthread_mutex_unlock(&undo->mutex);
    if (!apart && job_thread_post(undo->threads, &undo->job) != RESULT_OK) {
        end(undo);
    }
}
