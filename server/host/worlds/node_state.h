// SPDX-License-Identifier: MIT
// The data of a node. This header holds data only; node.h explains nodes.
#ifndef WEFT_HOST_WORLDS_NODE_STATE_H
#define WEFT_HOST_WORLDS_NODE_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "host/worlds/node_figures.h"

#define NODE_WANTED_MAX 64u

enum move_state { MOVE_NONE, MOVE_SAVING, MOVE_SAVED, MOVE_RELEASING, MOVE_GIVING, MOVE_GIVEN };

struct move {
    enum move_state state;
    uint64_t world, epoch, to; // `to`: a node's number
    uint64_t since_ms, retry_ms;
};

struct work {
    uint64_t world, epoch;
};

struct node {
    struct node_options options;
    struct store_nodes *nodes; // for the node's thread
    pthread_t thread;
    bool has_thread;
    int wake; // an eventfd

    // For the node's thread alone.
    struct store_nodes_view seen;
    double load; // thousandths of a processor, smoothed
    bool failing;
    uint64_t steady_ms; // since when the lease was renewed without a gap, by CLOCK_BOOTTIME
    uint64_t renewed_ms;
    bool was_draining, told_full;

    _Atomic uint64_t counts[NODE_COUNT_COUNT], lease_until_ms;
    _Atomic uint32_t renewal_ms;

    pthread_mutex_t mutex; // guards the members below
    pthread_cond_t looked;
    bool stopping, settled, replaced;
    uint64_t number;
    struct store_nodes_view view;
    struct work busy[STORE_WORLDS_MAX]; // worlds that have a job
    uint32_t busy_count;
    struct work refused[STORE_WORLDS_MAX]; // worlds that could not be brought back here
    uint32_t refused_count;
    struct move move;
    uint64_t wanted[NODE_WANTED_MAX]; // new worlds that another node may get
    uint32_t wanted_count;
    struct { // a node.drain that the thread answers
        bool asked, draining;
        char url[STORE_URL_MAX + 1];
        uint64_t connection_id;
        struct proto_id id;
    } drain;
};

#endif
