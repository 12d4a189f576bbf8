// SPDX-License-Identifier: MIT
// The server: one libwebsockets context with one virtual host and one protocol, its loop, and its end. Everything here
// runs in the net thread but `net_server_stop`, which may come from anywhere, a signal handler included: it sets an
// atomic flag and writes to the eventfd that wakes the loop.
//
// Behaviour of libwebsockets that is relied on, in 4.1 and 4.3 alike: one write per writeable callback, the unsent rest
// of it kept by the library; the default poll loop; its ping-and-hangup policy; SIGPIPE ignored.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/log.h"
#include "net/net_internal.h"

#define RECEIVE_BUFFER_BYTES 1024    // of every peer; what is longer comes in pieces
#define SERVICE_BUFFER_BYTES 8192    // of the whole server
#define WRITE_BYTES_MAX (1 << 30)    // one write may be that long: messages are never cut into frames
#define HTTP_TIMEOUT_S 20            // for a request to arrive
#define HTTP_IDLE_S 30               // between two requests on one connection
#define DESCRIPTORS_BESIDE_PEERS 256 // HTTP connections, files, the rest of the process

// ---- callbacks ---------------------------------------------------------------------------------------------------

static void end_session(struct net_server *server, struct session *session) {
    http_reply_free(session);
    if (session->peer != NULL) {
        peer_destroy(session->peer);
        session->peer = NULL;
        server->sockets--;
        if (server->draining && server->sockets == 0)
            lws_cancel_service(server->context); // in a timer's turn the library would go on to wait
    }
}

// The one callback of libwebsockets: which of our functions the event belongs to. Results: 0 to go on, −1 to close.
static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    struct session *session = user;
    struct net_server *server = wsi == NULL ? NULL : lws_context_user(lws_get_context(wsi));
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return websocket_confirm(server, wsi);
    case LWS_CALLBACK_ESTABLISHED:
        return websocket_opened(server, wsi, session);
    case LWS_CALLBACK_RECEIVE:
        websocket_receive(session->peer, in, length);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return websocket_write(session->peer);
    case LWS_CALLBACK_HTTP:
        return http_request(server, wsi, session, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return http_write(wsi, session);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return -1; // of a request that was refused: there is nothing more to say
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_WSI_DESTROY:
        if (session != NULL && server != NULL)
            end_session(server, session);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {
        .name = SUBPROTOCOL,
        .callback = on_event,
        .per_session_data_size = sizeof(struct session),
        .rx_buffer_size = RECEIVE_BUFFER_BYTES,
        .tx_packet_size = WRITE_BYTES_MAX,
    },
    {.name = NULL},
};

static const lws_retry_bo_t silence_policy = {
    .secs_since_valid_ping = SILENCE_PING_S,
    .secs_since_valid_hangup = SILENCE_DROP_S,
};

// What libwebsockets calls an error is mostly a client's mistake.
static void on_library_log(int level, const char *line) {
    int length = (int)strcspn(line, "\n");
    if (level == LLL_ERR)
        log_info("lws", "%.*s", length, line);
    else
        log_debug("lws", "%.*s", length, line);
}

// ---- start -------------------------------------------------------------------------------------------------------

// A peer needs a descriptor each; the usual limit of 1024 is raised as far as the hard one allows.
static void raise_descriptor_limit(uint32_t peers_max) {
    struct rlimit limit;
    rlim_t wanted = (rlim_t)peers_max + DESCRIPTORS_BESIDE_PEERS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted)
        log_warn("net", "only %llu descriptors are allowed: fewer than %u clients will fit",
                 (unsigned long long)limit.rlim_cur, peers_max);
}

static enum result check_web_root(const char *web_root, struct fault *fault) {
    struct stat status;
    if (stat(web_root, &status) != 0 || !S_ISDIR(status.st_mode))
        return fault_set(fault, RESULT_IO, "/web", "no such folder: \"%s\": say where the page's files are with --web",
                         web_root);
    return RESULT_OK;
}

