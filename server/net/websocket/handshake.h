// SPDX-License-Identifier: MIT
// The handshake of a WebSocket (RFC 6455, 4.2).
#ifndef WEFT_NET_WEBSOCKET_HANDSHAKE_H
#define WEFT_NET_WEBSOCKET_HANDSHAKE_H

#include "net/connection/state.h"

// Answers a sound request for an upgrade: opens a WebSocket, or says why not.
void handshake_answer(struct connection *connection);

#endif
