// SPDX-License-Identifier: MIT
// The way in: from the bytes of a message to an item in the inbox of its world, past the client's budget.
//
// A message over the budget is refused before it is parsed. A short message is parsed on the net thread. A message
// longer than INTAKE_SHORT_BYTES would hold up the frames of all clients there, so a thread of the intake's own parses
// it; that thread has a low priority, so that ticks come first. Messages of one client keep their order: those behind
// a long one wait for it. When a connection ends without a close frame, its unparsed messages are dropped. The same
// thread also frees the requests that long messages were parsed into.
#ifndef WEFT_HOST_WORLDS_INTAKE_H
#define WEFT_HOST_WORLDS_INTAKE_H

#include "host/connection/backpressure.h"
#include "host/world/world_state.h"

#define INTAKE_SHORT_BYTES ((size_t)8 << 10)
// The most bytes of long messages that wait to be parsed. A connection that sends more is closed with 1013. Beside
// these only the unfinished messages that the network holds, 64 MiB at most, lie unparsed in the process.
#define INTAKE_WAITING_BYTES ((size_t)64 << 20)

struct intake;

enum result intake_create(struct intake **intake) WEFT_MUST_USE;
// Before the first message.
void intake_attach(struct intake *intake, struct net_server *net);
// Parses what waits; from then on everything is done on the thread that asks for it.
void intake_stop(struct intake *intake);    // NULL is allowed
void intake_destroy(struct intake *intake); // NULL is allowed

// Where a message comes from and goes to.
struct intake_origin {
    uint64_t connection_id;
    struct backpressure *backpressure;
    struct world *world;
    bool posted; // by POST: its one message is answered as a whole
};

// Net thread, in a handler, all of them.
void intake_text(struct intake *intake, const struct intake_origin *origin, const char *text, size_t length);
// The same with a text of the heap, which it frees.
void intake_long_text(struct intake *intake, const struct intake_origin *origin, char *take, size_t length);
// A message that is none of the protocol's, answered in its turn like unreadable text.
void intake_refuse(struct intake *intake, const struct intake_origin *origin, enum result cause, const char *sentence);
// An item behind what its client has sent.
void intake_post(struct intake *intake, const struct intake_origin *origin, struct item *take);

struct intake_metrics {
    uint64_t waiting, waiting_bytes; // messages
};
struct intake_metrics intake_read_metrics(struct intake *intake);

#endif
