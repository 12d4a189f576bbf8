// SPDX-License-Identifier: MIT
// The addresses of worlds that are not here, and the list of nodes.
#ifndef WEFT_HOST_WORLDS_NODE_DIRECTORY_H
#define WEFT_HOST_WORLDS_NODE_DIRECTORY_H

#include "host/worlds/node.h"

// ---- from any thread ---------------------------------------------------------------------------------------------

enum node_place {
    NODE_UNKNOWN,   // there is no such world
    NODE_ELSEWHERE, // another node has the world, at the URL
    NODE_COMING,    // no node has the world ready at the moment: ask again
};
// Finds a world that is not here. `name` NULL: `main`, or else the first world. `url` becomes its address with `scheme`
// ("ws" or "http"), which becomes the encrypted scheme where the node's URL has https.
enum node_place node_locate(struct node *node, const char *name, const char *scheme, char url[NODE_WORLD_URL_MAX]);
bool node_has_others(struct node *node); // whether there are worlds on other nodes
// The URLs of all nodes as sources of a content policy, for HTTP and WebSockets, each with a space before it.
void node_write_sources(struct node *node, char *out, size_t size);
bool node_knows_origin(struct node *node, const char *origin); // whether it is the URL of a node
// The member `nodes`, into an open object: the URLs of the nodes that have a lease.
void node_describe_urls(struct node *node, struct json_writer *out);
// The member `nodes`, [{"url", …}], into an open object: all nodes.
void node_describe(struct node *node, struct json_writer *out);
// The member `elsewhere`, [{"name", "url"}], into an open object: worlds that other nodes have.
void node_describe_elsewhere(struct node *node, struct json_writer *out);

// ---- for the node's thread, by its last look ---------------------------------------------------------------------

const struct store_node_row *node_find(const struct store_nodes_view *view, uint64_t number); // NULL: there is none
bool node_is_alive(const struct store_node_row *row);                                         // it has a lease
// The node with the most headroom that can have one more world; NULL: there is none.
struct store_node_row *node_find_target(struct node *node);
// The address of a world on a node; "" where `node_url` is empty.
void node_write_url(char url[NODE_WORLD_URL_MAX], const char *node_url, const char *scheme, const char *name);

#endif
