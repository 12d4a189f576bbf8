// SPDX-License-Identifier: MIT
// Which worlds a node takes, brings back and lets go.
#ifndef WEFT_HOST_WORLDS_NODE_CLAIM_H
#define WEFT_HOST_WORLDS_NODE_CLAIM_H

#include "host/worlds/node.h"

// Node's thread: brings back what is this node's and not here, and takes what is nobody's. Returns whether more may be
// left to take.
bool node_gather(struct node *node);

#endif
