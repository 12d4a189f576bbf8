// SPDX-License-Identifier: MIT
// What a WebSocket receives: text messages, put together from their pieces.
#ifndef WEFT_NET_WEBSOCKET_RECEIVE_H
#define WEFT_NET_WEBSOCKET_RECEIVE_H

#include "net/connection/state.h"

// Takes bytes of the client, which it unmasks in place, until reading is held. Returns how many.
size_t websocket_receive(struct websocket *websocket, uint8_t *bytes, size_t length);

#endif
