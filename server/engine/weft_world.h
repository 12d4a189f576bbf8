// SPDX-License-Identifier: MIT
// The data of a world behind weft.h: the engine, with a queue of requests before it and an outbox behind it.
#ifndef WEFT_ENGINE_WEFT_WORLD_H
#define WEFT_ENGINE_WEFT_WORLD_H

#include "base/bytes.h"
#include "engine/outbox.h"
#include "engine/state/world_state.h"

struct weft_member;

// A request that waits for its tick.
struct pending {
    struct pending *next;
    uint64_t client;
    struct proto_request *request; // NULL: the message was none, and `fault` says why
    struct proto_id id;
    struct fault fault;
    bool waits; // it was found to be for a later tick
};

struct weft_world {
    struct engine_world *engine;
    struct outbox outbox;
    struct pending *pending, **pending_tail;
    uint32_t pending_count;
    struct message *taken; // the message of the output that was taken last
    struct bytes records;  // of the next tick
    uint64_t sequence;     // of the last record
    struct bytes snapshot;
    struct weft_member *members; // that the host adds to messages
    bool follows;                // another world, in lockstep
    uint32_t generation;         // of the snapshot that it follows from
    uint64_t step_until;         // a world.step under way ends at this tick
    uint64_t step_client;
    struct proto_id step_id;
};

#endif
