// SPDX-License-Identifier: MIT
// One world as the server runs it: the simulation, its clock, the people in it and what they are owed.
//
// Ownership: a world is touched by one worker at a time (the pool sees to that), except for `inbox`, which any thread
// may push to, and `figures`, which any thread may read. Lifetimes: items live from the net thread's push until they
// are applied; sessions from JOIN to LEAVE; objects' records as long as the object.
//
// The order of things: items are taken from the inbox into `pending` in their order and applied between two ticks. An
// item waits when its own session waits for something earlier, and while a `world.step` runs every change waits, so
// that a script that sends without waiting for answers gets what it wrote.
#ifndef WEFT_APP_WORLD_H
#define WEFT_APP_WORLD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/access.h"
#include "app/config.h"
#include "app/figures.h"
#include "app/freeze.h"
#include "app/pool.h"
#include "base/queue.h"
#include "net/net.h"
#include "proto/frame/frame.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"
#include "sim/sim.h"

#define WORLD_INBOX_MAX 4096     // commands waiting to be read; more are answered "busy"
#define WORLD_SCHEDULED_MAX 1024 // batches waiting for their tick
#define WORLD_VARIANTS_MAX 8     // codings × steps, in coding 2 × rates, that show the whole world
#define WORLD_FILTERS_MAX 24     // variants that show chosen objects
#define WORLD_VARIANT_COUNT (WORLD_VARIANTS_MAX + WORLD_FILTERS_MAX)
#define WORLD_CHANNELS 64u // channels of the network per world: variants, then events
#define WORLD_CHANNEL_EVENTS (WORLD_CHANNELS - 1)
#define RECORD_NAME_MAX 257   // bytes: 64 characters of UTF-8 and the end
#define WORLD_SLOW_SECONDS 5u // so long a world is slow until it takes nothing new
#define WORLD_NO_VARIANT UINT32_MAX
#define WORLD_NO_PEER UINT64_MAX
#define WORLD_GHOST ((uint64_t)1 << 63) // with a client's number: whose hand it was before the world was brought back
#define WORLD_KEY_MAX 65                // bytes of a session's key and the end

struct app;
struct clerk;
struct history;
struct playback;
struct ledger;
struct redo;
struct replies;
struct rework;
struct travel;
struct worlds;
struct intake;
struct visitor;

// ---- what comes in -----------------------------------------------------------------------------------------------

enum item_kind {
    ITEM_JOIN,    // a client came
    ITEM_LEAVE,   // it went; never dropped
    ITEM_REQUEST, // a well-formed request
    ITEM_FAULT,   // a message that was none, to be answered in its turn
    ITEM_STARVED, // a client missed frames and can use none that builds on them
    ITEM_CAPSULE, // somebody asks for its history as a file; `peer` is the network's number of the request
    ITEM_REPLIES, // the clerk has read what its session was answered before, or says why not
    ITEM_END,     // the world was removed: whoever is in it has to go
    ITEM_SCENE    // the clerk has read the scene that `peer` asked for, or says why not
};

struct store_reply;

struct item {
    struct item *next;
    enum item_kind kind;
    uint64_t peer;
    struct proto_request *request; // REQUEST, and SCENE when it was read
    struct proto_id id;            // FAULT, SCENE
    struct fault fault;            // FAULT, SCENE when `request` is NULL
    char scene[CONFIG_SCENE_NAME_MAX + 1];
    struct store_reply *replies; // REPLIES, unless it
    bool failed;                 // and `fault` says why
    uint32_t reply_count;
    char key[WORLD_KEY_MAX]; // REQUEST that waits for its tick: of its session
    struct flow *flow;       // of its client, which it counts in; or NULL
    size_t bytes;            // of the message, for the flow
    struct visitor *visitor; // JOIN: who comes; retained
    struct intake *disposer; // frees it, when freeing takes long; or NULL
};

// It no longer counts as unread: it was applied, or waits for its tick.
void item_leave_flow(struct item *item);
void item_destroy(struct item *item);

