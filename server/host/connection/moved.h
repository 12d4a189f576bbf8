// SPDX-License-Identifier: MIT
// Sends a client whose world is on another node to that node.
#ifndef WEFT_HOST_CONNECTION_MOVED_H
#define WEFT_HOST_CONNECTION_MOVED_H

#include "net/net.h"

// The notification world.moved with the address of the world, then close code 1012. `url` "": no node has the world at
// the moment, and the connection is only closed. Any thread.
void moved_tell(struct net_server *net, uint64_t connection_id, const char *url);

#endif
