// SPDX-License-Identifier: MIT
// The network: HTTP and WebSockets on libwebsockets' event loop. It moves bytes and knows no physics and no JSON.
//
// One thread, the net thread, owns libwebsockets and every connection: it runs `net_server_run` and makes every handler
// call. All other threads speak to it through the `net_post_*` calls, which are thread-safe, keep their order (one
// FIFO), never block on a socket and never wait for a client. A WebSocket has an id that is never used again, so that a
// post to one that has closed is dropped.
//
// A WebSocket has an ordered queue of messages that must arrive (replies, events, topology) and, for each channel it
// joined, one slot for the newest state: state is replaceable, so a client that cannot keep up skips to the newest. A
// client whose queue outgrows its limit is closed with 1008, and so is one that takes nothing for `stall_ms` while
// something waits for it.
#ifndef WEFT_NET_NET_H
#define WEFT_NET_NET_H

#include "net/loop/listen.h"
#include "net/loop/mailbox.h"
#include "net/loop/server.h"
#include "net/options.h"

#endif
