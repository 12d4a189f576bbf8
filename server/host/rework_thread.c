// SPDX-License-Identifier: MIT
// The shadow of a rework, and the thread that replays into it until it has caught up with the first world (rework.h).
//
// The thread runs in slices. Between two slices it takes the entries that the first world has logged meanwhile, notes
// its progress, and estimates whether it will catch up at all. Of the first world it touches only the pool, to wake it.
#include "host/rework_thread.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "base/result.h"
#include "engine/event.h"
#include "engine/opposite.h"
#include "engine/tick_record.h"
#include "engine/world.h"
#include "host/history.h"
#include "host/limits.h"
#include "host/past.h"
#include "host/pool.h"
#include "host/replay.h"
#include "host/silent_host.h"
#include "host/snapshot_copy.h"
#include "proto/gen/methods.h"
#include "sim/archive.h"

#define SLICE_NS 20000000u
#define LOOK_NS 250000000u         // between two looks at how far it has come
#define NO_PROGRESS_NS 3000000000u // after so long a shadow that does not come closer never will
#define FIRST_LOOKS_S 1.5
#define NEAR_TICKS 2u // that the worker steps itself
#define THREAD_NICE 5 // ticks come first

// ---- how many there are ------------------------------------------------------------------------------------------

static pthread_mutex_t count_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t count_changed = PTHREAD_COND_INITIALIZER;
static uint32_t thread_count, working_count; // a thread that only frees its memory does not count as working

static bool count_in(void) {
    pthread_mutex_lock(&count_mutex);
    const bool room = working_count < REWORK_WORKING_MAX && thread_count < REWORK_THREADS_MAX;
    thread_count += room ? 1 : 0;
    working_count += room ? 1 : 0;
    pthread_mutex_unlock(&count_mutex);
    return room;
}

static void count_as_done(void) {
    pthread_mutex_lock(&count_mutex);
    working_count--;
    pthread_mutex_unlock(&count_mutex);
}

static void count_out(void) {
    pthread_mutex_lock(&count_mutex);
    thread_count--;
    pthread_cond_broadcast(&count_changed);
    pthread_mutex_unlock(&count_mutex);
}

void rework_wait_for_all(void) {
    pthread_mutex_lock(&count_mutex);
    while (thread_count > 0) {
        pthread_cond_wait(&count_changed, &count_mutex);
    }
    pthread_mutex_unlock(&count_mutex);
}

// ---- the end -----------------------------------------------------------------------------------------------------

static void free_list(struct entry_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        free((void *)list->items[i].entry.record.data);
    }
    free(list->items);
}

void rework_release(struct rework *rework) {
    if (atomic_fetch_sub(&rework->references, 1) != 1) {
        return;
    }
    engine_destroy(rework->shadow);
    past_free(atomic_load(&rework->arrived));
    past_free(rework->past);
    free_list(&rework->journal);
    snapshot_free(rework->fork);
    free(rework->copies);
    free(rework->taken);
    json_writer_free(&rework->opposite);
    json_writer_free(&rework->lost_text);
    pthread_cond_destroy(&rework->changed);
    pthread_mutex_destroy(&rework->mutex);
    free(rework);
}

// ---- on the way --------------------------------------------------------------------------------------------------

static void note_taken(struct rework *rework, const struct store_logged *logged) {
    struct past_place *grown = array_grow(rework->taken, rework->taken_count, sizeof *grown);
    if (grown == NULL) {
        rework->out_of_memory = true;
        return;
    }
    rework->taken = grown;
    grown[rework->taken_count++] = (struct past_place){logged->timeline, logged->entry.sequence, logged->entry.tick};
}

// The shadow has come to the moment just before the change. There the new timeline branches off.
static void come_to_change(struct rework *rework) {
    rework->forked = true;
    rework->fork = snapshot_take(rework->shadow, NULL);
    if (rework->fork == NULL) {
        rework->out_of_memory = true;
    }
}

static bool before_entry(void *context, const struct store_logged *logged) {
    struct rework *rework = context;
    const bool redo = rework->wish.task == REWORK_REDO;
    const bool changed = past_is_undone(rework->past, logged);
    const struct engine_record record = history_record(&logged->entry);
    if (changed && !rework->forked) {
        come_to_change(rework);
    }
    if (changed && redo) {
        if (rework->wish.within_seconds > 0.0f && past_is_own(rework->past, &logged->entry)) {
            engine_write_again(&record, &rework->opposite);
        }
        return true; // it is of no timeline on the way
    }
    if (changed) {
        note_taken(rework, logged);
        if (rework->wish.within_seconds > 0.0f) {
            (void)engine_write_opposite(rework->shadow, &record, &rework->opposite);
        }
        return false;
    }
    if (!rework->forked) {
        rework->fork_timeline = logged->timeline;
        rework->fork_sequence = logged->entry.sequence;
    }
    return true;
}

