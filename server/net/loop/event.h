// SPDX-License-Identifier: MIT
// Receives the events of libwebsockets.
#ifndef WEFT_NET_LOOP_EVENT_H
#define WEFT_NET_LOOP_EVENT_H

#include <libwebsockets.h>

// The one protocol of the server, for lws_create_vhost. The user of the context is the `struct net_server`.
extern const struct lws_protocols event_protocols[];

#endif
