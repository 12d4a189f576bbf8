// SPDX-License-Identifier: MIT
// The addresses of worlds and the list of nodes, from the rows of the last look.
#include "host/worlds/node_directory.h"

#include <stdio.h>
#include <string.h>

#include "host/worlds/node_state.h"
#include "sim/sim.h"

const struct store_node_row *node_find(const struct store_nodes_view *view, uint64_t number) {
    for (uint32_t at = 0; at < view->node_count; at++) {
        if (view->nodes[at].node == number) {
            return &view->nodes[at];
        }
    }
    return NULL;
}

bool node_is_alive(const struct store_node_row *row) {
    return row != NULL && row->lease_ms > 0;
}

// The node with the most headroom that can have one more world; NULL: there is none. Every node is assumed to allow as
// many worlds as this one.
struct store_node_row *node_find_target(struct node *node) {
    struct store_node_row *best = NULL;
    for (uint32_t at = 0; at < node->seen.node_count; at++) {
        struct store_node_row *row = &node->seen.nodes[at];
        if (row->node != node->number && node_is_alive(row) && !row->draining && row->physics == SIM_PHYSICS_VERSION &&
            row->load.worlds < node->options.config->max_worlds &&
            (best == NULL || row->load.headroom > best->load.headroom)) {
            best = row;
        }
    }
    return best;
}

void node_write_url(char url[NODE_WORLD_URL_MAX], const char *node_url, const char *scheme, const char *name) {
    url[0] = '\0';
    if (node_url[0] == '\0') {
        return; // no node has it
    }
    const bool encrypted = strncmp(node_url, "https://", 8) == 0;
    snprintf(url, NODE_WORLD_URL_MAX, "%s%s://%s/worlds/%s", scheme, encrypted ? "s" : "",
             node_url + (encrypted ? 8 : 7), name);
}

// ---- queries of other threads ------------------------------------------------------------------------------------

static const struct store_owner_row *find_owner(const struct store_nodes_view *view, const char *name) {
    for (uint32_t at = 0; at < view->world_count; at++) {
        if (strcmp(view->worlds[at].name, name) == 0) {
            return &view->worlds[at];
        }
    }
    return NULL;
}

enum node_place node_locate(struct node *node, const char *name, const char *scheme, char url[NODE_WORLD_URL_MAX]) {
    enum node_place place = NODE_UNKNOWN;
    url[0] = '\0';
    if (node == NULL) {
        return place;
    }
    pthread_mutex_lock(&node->mutex);
    const struct store_owner_row *row = find_owner(&node->view, name != NULL ? name : "main");
    row = row == NULL && name == NULL && node->view.world_count > 0 ? &node->view.worlds[0] : row;
    if (row != NULL) {
        const struct store_node_row *owner = node_find(&node->view, row->node);
        const bool there = row->node != node->number && row->ready && node_is_alive(owner);
        place = there ? NODE_ELSEWHERE : NODE_COMING;
        if (there) {
            node_write_url(url, row->url, scheme, row->name);
        }
    }
    pthread_mutex_unlock(&node->mutex);
    return place;
}

bool node_has_others(struct node *node) {
    bool others = false;
    if (node == NULL) {
        return false;
    }
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.world_count; at++) {
        others = others || node->view.worlds[at].node != node->number;
    }
    pthread_mutex_unlock(&node->mutex);
    return others;
}

void node_write_sources(struct node *node, char *out, size_t size) {
    size_t length = 0;
    if (node == NULL) {
        return;
    }
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.node_count; at++) {
        char source[2 * STORE_URL_MAX + 8];
        const char *url = node->view.nodes[at].url;
        const int written = snprintf(source, sizeof source, " %s ws%s", url, url + 4); // http is ws, https is wss
        if (written > 0 && length + (size_t)written < size) {
            memcpy(out + length, source, (size_t)written + 1);
            length += (size_t)written;
        }
    }
    pthread_mutex_unlock(&node->mutex);
}

bool node_knows_origin(struct node *node, const char *origin) {
    bool known = false;
    if (node == NULL) {
        return false;
    }
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.node_count; at++) {
        known = known || strcmp(node->view.nodes[at].url, origin) == 0;
    }
    pthread_mutex_unlock(&node->mutex);
    return known;
}

void node_describe_urls(struct node *node, struct json_writer *out) {
    if (node == NULL) {
        return;
    }
    json_writer_key(out, "nodes");
    json_writer_open_array(out);
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.node_count; at++) {
        if (node_is_alive(&node->view.nodes[at])) {
            json_writer_string(out, node->view.nodes[at].url);
        }
    }
    pthread_mutex_unlock(&node->mutex);
    json_writer_close_array(out);
}

void node_describe_elsewhere(struct node *node, struct json_writer *out) {
    if (!node_has_others(node)) {
        return;
    }
    json_writer_key(out, "elsewhere");
    json_writer_open_array(out);
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.world_count; at++) {
        const struct store_owner_row *row = &node->view.worlds[at];
        if (row->node != node->number && !worlds_has(node->options.worlds, row->world)) { // not a world that is leaving
            char url[NODE_WORLD_URL_MAX];
            json_writer_open_object(out);
            json_writer_member_string(out, "name", row->name);
            if (row->url[0] != '\0') {
                node_write_url(url, row->url, "ws", row->name);
                json_writer_member_string(out, "url", url);
            }
            json_writer_close_object(out);
        }
    }
    pthread_mutex_unlock(&node->mutex);
    json_writer_close_array(out);
}

// Of a node that is lost, the last figures in its row are no longer true: other nodes take its worlds.
static uint32_t count_left(const struct node *node, const struct store_node_row *row) {
    uint32_t count = 0;
    for (uint32_t at = 0; at < node->view.world_count; at++) {
        count += node->view.worlds[at].node == row->node ? 1 : 0;
    }
    return count;
}

static void describe_node(const struct node *node, const struct store_node_row *row, struct json_writer *out) {
    const bool alive = node_is_alive(row);
    json_writer_open_object(out);
    json_writer_member_string(out, "url", row->url);
    json_writer_member_boolean(out, "own", row->node == node->number);
    json_writer_member_boolean(out, "alive", alive);
    json_writer_member_boolean(out, "draining", row->draining);
    json_writer_member_unsigned(out, "worlds", alive ? row->load.worlds : count_left(node, row));
    json_writer_member_unsigned(out, "clients", alive ? row->load.clients : 0);
    json_writer_member_double(out, "headroom", (double)row->load.headroom / 1000.0);
    json_writer_member_string(out, "version", row->version);
    json_writer_member_unsigned(out, "physics", row->physics);
    json_writer_close_object(out);
}

void node_describe(struct node *node, struct json_writer *out) {
    json_writer_key(out, "nodes");
    json_writer_open_array(out);
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.node_count; at++) {
        describe_node(node, &node->view.nodes[at], out);
    }
    pthread_mutex_unlock(&node->mutex);
    json_writer_close_array(out);
}