// ---- who is here -------------------------------------------------------------------------------------------------

// How a viewer that asked to adapt keeps up (pace.c); in ns of the monotonic clock.
struct pace {
    bool adapts;
    uint32_t asked_ticks; // every how many ticks it would like a frame
    uint32_t tier;        // it gets one every asked_ticks · 2^tier
    bool rose;            // when that last changed
    uint64_t gap_ns;      // when it last missed frames; 0: never
    uint64_t changed_ns;  // when it was last given another tier
    uint64_t patience_ns; // how long without a gap until it is given a faster one
};

struct session {
    uint64_t peer;
    struct visitor *visitor;  // who it is; retained
    uint32_t client;          // the number others know it by
    uint32_t events;          // mask of enum proto_event_name
    struct sim_capacity own;  // what it has here, as of
    uint64_t own_stamp;       // that stamp of the world's; 0: never counted
    uint32_t own_stick_count; // and so many added sticks
    uint32_t variant;         // of its frames, or WORLD_NO_VARIANT
    uint32_t every_ticks;     // of its frames now
    struct pace pace;
    bool points; // somewhere:
    struct vec3 pointer;
    uint32_t *selected; // what it shows as selected: ids, then runs of three; or NULL
    uint32_t selected_objects, selected_words;
    struct redo *redo;          // what it took back and may give again, newest first; or NULL
    char key[WORLD_KEY_MAX];    // by which it goes after a reconnect, or empty
    bool resuming;              // until others that go by the key have left
    struct proto_id *resume_id; // of the request for that, until it is answered; or NULL
    bool replaced;              // another connection has asked for its key, so its own is being closed
    bool discarded;             // it gave up its resume: requests that it sent behind that are dropped
    uint64_t ticket;            // of its last change: its answers wait until that is stored; 0: none
    bool waiting;               // for a scene or the end of a step: its next items wait too
    bool held_back;             // an earlier item of it waits; scratch of one pass over `pending`
};

// One way of packing frames, shared by all its viewers.
struct variant {
    bool used;
    enum proto_coding coding;
    float step;
    uint32_t *objects; // chosen ids, rising; NULL: all
    uint32_t object_count;
    uint32_t viewers;
    uint32_t every_ticks;  // greatest common divisor of its viewers' choices; in coding 2 all have the same
    struct stream *stream; // in coding 2
};

// ---- what the server remembers beside the simulation ------------------------------------------------------------

// How an object was made and is called, so that it can be shown and saved.
struct object_record {
    uint32_t id;
    char name[RECORD_NAME_MAX];
    bool has_color;
    uint32_t color;
    enum proto_method method;
    char *params; // JSON text of the command that made it
    size_t params_length;
    uint64_t owner;     // whose it is, 0: nobody's
    uint32_t particles; // when it was made: a tear adds to them
    uint32_t sticks;
    uint32_t *pins; // pinned when it was made
    uint32_t pin_count;
    bool pins_moved, masses_changed, set; // by commands since
};

struct obstacle_record {
    uint32_t id;
    uint64_t owner; // whose it is, 0: nobody's
    char name[RECORD_NAME_MAX];
    bool has_color;
    uint32_t color;
};

// How something was called and looked before a command of a batch changed that.
struct look_before {
    bool is_obstacle;
    uint32_t id;
    char name[RECORD_NAME_MAX];
    bool has_color, set;
    uint32_t color;
};

struct grab_record {
    uint32_t id;
    uint64_t peer;
    uint32_t client;
};

struct stick_owner {
    uint32_t stick;
    uint64_t owner;
};

struct scheduled_batch {
    struct scheduled_batch *next; // by tick, then by arrival
    uint64_t at_tick;
    struct item *item;
    struct grant grant; // of who planned it: it has to hold until then
};

// What viewers know of an object; that it changed since shows in its counts.
struct published_object {
    uint32_t id, particles, triangles;
    size_t corners; // where in `published_corners` its triangles begin, if it is of a kind that tears
    bool resting;   // asleep, and viewers were told where: frames leave it out
    uint64_t resting_since, left_out_at; // ticks in which they were first told, and last leave it out
};

