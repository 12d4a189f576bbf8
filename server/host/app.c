// SPDX-License-Identifier: MIT
// Wiring: what the network hears becomes items for a world, in their order.
//
// Everything here that is named on_… runs on the net thread. A message is parsed there or, a long one, by the intake,
// once; what the worlds do with it, they do on their workers.
#include "host/app.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/job_thread.h"
#include "base/log.h"
#include "base/queue.h"
#include "base/result.h"
#include "host/config/limits.h"
#include "host/connection/access.h"
#include "host/connection/backpressure.h"
#include "host/connection/connection_list.h"
#include "host/connection/connection_table.h"
#include "host/connection/moment.h"
#include "host/connection/moved.h"
#include "host/connection/one_request.h"
#include "host/history/history.h"
#include "host/history/store_hub.h"
#include "host/history/undo_thread.h"
#include "host/run/instance.h"
#include "host/run/jobs.h"
#include "host/run/parallel_for.h"
#include "host/run/scheduler.h"
#include "host/status/admin.h"
#include "host/status/broadcast_document.h"
#include "host/status/document.h"
#include "host/turn/turn.h"
#include "host/world/hold.h"
#include "host/world/inbox.h"
#include "host/world/item.h"
#include "host/worlds/intake.h"
#include "host/worlds/node.h"
#include "host/worlds/node_directory.h"
#include "host/worlds/worlds.h"
#include "net/net.h"

#define ADMISSION_MOVED ((int)WORLDS_MAX) // the key of a world that another node has
#define OUTBOX_MAX (256u * 1024u * 1024u) // bytes queued for one client

struct app {
    const struct config *config;
    struct node *node;              // NULL: this server is no node
    char moved[NODE_WORLD_URL_MAX]; // address, on another node, of the world that the admitted connection asks for
    struct access *access;
    struct grant grant;       // of the connection that is being admitted now
    bool connection_is_local; // whether that connection comes from this machine
    bool asked_by_stranger;   // the client that asks for the next document may not even watch a world
    struct store_hub *hub;
    struct worlds *worlds;
    struct job_thread *job_thread, *undo_threads;
    struct intake *intake;
    struct admin *admin;
    struct connection_list *connections;
    struct posted *posted;
    struct scheduler *scheduler;
    struct parallel_for *parallel_for; // helps every world through its ticks
    struct net_server *net;
    atomic_bool stopping;
    _Atomic(const char *) stop_reason; // until it has been logged
    struct connection_table table;     // which world a connection is in, and its backpressure; the net thread's
};

// ---- what the network tells --------------------------------------------------------------------------------------

// /worlds/NAME; / alone is the world main, or the first where there is none of that name.
static int on_admit(void *user, const char *path) {
    struct app *app = user;
    static const char prefix[] = "/worlds/";
    const bool named = strncmp(path, prefix, sizeof prefix - 1) == 0;
    const char *name = named ? path + sizeof prefix - 1 : NULL;
    if (!named && strcmp(path, "/") != 0) {
        return NET_ADMIT_NONE;
    }
    const int index = worlds_find(app->worlds, name);
    if (index >= 0 && (named || app->node == NULL)) {
        return index;
    }
    switch (node_locate(app->node, name, "ws", app->moved)) {
    case NODE_ELSEWHERE:
        return ADMISSION_MOVED;
    case NODE_COMING:
        return index >= 0 ? index : NET_ADMIT_LATER;
    case NODE_UNKNOWN:
        break;
    }
    return index >= 0 ? index : NET_ADMIT_NONE;
}

// Redirects /worlds/NAME and the paths below it, where another node has that world.
static bool on_redirect(void *user, const char *path, char *url, size_t size) {
    struct app *app = user;
    char name[CONFIG_WORLD_NAME_MAX + 1], found[NODE_WORLD_URL_MAX];
    static const char prefix[] = "/worlds/";
    if (app->node == NULL || strncmp(path, prefix, sizeof prefix - 1) != 0) {
        return false;
    }
    const char *start = path + sizeof prefix - 1;
    const size_t length = strcspn(start, "/");
    if (length == 0 || length > CONFIG_WORLD_NAME_MAX) {
        return false;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, start);
    if (worlds_find(app->worlds, name) >= 0 || node_locate(app->node, name, "http", found) != NODE_ELSEWHERE) {
        return false;
    }
    return snprintf(url, size, "%s%s", found, start + length) < (int)size;
}

