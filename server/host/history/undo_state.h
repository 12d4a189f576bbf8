// SPDX-License-Identifier: MIT
// Shared by the files of an undo (undo.h): undo.c runs on the world's worker, undo_thread.c is the thread beside
// it, and undo_report.c writes the events and the replies.
#ifndef WEFT_HOST_HISTORY_UNDO_STATE_H
#define WEFT_HOST_HISTORY_UNDO_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/job_thread.h"
#include "host/history/history_query.h"
#include "host/history/replay.h"
#include "host/history/undo.h"

enum undo_stage {
    UNDO_SETTLING, // until all that was logged before the request can be read
    UNDO_READING,  // the job thread reads it
    UNDO_WORKING,  // the thread replays it
};

// How the thread stands to the worker; behind the mutex.
enum undo_turnstile {
    UNDO_APART,  // the shadow is the thread's
    UNDO_NEAR,   // it has caught up: the shadow is the worker's
    UNDO_FAILED, // it gave up, and `fault` says why
    UNDO_STOPPED // the worker needs it no more: the thread frees it
};

// Entries that one array holds.
struct entry_list {
    struct store_logged *items;
    uint32_t count;
};

struct undo {
    struct thread_job job; // first, so that the job is its undo
    struct job_thread *threads;
    struct undo_request request;
    enum undo_stage stage;  // the worker's, as all up to `mutex`
    uint64_t connection_id; // WORLD_NO_PEER: its client has left
    struct proto_id id;
    uint32_t client;
    char name[PERSON_NAME_MAX]; // of its client
    bool answered;              // in the background
    bool needs_force;           // refused, because commands of others would be lost
    uint32_t timeline;          // of the request: its last entry, and the ticket of that
    uint64_t sequence, ticket;
    const char *cancelled; // why, or NULL
    uint64_t told_ns;      // when the last event of its progress was sent
    double told_share;     // the share of the way that this event gave
    _Atomic(struct history_query *) arrived;

    pthread_mutex_t mutex; // guards the members up to `seconds_left`
    enum undo_turnstile turnstile;
    struct entry_list journal; // logged since, and not yet handed to the shadow
    size_t journal_bytes;      // of all that was logged since
    uint32_t journal_entries;
    uint64_t live_tick; // of the first world
    bool live_runs;
    bool too_long;                // FAILED, for that
    struct fault fault;           // FAILED
    uint64_t first_tick, at_tick; // of the shadow, for its progress
    double seconds_left;          // below 0: not known

    // The thread's while APART, the worker's while NEAR.
    struct engine_world *shadow;
    const struct config *config;
    struct scheduler *scheduler; // to wake the first world
    uint32_t task;
    float tick_hz;
    char world_name[CONFIG_WORLD_NAME_MAX + 1];
    struct history_query *past;
    struct replay replay;
    bool forked;                // the change was come to
    struct snapshot_job *fork;  // the shadow there
    uint32_t fork_timeline;     // the last entry before, of the log
    uint64_t fork_sequence;     //
    struct store_entry *copies; // entries of the new timeline; their bytes are those of `past`
    uint32_t copy_count;
    struct log_place *taken; // entries that a redo will give again, in order: the change and the lost commands
    uint32_t taken_count;
    struct lost lost;
    struct json_writer lost_text; // an array that tells of it
    struct json_writer opposite;  // commands that take it back without a replay; empty: there are none
    uint64_t began_ns, looked_ns;
    uint64_t stuck_since_ns; // that it does not come closer; 0: it does
    bool out_of_memory;
    uint64_t looked_tick;
};

// The commands that are lost with it; known once the shadow has caught up.
static inline const struct lost *undo_lost(const struct undo *undo) {
    return undo->past->whole_scene ? &undo->past->lost : &undo->lost;
}

#endif
