// SPDX-License-Identifier: MIT
// Giving worlds to other nodes: when this one drains, and new ones that others have more room for.
#ifndef WEFT_HOST_WORLDS_NODE_MOVE_H
#define WEFT_HOST_WORLDS_NODE_MOVE_H

#include "host/worlds/node.h"

void node_advance_move(struct node *node); // node's thread: does the next step that can be done
// Any thread. A new world: a node that has more headroom gets it.
void node_place(struct node *node, uint64_t world);
// Any thread. What was left to do for this world is stored: it can be given away.
void node_note_saved(struct node *node, uint64_t world);

#endif
