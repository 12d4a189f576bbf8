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

#include "app/config.h"
#include "app/pool.h"
#include "base/queue.h"
#include "net/net.h"
#include "proto/frame.h"
#include "proto/request.h"
#include "proto/text.h"
#include "sim/sim.h"

#define WORLD_INBOX_MAX 4096     // commands waiting to be read; more are answered "busy"
#define WORLD_SCHEDULED_MAX 1024 // batches waiting for their tick
#define WORLD_VARIANTS_MAX 8     // codings × steps, in coding 2 × rates, that show the whole world
#define WORLD_FILTERS_MAX 24     // variants that show chosen objects
#define WORLD_VARIANT_COUNT (WORLD_VARIANTS_MAX + WORLD_FILTERS_MAX)
#define WORLD_CHANNELS 64u // channels of the network per world: variants, then events
#define WORLD_CHANNEL_EVENTS (WORLD_CHANNELS - 1)
#define RECORD_NAME_MAX 257 // bytes: 64 characters of UTF-8 and the end
#define WORLD_NO_VARIANT UINT32_MAX
#define WORLD_NO_PEER UINT64_MAX

struct app;
struct clerk;

// ---- what comes in -----------------------------------------------------------------------------------------------

enum item_kind {
    ITEM_JOIN,    // a client came
    ITEM_LEAVE,   // it went; never dropped
    ITEM_REQUEST, // a well-formed request
    ITEM_FAULT,   // a message that was none, to be answered in its turn
    ITEM_STARVED, // a client missed frames and can use none that builds on them
    ITEM_SCENE    // the clerk has read the scene that `peer` asked for, or says why not
};

struct item {
    struct item *next;
    enum item_kind kind;
    uint64_t peer;
    struct proto_request *request; // REQUEST, and SCENE when it was read
    struct proto_id id;            // FAULT, SCENE
    struct fault fault;            // FAULT, SCENE when `request` is NULL
    char scene[CONFIG_SCENE_NAME_MAX + 1];
    struct flow *flow; // of its client, which it counts in; or NULL
    size_t bytes;      // of the message, for the flow
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
    uint32_t client;      // the number others know it by
    uint32_t events;      // mask of enum proto_event_name
    uint32_t variant;     // of its frames, or WORLD_NO_VARIANT
    uint32_t every_ticks; // of its frames now
    struct pace pace;
    bool waiting;   // for a scene or the end of a step: its next items wait too
    bool held_back; // an earlier item of it waits; scratch of one pass over `pending`
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
    uint32_t particles; // when it was made: a tear adds to them
    uint32_t *pins;     // pinned when it was made
    uint32_t pin_count;
    bool pins_moved, masses_changed; // by commands since
};

struct obstacle_record {
    uint32_t id;
    char name[RECORD_NAME_MAX];
    bool has_color;
    uint32_t color;
};

struct grab_record {
    uint32_t id;
    uint64_t peer;
    uint32_t client;
};

struct scheduled_batch {
    struct scheduled_batch *next; // by tick, then by arrival
    uint64_t at_tick;
    struct item *item;
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
    struct net_message *message;
};

// Figures for world.get, /metrics and /healthz; written by the worker, read by anyone.
struct world_figures {
    _Atomic uint64_t tick, commands, refusals, frames, frame_bytes, late_ticks, lost_us;
    _Atomic uint32_t clients, viewers, particles, sticks, objects;
    _Atomic uint32_t tick_us, tick_max_us, step_us, pack_us, lateness_us, real_time_permille;
    _Atomic bool running;
};

// The stages of a tick: those of the simulation, then the world's own.
enum world_stage {
    WORLD_STAGE_COMMANDS = SIM_STAGE_COUNT, // batches that were to be seen by this tick
    WORLD_STAGE_ENCODE,                     // frames and topologies packed
    WORLD_STAGE_SEND,                       // handed to the network, events told
    WORLD_STAGE_COUNT
};

struct world {
    const char *name; // the configuration's
    char scene[CONFIG_SCENE_NAME_MAX + 1];
    struct proto_request *scene_request; // what world.reset runs again; NULL: nothing
    uint32_t index;                      // in the app; its channels start at index · WORLD_CHANNELS
    const struct config *config;
    struct net_server *net;
    struct pool *pool;
    uint32_t task;
    struct clerk *clerk;
    struct queue inbox;

    struct sim_world *sim;
    bool running;
    uint64_t next_tick_ns, period_ns;

    struct item *pending, **pending_tail;
    struct scheduled_batch *scheduled;
    uint32_t scheduled_count;

    struct session *sessions;
    uint32_t session_count, session_capacity, next_client;

    struct { // a world.step under way
        bool active;
        uint64_t peer, until_tick;
        struct proto_id id;
    } step;
    bool step_ended; // since the pass over `pending` began

    struct variant variants[WORLD_VARIANT_COUNT];
    struct net_message_pool *frames;
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
    struct net_message *topology;
    uint64_t topology_revision;

    struct object_record *objects; // rising ids
    uint32_t object_count, object_capacity;
    struct obstacle_record *obstacles;
    uint32_t obstacle_count, obstacle_capacity;
    struct grab_record *grabs;
    uint32_t grab_count, grab_capacity;
    struct pending_event *events; // of the command at work, sent when it succeeds
    uint32_t event_count, event_capacity;
    struct proto_text result, text, reply; // scratch: of the command at work, of events, of messages

