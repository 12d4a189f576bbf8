// SPDX-License-Identifier: MIT
// What /metrics tells of a node: its lease, which worlds it has, takes and lets go, and what it sees of the others.
#ifndef WEFT_HOST_WORLDS_NODE_FIGURES_H
#define WEFT_HOST_WORLDS_NODE_FIGURES_H

#include "host/worlds/node.h"

// What a node counts since its start.
enum node_count {
    NODE_RENEWALS,
    NODE_RENEWAL_FAILURES,
    NODE_TAKEN,        // worlds whose node had lost its lease
    NODE_FOUND,        // worlds that no node had
    NODE_OPENED,       // worlds that were brought back here, for whatever reason
    NODE_OPENING_MS,   // the time that this took
    NODE_OPEN_RETRIES, // worlds that could not be brought back, and are tried again
    NODE_GIVEN,        // worlds that this node moved to another one
    NODE_LOST,         // worlds that another node has taken from this one
    NODE_COUNT_COUNT
};

struct node_figures {
    uint64_t counts[NODE_COUNT_COUNT];
    uint32_t renewal_ms;        // that the last renewal took
    int64_t lease_ms, headroom; // that its lease still holds; thousandths of a processor
    bool draining;
    uint32_t nodes;    // that have a lease
    uint32_t worlds;   // that the table says this node has
    uint32_t homeless; // worlds that no node has ready
    uint32_t refused;  // worlds that this node could not bring back
};

// Any thread.
void node_read_figures(struct node *node, struct node_figures *figures);
uint64_t node_world_epoch(struct node *node, uint64_t world); // by which this node has the world; 0: it has it not

#endif