// Words one after another: the array that a topology's text points into, the triangles that viewers know.
struct word_list {
    uint32_t *items;
    size_t count, capacity;
    bool failed; // memory was out
};

struct pending_event {
    uint32_t tag;
    struct message *message;
};

// The ticks that were computed again when the world was opened, because an older physics version had computed them.
struct world_recomputed {
    uint32_t physics;  // that version; 0: there are none
    uint64_t from, to; // ticks: that of the snapshot, and that with which the world was opened
    uint32_t commands; // that were applied again
    uint32_t left_out; // of them, because they are refused now
};

struct world {
    char name[CONFIG_WORLD_NAME_MAX + 1];
    struct world_recomputed recomputed; // does not change once the world is open
    char scene[CONFIG_SCENE_NAME_MAX + 1];
    struct proto_request *scene_request; // what world.reset runs again; NULL: nothing
    uint32_t index;                      // in the app; its channels start at index · WORLD_CHANNELS
    const struct config *config;
    struct net_server *net;
    struct pool *pool;
    uint32_t task;
    atomic_bool started; // the pool has it
    struct worlds *worlds;
    uint64_t owner;       // whose it is, 0: the server's
    uint64_t number;      // in the store, 0: it is not kept
    bool temporary;       // it is not kept, and ends when it is deserted
    uint64_t deserted_ns; // since when nobody has been in it, if it is temporary; 0: somebody is
    atomic_bool removed;  // it is in the table no more
    atomic_bool ended;    // and has nothing more to do
    atomic_uint holds;    // clients, and jobs of the clerk, that have to do with it
    struct access *access;
    struct clerk *clerk;
    struct ledger *ledger;     // where its history is, also once it was removed
    struct history *history;   // NULL: it keeps none
    struct history *retired;   // that it kept before it was removed
    struct travel *travel;     // through it; NULL without one
    struct playback *playback; // of it; NULL without one
    struct rework *rework;     // an undo or a redo that is at work beside it; or NULL
    struct replies *replies;   // of named sessions
    bool replaying;            // what happens now happened before: nobody is told
    bool aloud;                // but for this once, as it was then
    bool ghosts;               // some grabs are of clients of before it was brought back
    struct queue inbox;

    struct sim_world *sim;
    struct sim_workers workers; // that help it through its ticks
    bool running;
    uint64_t next_tick_ns, period_ns;

    struct item *pending, **pending_tail;
    struct scheduled_batch *scheduled;
    uint32_t scheduled_count;

    struct session *sessions;
    uint32_t session_count, session_capacity, next_client;

    struct freeze freeze;
    struct { // a world.step under way
        bool active;
        uint64_t peer, until_tick;
        struct proto_id id;
    } step;
    bool someone_goes_on; // since the pass over `pending` began: what waited for it may be applied

    struct variant variants[WORLD_VARIANT_COUNT];
    struct message_pool *frames;
    struct proto_range *ranges; // scratch of packing, one an object
    uint32_t ranges_capacity;
    uint32_t published_epoch;
    struct published_object *published; // objects that viewers know, by rising ids
    uint32_t published_count, published_capacity;
    struct word_list published_corners;
    uint32_t resting;            // how many of them frames leave out
    uint32_t published_obstacle; // the newest obstacle that viewers know, 0: none
    struct word_list words;      // scratch of a topology
    bool publish_whole;          // ids began anew: the next topology is a full one
    bool frame_stale;            // commands changed what viewers see while the clock stood still
    bool starving;               // a viewer waits for a frame to begin anew with
    uint64_t frame_due_ns;
    uint64_t revision; // rises with every change; tells whether `topology` still holds
    struct message *topology;
    uint64_t topology_revision;

