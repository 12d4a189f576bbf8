// SPDX-License-Identifier: MIT
// What a world does about its past: it logs every change before it answers, keeps snapshots to come back to, and is
// brought back from them.
//
// (snapshot, entries) → the same bits. An entry holds what was applied with its parameters and the simulation's
// sequence number before it, so that a history replayed without one of its commands still gives the rest their ids.
// Logged is what came from clients and what the server does itself: hands of a client that left let go, the clock
// stopped by a seek. A scene's commands are embedded, for its file may change.
//
// An answer to a change is held until the store has committed the change; whatever the same client is answered after it
// is held behind it. The tick never waits: the store copies what it is given (store/store.h).
//
// All of it is the world's worker's but for `held` and `named`, which the store's thread settles: those are behind the
// mutex. A world without a history (`--data :memory:`) has none of this and pays nothing for it.
#ifndef WEFT_HOST_HISTORY_HISTORY_H
#define WEFT_HOST_HISTORY_HISTORY_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/bytes.h"
#include "engine/world/tick_record.h"
#include "host/history/store_hub.h"
#include "host/world/world_state.h"
#include "store/store.h"

#define HISTORY_MARK_TICKS 60u // every so many ticks the state's hash is logged
#define HISTORY_LOST_MAX 16u   // rows of posts that were not stored are told apart; more count as one
#define HISTORY_NO_TICKET 0u   // of snapshots, for which nobody waits

struct snapshot_job;

struct held_answer {
    struct held_answer *next;
    uint64_t ticket; // the post that it waits for
    uint64_t connection_id;
    uint64_t own; // the post of the change that it answers; 0: it answers no change
    struct proto_id id;
    struct message *message;
};

struct ticket_range {
    uint64_t first, last;
};

struct history {
    struct store_hub *hub;
    struct world *world;
    uint64_t number; // of the world in the store

    uint32_t timeline;       // where entries go
    uint32_t newest;         // the highest number of a timeline that was begun
    uint32_t home;           // whose ticks can be sought: after a seek the one it came from, until something changes
    uint64_t sequence;       // of the timeline's last entry
    uint64_t ticket;         // of the last post
    _Atomic uint32_t oldest; // the timeline that is kept longest: those before it are gone

    uint64_t begun;         // ticket of the post that began the timeline: until it is stored nobody reads of it
    uint64_t snapshot_tick; // of the last snapshot
    uint64_t cost_ns;       // of stepping and changing since
    atomic_bool saving;     // the job thread writes one
    atomic_bool lost;       // the store missed something: the history has to begin anew
    atomic_bool taken;      // another node has the world: unstored changes get no reply, and clients repeat them there

    atomic_bool awaited; // somebody's next request waits for a post

    pthread_mutex_t mutex;
    uint64_t settled; // ticket of the last post that was
    struct held_answer *held, **held_tail;
    struct ticket_range lost_posts[HISTORY_LOST_MAX]; // that could not be stored, the newest last
    uint32_t lost_count;
};

// A change that was made, and what its client is to be told.
struct history_change {
    enum record_kind kind;
    const struct session *session; // NULL: the server's own
    const char *key;               // of the session, "" or NULL for none
    uint64_t connection_id;
    const struct proto_id *id;           // NULL: nobody is answered
    const struct proto_command *command; // COMMAND
    uint32_t grab;                       // RELEASE
    uint32_t sequence;                   // the simulation's before the change
    const struct json_writer *result;    // NULL: nobody is answered
};

// ---- history.c: logging ------------------------------------------------------------------------------------------

// The world's history begins, or goes on where `timeline` and `sequence` say. Errors: RESULT_MEMORY.
enum result history_create(struct world *world, struct store_hub *hub, uint64_t number) WEFT_MUST_USE;
void history_destroy(struct history *history); // NULL is allowed
// The world keeps none any more; what was posted is still settled.
void history_retire(struct world *world);
// The same for a world that went to another node: the store reports nothing more to it, and the world may come back.
void history_leave(struct world *world);
bool history_is_saving(const struct history *history); // whether a job is about to write; NULL is not
void history_wake(struct history *history);            // any thread: its world checks for work
// Logs it, and answers once it is stored. Without a history it only answers.
void history_note(struct world *world, const struct history_change *change);
// What is posted between these is stored whole or not at all, whenever the server is killed.
enum result history_gather(struct world *world, struct fault *fault) WEFT_MUST_USE;
void history_hand_over(struct world *world);
void history_drop_gathered(struct world *world); // the log is as it was, and has to begin anew
// Logs entries of other timelines in this one, which has none yet; they are numbered from 1.
void history_copy_entries(struct world *world, const struct store_entry *entries, uint32_t count);
// Whose ticks can be sought: the timeline that goes on, when the one to be sought is no longer kept.
uint32_t history_home(const struct world *world);
// Logs whether the clock runs, and that this tick was reached.
void history_note_clock(struct world *world);
// Answers once all that was posted so far is stored.
void history_answer(struct world *world, uint64_t connection_id, const struct proto_id *id,
                    const struct json_writer *result);
// The end of a sentence that says why a world has no history, and how to get one. Temporary worlds never have one.
const char *history_absence(const struct world *world);
// Whether all posts are stored, or all up to a post. If not, the world is woken when more of them are.
bool history_is_stored(struct world *world);
bool history_is_stored_to(struct world *world, uint64_t ticket);
// Before a step: whatever lies ahead in time is left behind.
void history_leave_past(struct world *world);
// A world.step has ended: answers once it is stored that its last tick was reached.
void history_answer_step(struct world *world, uint64_t connection_id, const struct proto_id *id,
                         const struct json_writer *result);
// Sends it once all that the connection's answers wait for is stored; at once when they wait for nothing. NULL, for
// want of memory, closes the connection instead.
void history_send(struct world *world, uint64_t connection_id, struct message *take);
// Sends an answer of before once more, to whom it may be by now: as it was, or that it could not be stored.
void history_send_again(struct world *world, uint64_t connection_id, const struct proto_id *id, struct message *message,
                        uint64_t ticket);
bool history_is_settled(struct world *world, const struct session *session);
// The store's thread: posts up to this ticket are stored, or the one with it failed.
void history_settle(struct history *history, uint64_t ticket, enum result result, const struct fault *fault);

struct store *history_store(const struct world *world);
// What the store did not take is missing from the log: returns `result`.
enum result history_note_post(struct world *world, enum result result, const struct fault *fault);
// Posts the state's hash, which tells that this tick was reached.
enum result history_mark(struct world *world, uint64_t hash, struct fault *fault);

// An entry of the log as the engine's record.
struct engine_record history_record(const struct store_entry *entry);

#endif
