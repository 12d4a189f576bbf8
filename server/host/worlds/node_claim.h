// SPDX-License-Identifier: MIT
// Takes worlds, brings them back and lets them go.
#ifndef WEFT_HOST_WORLDS_NODE_CLAIM_H
#define WEFT_HOST_WORLDS_NODE_CLAIM_H

#include "host/worlds/node.h"

// Node's thread: brings back this node's worlds that are not here, and takes worlds without an owner. Returns whether
// more may be left to take.
bool node_gather(struct node *node);

#endif