    struct object_record *objects; // rising ids
    uint32_t object_count, object_capacity;
    struct obstacle_record *obstacles;
    uint32_t obstacle_count, obstacle_capacity;
    struct look_before *looks; // of the batch at work, oldest first
    uint32_t look_count, look_capacity;
    struct grab_record *grabs;
    uint32_t grab_count, grab_capacity;
    struct stick_owner *stick_owners; // of added sticks, rising; of some that have gone as well
    uint32_t stick_owner_count, stick_owner_capacity;
    uint64_t owned_stamp;         // rises when anything is made or goes; from 1 on
    uint32_t slow_seconds;        // in a row, up to WORLD_SLOW_SECONDS
    struct pending_event *events; // of the command at work, sent when it succeeds
    uint32_t event_count, event_capacity;
    struct json_writer result, text, reply; // scratch: of the command at work, of events, of messages

    struct world_figures figures;
    double stage_ms[WORLD_STAGE_COUNT]; // of a tick, smoothed (timing.c)
    bool stages_known;
    uint64_t encode_ns; // of this tick so far
    uint64_t second_start_ns, second_start_tick;
    uint32_t second_max_us;
    uint64_t give_back_ns; // when memory goes back next
};

// What a world is made with.
struct world_plan {
    const char *name;
    uint32_t index;
    float tick_hz;
    struct access *access; // NULL: whoever planned a batch still may
    struct clerk *clerk;
    struct net_server *net;
    struct pool *pool;
    struct worlds *worlds;
};

// An empty world at tick 0, its clock as configured. Errors: RESULT_MEMORY.
enum result world_create(const struct config *config, const struct world_plan *plan, struct world **world,
                         struct fault *fault) WEFT_MUST_USE;
// Reads a scene and runs it. Errors: RESULT_NOT_FOUND, RESULT_IO, and whatever the scene gets wrong.
enum result world_open_scene(struct world *world, const char *scene, struct fault *fault) WEFT_MUST_USE;
// The pool runs it from now on.
void world_start(struct world *world);
// Whoever has to do with a world from another thread holds it, so that it is not freed when it is removed.
void world_hold(struct world *world);
void world_let_go(struct world *world);
void world_destroy(struct world *world);

// From any thread. Takes the item, or answers RESULT_BUSY and leaves it. JOIN, LEAVE and SCENE always find room.
enum result world_post(struct world *world, struct item *item) WEFT_MUST_USE;

// The pool's task: takes items, applies what is due, ticks when it is time.
uint64_t world_run(void *world, uint64_t now_ns);

// ---- between the files of the app ----------------------------------------------------------------------------

// apply.c: items and commands
void world_intake(struct world *world);
// Applies what may be applied, in order, until the deadline; true when it came to the deadline first.
bool world_apply_pending(struct world *world, uint64_t deadline_ns);
void world_go_on(struct world *world, struct session *session); // what it sent waits no longer
// Applies the batches that were to be seen by the next tick first.
void world_apply_scheduled(struct world *world);
// Runs a scene's commands in an empty world; on a fault the world is what it was.
enum result world_load_scene(struct world *world, const char *name, struct proto_request *take,
                             struct fault *fault) WEFT_MUST_USE;
void world_refuse_scheduled(struct world *world); // batches that wait for a tick that will not come as it was thought
enum result world_reset_scene(struct world *world, struct fault *fault) WEFT_MUST_USE;
// Runs commands in order, all or nothing; their results are appended as the elements of an open array.
enum result world_run_commands(struct world *world, struct session *session, const struct proto_commands *commands,
                               struct json_writer *result, struct fault *fault) WEFT_MUST_USE;
// Runs a command or a batch of long ago once more: nobody is answered.
enum result world_apply_again(struct world *world, struct session *session, const struct proto_command *command,
                              struct fault *fault) WEFT_MUST_USE;

// command_world.c
void world_finish_step(struct world *world); // answers the world.step under way
void world_tell_changed(struct world *world, const char *reason);
// The same, and the event names the client that changed it; NULL: no client of this world.
void world_tell_changed_by(struct world *world, const char *reason, const struct session *session);