static void on_peers(void *user, char *out, size_t size) {
    const struct app *app = user;
    node_write_sources(app->node, out, size);
}

static bool on_is_peer(void *user, const char *origin) {
    const struct app *app = user;
    return node_knows_origin(app->node, origin);
}

static struct item *create_item(enum item_kind kind, uint64_t connection_id) {
    struct item *item = calloc(1, sizeof *item);
    if (item != NULL) {
        item->kind = kind;
        item->connection_id = connection_id;
    }
    return item;
}

// Before on_admit and on_opened of the same client.
static int on_may_connect(void *user, const struct net_request *request) {
    struct app *app = user;
    app->connection_is_local = request->loopback;
    return access_greet(app->access, request, &app->grant);
}

// What the server knows of who comes. Where nobody but this machine can come there is no limit, unless one was asked
// for.
static struct connection *list_visitor(struct app *app, uint64_t connection_id, uint32_t world, const char *address,
                                       bool posted) {
    const struct config *config = app->config;
    const bool free_of_limits = app->connection_is_local && !access_has_tokens(app->access) && !config->rate_given;
    struct connection_facts facts = {.connection_id = connection_id,
                                     .world = world,
                                     .role = app->grant.role,
                                     .granted = app->grant.role,
                                     .posted = posted};
    snprintf(facts.address, sizeof facts.address, "%s", address);
    snprintf(facts.name, sizeof facts.name, "%s", app->grant.name);
    memcpy(facts.token, app->grant.token, sizeof facts.token);
    facts.rate = free_of_limits ? 0.0 : (double)config->rate;
    snprintf(facts.world_name, sizeof facts.world_name, "%s", worlds_at(app->worlds, world)->name);
    struct connection *connection = connection_list_add(app->connections, &facts);
    if (connection != NULL) {
        connection->access = app->access;
        connection->admin = app->admin;
        connection->shared_limit =
            posted ? posted_find_shared_limit(app->posted, connection->owner, facts.rate, scheduler_now_ns()) : NULL;
    }
    if (connection != NULL && posted && connection->shared_limit == NULL) {
        connection_list_remove(connection);
        return NULL;
    }
    return connection;
}

// Tells the world of one that is gone. False when memory is out: it is told at one of the next looks.
static bool tell_left(struct app *app, uint64_t connection_id) {
    struct connection_table_entry gone;
    struct item *item = create_item(ITEM_LEAVE, connection_id);
    if (item == NULL) {
        connection_table_note_leaving(&app->table, connection_id);
        return false;
    }
    if (!connection_table_remove(&app->table, connection_id, &gone)) {
        item_destroy(item);
        return true;
    }
    const struct intake_origin origin = {
        .connection_id = connection_id, .backpressure = gone.backpressure, .world = worlds_at(app->worlds, gone.world)};
    intake_post(app->intake, &origin, item); // behind what it sent
    connection_list_remove(backpressure_connection(gone.backpressure));
    backpressure_release(gone.backpressure);
    return true;
}

// Lets a client into its world. Errors: RESULT_NOT_FOUND (the world has gone), RESULT_BUSY; then the client is not
// listed any more.
static enum result let_in(struct app *app, uint64_t connection_id, uint32_t index, const char *address, bool posted) {
    struct world *world = worlds_enter(app->worlds, index);
    if (world == NULL) {
        return RESULT_NOT_FOUND;
    }
    struct item *item = create_item(ITEM_JOIN, connection_id);
    struct connection *connection = list_visitor(app, connection_id, index, address, posted);
    struct backpressure *backpressure =
        connection != NULL ? backpressure_create(app->net, connection_id, connection) : NULL;
    if (item == NULL || backpressure == NULL ||
        !connection_table_add(&app->table, connection_id, index, backpressure)) {
        if (connection != NULL) {
            connection_list_remove(connection);
        }
        backpressure_release(backpressure);
        world_let_go(world);
        item_destroy(item);
        return RESULT_BUSY;
    }
    item->connection = connection_retain(connection);
    if (world_post(world, item) != RESULT_OK) {
        item_destroy(item);
        (void)tell_left(app, connection_id);
        return RESULT_BUSY;
    }
    log_write(posted ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO, "world", "%s: a client came from %s%s", world->name, address,
              posted ? " by POST" : "");
    return RESULT_OK;
}

