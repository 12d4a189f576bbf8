// SPDX-License-Identifier: MIT
// A connection: one socket from its accept to its end. As long as it is no WebSocket it is a guest, of which the server
// keeps a list by age, and for which there are time limits.
#ifndef WEFT_NET_CONNECTION_CONNECTION_H
#define WEFT_NET_CONNECTION_CONNECTION_H

#include "net/connection/state.h"

// The newest guest. NULL when memory runs out.
struct connection *connection_create(struct net_server *server, struct address_count *address);
void connection_destroy(struct connection *connection);
struct connection *connection_of(struct lws *wsi); // NULL for the listening socket

void connection_renew(struct connection *connection);     // makes a guest the newest
void connection_end_guest(struct connection *connection); // it became a WebSocket
// Closes it in the next round of the event loop; can be called from anywhere.
void connection_kill(struct connection *connection);
// Sends the end of the stream and drops what the client sends until it ends its side too, or its time is over. To close
// a socket over unread bytes would reset it, and could take the last answer from the client.
void connection_close(struct connection *connection);

// Stops reading, or reads on when this was the last reason not to. `connection->input` is then due (event.c).
void connection_hold(struct connection *connection, enum hold_reason reason);
void connection_resume(struct connection *connection, unsigned reasons);
void connection_hold_for(struct connection *connection, uint32_t hold_ms); // HOLD_TIMED

void connection_ask_to_write(struct connection *connection);

#endif
