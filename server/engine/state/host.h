// SPDX-License-Identifier: MIT
// The calls by which the engine reaches the process that holds it. An engine has no clock, socket, thread, file or log
// of its own: whatever it needs of these, and whatever leaves it, goes through this table. Every function is called on
// the thread that called the engine. Functions may be NULL where their comment says so.
#ifndef WEFT_ENGINE_STATE_HOST_H
#define WEFT_ENGINE_STATE_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/message.h"
#include "base/result.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"

struct client;

// Channels carry broadcasts. Those below ENGINE_CHANNEL_EVENTS are the variants of frames; a client is a member of the
// one whose frames it gets, and of ENGINE_CHANNEL_EVENTS when it wants events.
#define ENGINE_CHANNELS 64u
#define ENGINE_CHANNEL_EVENTS (ENGINE_CHANNELS - 1)
#define ENGINE_CHANNEL_TICKS (ENGINE_CHANNELS - 2) // of those that compute the ticks themselves

// Places in the engine's messages at which the host adds members of its own to an open object.
enum engine_place {
    ENGINE_PLACE_HELLO,      // hello, after `protocol`
    ENGINE_PLACE_LIMITS,     // hello, in `limits`
    ENGINE_PLACE_QUOTA,      // hello, in `limits.own`
    ENGINE_PLACE_CLOCK,      // hello and world.get, after `running`; for one client
    ENGINE_PLACE_CHANGED,    // the event world.changed, after `running`; for all clients
    ENGINE_PLACE_PHYSICS,    // world.get, after `stateHash`
    ENGINE_PLACE_STATISTICS, // world.get, after `limits`
};

// A long reply whose text is written later, from a copy of what it needs.
struct engine_long_reply {
    void (*write)(const struct engine_long_reply *reply, struct json_writer *result); // members of an open object
    void (*free)(struct engine_long_reply *reply);
};

struct engine_host {
    void *context; // the first argument of every call
    // Nanoseconds of a clock that never goes back. NULL: durations are taken to be 0.
    uint64_t (*now_ns)(void *context);
    // One sentence about a failure, without the world's name. NULL: it is not logged.
    void (*log)(void *context, const char *sentence);
    // A reply or an event for one client; messages to a client keep their order. NULL: memory ran out for the message,
    // so the client has to be disconnected.
    void (*send)(void *context, uint64_t client, struct message *take);
    // The same for a message that depends on no stored change, such as a topology: it may overtake replies that wait
    // for the disk.
    void (*send_at_once)(void *context, uint64_t client, struct message *take);
    // Disconnects a client. `code` is that of a WebSocket's close frame.
    void (*close)(void *context, uint64_t client, uint16_t code, const char *reason);
    // Ordered broadcasts go to members with (tags & tag) != 0; frames to members with tick % every_ticks == 0.
    void (*join)(void *context, uint64_t client, uint32_t channel, uint32_t every_ticks, uint32_t tags);
    void (*leave)(void *context, uint64_t client, uint32_t channel);
    // Appended to what each member is sent. With `clear_state` frames of this channel that are not sent yet are dropped
    // first: frames of an older topology must not follow a newer one.
    void (*publish_ordered)(void *context, uint32_t channel, uint32_t tag, bool clear_state, struct message *take);
    // Frames are replaceable: a slow member gets the newest.
    void (*publish_state)(void *context, uint32_t channel, uint64_t tick, struct message *take);
    void (*publish_forms)(void *context, uint32_t channel, const struct message_forms *take);
    // A frame for one member.
    void (*state)(void *context, uint64_t client, uint32_t channel, struct message *take);
    // Form 0 of that frame for one member; `number` 0: a frame on which none builds.
    void (*form)(void *context, uint64_t client, uint32_t channel, uint64_t number, struct message *take);
    // A snapshot for these clients, a message of type 5 (FRAMES.md). It may come after messages that are sent later, so
    // the host may compress it on another thread. NULL: it is sent as it is.
    void (*snapshot)(void *context, const uint64_t *clients, uint32_t count, struct message *take);
    // The messages of types 5 and 6 (FRAMES.md) of a world that is recorded, in the order in which they follow one
    // another; a snapshot comes first, and whenever the recording cannot go on without. NULL where nothing is recorded.
    void (*record)(void *context, struct message *take);
    // Adds the host's members. NULL: there are none.
    void (*describe)(void *context, enum engine_place place, const struct client *client, struct json_writer *out);
    // A grab ended because its client left; `sequence` is the simulation's sequence number before. It has to be
    // recorded. NULL: nothing is recorded.
    void (*grab_released)(void *context, uint32_t grab, uint32_t sequence);
    // Writes a long reply later, on another thread. Errors: RESULT_BUSY; then the engine still owns the reply. NULL:
    // the engine writes every reply at once.
    enum result (*reply_later)(void *context, uint64_t client, const struct proto_id *id,
                               struct engine_long_reply *take);
};

#endif
