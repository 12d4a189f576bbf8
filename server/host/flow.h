// SPDX-License-Identifier: MIT
// How much of one client's lies unread before its world. A client that sends faster than its world reads is not read
// from for a while: its own messages wait in its own socket, in their order, and neither memory nor the other clients'
// commands wait behind them.
//
// Counted up on the net thread, down on whichever thread destroys the item; kept alive by the client and every item.
#ifndef WEFT_HOST_FLOW_H
#define WEFT_HOST_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

#define FLOW_MESSAGES_MAX 128u              // of one client, unread before its world
#define FLOW_BYTES_MAX (4u * 1024u * 1024u) // and their bytes; one message may be longer

struct flow;
struct visitor;

// Keeps the visitor, whose messages these are. NULL when memory is out.
struct flow *flow_create(struct net_server *net, uint64_t peer, struct visitor *visitor);
struct visitor *flow_visitor(const struct flow *flow);
void flow_release(struct flow *flow); // NULL is allowed
// Net thread, in a handler: one more message, which keeps the flow alive. Stops reading from a client with too many.
void flow_enter(struct flow *flow, size_t bytes);
// Any thread: counts one more request of an array whose message has entered. Reading stops only at the next message.
void flow_add(struct flow *flow);
// Any thread: one message less, and its hold on the flow ends. Reading goes on when half of the limit is left.
void flow_leave(struct flow *flow, size_t bytes);

// A message of it is being parsed on another thread, which keeps the flow alive; those behind it must not overtake it.
void flow_begin_reading(struct flow *flow);
void flow_end_reading(struct flow *flow);
bool flow_is_reading(const struct flow *flow);

// The client has gone without a close frame. Its long messages that are not parsed yet, and the messages that wait
// behind them, are not applied any more.
void flow_abandon(struct flow *flow);
bool flow_is_abandoned(const struct flow *flow);

#endif
