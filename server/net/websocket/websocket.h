// SPDX-License-Identifier: MIT
// One WebSocket: its ordered queue, its slots for states, and its end. What is queued in order goes first, then the
// slots, the one that waited longest first. A WebSocket ends in two steps: it leaves (it is out of the table and of
// every channel, and the application has been told), and later its connection ends.
#ifndef WEFT_NET_WEBSOCKET_WEBSOCKET_H
#define WEFT_NET_WEBSOCKET_WEBSOCKET_H

#include "net/connection/state.h"

struct websocket *websocket_create(struct connection *connection);        // NULL when memory runs out
struct websocket *websocket_find(struct net_server *server, uint64_t id); // NULL once it leaves
// The connection ends: the WebSocket leaves, and is freed.
void websocket_end(struct connection *connection);

void websocket_enqueue(struct websocket *websocket, struct message *take);
// That many messages of the bundle of that number will be sent, which go out as one array.
void websocket_expect(struct websocket *websocket, uint64_t number, uint32_t messages);
void websocket_send(struct websocket *websocket, struct message *take); // at once, or when its bundle is whole
// Puts a state into the member's slot, and sends it if there is room; keep: does not send it.
void websocket_set_state(struct membership *member, struct message *take);
void websocket_keep_state(struct membership *member, struct message *take);
// Sends the next frame. Called when the socket has room.
void websocket_write(struct websocket *websocket);
void websocket_drop_assembly(struct websocket *websocket); // frees the unfinished message

// Takes the WebSocket out of the table and its channels, and tells the application. Its connection may go on a while.
void websocket_leave(struct websocket *websocket);
// Sends a close frame after all that is queued in order, and ends the connection.
void websocket_close(struct websocket *websocket, uint16_t code, const char *reason);
// The client's close frame came: answers it.
void websocket_answer_close(struct websocket *websocket);

#endif
