// SPDX-License-Identifier: MIT
// Which form of a stream's frames (base/message.h) each member gets.
#ifndef WEFT_NET_WEBSOCKET_STREAM_H
#define WEFT_NET_WEBSOCKET_STREAM_H

#include "net/connection/state.h"

// Hands form 0 of that frame to a member.
void stream_begin(struct membership *member, uint64_t number, struct message *take);
// Hands the highest form that the member can use.
void stream_hand(struct membership *member, const struct message_forms *frame);

#endif
