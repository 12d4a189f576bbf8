// SPDX-License-Identifier: MIT
// Wiring: what the network hears becomes items for a world, in their order.
//
// Everything here that is named on_… runs on the net thread. A message is parsed there, once; what the worlds do with
// it, they do on their workers.
#include "app/app.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "app/clerk.h"
#include "app/crew.h"
#include "app/document.h"
#include "app/flow.h"
#include "app/peers.h"
#include "app/pool.h"
#include "app/world.h"
#include "base/log.h"
#include "net/net.h"

#define OUTBOX_MAX (256u * 1024u * 1024u) // bytes queued for one client

struct app {
    const struct config *config;
    struct world *worlds[CONFIG_WORLDS_MAX];
    struct clerk *clerk;
    struct pool *pool;
    struct crew *crew; // helps every world through its ticks
    struct net_server *net;
    struct peers peers; // which world a peer is in, and its flow; the net thread's
};

const char *app_instance(void) {
    static char instance[17];
    static atomic_bool made;
    if (!atomic_load(&made)) { // first called by app_create, before there are threads
        uint64_t bits = 0;
        if (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
            bits = pool_now_ns() ^ ((uint64_t)getpid() << 40);
        }
        snprintf(instance, sizeof instance, "%016llx", (unsigned long long)bits);
        atomic_store(&made, true);
    }
    return instance;
}

// ---- what the network tells --------------------------------------------------------------------------------------

static struct world *find_world(const struct app *app, const char *name, size_t length) {
    for (uint32_t i = 0; i < app->config->world_count; i++) {
        if (strlen(app->worlds[i]->name) == length && memcmp(app->worlds[i]->name, name, length) == 0) {
            return app->worlds[i];
        }
    }
    return NULL;
}

// /worlds/NAME; / alone is the world main, or the first where there is none of that name.
static int on_admit(void *user, const char *path) {
    const struct app *app = user;
    static const char prefix[] = "/worlds/";
    const struct world *world = NULL;
    if (strcmp(path, "/") == 0) {
        world = find_world(app, "main", 4);
        world = world != NULL ? world : app->worlds[0];
    } else if (strncmp(path, prefix, sizeof prefix - 1) == 0) {
        const char *name = path + sizeof prefix - 1;
        world = find_world(app, name, strlen(name));
    }
    return world != NULL ? (int)world->index : -1;
}

static struct item *create_item(enum item_kind kind, uint64_t peer) {
    struct item *item = calloc(1, sizeof *item);
    if (item != NULL) {
        item->kind = kind;
        item->peer = peer;
    }
    return item;
}

static void on_opened(void *user, uint64_t peer, int admission, const char *address) {
    struct app *app = user;
    struct world *world = app->worlds[admission];
    struct item *item = create_item(ITEM_JOIN, peer);
    struct flow *flow = flow_create(app->net, peer);
    bool added = item != NULL && flow != NULL && peers_add(&app->peers, peer, (uint32_t)admission, flow);
    if (!added || world_post(world, item) != RESULT_OK) {
        if (!added) {
            flow_release(flow);
        }
        item_destroy(item);
        net_post_close(app->net, peer, 1013, "no room: try again later");
        return;
    }
    log_info("world", "%s: a client came from %s", world->name, address);
}

static void on_closed(void *user, uint64_t peer) {
    struct app *app = user;
    struct peers_entry gone;
    if (!peers_remove(&app->peers, peer, &gone)) {
        return;
    }
    flow_release(gone.flow);
    struct item *item = create_item(ITEM_LEAVE, peer);
    if (item == NULL || world_post(app->worlds[gone.world], item) != RESULT_OK) {
        log_error("world", "%s: no room to note that a client left", app->worlds[gone.world]->name);
        item_destroy(item);
    }
}

// When there is no room to note it, the network tells again.
static void on_starved(void *user, uint64_t peer, uint32_t channel) {
    struct app *app = user;
    (void)channel; // a client has but one that carries frames
    const struct peers_entry *entry = peers_find(&app->peers, peer);
    struct item *item = entry == NULL ? NULL : create_item(ITEM_STARVED, peer);
    if (item != NULL && world_post(app->worlds[entry->world], item) != RESULT_OK) {
        item_destroy(item);
    }
}

// The queue is full: said at once, out of turn, for nothing was applied.
static void answer_busy(struct app *app, uint64_t peer, const struct proto_id *id) {
    struct fault fault;
    fault_set(&fault, RESULT_BUSY, "", "the world has %u messages waiting: nothing was applied, try again",
              WORLD_INBOX_MAX);
    struct proto_text text;
    proto_text_init(&text);
    proto_write_error(&text, id, &fault);
    struct net_message *message = proto_text_failed(&text) ? NULL : net_message_from_text(text.data, text.length);
    if (message != NULL) {
        net_post_send(app->net, peer, message);
    }
    proto_text_free(&text);
}

static void post_or_refuse(struct app *app, uint64_t peer, struct item *item) {
    const struct peers_entry *entry = peers_find(&app->peers, peer);
    if (entry == NULL) {
        item_destroy(item);
        return;
    }
    uint32_t index = entry->world;
    item->flow = entry->flow;
    flow_enter(entry->flow, item->bytes);
    if (world_post(app->worlds[index], item) == RESULT_OK) {
        return;
    }
    const struct proto_id id = item->kind == ITEM_REQUEST ? item->request->id : item->id;
    atomic_fetch_add(&app->worlds[index]->figures.refusals, 1);
    item_destroy(item);
    if (id.present) {
        answer_busy(app, peer, &id);
    }
}