static void on_opened(void *user, uint64_t connection_id, int admission, const char *address) {
    struct app *app = user;
    if (admission == ADMISSION_MOVED) {
        moved_tell(app->net, connection_id, app->moved);
        return;
    }
    const enum result result = let_in(app, connection_id, (uint32_t)admission, address, false);
    if (result == RESULT_NOT_FOUND) {
        net_post_close(app->net, connection_id, 1001, "the world was removed");
    } else if (result != RESULT_OK) {
        net_post_close(app->net, connection_id, 1013, "no room: try again later");
    }
}

static void on_closed(void *user, uint64_t connection_id, bool vanished) {
    struct app *app = user;
    const struct connection_table_entry *entry = connection_table_find(&app->table, connection_id);
    if (vanished && entry != NULL) {
        backpressure_abandon(entry->backpressure); // after a close frame its messages are still applied
    }
    (void)tell_left(app, connection_id);
}

// When there is no room to note it, the network tells again.
static void on_starved(void *user, uint64_t connection_id, uint32_t channel) {
    struct app *app = user;
    (void)channel; // a client has but one that carries frames
    const struct connection_table_entry *entry = connection_table_find(&app->table, connection_id);
    struct item *item = entry == NULL ? NULL : create_item(ITEM_STARVED, connection_id);
    if (item != NULL && world_post(worlds_at(app->worlds, entry->world), item) != RESULT_OK) {
        item_destroy(item);
    }
}

// False when it has left already.
static bool find_origin(struct app *app, uint64_t connection_id, struct intake_origin *origin) {
    const struct connection_table_entry *entry = connection_table_find(&app->table, connection_id);
    if (entry != NULL) {
        *origin = (struct intake_origin){.connection_id = connection_id,
                                         .backpressure = entry->backpressure,
                                         .world = worlds_at(app->worlds, entry->world)};
    }
    return entry != NULL;
}

static void on_message(void *user, uint64_t connection_id, const char *text, size_t length) {
    struct app *app = user;
    struct intake_origin origin;
    if (find_origin(app, connection_id, &origin)) {
        intake_text(app->intake, &origin, text, length);
    }
}

static void on_long_message(void *user, uint64_t connection_id, char *take, size_t length) {
    struct app *app = user;
    struct intake_origin origin;
    if (find_origin(app, connection_id, &origin)) {
        intake_long_text(app->intake, &origin, take, length);
    } else {
        free(take);
    }
}

static void refuse_message(struct app *app, uint64_t connection_id, enum result cause, const char *sentence) {
    struct intake_origin origin;
    if (find_origin(app, connection_id, &origin)) {
        intake_refuse(app->intake, &origin, cause, sentence);
    }
}

static void on_binary(void *user, uint64_t connection_id, size_t length) {
    (void)length;
    refuse_message(user, connection_id, RESULT_REQUEST, "binary messages are not taken: send JSON-RPC 2.0 as text");
}

static size_t on_message_limit(void *user, uint64_t connection_id) {
    struct app *app = user;
    const struct connection_table_entry *entry = connection_table_find(&app->table, connection_id);
    const bool known = entry != NULL && atomic_load(&backpressure_connection(entry->backpressure)->known);
    return known ? CLIENT_MESSAGE_MAX : APP_STRANGER_MESSAGE_MAX;
}

static void on_oversized(void *user, uint64_t connection_id, size_t length_max) {
    char sentence[160];
    snprintf(sentence, sizeof sentence, "the message is too long: at most %zu bytes are taken%s", length_max,
             length_max < CLIENT_MESSAGE_MAX ? " until a token was shown with session.authenticate" : "");
    refuse_message(user, connection_id, RESULT_LIMIT, sentence);
}

static void on_sent(void *user, uint64_t connection_id, size_t bytes) {
    struct app *app = user;
    const struct connection_table_entry *entry = connection_table_find(&app->table, connection_id);
    if (entry != NULL) {
        atomic_fetch_add_explicit(&backpressure_connection(entry->backpressure)->bytes_sent, bytes,
                                  memory_order_relaxed);
    }
}

