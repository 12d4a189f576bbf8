// SPDX-License-Identifier: MIT
// The network: libwebsockets behind one small interface. It moves bytes and knows no physics and no JSON.
//
// One thread, the net thread, owns libwebsockets and every peer: it runs `net_server_run` and makes every handler call.
// All other threads speak to it through the `net_post_*` calls, which are thread-safe, keep their order (one FIFO),
// never block on a socket and never wait for a peer. A peer is named by an id that is never reused, so a post to one
// that has left is simply dropped.
//
// A peer has an ordered queue of messages that must arrive (replies, events, topology) and, per channel it joined, one
// slot for the newest state message: state is replaceable, so a peer that cannot keep up skips to the newest and is
// never queued for. A peer whose ordered queue outgrows its limit is closed with 1008, and so is one that takes nothing
// for `stall_ms` while something waits for it.
#ifndef WEFT_NET_NET_H
#define WEFT_NET_NET_H

#include "net/listen.h"
#include "net/mailbox.h"
#include "net/options.h"
#include "net/server.h"

#endif
