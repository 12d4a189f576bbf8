// SPDX-License-Identifier: MIT
// Each look compares the table with the worlds that are here, and posts jobs for the differences. Of worlds the node
// remembers only which have a job at work, and which it could not bring back. So a look that fails, or a node that was
// stopped for a while, needs no repair: the next look finds the remaining differences.
//
// The node has a thread of its own: between two looks it waits for notifications of the database, which the job thread
// cannot do.
#include "host/worlds/node.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/version.h"
#include "host/run/jobs.h"
#include "host/worlds/node_claim.h"
#include "host/worlds/node_directory.h"
#include "host/worlds/node_move.h"
#include "host/worlds/node_state.h"
#include "host/worlds/node_work.h"
#include "sim/sim.h"

#define SMOOTHING 0.3 // weight of the newest measurement of the load
#define EXPIRY_MARGIN_MS 10

// ---- the thread --------------------------------------------------------------------------------------------------

struct measured {
    double load;
    uint32_t worlds, clients;
};

static void measure(void *context, const struct world *world) {
    struct measured *measured = context;
    const double hz = world->period_ns > 0 ? 1e9 / (double)world->period_ns : 0;
    const double load =
        atomic_load(&world->metrics.running) ? (double)atomic_load(&world->metrics.tick_us) * hz / 1e3 : 0.0;
    measured->load += load > NODE_LEAST_LOAD ? load : NODE_LEAST_LOAD;
    measured->worlds += world->number != 0 ? 1 : 0; // a temporary world stays
    measured->clients += atomic_load(&world->metrics.clients);
}

static struct store_node_load measure_load(struct node *node) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct measured measured = {0};
    worlds_for_each(node->options.worlds, measure, &measured);
    node->load +=
        node->load == 0 || measured.worlds == 0 ? measured.load - node->load : SMOOTHING * (measured.load - node->load);
    return (struct store_node_load){
        .headroom = (int64_t)(1000.0 * (double)(cores > 0 ? cores : 1) - node->load),
        .worlds = measured.worlds,
        .clients = measured.clients,
    };
}

static void note_failure(struct node *node, const struct fault *fault) {
    if (!node->failing) {
        log_error("node", "the lease cannot be renewed: %s; worlds run on, and after %u s changes are refused",
                  fault->message, STORE_LEASE_MS / 1000u);
    }
    node->failing = true;
    atomic_fetch_add(&node->counts[NODE_RENEWAL_FAILURES], 1);
    store_hub_set_lease(node->options.hub, node->renewed_ms + STORE_LEASE_MS, false);
}

static void note_success(struct node *node, uint64_t began_ms) {
    const bool gap = node->failing || began_ms - node->renewed_ms > STORE_LEASE_MS;
    if (gap && node->renewed_ms != 0) {
        log_info("node", "the lease is renewed again");
    }
    node->steady_ms = gap ? began_ms : node->steady_ms;
    node->renewed_ms = began_ms;
    node->failing = false;
    atomic_fetch_add(&node->counts[NODE_RENEWALS], 1);
    atomic_store(&node->lease_until_ms, began_ms + STORE_LEASE_MS);
    atomic_store(&node->renewal_ms, (uint32_t)(node_now_ms() - began_ms));
}

