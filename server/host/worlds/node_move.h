// SPDX-License-Identifier: MIT
// Moves worlds to other nodes: all worlds when this node drains, and new worlds for which another node has more
// headroom.
#ifndef WEFT_HOST_WORLDS_NODE_MOVE_H
#define WEFT_HOST_WORLDS_NODE_MOVE_H

#include "host/worlds/node.h"

void node_advance_move(struct node *node); // node's thread: takes the next step, if possible
// Any thread. Offers a new world to nodes that have more headroom.
void node_place(struct node *node, uint64_t world);
// Any thread. Notes that this world is saved, and can be given away.
void node_note_saved(struct node *node, uint64_t world);

#endif
