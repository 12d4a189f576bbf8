// SPDX-License-Identifier: MIT
// The data of one world: the simulation and all that is known beside it. This header holds data only; each part is
// looked after by the file of the engine that its comment names.
#ifndef WEFT_ENGINE_STATE_WORLD_STATE_H
#define WEFT_ENGINE_STATE_WORLD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "engine/state/host.h"
#include "engine/state/person.h"
#include "proto/frame/frame.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"
#include "sim/sim.h"

#define ENGINE_NAME_MAX 64    // characters of a world's or a scene's name
#define ENGINE_VARIANTS_MAX 8 // variants that show the whole world
#define ENGINE_FILTERS_MAX 24 // variants that show chosen objects
#define ENGINE_VARIANT_COUNT (ENGINE_VARIANTS_MAX + ENGINE_FILTERS_MAX)
#define ENGINE_NO_VARIANT UINT32_MAX
#define ENGINE_NO_CLIENT UINT64_MAX
// Set in the client of a grab that was held by a client of before the world was restored from a snapshot.
#define ENGINE_ORPHANED ((uint64_t)1 << 63)
#define RECORD_NAME_MAX 257 // bytes: 64 characters of UTF-8 and the end

struct motion_stream;

// ---- clients (client/) -------------------------------------------------------------------------------------------

// How a viewer that asked to adapt keeps up (view/adaptive_rate.c); times in ns of the host's clock.
struct adaptive_rate {
    bool adapts;
    uint32_t asked_ticks; // the rate that the client asked for: a frame every so many ticks
    uint32_t tier;        // it gets a frame every asked_ticks · 2^tier
    bool rose;            // the last change was to a faster tier
    uint64_t gap_ns;      // when the client last missed frames; 0: never
    uint64_t changed_ns;  // when its tier last changed
    uint64_t patience_ns; // how long without a gap until the client is given a faster tier
};

struct client {
    uint64_t id;          // by which the host calls the client
    uint32_t number;      // by which other clients know it
    struct person person; // its name and color
    enum proto_role role;
    uint64_t owner;           // clients of the same owner share a quota; 0: none
    bool passing;             // it makes one request and leaves, so other clients are not told of it
    bool logged;              // it is only the sender of a recorded command that is applied again
    uint32_t events;          // mask of enum proto_event_name
    struct sim_capacity own;  // what the owner's clients have made, counted at
    uint64_t own_stamp;       // this stamp of the world's; 0: never
    uint32_t own_stick_count; // and at so many added sticks
    uint32_t variant;         // of its frames, or ENGINE_NO_VARIANT
    uint32_t every_ticks;     // it gets a frame every so many ticks
    struct adaptive_rate rate;
    bool follows_ticks;  // it computes the ticks itself (view/ticks.c)
    bool wants_snapshot; // and is sent a snapshot before it is sent ticks
    bool points;         // it points at
    struct vec3 pointer;
    uint32_t hand;    // its hand is up: in the order of raising; 0: it is down
    uint32_t follows; // the number of the client whose camera it follows, 0: nobody's
    bool presents;    // it asks everyone to follow its camera
    bool looks;       // it has told where it looks from:
    struct vec3 eye, target;
    uint32_t *selected; // its selection: ids, then runs of three (object, first, count); or NULL
    uint32_t selected_objects, selected_words;
};

// ---- views (view/) -----------------------------------------------------------------------------------------------

// One way of packing frames, shared by all viewers that chose it.
struct variant {
    bool used;
    enum proto_coding coding;
    float step;
    uint32_t *objects; // chosen ids, rising; NULL: all objects
    uint32_t object_count;
    uint32_t viewers;
    uint32_t every_ticks;         // greatest common divisor of its viewers' rates; in coding 2 all have the same
    struct motion_stream *stream; // in coding 2
};

// An object as viewers know it; its counts show whether it changed since.
struct published_object {
    uint32_t id, particles, triangles, sticks;
    size_t corners; // where its triangles begin in `published_corners`, if it is of a kind that tears
    bool resting;   // it is asleep, viewers know where, and frames leave it out
    uint64_t resting_since, left_out_at; // ticks: of the message that told where, of the last frame without it
};

// What those clients are sent that compute the ticks themselves (world/lockstep.c).
struct lockstep {
    uint32_t members;
    bool is_recorded;    // the host gets all messages, too
    bool wants_snapshot; // the recording does
    uint64_t renewals; // snapshots that members who followed already asked for: their state differed, or they were lost
    uint32_t generation;  // of the snapshot that members began with; rises when all of them need another one
    bool renew;           // they do
    uint64_t tick;        // the last one that they were told of
    uint64_t noted_tick;  // the last one that was published
    struct bytes records; // of changes after that tick
    uint32_t count;       // of records in it
};

