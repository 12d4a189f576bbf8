// SPDX-License-Identifier: MIT
// Where worlds are that are not here, and which nodes there are.
#ifndef WEFT_HOST_WORLDS_NODE_DIRECTORY_H
#define WEFT_HOST_WORLDS_NODE_DIRECTORY_H

#include "host/worlds/node.h"

// ---- from any thread ---------------------------------------------------------------------------------------------

enum node_place {
    NODE_UNKNOWN,   // there is no such world
    NODE_ELSEWHERE, // another node has it; the URL says which
    NODE_COMING,    // no node has it ready at the moment: ask again
};
// Where a world is that is not here. `name` NULL: `main`, or the first there is. `url` becomes its address by `scheme`
// ("ws" or "http"), which becomes the encrypted one where the node has that.
enum node_place node_locate(struct node *node, const char *name, const char *scheme, char url[NODE_WORLD_URL_MAX]);
bool node_has_others(struct node *node); // whether there are worlds on other nodes
// The URLs of all nodes as sources of a content policy, for HTTP and WebSockets, each with a space before it.
void node_write_sources(struct node *node, char *out, size_t size);
bool node_knows_origin(struct node *node, const char *origin); // whether it is the URL of a node
// The member `nodes`, into an open object: the URLs of the nodes that have a lease.
void node_describe_urls(struct node *node, struct json_writer *out);
// The member `nodes`, [{"url", …}], into an open object: all of them.
void node_describe(struct node *node, struct json_writer *out);
// The member `elsewhere`, [{"name", "url"}], into an open object: worlds that other nodes have.
void node_describe_elsewhere(struct node *node, struct json_writer *out);

// ---- for the node's thread, of what it has seen ------------------------------------------------------------------

const struct store_node_row *node_find(const struct store_nodes_view *view, uint64_t number); // NULL: there is none
bool node_is_alive(const struct store_node_row *row);                                         // it has a lease
// The node that can have one more world, with most headroom; NULL: there is none.
struct store_node_row *node_find_target(struct node *node);
// The address of a world on a node; "" where `node_url` is.
void node_write_url(char url[NODE_WORLD_URL_MAX], const char *node_url, const char *scheme, const char *name);

#endif
