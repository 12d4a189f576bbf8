// SPDX-License-Identifier: MIT
// The data of one world as the server runs it: its engine, its clock, its clients and what waits to be applied. This
// header holds data only.
//
// Ownership: a world is touched by one worker at a time (the scheduler sees to that), except for `inbox`, which any
// thread may push to, and `figures`, which any thread may read. Lifetimes: items live from the net thread's push until
// they are applied; sessions from JOIN to LEAVE; objects' records as long as the object.
//
// The order of things: items are taken from the inbox into `pending` in their order and applied between two ticks. An
// item waits when its own session waits for something earlier, and while a `world.step` runs every change waits, so
// that a script that sends without waiting for answers gets what it wrote.
#ifndef WEFT_HOST_WORLD_WORLD_STATE_H
#define WEFT_HOST_WORLD_WORLD_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/queue.h"
#include "engine/state/world_state.h"
#include "host/config/config.h"
#include "host/connection/access.h"
#include "host/connection/moment.h"
#include "host/run/scheduler.h"
#include "host/world/freeze.h"
#include "host/world/world_metrics.h"
#include "net/net.h"
#include "proto/frame/frame.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"
#include "sim/sim.h"

#define WORLD_INBOX_MAX 4096  // commands waiting to be read; more are answered "busy"
#define WORLD_SLOW_SECONDS 5u // so long a world is slow until it takes nothing new
#define WORLD_NO_CONNECTION UINT64_MAX
#define WORLD_KEY_MAX 65 // bytes of a session's key and the end

struct app;
struct broadcast;
struct broadcast_files;
struct job_thread;
struct history;
struct node;
struct playback;
struct store_hub;
struct redo;
struct reply_cache;
struct undo;
struct seek;
struct worlds;
struct connection;

// ---- what comes in -----------------------------------------------------------------------------------------------

enum item_kind {
    ITEM_JOIN,    // a client came
    ITEM_LEAVE,   // it went; never dropped
    ITEM_REQUEST, // a well-formed request
    ITEM_FAULT,   // a message that was none, to be answered in its turn
    ITEM_STARVED, // a client missed frames and can use none that builds on them
    ITEM_CAPSULE, // somebody asks for its history as a file; `connection` is the network's number of the request, and
                  // `moment` what is wanted of it
    ITEM_REPLIES, // the job thread has read what its session was answered before, or says why not
    ITEM_END,     // the world was removed, or is on another node (`url`): its clients are disconnected
    ITEM_SAVE,    // the world moves to another node: it stands still, and its state is stored
    ITEM_SCENE    // the job thread has read the scene that `connection` asked for, or says why not
};

struct store_reply;
struct store_entry;
struct world;
struct item;

// Frees items on a thread of its own.
struct item_disposer {
    void (*dispose)(struct item_disposer *disposer, struct item *take);
};

struct item {
    struct item *next;
    enum item_kind kind;
    uint64_t connection_id;
    struct proto_request *request; // REQUEST, and SCENE when it was read
    struct proto_id id;            // FAULT, SCENE
    struct fault fault;            // FAULT, SCENE when `request` is NULL
    char scene[CONFIG_SCENE_NAME_MAX + 1];
    struct store_reply *replies; // REPLIES, unless it
    bool failed;                 // and `fault` says why
    uint32_t reply_count;
    char key[WORLD_KEY_MAX];           // REQUEST that waits for its tick: of its session
    struct backpressure *backpressure; // of its client, which it counts in; or NULL
    size_t bytes;                      // of the message, for the backpressure
    struct connection *connection;     // JOIN: who comes; retained
    struct item_disposer *disposer;    // frees it, when freeing takes long; or NULL
    struct moment moment;              // CAPSULE
    char *url;                         // END: the world's new address, "" if unknown; NULL: it was removed
};

// ---- who is here -------------------------------------------------------------------------------------------------

// A client of the world, as the host sees it; engine/state/world_state.h has what the world knows of it.
struct session {
    uint64_t connection_id;
    struct connection *connection; // retained
    uint32_t client;               // the number others know it by
    struct redo *redo;             // what it took back and may give again, newest first; or NULL
    char key[WORLD_KEY_MAX];       // by which it goes after a reconnect, or empty
    bool resuming;                 // until others that go by the key have left
    struct proto_id *resume_id;    // of the request for that, until it is answered; or NULL
    bool replaced;                 // another connection has asked for its key, so its own is being closed
    bool discarded;                // it gave up its resume: requests that it sent behind that are dropped
    bool unresumed;                // its resume was refused, for its replies could not be read: it may repeat changes
    uint64_t ticket;               // of its last change: its answers wait until that is stored; 0: none
    uint64_t snapshot;             // number of the last snapshot for lockstep that it was posted; 0: none
    bool waiting;                  // for a scene or the end of a step: its next items wait too
    bool held_back;                // an earlier item of it waits; scratch of one pass over `pending`
};