// Whether all that was read has been answered: parsed, applied, stored.
static bool on_is_settled(void *user) {
    struct app *app = user;
    const char *reason = atomic_exchange(&app->stop_reason, NULL);
    if (reason != NULL) { // the first time; a signal handler must not log
        log_info("app", "%s: ending; all requests that were read are answered and stored first", reason);
    }
    uint32_t count;
    struct world *const *worlds = worlds_all(app->worlds, &count);
    bool settled = intake_read_metrics(app->intake).waiting_bytes == 0;
    for (uint32_t i = 0; i < count && settled; i++) {
        settled = worlds[i] == NULL ||
                  (queue_length(&worlds[i]->inbox) == 0 && atomic_load(&worlds[i]->metrics.turn_began_ns) == 0 &&
                   !atomic_load(&worlds[i]->metrics.waiting));
    }
    if (settled && app->hub != NULL) {
        struct store_figures figures;
        store_figures(store_hub_store(app->hub), &figures);
        settled = !figures.well || figures.queue_bytes == 0;
    }
    return settled;
}

static struct document_sources sources_of(const struct app *app) {
    struct document_sources sources = {
        .config = app->config, .net = app->net, .intake = app->intake, .hub = app->hub, .node = app->node};
    sources.worlds = worlds_all(app->worlds, &sources.count);
    sources.draining = atomic_load(&app->stopping);
    return sources;
}

static bool read_capsule_path(const char *path, char name[CONFIG_WORLD_NAME_MAX + 1]) {
    static const char prefix[] = "/worlds/", suffix[] = "/capsule";
    const size_t length = strlen(path), around = sizeof prefix - 1 + sizeof suffix - 1;
    if (strncmp(path, prefix, sizeof prefix - 1) != 0 || length <= around || length - around > CONFIG_WORLD_NAME_MAX ||
        strcmp(path + length - (sizeof suffix - 1), suffix) != 0) {
        return false;
    }
    snprintf(name, CONFIG_WORLD_NAME_MAX + 1, "%.*s", (int)(length - around), path + sizeof prefix - 1);
    return true;
}

// GET /worlds/NAME/capsule, and a moment of it: the world makes it, in its turn.
static bool on_fetch(void *user, uint64_t request, const char *path) {
    struct app *app = user;
    char name[CONFIG_WORLD_NAME_MAX + 1];
    struct moment moment = {0};
    if (!moment_read_path(path, name, &moment) && !read_capsule_path(path, name)) {
        return false;
    }
    const int index = worlds_find(app->worlds, name);
    struct world *world = index >= 0 ? worlds_at(app->worlds, (uint32_t)index) : NULL;
    struct item *item = world != NULL ? create_item(ITEM_CAPSULE, request) : NULL;
    if (item != NULL) {
        item->moment = moment;
    }
    if (item != NULL && world_post(world, item) != RESULT_OK) {
        item_destroy(item);
        return false;
    }
    return item != NULL;
}

static struct message *on_document(void *user, const char *path, struct net_document *document) {
    struct app *app = user;
    if (broadcast_document_is_at(path)) {
        return broadcast_document_find(app->worlds, path, document);
    }
    struct document_sources sources = sources_of(app);
    sources.stranger = app->asked_by_stranger;
    return document_build(&sources, path, &document->content_type, &document->status);
}

// ---- who may be here -------------------------------------------------------------------------------------------

// Before the body of a post is read.
static int on_may_post(void *user, const struct net_request *request, const char *path, size_t *body_max) {
    struct app *app = user;
    char name[CONFIG_WORLD_NAME_MAX + 1];
    struct grant grant;
    if (!posted_read_path(path, name)) {
        return 0;
    }
    *body_max = CLIENT_MESSAGE_MAX;
    return posted_greet(app->access, request, &grant);
}

// Passes a posted message on to its world, which replies later.
static void submit_message(struct app *app, const struct net_request *request, const char *name, const char *body,
                           size_t length, struct net_answer *answer) {
    const int status = posted_greet(app->access, request, &app->grant);
    const int index = worlds_find(app->worlds, name);
    app->connection_is_local = request->loopback;
    if (status != 0) {
        posted_refuse(answer, status, "This takes a valid token: send it as Authorization: Bearer TOKEN.\n");
    } else if (!posted_is_json(request->content_type)) {
        posted_refuse(answer, 415, "Send JSON-RPC 2.0 with Content-Type: application/json.\n");
    } else if (index < 0) {
        const bool coming = node_locate(app->node, name, "http", app->moved) == NODE_COMING;
        posted_refuse(answer, coming ? 503 : 404,
                      coming ? "No node has this world ready: try again later.\n" : "There is no such world.\n");
    } else if (answer->connection == 0 ||
               let_in(app, answer->connection, (uint32_t)index, request->address, true) != RESULT_OK) {
        posted_refuse(answer, 503, "There is no room now: try again later.\n");
    } else {
        const struct connection_table_entry *entry = connection_table_find(&app->table, answer->connection);
        const struct intake_origin origin = {answer->connection, entry->backpressure,
                                             worlds_at(app->worlds, (uint32_t)index), true};
        answer->later = true;
        intake_text(app->intake, &origin, body, length);
    }
}