    struct world_figures figures;
    double stage_ms[WORLD_STAGE_COUNT]; // of a tick, smoothed (timing.c)
    bool stages_known;
    uint64_t encode_ns; // of this tick so far
    uint64_t second_start_ns, second_start_tick;
    uint32_t second_max_us;
};

// Makes the world and runs its scene. Errors: RESULT_MEMORY, RESULT_IO (no such scene), and whatever the scene gets
// wrong.
enum result world_create(const struct config *config, uint32_t index, struct clerk *clerk, struct world **world,
                         struct fault *fault) WEFT_MUST_USE;
// Hands over the network and the pool, which the world needs from now on.
void world_attach(struct world *world, struct net_server *net, struct pool *pool);
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
// Applies the batches that were to be seen by the next tick first.
void world_apply_scheduled(struct world *world);
// Runs a scene's commands in an empty world; on a fault the world is what it was.
enum result world_load_scene(struct world *world, const char *name, struct proto_request *take,
                             struct fault *fault) WEFT_MUST_USE;
enum result world_reset_scene(struct world *world, struct fault *fault) WEFT_MUST_USE;

// command_world.c
void world_finish_step(struct world *world); // answers the world.step under way
void world_tell_loaded(struct world *world);

// session.c
struct session *world_find_session(struct world *world, uint64_t peer);
void world_join(struct world *world, uint64_t peer);
void world_leave(struct world *world, uint64_t peer);

// reply.c
void world_send_text(struct world *world, uint64_t peer, const struct proto_text *text);
void world_send_fault(struct world *world, uint64_t peer, const struct proto_id *id, const struct fault *fault);
void world_send_result(struct world *world, uint64_t peer, const struct proto_id *id, const struct proto_text *result);
bool world_wants_event(const struct world *world, enum proto_event_name name);
// Queues an event whose params are `params`; it goes out when the command at work succeeds.
void world_queue_event(struct world *world, enum proto_event_name name, const struct proto_text *params);
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
struct net_message *world_build_topology(struct world *world, bool delta); // NULL when memory is out
void world_publish_topology(struct world *world);                          // tells viewers of a new epoch, once

// pace.c: rates of viewers that cannot keep up
void pace_begin(struct pace *pace, bool adapts, uint32_t every_ticks);
void pace_note_gap(struct world *world, struct session *session, uint64_t now_ns);
void pace_reconsider(struct world *world, uint64_t now_ns); // once a second

// timing.c: where time and memory go
void timing_attach(struct world *world);
// After a tick: `publish_ns` is what came after the step, `encode_ns` of the world included.
void timing_note_stages(struct world *world, uint64_t commands_ns, uint64_t publish_ns);
void describe_timing(const struct world *world, struct proto_text *out);
void describe_memory(const struct world *world, struct proto_text *out);

// happening.c: events of what the last tick did of its own accord
void world_tell_happenings(struct world *world);

// records.c
struct object_record *world_find_object(struct world *world, uint32_t id);
struct obstacle_record *world_find_obstacle(struct world *world, uint32_t id);
struct object_record *world_add_object(struct world *world, const struct sim_object_view *view,
                                       enum proto_method method, const char *params, size_t params_length);
struct obstacle_record *world_add_obstacle(struct world *world, uint32_t id);
struct grab_record *world_add_grab(struct world *world, uint32_t id, const struct session *session);
// Forgets what the simulation no longer holds.
void world_sweep_records(struct world *world);
void object_records_free(struct object_record *records, uint32_t count); // the array too
void world_free_records(struct world *world);

// describe.c: the world as JSON. What describes no thing as a whole writes members into an open object.
void describe_identity(struct world *world, const struct sim_object_view *view, const char *id_key,
                       struct proto_text *out);
void describe_lattice(const struct sim_object_view *view, struct proto_text *out); // of a cloth
void describe_shape(const struct sim_object_view *view, struct proto_text *out);   // of a body
void describe_object_members(struct world *world, const struct sim_object_view *view, struct proto_text *out);
void describe_object(struct world *world, const struct sim_object_view *view, struct proto_text *out);
// Without an id: as the params of the obstacle.add that would make it.
void describe_obstacle_identity(struct world *world, const struct sim_obstacle *obstacle, bool with_id,
                                struct proto_text *out);
void describe_obstacle_shape(const struct sim_obstacle *obstacle, struct proto_text *out); // all but its arrays
void describe_obstacle_members(struct world *world, const struct sim_obstacle *obstacle, bool with_id,
                               struct proto_text *out);
void describe_obstacle(struct world *world, const struct sim_obstacle *obstacle, struct proto_text *out);
void describe_grab_members(struct world *world, const struct sim_grab_view *grab, struct proto_text *out);
// `refs` name the objects by the commands that make them; NULL: by their ids.
void describe_stick_members(const struct sim_stick_view *stick, const uint32_t refs[2], struct proto_text *out);
void describe_stick(const struct sim_stick_view *stick, struct proto_text *out);
void describe_parameters(const struct sim_parameters *parameters, struct proto_text *out);
void describe_bounds(const struct sim_parameters *parameters, struct proto_text *out);
// describe_topology.c: a topology's text, and its array into `world->words`.
void describe_topology(struct world *world, bool delta, struct proto_text *out);
bool describe_can_tear(const struct sim_object_view *view); // whether it is of a kind that does
void word_list_clear(struct word_list *list);
// Room for `count` words more, or NULL when memory is out, which the list remembers.
uint32_t *word_list_append(struct word_list *list, size_t count);
// describe_scene.c: the commands that would build this world: the text of a scene file. Returns the number of commands.
uint32_t describe_scene(struct world *world, const char *title, struct proto_text *out);

#endif