// A request that waits for its tick.
struct scheduled_item {
    struct scheduled_item *next; // by tick, then by arrival
    struct item *item;
    struct grant grant; // of the client that sent it: must still hold at the tick
};

// The ticks that were computed again when the world was opened, because an older physics version had computed them.
struct world_recomputed {
    uint32_t physics;  // that version; 0: there are none
    uint64_t from, to; // ticks: that of the snapshot, and that with which the world was opened
    uint32_t commands; // that were applied again
    uint32_t left_out; // of them, because they are refused now
};

// What a world has to do with assignments (copying.h): it is the original of copies, or a copy.
struct copying {
    uint32_t allowed;                         // copies that may be made of it; 0: it is no original
    bool paused;                              // and whether their clocks stand
    char original[CONFIG_WORLD_NAME_MAX + 1]; // whose copy it is, "" for none
    char key[WORLD_KEY_MAX];                  // of the client it was made for
};

struct world {
    char name[CONFIG_WORLD_NAME_MAX + 1];
    struct engine_world *engine;        // what it is
    struct world_recomputed recomputed; // does not change once the world is open
    uint32_t index;                     // in the app; its channels start at index · ENGINE_CHANNELS
    const struct config *config;
    struct net_server *net;
    struct scheduler *scheduler;
    uint32_t task;
    atomic_bool started; // the scheduler has it
    struct worlds *worlds;
    // Removes the world from the table, because nobody is in it. Errors as worlds_remove.
    enum result (*remove)(struct worlds *worlds, const char *name, struct fault *fault);
    void (*entry_logged)(struct world *world, const struct store_entry *entry); // tells an undo at work
    void (*taken)(struct world *world);                                         // another node has taken it; or NULL
    struct node *node;                                                          // NULL: this server is no node
    void (*describe_nodes)(struct node *node, struct json_writer *out);         // the member `nodes` of hello
    void (*past_left)(struct world *world);                                     // the world goes on from now
    uint64_t owner;                                                             // whose it is, 0: the server's
    uint64_t number;                                                            // in the store, 0: it is not kept
    struct copying copying;
    bool temporary;       // it is not kept, and ends when it is deserted
    uint64_t deserted_ns; // since when nobody has been in it, if it is temporary; 0: somebody is
    atomic_bool removed;  // it is in the table no more
    atomic_bool ended;    // and has nothing more to do
    atomic_bool departs;  // another node has the world: clients repeat waiting requests there
    bool leaving;         // the world moves to another node, and stands still
    char *moved;          // its new address, as `url` of ITEM_END; NULL: it was not moved
    atomic_uint holds;    // clients, and jobs of the job thread, that have to do with it
    struct access *access;
    struct job_thread *job_thread, *undo_threads;
    struct store_hub *hub;                             // where its history is, also once it was removed
    struct history *history;                           // NULL: it keeps none
    struct history *retired;                           // that it kept before it was removed
    struct seek *seek;                                 // through it; NULL without one
    struct playback *playback;                         // of it; NULL without one
    struct undo *undo;                                 // an undo or a redo that is at work beside it; or NULL
    struct reply_cache *replies;                       // of named sessions
    struct broadcast *broadcast;                       // of it; NULL if there was none yet
    _Atomic(struct broadcast_files *) broadcast_files; // its files, for any thread
    struct queue inbox;

    struct sim_workers workers; // that help it through its ticks
    bool was_running;           // when its clock was last looked at
    uint64_t next_tick_ns, period_ns;

    struct item *pending, **pending_tail;
    struct scheduled_item *scheduled;
    uint32_t scheduled_count;

    struct session *sessions;
    uint32_t session_count, session_capacity;

    uint64_t snapshots_posted; // for lockstep: numbers them
    _Atomic uint64_t snapshots_sent;

    struct freeze freeze;
    struct { // a world.step under way
        bool active;
        uint64_t connection_id, until_tick;
        struct proto_id id;
    } step;
    bool someone_goes_on; // since the pass over `pending` began: what waited for it may be applied

    uint64_t frame_due_ns;
    uint32_t slow_seconds; // in a row, up to WORLD_SLOW_SECONDS

    struct world_metrics metrics;
    double stage_ms[WORLD_STAGE_COUNT]; // of a tick, smoothed (timing.c)
    bool stages_known;
    uint64_t second_start_ns, second_start_tick;
    uint32_t second_max_us;
    uint64_t give_back_ns; // when memory goes back next
};

#endif
