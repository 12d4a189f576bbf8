// SPDX-License-Identifier: MIT
// The nodes that share a database: a node's entry in the table `node`, its lease, and the owner of each world.
//
// A node renews its lease each second; the lease holds for STORE_LEASE_MS of the database's clock. A world belongs to
// the node that its owner's row names. A node takes the world of a node without a lease by raising the epoch of that
// row in one statement that compares the epoch (compare-and-set), so exactly one node gets the world. The former owner
// can write nothing more, even before it notices: its transactions compare the epoch, too (STORE.md).
//
// A struct store_nodes has a connection of its own and belongs to one thread. Every function waits for the database.
#ifndef WEFT_STORE_POSTGRES_NODES_H
#define WEFT_STORE_POSTGRES_NODES_H

#include "store/types.h"

#define STORE_LEASE_MS 3000u
#define STORE_VERSION_TEXT_MAX 32u

struct store_nodes;

struct store_node_options {
    const char *address; // of the database
    const char *url;     // address of this node for clients
    uint32_t physics;    // version of its arithmetic
    const char *version; // of the program
};

// The figures that a node publishes in its row.
struct store_node_load {
    int64_t headroom; // thousandths of a processor that ticks leave free; below 0: worlds lag
    uint32_t worlds, clients;
};

struct store_node_row {
    uint64_t node;
    char url[STORE_URL_MAX + 1], version[STORE_VERSION_TEXT_MAX];
    uint32_t physics;
    struct store_node_load load;
    bool draining;    // it gives its worlds away and takes none
    int64_t lease_ms; // that the lease still holds; 0 or less: the node has none
};

struct store_owner_row {
    uint64_t world, epoch;
    char name[STORE_NAME_MAX + 1];
    uint64_t node; // 0: no owner, or a server that is no node
    char url[STORE_URL_MAX + 1];
    bool ready;       // the owner has brought the world back
    uint32_t physics; // version that computed its newest timeline; 0: it has none yet
};

// All nodes, by rising numbers, and all worlds, by rising numbers.
struct store_nodes_view {
    struct store_node_row nodes[STORE_NODES_MAX];
    uint32_t node_count;
    struct store_owner_row worlds[STORE_WORLDS_MAX];
    uint32_t world_count;
};

// Connects and registers the node, whose lease begins. An entry of the same URL is replaced: the server that made that
// entry has ended, or its next renewal fails. The store must have been opened, which makes the tables. Errors:
// RESULT_IO, RESULT_MEMORY, RESULT_INVALID (the address).
enum result store_nodes_join(const struct store_node_options *options, struct store_nodes **nodes,
                             struct fault *fault) WEFT_MUST_USE;
uint64_t store_nodes_number(const struct store_nodes *nodes);
// Renews the lease, connecting anew if necessary, and reads all nodes and worlds. Errors: RESULT_STATE (another server
// was started with this node's URL), RESULT_IO.
enum result store_nodes_renew(struct store_nodes *nodes, const struct store_node_load *load,
                              struct store_nodes_view *view, struct fault *fault) WEFT_MUST_USE;
// Becomes the owner of a world whose owner has no lease, if its row still has that epoch. Errors: RESULT_STATE (another
// node was first, or its owner has a lease again), RESULT_BUSY (a transaction holds its row), RESULT_IO.
enum result store_nodes_take(struct store_nodes *nodes, uint64_t world, uint64_t epoch, uint64_t *new_epoch,
                             struct fault *fault) WEFT_MUST_USE;
// Makes another node the owner of a world that is this node's; `to` 0: the world gets no owner. Errors: RESULT_STATE
// (this node does not own it by that epoch), RESULT_BUSY, RESULT_IO.
enum result store_nodes_give(struct store_nodes *nodes, uint64_t world, uint64_t epoch, uint64_t to,
                             struct fault *fault) WEFT_MUST_USE;
// Announces to all nodes that this node has brought the world back. Errors: RESULT_STATE, RESULT_BUSY, RESULT_IO.
enum result store_nodes_ready(struct store_nodes *nodes, uint64_t world, uint64_t epoch,
                              struct fault *fault) WEFT_MUST_USE;
// Makes the node of that URL start or stop draining. Errors: RESULT_NOT_FOUND, RESULT_IO.
enum result store_nodes_drain(struct store_nodes *nodes, const char *url, bool draining,
                              struct fault *fault) WEFT_MUST_USE;
void store_nodes_notify(struct store_nodes *nodes); // all nodes look at once
// Waits until another node notifies, `wake` becomes readable, or the timeout has passed.
void store_nodes_wait(struct store_nodes *nodes, int wake, uint32_t timeout_ms);
// Gives up the worlds that are still this node's, and its entry. NULL is allowed.
void store_nodes_leave(struct store_nodes *nodes);

#endif