// Answers node.drain. `failed` is the reason why the database does not answer; NULL: it does.
static void answer_drain(struct node *node, const struct fault *failed) {
    char url[STORE_URL_MAX + 1];
    struct fault fault = {.message = ""};
    struct json_writer value;
    pthread_mutex_lock(&node->mutex);
    const bool asked = node->drain.asked, draining = node->drain.draining;
    const uint64_t connection_id = node->drain.connection_id;
    const struct proto_id id = node->drain.id;
    memcpy(url, node->drain.url, sizeof url);
    node->drain.asked = false;
    pthread_mutex_unlock(&node->mutex);
    if (!asked) {
        return;
    }
    const enum result result = failed == NULL ? store_nodes_drain(node->nodes, url, draining, &fault)
                                              : fault_set(&fault, RESULT_IO, "", "%s", failed->message);
    json_writer_init(&value);
    json_writer_open_object(&value);
    json_writer_close_object(&value);
    jobs_answer(node->options.net, connection_id, &id, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
}

static void look(struct node *node) {
    struct fault fault = {.message = ""};
    const uint64_t began_ms = node_now_ms();
    const struct store_node_load load = measure_load(node);
    const enum result result = store_nodes_renew(node->nodes, &load, &node->seen, &fault);
    if (result == RESULT_STATE) {
        log_error("node", "%s: this server ends", fault.message);
        store_hub_set_lease(node->options.hub, 0, false);
        atomic_store(&node->lease_until_ms, 0);
        pthread_mutex_lock(&node->mutex);
        node->replaced = true;
        pthread_cond_broadcast(&node->looked);
        pthread_mutex_unlock(&node->mutex);
        node->options.replaced(node->options.user);
        return;
    }
    if (result != RESULT_OK) {
        note_failure(node, &fault);
        answer_drain(node, &fault);
        return;
    }
    note_success(node, began_ms);
    pthread_mutex_lock(&node->mutex);
    node->view = node->seen;
    pthread_mutex_unlock(&node->mutex);
    answer_drain(node, NULL);
    const bool more = node_gather(node);
    store_hub_set_lease(node->options.hub, began_ms + STORE_LEASE_MS, true); // after lost worlds were noticed
    node_advance_move(node);
    pthread_mutex_lock(&node->mutex);
    node->settled = node->settled || (!more && node->busy_count == 0);
    pthread_cond_broadcast(&node->looked);
    pthread_mutex_unlock(&node->mutex);
}

// The time in ms until the lease has to be renewed, or the lease of another node runs out.
static uint32_t time_to_wait(const struct node *node) {
    const uint64_t due_ms = node->renewed_ms + NODE_RENEW_MS, now_ms = node_now_ms();
    int64_t wait_ms = node->failing ? (int64_t)NODE_RENEW_MS / 2 : due_ms > now_ms ? (int64_t)(due_ms - now_ms) : 0;
    for (uint32_t at = 0; at < node->seen.node_count && !node->failing; at++) {
        const struct store_node_row *row = &node->seen.nodes[at];
        const int64_t left_ms = row->lease_ms + EXPIRY_MARGIN_MS - (int64_t)(now_ms - node->renewed_ms);
        if (row->node != node->number && row->lease_ms > 0 && row->load.worlds > 0 && left_ms < wait_ms) {
            wait_ms = left_ms > 1 ? left_ms : 1;
        }
    }
    return (uint32_t)wait_ms;
}

static void *thread_main(void *context) {
    struct node *node = context;
    for (;;) {
        pthread_mutex_lock(&node->mutex);
        const bool ends = node->stopping || node->replaced;
        pthread_mutex_unlock(&node->mutex);
        if (ends) {
            return NULL;
        }
        look(node);
        uint64_t woken = 0;
        store_nodes_wait(node->nodes, node->wake, time_to_wait(node));
        if (read(node->wake, &woken, sizeof woken) < 0 && errno != EAGAIN) {
            log_debug("node", "it cannot be woken: %s", strerror(errno));
        }
    }
}

// ---- life --------------------------------------------------------------------------------------------------------

static void release(struct node *node) {
    if (node->wake >= 0) {
        close(node->wake);
    }
    pthread_cond_destroy(&node->looked);
    pthread_mutex_destroy(&node->mutex);
    free(node);
}

static enum result join(struct node *node, struct fault *fault) {
    char number[STORE_NODE_MAX + 1];
    const struct config *config = node->options.config;
    const struct store_node_options options = {
        .address = config->store, .url = config->node_url, .physics = SIM_PHYSICS_VERSION, .version = WEFT_VERSION};
    const enum result result = store_nodes_join(&options, &node->nodes, fault);
    if (result != RESULT_OK) {
        return result;
    }
    node->number = store_nodes_number(node->nodes);
    node->steady_ms = node->renewed_ms = node_now_ms();
    atomic_store(&node->lease_until_ms, node->renewed_ms + STORE_LEASE_MS);
    store_hub_set_lease(node->options.hub, node->renewed_ms + STORE_LEASE_MS, true);
    snprintf(number, sizeof number, "%llu", (unsigned long long)node->number);
    store_join(store_hub_store(node->options.hub), number, config->node_url);
    log_info("node", "%s is node %s", config->node_url, number);
    return RESULT_OK;
}

static bool knows(struct node *node, const char *name) {
    char url[NODE_WORLD_URL_MAX];
    return node_locate(node, name, "http", url) != NODE_UNKNOWN;
}

enum result node_create(const struct node_options *options, struct node **out, struct fault *fault) {
    struct node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    node->options = *options;
    pthread_mutex_init(&node->mutex, NULL);
    pthread_cond_init(&node->looked, NULL);
    node->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    enum result result =
        node->wake >= 0 ? join(node, fault) : fault_set(fault, RESULT_IO, "", "no eventfd: %s", strerror(errno));
    if (result != RESULT_OK) {
        release(node);
        return result;
    }
    const struct worlds_node calls = {.node = node,
                                      .wake = node_wake,
                                      .place = node_place,
                                      .knows = knows,
                                      .has_others = node_has_others,
                                      .describe_urls = node_describe_urls,
                                      .wait = node_wait_until_settled};
    worlds_set_node(options->worlds, &calls);
    node->has_thread = pthread_create(&node->thread, NULL, thread_main, node) == 0;
    if (!node->has_thread) {
        node_destroy(node);
        return fault_set(fault, RESULT_MEMORY, "", "no thread can be made for the node");
    }
    *out = node;
    return RESULT_OK;
}

void node_stop(struct node *node) {
    if (node == NULL || !node->has_thread) {
        return;
    }
    pthread_mutex_lock(&node->mutex);
    node->stopping = true;
    pthread_cond_broadcast(&node->looked);
    pthread_mutex_unlock(&node->mutex);
    node_wake(node);
    pthread_join(node->thread, NULL);
    node->has_thread = false;
}

void node_destroy(struct node *node) {
    if (node != NULL) {
        node_stop(node);
        store_nodes_leave(node->nodes);
        release(node);
    }
}

bool node_wait_until_settled(struct node *node) {
    pthread_mutex_lock(&node->mutex);
    while (!node->settled && !node->replaced && !node->stopping) {
        pthread_cond_wait(&node->looked, &node->mutex);
    }
    const bool settled = !node->replaced;
    pthread_mutex_unlock(&node->mutex);
    return settled;
}

enum result node_drain(struct node *node, const char *url, bool draining, uint64_t connection_id,
                       const struct proto_id *id, struct fault *fault) {
    pthread_mutex_lock(&node->mutex);
    const bool busy = node->drain.asked;
    if (!busy) {
        snprintf(node->drain.url, sizeof node->drain.url, "%s", url != NULL ? url : node->options.config->node_url);
        node->drain.draining = draining;
        node->drain.connection_id = connection_id;
        node->drain.id = *id;
        node->drain.asked = true;
    }
    pthread_mutex_unlock(&node->mutex);
    node_wake(node);
    return busy ? fault_set(fault, RESULT_BUSY, "", "another node.drain waits for the database: try again") : RESULT_OK;
}