// session.c
struct session *world_find_session(struct world *world, uint64_t peer);
void world_end(struct world *world); // it was removed
void world_join(struct world *world, uint64_t peer, struct visitor *visitor);
void world_leave(struct world *world, uint64_t peer);
uint32_t world_count_clients(const struct world *world); // of those with a WebSocket
// Lets go of what this client holds, or of what all others do.
void world_release_grabs(struct world *world, uint64_t peer, bool others);
// Hands of before the world was brought back are their clients' again, where these are still here; the others let go
// before the next step.
void world_claim_ghosts(struct world *world);
void world_release_ghosts(struct world *world);

// command_people.c
void people_greet(struct world *world, struct session *session);              // gives it a name and a color
void people_grant(struct world *world, struct session *session);              // it has shown a token
void people_describe(const struct session *session, struct json_writer *out); // members of an open object
void people_forget_selection(struct session *session);
const struct session *people_find_holder(struct world *world, uint32_t object, uint32_t particle); // or NULL

// command_worlds.c
void world_give_capsule(struct world *world, uint64_t request);

// command_resume.c
void world_resume_waiting(struct world *world, const char *key); // a session with this key has left
// The session's resume gets no reply. The requests that the session sent behind it are not applied.
void world_give_up_resume(struct world *world, struct session *session);
void world_take_replies(struct world *world, struct item *item);

// reply.c
// A reply as a message, which goes to the place of its request in an array, if that stands in one. NULL when memory is
// out, the text's included. From any thread.
struct message *reply_message(const struct proto_id *id, const struct json_writer *text);
void world_send_reply(struct world *world, uint64_t peer, const struct proto_id *id); // the text of `world->reply`
void world_send_text(struct world *world, uint64_t peer, const struct json_writer *text);
void world_send_fault(struct world *world, uint64_t peer, const struct proto_id *id, const struct fault *fault);
void world_note_refusal(struct world *world, enum result cause); // from any thread
void world_send_result(struct world *world, uint64_t peer, const struct proto_id *id, const struct json_writer *result);
bool world_wants_event(const struct world *world, enum proto_event_name name);
// Queues an event whose params are `params`; it goes out when the command at work succeeds.
void world_queue_event(struct world *world, enum proto_event_name name, const struct json_writer *params);
void world_flush_events(struct world *world);
void world_drop_events(struct world *world);

// viewers.c: variants, topology and frames
enum result world_subscribe(struct world *world, struct session *session, const struct proto_frames_subscribe *params,
                            uint32_t *variant, struct fault *fault) WEFT_MUST_USE;
// Sends a new viewer the topology and a keyframe, then lets it have what follows.
void world_welcome_viewer(struct world *world, struct session *session);
void world_unsubscribe(struct world *world, struct session *session);
void world_publish(struct world *world, bool refresh);
uint32_t world_channel(const struct world *world, uint32_t variant);
// A viewer has missed frames and has room again: it is shown one that stands alone.
void world_feed_starved(struct world *world, uint64_t peer);
// The clock stopped before the frame came that they were to begin anew with.
void world_feed_all_starved(struct world *world);
// Moves a viewer to another rate of what it sees; false when there is no room for that.
bool world_change_rate(struct world *world, struct session *session, uint32_t every_ticks);

// announce.c: the topology
struct message *world_build_topology(struct world *world, bool delta); // NULL when memory is out
// Tells viewers of a new epoch, once. False when memory is out: it is to be tried again.
bool world_publish_topology(struct world *world);

// pace.c: rates of viewers that cannot keep up
void pace_begin(struct pace *pace, bool adapts, uint32_t every_ticks);
void pace_note_gap(struct world *world, struct session *session, uint64_t now_ns);
void pace_reconsider(struct world *world, uint64_t now_ns); // once a second

// timing.c: where time and memory go
void timing_attach(struct world *world);
// After a tick: `publish_ns` is what came after the step, `encode_ns` of the world included.
void timing_note_stages(struct world *world, uint64_t commands_ns, uint64_t publish_ns);
void describe_timing(const struct world *world, struct json_writer *out);
void describe_memory(const struct world *world, struct json_writer *out);

