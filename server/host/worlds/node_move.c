// SPDX-License-Identifier: MIT
// A world moves in steps: it is saved and stands still (SAVING), its queued writes are stored (RELEASING), the table
// gets its new owner (GIVING), the new owner brings it back (GIVEN); then its clients get the new address. Worlds move
// one after the other, so that each stands still for a moment only.
#include "host/worlds/node_move.h"

#include "base/log.h"
#include "base/result.h"
#include "host/worlds/node_directory.h"
#include "host/worlds/node_state.h"
#include "host/worlds/node_work.h"

#define PLACING_LEAST 30        // surplus of headroom with which another node gets a new world
#define READY_PATIENCE_MS 3000u // a new owner that takes longer gets the clients all the same

struct choice {
    struct node *node;
    uint64_t world;
};

static void choose(void *context, const struct world *world) {
    struct choice *choice = context;
    if (world->number != 0 && choice->world == 0) {
        choice->world = world->number;
    }
}

// The next world to give away and its target; 0: none.
static uint64_t next_to_move(struct node *node, struct store_node_row **target) {
    const struct store_node_row *own = node_find(&node->seen, node->number);
    struct choice choice = {.node = node};
    *target = node_find_target(node);
    pthread_mutex_lock(&node->mutex);
    if (node->wanted_count > 0) {
        choice.world = node->wanted[--node->wanted_count];
    }
    pthread_mutex_unlock(&node->mutex);
    if (choice.world != 0 && own != NULL && *target != NULL &&
        (*target)->load.headroom >= own->load.headroom + PLACING_LEAST) {
        return choice.world;
    }
    if (own == NULL || !own->draining) {
        node->was_draining = false;
        return 0;
    }
    choice.world = 0;
    worlds_for_each(node->options.worlds, choose, &choice);
    if (!node->was_draining) {
        log_info("node", "draining: worlds go to other nodes%s", *target != NULL ? "" : ", once there is one");
    }
    node->was_draining = true;
    return *target != NULL ? choice.world : 0;
}

static void begin_move(struct node *node) {
    struct store_node_row *target = NULL;
    const uint64_t world = next_to_move(node, &target);
    if (world == 0 || node_is_busy(node, world)) {
        return;
    }
    const uint64_t epoch = store_world_epoch(store_hub_store(node->options.hub), world);
    if (epoch == 0) {
        return;
    }
    pthread_mutex_lock(&node->mutex);
    node->move = (struct move){
        .state = MOVE_SAVING, .world = world, .epoch = epoch, .to = target->node, .since_ms = node_now_ms()};
    pthread_mutex_unlock(&node->mutex);
    target->load.headroom -= NODE_LEAST_LOAD;
    if (!node_post(node, NODE_SAVE, &(struct work){world, epoch}, 1, "")) {
        node_set_move(node, world, MOVE_NONE);
    }
}

// Writes the new owner into the table. If the new owner has lost its lease meanwhile, the world gets no owner, and any
// node may take it.
static void give(struct node *node, const struct move *move) {
    struct fault fault;
    const bool there = node_is_alive(node_find(&node->seen, move->to));
    const enum result result = store_nodes_give(node->nodes, move->world, move->epoch, there ? move->to : 0, &fault);
    if (result == RESULT_OK || result == RESULT_STATE) { // STATE: another node has it already
        atomic_fetch_add(&node->counts[NODE_GIVEN], result == RESULT_OK ? 1 : 0);
        node_set_move(node, move->world, MOVE_GIVEN);
    } else {
        log_warn("node", "a world cannot be given away yet: %s", fault.message);
    }
}

static void finish_move(struct node *node, const struct move *move) {
    const struct store_owner_row *row = NULL;
    for (uint32_t at = 0; at < node->seen.world_count && row == NULL; at++) {
        row = node->seen.worlds[at].world == move->world ? &node->seen.worlds[at] : NULL;
    }
    const bool taken = row == NULL || (row->epoch > move->epoch && (row->ready || row->node != move->to));
    if (!taken && node_now_ms() < move->since_ms + READY_PATIENCE_MS) {
        return;
    }
    char url[NODE_WORLD_URL_MAX] = "";
    if (row != NULL && row->epoch > move->epoch) {
        node_write_url(url, row->url, "ws", row->name);
    }
    if (node_post(node, NODE_DEPART, &(struct work){move->world, move->epoch}, 1, url)) {
        pthread_mutex_lock(&node->mutex);
        node->move = (struct move){0};
        pthread_mutex_unlock(&node->mutex);
    }
}

void node_advance_move(struct node *node) {
    pthread_mutex_lock(&node->mutex);
    const struct move move = node->move;
    pthread_mutex_unlock(&node->mutex);
    switch (move.state) {
    case MOVE_NONE:
        begin_move(node);
        break;
    case MOVE_SAVING: // its worker saves the world, unless it was removed
        if (!worlds_has(node->options.worlds, move.world)) {
            node_set_move(node, move.world, MOVE_NONE);
        }
        break;
    case MOVE_RELEASING:
        break; // the job thread stores the queued writes
    case MOVE_SAVED:
        if (node_now_ms() >= move.retry_ms) {
            node_set_move(node, move.world, MOVE_RELEASING);
            if (!node_post(node, NODE_RELEASE, &(struct work){move.world, move.epoch}, 1, "")) {
                node_set_move(node, move.world, MOVE_SAVED);
            }
        }
        break;
    case MOVE_GIVING:
        give(node, &move);
        break;
    case MOVE_GIVEN:
        finish_move(node, &move);
        break;
    }
}

void node_note_saved(struct node *node, uint64_t world) {
    node_set_move(node, world, MOVE_SAVED);
    node_wake(node);
}

void node_place(struct node *node, uint64_t world) {
    if (node == NULL || world == 0) {
        return;
    }
    pthread_mutex_lock(&node->mutex);
    if (node->wanted_count < NODE_WANTED_MAX) {
        node->wanted[node->wanted_count++] = world;
    }
    pthread_mutex_unlock(&node->mutex);
    node_wake(node);
}
