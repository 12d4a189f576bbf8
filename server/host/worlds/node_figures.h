// SPDX-License-Identifier: MIT
// The figures of a node in /metrics: its lease, the worlds that it has, takes and lets go, and the other nodes.
#ifndef WEFT_HOST_WORLDS_NODE_FIGURES_H
#define WEFT_HOST_WORLDS_NODE_FIGURES_H

#include "host/worlds/node.h"

// The counters of a node since its start.
enum node_count {
    NODE_RENEWALS,
    NODE_RENEWAL_FAILURES,
    NODE_TAKEN,        // worlds whose node had lost its lease
    NODE_FOUND,        // worlds that no node had
    NODE_OPENED,       // worlds that were brought back here, for any reason
    NODE_OPENING_MS,   // the time that this took
    NODE_OPEN_RETRIES, // worlds that could not be brought back, and are tried again
    NODE_GIVEN,        // worlds that this node moved to another one
    NODE_LOST,         // worlds that another node has taken from this one
    NODE_COUNT_COUNT
};

struct node_figures {
    uint64_t counts[NODE_COUNT_COUNT];
    uint32_t renewal_ms;        // duration of the last renewal
    int64_t lease_ms, headroom; // that the lease still holds; thousandths of a processor
    bool draining;
    uint32_t nodes;    // nodes that have a lease
    uint32_t worlds;   // worlds that this node owns by the table
    uint32_t homeless; // worlds that no node has ready
    uint32_t refused;  // worlds that this node could not bring back
};

// Any thread.
void node_read_figures(struct node *node, struct node_figures *figures);
uint64_t node_world_epoch(struct node *node, uint64_t world); // by which this node owns the world; 0: it does not

#endif
