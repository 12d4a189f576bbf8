// SPDX-License-Identifier: MIT
// This server as one of several nodes that share a database (--node-url): its lease, the worlds that it has, takes over
// and gives away, and the addresses of all other worlds. server/CLUSTER.md lists the promises for each failure.
//
// The node's thread renews the lease each second and reads the rows of all nodes and worlds (store/postgres/nodes.h).
// The job thread brings worlds back, saves and ends them: only it changes their table. The node's thread never holds up
// a tick.
#ifndef WEFT_HOST_WORLDS_NODE_H
#define WEFT_HOST_WORLDS_NODE_H

#include "host/config/config.h"
#include "host/history/store_hub.h"
#include "host/worlds/worlds.h"

#define NODE_RENEW_MS 1000u
#define NODE_GRACE_MS 5000u                      // of uninterrupted renewal before worlds of lost nodes are taken
#define NODE_WORLD_URL_MAX (STORE_URL_MAX + 80u) // address of a world on a node

struct node;

struct node_options {
    const struct config *config;
    struct store_hub *hub;
    struct worlds *worlds;
    struct job_thread *job_thread;
    struct net_server *net;
    void (*replaced)(void *user); // another server was started with this URL: this one has to end
    void *user;
};

// Registers the node and begins to take worlds. Errors: those of store_nodes_join; RESULT_MEMORY.
enum result node_create(const struct node_options *options, struct node **node, struct fault *fault) WEFT_MUST_USE;
// Ends the thread: the lease is not renewed any more. NULL is allowed, here and below.
void node_stop(struct node *node);
// After the store is closed: leaves the node's worlds to the other nodes.
void node_destroy(struct node *node);
// Waits until the worlds that were free when the node joined are here, or could not be brought back. Returns false when
// the node has lost its place meanwhile: another server was started with its URL, or the database has lost the node's
// row.
bool node_wait_until_settled(struct node *node);

// ---- from any thread ---------------------------------------------------------------------------------------------

// node.drain: makes a node start or stop draining; `url` NULL: this node. The node's thread answers. Errors:
// RESULT_BUSY.
enum result node_drain(struct node *node, const char *url, bool draining, uint64_t connection_id,
                       const struct proto_id *id, struct fault *fault) WEFT_MUST_USE;

#endif
