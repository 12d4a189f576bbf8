// SPDX-License-Identifier: MIT
// Takes worlds, brings them back and lets them go: each look compares the table with the worlds that are here.
#include "host/worlds/node_claim.h"

#include "base/log.h"
#include "base/result.h"
#include "host/worlds/node_directory.h"
#include "host/worlds/node_state.h"
#include "host/worlds/node_work.h"
#include "sim/sim.h"

// The world would go on differently here.
static void refuse_physics(struct node *node, const struct store_owner_row *row) {
    struct fault fault;
    (void)fault_set(
        &fault, RESULT_INVALID, "",
        "physics version %u computed it, and this node has version %u: nodes that share a database are of one "
        "version",
        row->physics, SIM_PHYSICS_VERSION);
    store_hub_set_aside(node->options.hub, row->world, row->name, &fault);
    node_refuse(node, &(struct work){row->world, row->epoch});
}

// Whether this node may take a world that is not its own. A world without an owner is taken at once; a world whose
// owner's lease ran out, only if this node has renewed its own lease for a while: after an outage of the database,
// other nodes may reconnect later.
static bool may_take(struct node *node, const struct store_owner_row *row) {
    const struct store_node_row *owner = node_find(&node->seen, row->node);
    const struct store_node_row *own = node_find(&node->seen, node->number);
    if (node_is_alive(owner) || !node_is_alive(own) || node_is_refused(node, row->world)) {
        return false;
    }
    if (own->draining && node_find_target(node) != NULL) {
        return false; // other nodes take it
    }
    if (owner != NULL && node->renewed_ms - node->steady_ms < NODE_GRACE_MS) {
        return false;
    }
    if (row->physics != 0 && row->physics != SIM_PHYSICS_VERSION) {
        refuse_physics(node, row);
        return false;
    }
    return true;
}

static void take_worlds(struct node *node, const struct store_owner_row *const *free_worlds, uint32_t count,
                        struct work *work, uint32_t *taken) {
    struct fault fault;
    const uint32_t first = count > 0 ? (uint32_t)(node->number * 7u % count) : 0; // nodes begin at different worlds
    for (uint32_t at = 0; at < count && *taken < NODE_TAKES_A_LOOK; at++) {
        const struct store_owner_row *row = free_worlds[(first + at) % count];
        uint64_t epoch = 0;
        const enum result result = store_nodes_take(node->nodes, row->world, row->epoch, &epoch, &fault);
        if (result == RESULT_OK) {
            work[(*taken)++] = (struct work){row->world, epoch};
            atomic_fetch_add(&node->counts[row->node != 0 ? NODE_TAKEN : NODE_FOUND], 1);
            log_info("node", "%s: taken %s%s", row->name, row->url[0] != '\0' ? "from " : "", row->url);
        } else if (result == RESULT_IO) {
            return;
        }
    }
}

// If one of these two functions fails, the next look calls it again.
static void tell_ready(struct node *node, const struct store_owner_row *row) {
    struct fault fault;
    if (store_nodes_ready(node->nodes, row->world, row->epoch, &fault) != RESULT_OK) {
        log_debug("node", "%s: %s", row->name, fault.message);
    }
}

static void give_up(struct node *node, const struct store_owner_row *row) {
    struct fault fault;
    if (store_nodes_give(node->nodes, row->world, row->epoch, 0, &fault) != RESULT_OK) {
        log_debug("node", "%s: %s", row->name, fault.message);
    }
}

// Brings back this node's worlds that are not here, and takes worlds without an owner. Returns whether more may be left
// to take.
bool node_gather(struct node *node) {
    static const struct store_owner_row *free_worlds[STORE_WORLDS_MAX]; // for the node's thread, of which there is one
    struct store *store = store_hub_store(node->options.hub);
    struct work work[NODE_TAKES_A_LOOK];
    uint32_t count = 0, free_count = 0, opening = 0;
    pthread_mutex_lock(&node->mutex);
    opening = node->busy_count;
    pthread_mutex_unlock(&node->mutex);
    uint32_t here = worlds_count(node->options.worlds) + opening;
    for (uint32_t at = 0; at < node->seen.world_count; at++) {
        struct store_owner_row *row = &node->seen.worlds[at];
        const uint64_t epoch = store_world_epoch(store, row->world);
        if (node_is_busy(node, row->world)) {
            continue;
        }
        if (row->node == node->number && epoch == row->epoch) {
            if (!row->ready && worlds_has(node->options.worlds, row->world)) {
                tell_ready(node, row);
            }
        } else if (row->node == node->number && node_is_refused(node, row->world)) {
            give_up(node, row);
        } else if (row->node == node->number) {
            if (count < NODE_TAKES_A_LOOK) {
                work[count++] = (struct work){row->world, row->epoch};
            }
        } else if (epoch != 0) { // by any epoch: a standby that lacked the last takes may have become the primary
            char url[NODE_WORLD_URL_MAX];
            node_write_url(url, row->url, "ws", row->name);
            if (node_post(node, NODE_DEPART, &(struct work){row->world, row->epoch}, 1, url)) {
                atomic_fetch_add(&node->counts[NODE_LOST], 1);
            }
        } else if (epoch == 0 && may_take(node, row)) {
            free_worlds[free_count++] = row;
        }
        if (row->node != node->number && row->ready && node_is_alive(node_find(&node->seen, row->node))) {
            store_hub_forget_aside(node->options.hub, row->world);
        }
    }
    const bool room = here < node->options.config->max_worlds;
    if (!room && free_count > 0 && !node->told_full) {
        log_warn("node", "%u worlds have no node, and this one has as many as --max-worlds allows", free_count);
    }
    node->told_full = !room && free_count > 0;
    if (room && opening == 0) {
        take_worlds(node, free_worlds, free_count, work, &count);
    }
    if (count > 0) {
        (void)node_post(node, NODE_OPEN, work, count, "");
    }
    return count > 0;
}