static bool on_post(void *user, const struct net_request *request, const char *path, const char *body, size_t length,
                    struct net_answer *answer) {
    struct app *app = user;
    char name[CONFIG_WORLD_NAME_MAX + 1];
    if (!posted_read_path(path, name)) {
        return access_submit(app->access, request, path, body, length, answer);
    }
    submit_message(app, request, name, body, length, answer);
    return true;
}

static bool on_is_shared(void *user, const char *path) {
    const struct app *app = user;
    return broadcast_document_may_embed(app->worlds, path);
}

static int on_may_get(void *user, const struct net_request *request, const char *path) {
    struct app *app = user;
    char name[CONFIG_WORLD_NAME_MAX + 1];
    app->asked_by_stranger = access_is_stranger(app->access, request);
    if (broadcast_document_is_at(path)) {
        return 0; // for everybody that knows the path
    }
    return posted_read_path(path, name) ? 405 : access_document(app->access, request, path);
}

static size_t on_count_clients(void *user) {
    const struct app *app = user;
    return connection_list_count_kept(app->connections);
}

static void check_token(void *context, const struct connection *connection) {
    struct app *app = context;
    struct grant grant = {.role = connection->facts.granted};
    memcpy(grant.token, connection->facts.token, sizeof grant.token);
    if (!access_holds(app->access, &grant)) {
        log_info("access", "closing the client \"%s\": its token was revoked", connection->facts.name);
        net_post_close(app->net, connection->facts.connection_id, 1008, "the token was revoked or changed");
    }
}

static void check_patience(void *context, const struct connection *connection) {
    struct app *app = context;
    const uint64_t patience_ns = (uint64_t)ACCESS_PATIENCE_MS * 1000000u;
    if (connection->facts.role == PROTO_ROLE_NONE && scheduler_now_ns() - connection->since_ns > patience_ns) {
        net_post_close(app->net, connection->facts.connection_id, 1008, "no token was shown in time");
    }
}

static void on_poll(void *user) {
    struct app *app = user;
    const struct document_sources sources = sources_of(app);
    admin_answer(app->admin, app->net, &sources);
    uint64_t left;
    while (connection_table_find_leaving(&app->table, &left) && tell_left(app, left)) {
    }
    worlds_free_removed(app->worlds);
    if (access_look(app->access)) {
        connection_list_for_each(app->connections, check_token, app);
    }
    if (access_has_tokens(app->access)) {
        connection_list_for_each(app->connections, check_patience, app);
    }
}

// ---- life --------------------------------------------------------------------------------------------------------

static void end_replaced(void *user) {
    app_stop(user, "another server has this --node-url");
}

static enum result open_worlds(struct app *app, struct fault *fault) {
    const struct worlds_context context = {.config = app->config,
                                           .access = app->access,
                                           .job_thread = app->job_thread,
                                           .undo_threads = app->undo_threads,
                                           .net = app->net,
                                           .scheduler = app->scheduler,
                                           .run = world_run,
                                           .parallel_for = app->parallel_for,
                                           .hub = app->hub};
    enum result result = worlds_create(&context, &app->worlds);
    if (result == RESULT_OK && app->config->node_url[0] != '\0') {
        const struct node_options options = {.config = app->config,
                                             .hub = app->hub,
                                             .worlds = app->worlds,
                                             .job_thread = app->job_thread,
                                             .net = app->net,
                                             .replaced = end_replaced,
                                             .user = app};
        result = node_create(&options, &app->node, fault);
    }
    return result == RESULT_OK ? worlds_open(app->worlds, fault) : result;
}