static bool is_wildcard(const char *address) {
    return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

static enum result open_context(struct net_server *server, bool ipv6, struct fault *fault) {
    lws_set_log_level(LLL_ERR | LLL_WARN | LLL_NOTICE, on_library_log);
    struct lws_context_creation_info info = {
        .port = server->options.port,
        .iface = is_wildcard(server->address) ? NULL : server->address,
        .protocols = protocols,
        .user = server,
        .pt_serv_buf_size = SERVICE_BUFFER_BYTES,
        .timeout_secs = HTTP_TIMEOUT_S,
        .keepalive_timeout = HTTP_IDLE_S,
        .retry_and_idle_policy = &silence_policy,
        .vhost_name = "weft",
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   (ipv6 ? 0 : LWS_SERVER_OPTION_DISABLE_IPV6),
    };
    server->context = lws_create_context(&info);
    if (server->context == NULL)
        return fault_set(fault, RESULT_MEMORY, "", "the network library did not start: memory or descriptors are out");
    server->vhost = lws_create_vhost(server->context, &info);
    if (server->vhost == NULL || lws_get_vhost_listen_port(server->vhost) <= 0)
        return fault_set(fault, RESULT_IO, "/port", "cannot listen on %s, port %u", server->options.host,
                         server->options.port);
    return RESULT_OK;
}

enum result net_server_create(const struct net_options *options, struct net_server **server, struct fault *fault) {
    assert(options->web_root != NULL && options->handlers.admit != NULL);
    struct net_server *created = NULL;
    char address[LISTEN_ADDRESS_MAX];
    bool ipv6 = false;
    enum result result = check_web_root(options->web_root, fault);
    if (result != RESULT_OK)
        return result;
    result = listen_resolve(options, address, &ipv6, fault);
    if (result != RESULT_OK)
        return result;
    created = calloc(1, sizeof *created);
    char *web_root = strdup(options->web_root);
    if (created == NULL || web_root == NULL || post_queue_init(&created->posts) != RESULT_OK) {
        free(created);
        free(web_root);
        return fault_set(fault, RESULT_MEMORY, "", "memory is out");
    }
    created->options = *options;
    created->web_root = web_root;
    memcpy(created->address, address, sizeof address);
    raise_descriptor_limit(options->peers_max);
    result = open_context(created, ipv6, fault);
    if (result != RESULT_OK) {
        net_server_destroy(created);
        return result;
    }
    *server = created;
    return RESULT_OK;
}

uint16_t net_server_port(const struct net_server *server) {
    return (uint16_t)lws_get_vhost_listen_port(server->vhost);
}

// ---- loop and end ------------------------------------------------------------------------------------------------

static void on_drain_timeout(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, drain_timer);
    server->drained = true;
    lws_cancel_service(server->context); // the library waits for sockets next, not for us
}

static void on_stall_timer(lws_sorted_usec_list_t *timer);

static void start_stall_timer(struct net_server *server) {
    if (server->options.stall_ms > 0)
        lws_sul_schedule(server->context, 0, &server->stall_timer, on_stall_timer,
                         ((lws_usec_t)server->options.stall_ms * LWS_US_PER_MS + STALL_LOOKS - 1) / STALL_LOOKS);
}

static void on_stall_timer(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, stall_timer);
    peer_drop_stalled(server);
    start_stall_timer(server);
}

static void begin_drain(struct net_server *server) {
    server->draining = true;
    peer_close_all(server, LWS_CLOSE_STATUS_GOINGAWAY, "going away");
}

void net_server_run(struct net_server *server, uint32_t drain_ms) {
    bool timed = false;
    int result = 0;
    start_stall_timer(server);
    while (result >= 0 && !server->drained && !(server->draining && server->sockets == 0)) {
        result = lws_service(server->context, 0);
        post_queue_apply(server);
        if (atomic_load(&server->stop_requested) && !server->draining)
            begin_drain(server);
        if (server->draining && !timed) {
            timed = true;
            lws_sul_schedule(server->context, 0, &server->drain_timer, on_drain_timeout,
                             (lws_usec_t)drain_ms * LWS_US_PER_MS);
        }
    }
    lws_sul_cancel(&server->drain_timer);
    lws_sul_cancel(&server->stall_timer);
    peer_leave_all(server);
}

void net_server_stop(struct net_server *server) {
    atomic_store(&server->stop_requested, true);
    lws_cancel_service(server->context);
}

void net_server_destroy(struct net_server *server) {
    if (server == NULL)
        return;
    if (server->context != NULL)
        lws_context_destroy(server->context);
    post_queue_free(&server->posts);
    free(server->web_root);
    free(server);
}

struct net_statistics net_server_statistics(const struct net_server *server) {
    uint64_t values[COUNTER_COUNT];
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        values[i] = atomic_load_explicit(&server->counters[i], memory_order_relaxed);
    return (struct net_statistics){
        .peers = values[COUNTER_PEERS],
        .bytes_sent = values[COUNTER_BYTES_SENT],
        .bytes_received = values[COUNTER_BYTES_RECEIVED],
        .messages_received = values[COUNTER_MESSAGES_RECEIVED],
        .frames_sent = values[COUNTER_FRAMES_SENT],
        .frames_skipped = values[COUNTER_FRAMES_SKIPPED],
    };
}
