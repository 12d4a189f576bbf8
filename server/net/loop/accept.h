// SPDX-License-Identifier: MIT
// Accepts connections, and ends those that take too long to say what they want.
#ifndef WEFT_NET_LOOP_ACCEPT_H
#define WEFT_NET_LOOP_ACCEPT_H

#include "net/connection/state.h"

// How many connections the process's limit of descriptors allows, which is raised first. Called before the library
// counts them.
uint32_t accept_find_room(const struct net_options *options);
enum result accept_start(struct net_server *server, int listener, struct fault *fault) WEFT_MUST_USE;
void accept_ready(struct net_server *server); // connections wait to be accepted
// Ends guests that took too long, accepts again, and calls itself again in a moment.
void accept_sweep(struct net_server *server);
void accept_stop(struct net_server *server);

#endif
