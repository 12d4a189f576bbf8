// SPDX-License-Identifier: MIT
// What libwebsockets tells of connections.
#ifndef WEFT_NET_EVENT_H
#define WEFT_NET_EVENT_H

#include <libwebsockets.h>

// The one protocol of the server, in the form that lws_create_vhost takes; its user is `struct net_server`.
extern const struct lws_protocols event_protocols[];

#endif