static void after_entry(void *context, const struct store_logged *logged) {
    struct rework *rework = context;
    if (!rework->forked) {
        return;
    }
    struct store_entry *grown = array_grow(rework->copies, rework->copy_count, sizeof *grown);
    if (grown == NULL) {
        rework->out_of_memory = true;
        return;
    }
    rework->copies = grown;
    struct store_entry *copy = &grown[rework->copy_count++];
    *copy = logged->entry;
    copy->sequence = rework->copy_count;
    copy->request = NULL; // its answer was given long ago
    copy->reply = NULL;
}

static void refused_entry(void *context, const struct store_logged *logged) {
    struct rework *rework = context;
    note_taken(rework, logged);
    if (past_note_lost(rework->past, &rework->lost, logged) != RESULT_OK) {
        rework->out_of_memory = true;
    }
}

static enum result begin(struct rework *rework, struct fault *fault) {
    const struct engine_options options = {.name = rework->world_name,
                                           .tick_hz = rework->tick_hz,
                                           .capacity = world_capacity(rework->config),
                                           .quota = world_quota(rework->config),
                                           .host = &silent_engine_host};
    enum result result = engine_create(&options, &rework->shadow, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_history *history = rework->past->history;
    const bool whole = rework->past->whole_scene;
    rework->replay = (struct replay){.past = history, .until_tick = history->tick, .altered = !whole};
    if (!whole) {
        rework->replay.before = before_entry;
        rework->replay.after = after_entry;
        rework->replay.refused = refused_entry;
        rework->replay.context = rework;
    }
    result = replay_begin(rework->shadow, &rework->replay, fault);
    rework->fork_timeline = rework->replay.timeline;
    rework->fork_sequence = rework->replay.sequence;
    pthread_mutex_lock(&rework->mutex);
    rework->first_tick = rework->at_tick = sim_world_tick(rework->shadow->sim);
    pthread_mutex_unlock(&rework->mutex);
    return result;
}

uint64_t rework_take_journal(struct rework *rework) {
    pthread_mutex_lock(&rework->mutex);
    struct entry_list journal = rework->journal;
    const uint64_t live_tick = rework->live_tick;
    rework->journal = (struct entry_list){0};
    pthread_mutex_unlock(&rework->mutex);
    struct store_history *history = rework->past->history;
    if (journal.count > 0 && !rework->past->whole_scene) {
        const size_t count = (size_t)history->entry_count + journal.count;
        struct store_logged *grown = realloc(history->entries, count * sizeof *grown);
        if (grown == NULL) {
            rework->out_of_memory = true;
        } else {
            history->entries = grown;
            memcpy(grown + history->entry_count, journal.items, journal.count * sizeof *grown);
            history->entry_count = (uint32_t)count;
            journal.count = 0; // they are the history's now
        }
    }
    free_list(&journal);
    return rework->past->whole_scene ? history->tick : live_tick;
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
static void find_workers(struct rework *rework) {
    const struct store_history *history = rework->past->history;
    uint32_t made[MADE_MAX], count = 0;
    rework->lost = (struct lost){0};
    for (uint32_t i = 0; i < history->entry_count; i++) {
        const struct store_logged *logged = &history->entries[i];
        if (past_is_undone(rework->past, logged)) {
            count = count == 0 ? list_made(&logged->entry, made) : count;
        } else if (count > 0 && !past_is_own(rework->past, &logged->entry) && is_about(logged, made, count)) {
            if (past_note_lost(rework->past, &rework->lost, logged) != RESULT_OK) {
                return; // the rest is left out
            }
        }
    }
}

// ---- how long it takes -------------------------------------------------------------------------------------------

static enum result give_up(struct rework *rework) {
    rework->too_long = true;
    if (rework->wish.task == REWORK_UNDO && rework->forked) {
        find_workers(rework);
    }
    return RESULT_STATE;
}

// Looks at its pace now and then. Errors: RESULT_STATE: it would take too long, or would never get there.
static enum result look_at_pace(struct rework *rework, uint64_t target, struct fault *fault) {
    const uint64_t now_ns = pool_now_ns(), tick = sim_world_tick(rework->shadow->sim);
    const uint64_t gap = target > tick ? target - tick : 0;
    const double elapsed = (double)(now_ns - rework->looked_ns) / 1e9, all = (double)(now_ns - rework->began_ns) / 1e9;
    if (elapsed < (double)LOOK_NS / 1e9) {
        return RESULT_OK;
    }
    pthread_mutex_lock(&rework->mutex);
    const double live_hz = rework->live_runs && !rework->past->whole_scene ? (double)rework->tick_hz : 0.0;
    const double pace = (double)(tick - rework->looked_tick) / elapsed - live_hz; // ticks that it gains in a second
    rework->seconds_left = pace > 0.0 ? (double)gap / pace : -1.0;
    rework->at_tick = tick;
    pool_wake(rework->pool, rework->task); // the worker tells of it
    const double left = rework->seconds_left;
    pthread_mutex_unlock(&rework->mutex);
    rework->looked_ns = now_ns;
    rework->looked_tick = tick;
    const double within = (double)rework->wish.within_seconds;
    const bool begins = all < FIRST_LOOKS_S; // later the time that is spent already is no reason to give up
    if (within > 0.0 && rework->forked && gap > NEAR_TICKS && (left < 0.0 || (begins ? all + left : left) > within)) {
        const enum result result = give_up(rework);
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
        rework->stuck_since_ns = 0;
    } else if (rework->stuck_since_ns == 0) {
        rework->stuck_since_ns = now_ns;
    } else if (now_ns - rework->stuck_since_ns > NO_PROGRESS_NS) {
        return fault_set(fault, give_up(rework), "",
                         "this world is so heavy that a replay beside it does not catch up while it runs: call "
                         "world.pause first");
    }
    return RESULT_OK;
}

// ---- the thread --------------------------------------------------------------------------------------------------

// The worker's turn. True when the thread is to go on.
static bool hand_over(struct rework *rework, enum result result, const struct fault *fault) {
    pthread_mutex_lock(&rework->mutex);
    if (rework->turnstile == REWORK_APART) {
        rework->turnstile = result == RESULT_OK ? REWORK_NEAR : REWORK_FAILED;
        rework->at_tick = rework->shadow != NULL ? sim_world_tick(rework->shadow->sim) : 0;
        if (result != RESULT_OK) {
            rework->fault = *fault;
        }
        pool_wake(rework->pool, rework->task);
    }
    while (rework->turnstile == REWORK_NEAR || rework->turnstile == REWORK_FAILED) {
        pthread_cond_wait(&rework->changed, &rework->mutex);
    }
    const bool goes_on = rework->turnstile == REWORK_APART;
    pthread_mutex_unlock(&rework->mutex);
    return goes_on;
}

static bool is_stopped(struct rework *rework) {
    pthread_mutex_lock(&rework->mutex);
    const bool stopped = rework->turnstile == REWORK_STOPPED;
    pthread_mutex_unlock(&rework->mutex);
    return stopped;
}

// Goes on until the shadow has caught up.
static enum result catch_up(struct rework *rework, struct fault *fault) {
    enum result result = RESULT_OK;
    for (bool near = false; result == RESULT_OK && !near && !is_stopped(rework);) {
        bool done = false;
        const uint64_t target = rework_take_journal(rework);
        rework->replay.until_tick = target;
        result = replay_advance(rework->shadow, &rework->replay, pool_now_ns() + SLICE_NS, &done, fault);
        engine_drop_events(rework->shadow);
        if (result == RESULT_OK && rework->out_of_memory) {
            result = fault_set(fault, RESULT_MEMORY, "", "out of memory");
        }
        if (result == RESULT_OK) {
            result = look_at_pace(rework, target, fault);
        }
        pthread_mutex_lock(&rework->mutex);
        near = done && (rework->past->whole_scene || rework->live_tick <= target + NEAR_TICKS);
        pthread_mutex_unlock(&rework->mutex);
        if (near && rework->past->whole_scene && !rework->forked) {
            come_to_change(rework);
            rework->fork_timeline = rework->replay.timeline;
            rework->fork_sequence = rework->replay.sequence;
        }
    }
    return result;
}

static void *thread_main(void *context) {
    struct rework *rework = context;
    struct fault fault;
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), THREAD_NICE); // of this thread alone, on Linux
    rework->began_ns = rework->looked_ns = pool_now_ns();
    enum result result = begin(rework, &fault);
    rework->looked_tick = rework->shadow != NULL ? sim_world_tick(rework->shadow->sim) : 0;
    do {
        if (result == RESULT_OK) {
            result = catch_up(rework, &fault);
        }
    } while (hand_over(rework, result, &fault));
    count_as_done();
    rework_release(rework);
    count_out();
    return NULL;
}

enum result rework_start_thread(struct rework *rework, struct fault *fault) {
    pthread_t thread;
    pthread_attr_t detached;
    if (!count_in()) {
        return fault_set(fault, RESULT_BUSY, "",
                         "%u worlds take something back just now, as many as may at once: try again in a moment",
                         REWORK_WORKING_MAX);
    }
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    atomic_fetch_add(&rework->references, 1);
    const int failed = pthread_create(&thread, &detached, thread_main, rework);
    pthread_attr_destroy(&detached);
    if (failed != 0) {
        atomic_fetch_sub(&rework->references, 1);
        count_as_done();
        count_out();
        return fault_set(fault, RESULT_MEMORY, "", "the system has no more threads");
    }
    return RESULT_OK;
}
