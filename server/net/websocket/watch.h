// SPDX-License-Identifier: MIT
// What is done to all WebSockets.
#ifndef WEFT_NET_WEBSOCKET_WATCH_H
#define WEFT_NET_WEBSOCKET_WATCH_H

#include "net/connection/state.h"

// Closes with 1008 each WebSocket for which something waits and whose client's system has acknowledged nothing for
// `stall_ms`.
void watch_drop_stalled(struct net_server *server);
// Pings each WebSocket from which nothing has come for a third of `silence_ms`, and ends those silent for all of it.
void watch_ping_silent(struct net_server *server);

void watch_hold_all(struct net_server *server); // HOLD_DRAIN
void watch_close_all(struct net_server *server, uint16_t code, const char *reason);
void watch_leave_all(struct net_server *server);

#endif