static void on_message(void *user, uint64_t peer, const char *text, size_t length) {
    struct app *app = user;
    struct item *item = create_item(ITEM_REQUEST, peer);
    if (item == NULL) {
        net_post_close(app->net, peer, 1013, "out of memory");
        return;
    }
    if (proto_request_parse(text, length, &item->request, &item->id, &item->fault) != RESULT_OK) {
        item->kind = ITEM_FAULT;
        item->request = NULL;
    }
    item->bytes = length;
    post_or_refuse(app, peer, item);
}

// A message that is none of the protocol's, answered like unreadable text.
static void refuse_message(struct app *app, uint64_t peer, enum result cause, const char *sentence) {
    struct item *item = create_item(ITEM_FAULT, peer);
    if (item == NULL) {
        net_post_close(app->net, peer, 1013, "out of memory");
        return;
    }
    item->id.present = true;
    snprintf(item->id.text, sizeof item->id.text, "null");
    fault_set(&item->fault, cause, "", "%s", sentence);
    post_or_refuse(app, peer, item);
}

static void on_binary(void *user, uint64_t peer, size_t length) {
    (void)length;
    refuse_message(user, peer, RESULT_REQUEST, "binary messages are not taken: send JSON-RPC 2.0 as text");
}

static void on_oversized(void *user, uint64_t peer, size_t length_max) {
    char sentence[160];
    snprintf(sentence, sizeof sentence, "the message is too long: at most %zu bytes are taken", length_max);
    refuse_message(user, peer, RESULT_LIMIT, sentence);
}

static struct net_message *on_document(void *user, const char *path, const char **content_type, int *status) {
    struct app *app = user;
    return document_build(app->worlds, app->config->world_count, app->net, path, content_type, status);
}

// ---- life --------------------------------------------------------------------------------------------------------

static enum result create_worlds(struct app *app, struct fault *fault) {
    for (uint32_t i = 0; i < app->config->world_count; i++) {
        enum result result = world_create(app->config, i, app->clerk, &app->worlds[i], fault);
        if (result != RESULT_OK) {
            return result;
        }
    }
    return RESULT_OK;
}

static enum result create_net(struct app *app, struct fault *fault) {
    struct net_options options = {.host = app->config->host,
                                  .port = app->config->port,
                                  .web_root = app->config->web,
                                  .message_max = APP_MESSAGE_MAX,
                                  .outbox_max = OUTBOX_MAX,
                                  .peers_max = app->config->max_clients,
                                  .stall_ms = 1000 * app->config->stall_seconds,
                                  .handlers = {.user = app,
                                               .admit = on_admit,
                                               .opened = on_opened,
                                               .message = on_message,
                                               .binary = on_binary,
                                               .oversized = on_oversized,
                                               .closed = on_closed,
                                               .starved = on_starved,
                                               .document = on_document}};
    return net_server_create(&options, &app->net, fault);
}

// One worker a core, and never fewer than two, so that one heavy world leaves the others their time.
static uint32_t worker_count(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 2 ? 2 : cores > 64 ? 64 : (uint32_t)cores;
}

enum result app_create(const struct config *config, struct app **out, struct fault *fault) {
    struct app *app = calloc(1, sizeof *app);
    if (app == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    app->config = config;
    log_debug("app", "instance %s", app_instance());
    enum result result = clerk_create(&app->clerk);
    if (result == RESULT_OK) {
        result = create_worlds(app, fault);
    }
    if (result == RESULT_OK) {
        result = create_net(app, fault);
    }
    if (result == RESULT_OK) {
        result = pool_create(worker_count(), config->world_count, &app->pool);
    }
    if (result == RESULT_OK) {
        result = crew_create(config->threads, &app->crew);
    }
    if (result == RESULT_OK) {
        const struct sim_workers workers = {.context = app->crew, .count = config->threads, .run = crew_run};
        for (uint32_t i = 0; i < config->world_count; i++) {
            world_attach(app->worlds[i], app->net, app->pool);
            sim_world_set_workers(app->worlds[i]->sim, &workers);
        }
        result = pool_start(app->pool);
    }
    if (result == RESULT_MEMORY) {
        fault_set(fault, result, "", "out of memory");
    }
    if (result != RESULT_OK) {
        app_destroy(app);
        return result;
    }
    *out = app;
    return RESULT_OK;
}

uint16_t app_port(const struct app *app) {
    return net_server_port(app->net);
}

void app_run(struct app *app) {
    net_server_run(app->net, APP_DRAIN_MS);
}

void app_stop(struct app *app) {
    net_server_stop(app->net);
}

// The clerk hands scenes to worlds, worlds run on the pool, and both post to the network: they end in that order.
void app_destroy(struct app *app) {
    if (app == NULL) {
        return;
    }
    if (app->clerk != NULL) {
        clerk_stop(app->clerk);
    }
    pool_destroy(app->pool);
    crew_destroy(app->crew);
    for (uint32_t i = 0; i < app->config->world_count; i++) {
        world_destroy(app->worlds[i]);
    }
    clerk_destroy(app->clerk);
    if (app->net != NULL) {
        net_server_destroy(app->net);
    }
    peers_free(&app->peers);
    free(app);
}
