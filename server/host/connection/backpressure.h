// SPDX-License-Identifier: MIT
// How much of one client's lies unread before its world. A client that sends faster than its world reads is not read
// from for a while: its own messages wait in its own socket, in their order, and neither memory nor the other clients'
// commands wait behind them.
//
// Counted up on the net thread, down on whichever thread destroys the item; kept alive by the client and every item.
#ifndef WEFT_HOST_CONNECTION_BACKPRESSURE_H
#define WEFT_HOST_CONNECTION_BACKPRESSURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

#define BACKPRESSURE_MESSAGES_MAX 128u              // of one client, unread before its world
#define BACKPRESSURE_BYTES_MAX (4u * 1024u * 1024u) // and their bytes; one message may be longer

struct backpressure;
struct connection;

// Keeps the connection, whose messages these are. NULL when memory is out.
struct backpressure *backpressure_create(struct net_server *net, uint64_t connection_id, struct connection *connection);
struct connection *backpressure_connection(const struct backpressure *backpressure);
void backpressure_release(struct backpressure *backpressure); // NULL is allowed
// Net thread, in a handler: one more message, which keeps the backpressure alive. Stops reading from a client with too
// many.
void backpressure_enter(struct backpressure *backpressure, size_t bytes);
// Any thread: counts one more request of an array whose message has entered. Reading stops only at the next message.
void backpressure_add(struct backpressure *backpressure);
// Any thread: one message less, and its hold on the backpressure ends. Reading goes on when half of the limit is left.
void backpressure_leave(struct backpressure *backpressure, size_t bytes);

// A message of it is being parsed on another thread, which keeps the backpressure alive; those behind it must not
// overtake it.
void backpressure_begin_reading(struct backpressure *backpressure);
void backpressure_end_reading(struct backpressure *backpressure);
bool backpressure_is_reading(const struct backpressure *backpressure);

// The client has gone without a close frame. Its long messages that are not parsed yet, and the messages that wait
// behind them, are not applied any more.
void backpressure_abandon(struct backpressure *backpressure);
bool backpressure_is_abandoned(const struct backpressure *backpressure);

#endif
