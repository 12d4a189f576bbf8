// SPDX-License-Identifier: MIT
// The documents served beside the page: the schema, the operator's health and metrics, and the addresses of the page.
// The net thread builds them from figures that the other threads publish, so that no world has to wait.
#ifndef WEFT_HOST_STATUS_DOCUMENT_H
#define WEFT_HOST_STATUS_DOCUMENT_H

#include "host/world/world_state.h"

struct intake;
struct node;
struct store_hub;

// What they tell of. All but the worlds may be NULL.
struct document_sources {
    struct world *const *worlds;
    uint32_t count;
    const struct config *config;
    const struct net_server *net;
    struct intake *intake;
    struct store_hub *hub;
    struct node *node;
    bool draining; // the server is about to end
    bool stranger; // the client that asks may not learn the worlds' names
};

// NULL: there is no such document, or memory is out.
struct message *document_build(const struct document_sources *sources, const char *path, const char **content_type,
                               int *status);

#endif