static enum result create_net(struct app *app, struct fault *fault) {
    bool is_loopback = false;
    const enum result found = net_host_is_loopback(app->config->host, &is_loopback, fault);
    if (found != RESULT_OK) {
        return found;
    }
    struct net_options options = {.host = app->config->host,
                                  .port = app->config->port,
                                  .web_root = app->config->web,
                                  .message_max = CLIENT_MESSAGE_MAX,
                                  .outbox_max = OUTBOX_MAX,
                                  .clients_max = app->config->max_clients,
                                  .stall_ms = 1000 * app->config->stall_seconds,
                                  .handshake_ms = 1000 * app->config->handshake_seconds,
                                  .silence_ms = 1000 * app->config->idle_seconds,
                                  .address_max = app->config->per_address,
                                  .address_max_on_loopback = app->config->per_address_given,
                                  .hosts = app->config->hosts,
                                  .host_count = app->config->host_count,
                                  .any_address = !is_loopback,
                                  .origins = app->config->origins,
                                  .origin_count = app->config->origin_count,
                                  .frame_ancestors = app->config->frame_ancestors,
                                  .tls_cert = app->config->tls_cert[0] != '\0' ? app->config->tls_cert : NULL,
                                  .tls_key = app->config->tls_key[0] != '\0' ? app->config->tls_key : NULL,
                                  .handlers = {.user = app,
                                               .may_connect = on_may_connect,
                                               .may_post = on_may_post,
                                               .post = on_post,
                                               .may_get = on_may_get,
                                               .poll = on_poll,
                                               .count_clients = on_count_clients,
                                               .fetch = on_fetch,
                                               .admit = on_admit,
                                               .redirect = on_redirect,
                                               .peers = on_peers,
                                               .is_peer = on_is_peer,
                                               .opened = on_opened,
                                               .message = on_message,
                                               .long_message = on_long_message,
                                               .sent = on_sent,
                                               .binary = on_binary,
                                               .message_limit = on_message_limit,
                                               .oversized = on_oversized,
                                               .closed = on_closed,
                                               .starved = on_starved,
                                               .is_settled = on_is_settled,
                                               .document = on_document,
                                               .is_shared = on_is_shared}};
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
    app->connections = connection_list_create();
    app->admin = admin_create();
    app->posted = posted_create();
    enum result result = app->connections != NULL && app->admin != NULL && app->posted != NULL
                             ? access_create(config, &app->access, fault)
                             : RESULT_MEMORY;
    if (result == RESULT_OK) {
        result = jobs_create(&app->job_thread);
    }
    if (result == RESULT_OK) {
        result = undo_threads_create(&app->undo_threads);
    }
    if (result == RESULT_OK) {
        result = intake_create(&app->intake);
    }
    if (result == RESULT_OK) {
        const struct store_hub_calls calls = {history_settle, history_wake};
        result = store_hub_open(config, &calls, &app->hub, fault);
    }
    if (result == RESULT_OK) {
        result = create_net(app, fault);
    }
    if (result == RESULT_OK) {
        result = scheduler_create(worker_count(), WORLDS_MAX, &app->scheduler);
    }
    if (result == RESULT_OK) {
        result = parallel_for_create(config->threads, &app->parallel_for);
    }
    if (result == RESULT_OK) {
        intake_attach(app->intake, app->net);
        result = open_worlds(app, fault);
    }
    if (result == RESULT_OK) {
        result = scheduler_start(app->scheduler);
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

void app_stop(struct app *app, const char *why) {
    atomic_store(&app->stop_reason, why);
    atomic_store(&app->stopping, true);
    net_server_stop(app->net);
}

// The intake hands messages and the job thread scenes to worlds, worlds run on the scheduler, and all post to the
// network: they end in that order.
void app_destroy(struct app *app) {
    if (app == NULL) {
        return;
    }
    intake_stop(app->intake);
    node_stop(app->node);
    job_thread_stop(app->job_thread);
    scheduler_stop(app->scheduler); // the store's thread still wakes worlds
    parallel_for_destroy(app->parallel_for);
    worlds_close(app->worlds);
    store_hub_close(app->hub); // what was posted is answered before the worlds go
    node_destroy(app->node);
    worlds_destroy(app->worlds);
    job_thread_destroy(app->undo_threads); // which still wake worlds
    store_hub_destroy(app->hub);
    scheduler_destroy(app->scheduler);
    job_thread_destroy(app->job_thread);
    intake_destroy(app->intake);
    if (app->net != NULL) {
        net_server_destroy(app->net);
    }
    connection_table_free(&app->table);
    connection_list_destroy(app->connections);
    admin_destroy(app->admin);
    posted_destroy(app->posted);
    access_destroy(app->access);
    free(app);
}
