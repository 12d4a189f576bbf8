// SPDX-License-Identifier: MIT
#include "host/worlds/node_figures.h"

#include "host/worlds/node_directory.h"
#include "host/worlds/node_state.h"
#include "host/worlds/node_work.h"

uint64_t node_world_epoch(struct node *node, uint64_t world) {
    return store_world_epoch(store_hub_store(node->options.hub), world);
}

// Counts the rows of the last look. Under the mutex.
static void count_worlds(const struct node *node, struct node_figures *figures) {
    const struct store_nodes_view *view = &node->view;
    for (uint32_t at = 0; at < view->node_count; at++) {
        const struct store_node_row *row = &view->nodes[at];
        figures->nodes += node_is_alive(row) ? 1 : 0;
        figures->draining = figures->draining || (row->node == node->number && row->draining);
        figures->headroom = row->node == node->number ? row->load.headroom : figures->headroom;
    }
    for (uint32_t at = 0; at < view->world_count; at++) {
        const struct store_owner_row *row = &view->worlds[at];
        figures->worlds += row->node == node->number ? 1 : 0;
        figures->homeless += row->ready && node_is_alive(node_find(view, row->node)) ? 0 : 1;
    }
}

void node_read_figures(struct node *node, struct node_figures *figures) {
    *figures = (struct node_figures){.renewal_ms = atomic_load(&node->renewal_ms)};
    for (uint32_t at = 0; at < NODE_COUNT_COUNT; at++) {
        figures->counts[at] = atomic_load(&node->counts[at]);
    }
    const int64_t left_ms = (int64_t)(atomic_load(&node->lease_until_ms) - node_now_ms());
    figures->lease_ms = left_ms > 0 ? left_ms : 0;
    pthread_mutex_lock(&node->mutex);
    count_worlds(node, figures);
    figures->refused = node->refused_count;
    pthread_mutex_unlock(&node->mutex);
}