// Words one after another: the array that a topology's text points into, the triangles that viewers know.
struct word_list {
    uint32_t *items;
    size_t count, capacity;
    bool failed; // memory ran out
};

// ---- records (record/) -------------------------------------------------------------------------------------------

// How an object was made and is called, so that it can be shown and saved.
struct object_record {
    uint32_t id;
    char name[RECORD_NAME_MAX];
    bool has_color;
    uint32_t color;
    enum proto_method method;
    char *params; // JSON text of the command that made it
    size_t params_length;
    uint64_t owner;     // 0: nobody's
    uint32_t particles; // when it was made: tearing adds to them
    uint32_t sticks;
    uint32_t *pins; // indices of the particles that were pinned when it was made
    uint32_t pin_count;
    bool pins_moved, masses_changed, set; // by later commands
};

struct obstacle_record {
    uint32_t id;
    uint64_t owner; // 0: nobody's
    char name[RECORD_NAME_MAX];
    bool has_color;
    uint32_t color;
};

// The name and color of an object or obstacle before a command of the batch at work changed them.
struct look_before {
    bool is_obstacle;
    uint32_t id;
    char name[RECORD_NAME_MAX];
    bool has_color, set;
    uint32_t color;
};

struct grab_record {
    uint32_t id;
    uint64_t client; // id of the client that holds it; with ENGINE_ORPHANED: that client is not connected
    uint32_t number; // of that client
};

struct stick_owner {
    uint32_t stick;
    uint64_t owner;
};

struct pending_event {
    uint32_t tag;
    struct message *message;
};

struct engine_statistics {
    uint64_t frames;      // packed since the world was made
    uint64_t frame_bytes; // of the newest
    uint64_t encode_ns;   // spent on packing since the host last set this to 0
};

// ---- the world ---------------------------------------------------------------------------------------------------

struct engine_world {
    char name[ENGINE_NAME_MAX + 1];
    struct engine_host host;
    struct sim_world *sim;
    bool running;                        // the host ticks it at its rate
    bool stepping;                       // the host ticks it although it does not run
    char scene[ENGINE_NAME_MAX + 1];     // the name of its scene
    struct proto_request *scene_request; // the commands that world.reset runs again; NULL: none

    // Set by the host.
    bool replaying;             // recorded commands are applied again: there are no quotas, and no events
    bool tells_events;          // events are sent all the same
    bool shows_past;            // a tick of long ago is shown, so grabs are not those of the present
    struct sim_capacity quota;  // of one owner; UINT32_MAX: as much as the world holds
    bool refuses_growth;        // the world is too slow to take new objects
    uint32_t speed_percent;     // of real time, at which it runs
    uint32_t speed_percent_min; // below which it refuses to grow

    struct client *clients; // (client/client.c)
    uint32_t client_count, client_capacity, next_client;
    uint32_t last_hand; // counts the hands that were raised
    bool has_orphaned_grabs;

    struct variant variants[ENGINE_VARIANT_COUNT]; // (view/)
    uint32_t viewers;
    struct message_pool *frames;
    struct proto_range *ranges; // scratch of packing, one for each object
    uint32_t ranges_capacity;
    uint32_t published_epoch;
    struct published_object *published; // objects that viewers know, by rising ids
    uint32_t published_count, published_capacity;
    struct word_list published_corners;
    uint32_t resting;            // how many objects the frames leave out
    uint32_t published_obstacle; // the newest obstacle that viewers know, 0: none
    struct word_list words;      // scratch of a topology
    bool publish_whole;          // the next topology cannot be told as a difference
    bool frame_stale;            // commands changed what viewers see while the world does not tick
    bool starving;               // a viewer waits for a frame that builds on nothing
    uint64_t revision;           // rises with every change; tells whether `topology` is current
    struct message *topology;
    uint64_t topology_revision;
    struct lockstep lockstep;

    struct object_record *objects; // rising ids (record/record.c)
    uint32_t object_count, object_capacity;
    struct obstacle_record *obstacles;
    uint32_t obstacle_count, obstacle_capacity;
    struct look_before *looks; // of the batch at work, oldest first
    uint32_t look_count, look_capacity;
    struct grab_record *grabs;
    uint32_t grab_count, grab_capacity;
    struct stick_owner *stick_owners; // of added sticks, rising; some of them have gone
    uint32_t stick_owner_count, stick_owner_capacity;
    uint64_t owned_stamp; // rises when anything is made or goes; from 1 on

    struct pending_event *events; // of the command at work, sent when it succeeds (event.c)
    uint32_t event_count, event_capacity;
    struct json_writer result, text, reply; // scratch: of the command at work, of events, of messages
    struct engine_statistics statistics;
};

#endif
