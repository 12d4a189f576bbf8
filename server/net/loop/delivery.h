// SPDX-License-Identifier: MIT
// Applies what other threads have posted.
#ifndef WEFT_NET_LOOP_DELIVERY_H
#define WEFT_NET_LOOP_DELIVERY_H

#include "net/connection/state.h"

// Applies what waits in the mailbox. When several states of one channel wait, each call goes as far as the first of
// them, so that the event loop can send it before the next one takes its place.
void delivery_run(struct net_server *server);

#endif