// allowance.c: who may make how much
struct sim_capacity allowance_most(const struct config *config); // of one client; UINT32_MAX: all the world can hold
void world_own_stick(struct world *world, uint32_t stick, uint64_t owner);
void allowance_note_second(struct world *world); // once a second

// audit.c: tells the log of a call, if such deeds are told; `session` NULL: nobody's
void world_note_deed(const struct world *world, const struct session *session, enum proto_method method,
                     enum result result);

// happening.c: events of what the last tick did of its own accord
void world_tell_happenings(struct world *world);

// records.c
struct object_record *world_find_object(struct world *world, uint32_t id);
struct obstacle_record *world_find_obstacle(struct world *world, uint32_t id);
struct object_record *world_add_object(struct world *world, const struct sim_object_view *view,
                                       enum proto_method method, const char *params, size_t params_length);
struct obstacle_record *world_add_obstacle(struct world *world, uint32_t id);
struct grab_record *world_add_grab(struct world *world, uint32_t id, const struct session *session);
// Notes how an object or an obstacle looks, for the batch at work may be taken back; false when memory is out.
bool world_keep_look(struct world *world, bool is_obstacle, uint32_t id) WEFT_MUST_USE;
void world_end_looks(struct world *world, bool take_back); // the batch is at its end
// Forgets what the simulation no longer holds.
void world_sweep_records(struct world *world);
void object_records_free(struct object_record *records, uint32_t count); // the array too
void world_free_records(struct world *world);                            // there are none afterwards

// describe.c: the world as JSON. What describes no thing as a whole writes members into an open object.
void describe_identity(struct world *world, const struct sim_object_view *view, const char *id_key,
                       struct json_writer *out);
// Name, and color if it has one of its own.
void describe_look(struct world *world, const struct sim_object_view *view, struct json_writer *out);
void describe_obstacle_look(struct world *world, const struct sim_obstacle *obstacle, struct json_writer *out);
void describe_lattice(const struct sim_object_view *view, struct json_writer *out); // of a cloth
void describe_shape(const struct sim_object_view *view, struct json_writer *out);   // of a body
void describe_object_members(struct world *world, const struct sim_object_view *view, struct json_writer *out);
void describe_object(struct world *world, const struct sim_object_view *view, struct json_writer *out);
// Without an id: as the params of the obstacle.add that would make it.
void describe_obstacle_identity(struct world *world, const struct sim_obstacle *obstacle, bool with_id,
                                struct json_writer *out);
void describe_obstacle_shape(const struct sim_obstacle *obstacle, struct json_writer *out); // all but its arrays
void describe_obstacle_members(struct world *world, const struct sim_obstacle *obstacle, bool with_id,
                               struct json_writer *out);
void describe_obstacle(struct world *world, const struct sim_obstacle *obstacle, struct json_writer *out);
void describe_grab_members(struct world *world, const struct sim_grab_view *grab, struct json_writer *out);
// `refs` name the objects by the commands that make them; NULL: by their ids.
void describe_stick_members(const struct sim_stick_view *stick, const uint32_t refs[2], struct json_writer *out);
void describe_stick(const struct sim_stick_view *stick, struct json_writer *out);
void describe_parameters(const struct sim_parameters *parameters, struct json_writer *out);
void describe_bounds(const struct sim_parameters *parameters, struct json_writer *out);
// describe_topology.c: a topology's text, and its array into `world->words`.
void describe_topology(struct world *world, bool delta, struct json_writer *out);
bool describe_can_tear(const struct sim_object_view *view); // whether it is of a kind that does
void word_list_clear(struct word_list *list);
// Room for `count` words more, or NULL when memory is out, which the list remembers.
uint32_t *word_list_append(struct word_list *list, size_t count);
// describe_scene.c: the commands that would build this world: the text of a scene file. Returns the number of commands.
uint32_t describe_scene(struct world *world, const char *title, struct json_writer *out);

#endif
