// SPDX-License-Identifier: MIT
// The jobs of a node on the job thread, and the worlds that have one.
#ifndef WEFT_HOST_WORLDS_NODE_WORK_H
#define WEFT_HOST_WORLDS_NODE_WORK_H

#include "host/worlds/node_state.h"

#define NODE_TAKES_A_LOOK 4u // worlds that a node brings back at the same time, so that other nodes get some as well
#define NODE_LEAST_LOAD 20   // thousandths of a processor that a world counts at least

enum node_task { NODE_OPEN, NODE_DEPART, NODE_SAVE, NODE_RELEASE };

// Any thread: the node's next look begins at once. NULL is allowed.
void node_wake(struct node *node);
// Node's thread. `url`, for NODE_DEPART: the world's new address, "" while no node has it. False: the next look tries
// again.
bool node_post(struct node *node, enum node_task task, const struct work *work, uint32_t count, const char *url);
bool node_is_busy(struct node *node, uint64_t world);    // it has a job, or moves
bool node_is_refused(struct node *node, uint64_t world); // this node could not bring it back
void node_refuse(struct node *node, const struct work *work);
void node_set_move(struct node *node, uint64_t world, enum move_state state); // if that world moves
uint64_t node_now_ms(void);                                                   // of CLOCK_BOOTTIME

#endif
