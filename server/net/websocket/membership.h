// SPDX-License-Identifier: MIT
// The members of channels. A channel is a number, and exists while it has members.
#ifndef WEFT_NET_WEBSOCKET_MEMBERSHIP_H
#define WEFT_NET_WEBSOCKET_MEMBERSHIP_H

#include "net/connection/state.h"

struct channel *membership_channel(struct net_server *server, uint32_t number); // NULL: it has no members
struct membership *membership_find(const struct websocket *websocket, uint32_t number);
struct membership *membership_create(struct websocket *websocket, uint32_t number); // NULL when memory runs out
void membership_destroy(struct membership *membership); // with its channel, if that is empty
void membership_destroy_all(struct websocket *websocket);
// Whether no frame that comes is of use to the member, and the application is to be told when its socket has room.
bool membership_is_hungry(const struct membership *member);

#endif
