// SPDX-License-Identifier: MIT
// One libwebsockets context with one virtual host and one protocol, its loop, and its end. Everything here runs in the
// net thread but `net_server_stop`, which may come from anywhere, a signal handler included: it sets an atomic flag and
// writes to the eventfd that wakes the loop.
#include "net/loop/server.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "base/log.h"
#include "net/connection/connection.h"
#include "net/http/post_reply.h"
#include "net/loop/accept.h"
#include "net/loop/delivery.h"
#include "net/loop/event.h"
#include "net/loop/listen.h"
#include "net/loop/mailbox.h"
#include "net/loop/tls.h"
#include "net/websocket/watch.h"
#include "net/websocket/websocket.h"

#define RECEIVE_BYTES 8192u // that libwebsockets reads at once, for the whole server
#define TLS_TIMEOUT_S 20    // for libwebsockets' part of a handshake; accept.c is less patient
#define STALL_LOOKS 4u      // in the time that a client may stall
#define SILENCE_LOOK_MS 500u
#define QUIET_LOOK_MS 5
#define QUIET_LOOKS 2u // so that posts that came with the last answer have been applied as well
#define SILENCE_DEFAULT_MS 60000u
#define HANDSHAKE_DEFAULT_MS 10000u
#define LONG_BROADCAST_DEFAULT_US 4000u
#define UNFINISHED_DEFAULT_BYTES ((size_t)64 << 20) // of messages of which more is to come

// ---- start -------------------------------------------------------------------------------------------------------

// An error of libwebsockets is mostly a mistake of a client, and is logged as information.
static void on_library_log(int level, const char *line) {
    int length = (int)strcspn(line, "\n");
    if (level == LLL_ERR) {
        log_info("lws", "%.*s", length, line);
    } else {
        log_debug("lws", "%.*s", length, line);
    }
}

static enum result check_web_root(const char *web_root, struct fault *fault) {
    struct stat status;
    if (stat(web_root, &status) != 0 || !S_ISDIR(status.st_mode)) {
        return fault_set(fault, RESULT_IO, "/web", "no such folder: \"%s\": say where the page's files are with --web",
                         web_root);
    }
    return RESULT_OK;
}

// The library does not listen: accept.c hands it the connections. TLS clients are offered HTTP/1.1 only.
static enum result open_context(struct net_server *server, struct fault *fault) {
    const bool tls = server->options.tls_cert != NULL;
    lws_set_log_level(LLL_ERR | LLL_WARN | LLL_NOTICE, on_library_log);
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = event_protocols,
        .user = server,
        .pt_serv_buf_size = RECEIVE_BYTES,
        .timeout_secs = TLS_TIMEOUT_S,
        .vhost_name = "weft",
        .alpn = "http/1.1",
        .ssl_cert_filepath = server->options.tls_cert,
        .ssl_private_key_filepath = server->options.tls_key,
        .ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_RENEGOTIATION,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | (tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
    };
    server->context = lws_create_context(&info);
    if (server->context == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "the network library did not start: memory or descriptors are out");
    }
    server->vhost = lws_create_vhost(server->context, &info);
    if (server->vhost == NULL) {
        return fault_set(fault, RESULT_IO, "", "the network library did not start%s",
                         tls ? " with that certificate" : "");
    }
    return RESULT_OK;
}

static void set_options(struct net_server *server, const struct net_options *options) {
    server->options = *options;
    if (options->handshake_ms == 0) {
        server->options.handshake_ms = HANDSHAKE_DEFAULT_MS;
    }
    if (options->long_broadcast_us == 0) {
        server->options.long_broadcast_us = LONG_BROADCAST_DEFAULT_US;
    }
    if (options->unfinished_max == 0) {
        server->options.unfinished_max = UNFINISHED_DEFAULT_BYTES;
    }
    if (options->silence_ms == 0) {
        server->options.silence_ms = SILENCE_DEFAULT_MS;
    }
}

static enum result start(struct net_server *server, struct fault *fault) {
    int listener = -1;
    server->connections_max = accept_find_room(&server->options);
    enum result result = listen_open(&server->options, &server->port, &listener, fault);
    if (result != RESULT_OK) {
        return result;
    }
    result = open_context(server, fault);
    if (result != RESULT_OK) {
        close(listener);
        return result;
    }
    return accept_start(server, listener, fault); // whether it succeeds or not, the socket is the library's now
}

enum result net_server_create(const struct net_options *options, struct net_server **server, struct fault *fault) {
    assert(options->web_root != NULL && options->handlers.admit != NULL);
    enum result result = check_web_root(options->web_root, fault);
    if (result == RESULT_OK && options->tls_cert != NULL) {
        result = tls_check(options, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct net_server *created = calloc(1, sizeof *created);
    char *web_root = strdup(options->web_root);
    if (created == NULL || web_root == NULL || mailbox_init(&created->mailbox) != RESULT_OK) {
        free(created);
        free(web_root);
        return fault_set(fault, RESULT_MEMORY, "", "memory is out");
    }
    set_options(created, options);
    created->web_root = web_root;
    result = start(created, fault);
    if (result != RESULT_OK) {
        net_server_destroy(created);
        return result;
    }
    *server = created;
    return RESULT_OK;
}

void net_hold_reading(struct net_server *server, uint64_t id) {
    struct websocket *websocket = websocket_find(server, id);
    if (websocket != NULL) {
        connection_hold(websocket->connection, HOLD_APPLICATION);
    }
}

uint16_t net_server_port(const struct net_server *server) {
    return server->port;
}

// ---- loop and end ------------------------------------------------------------------------------------------------

static void on_drain_timeout(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, drain_timer);
    server->drained = true;
    lws_cancel_service(server->context); // libwebsockets would wait for sockets next
}

static void on_stall_timer(lws_sorted_usec_list_t *timer);

static void start_stall_timer(struct net_server *server) {
    if (server->options.stall_ms > 0) {
        lws_sul_schedule(server->context, 0, &server->stall_timer, on_stall_timer,
                         ((lws_usec_t)server->options.stall_ms * LWS_US_PER_MS + STALL_LOOKS - 1) / STALL_LOOKS);
    }
}

static void on_stall_timer(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, stall_timer);
    watch_drop_stalled(server);
    start_stall_timer(server);
}

static void on_silence_timer(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, silence_timer);
    watch_ping_silent(server);
    lws_sul_schedule(server->context, 0, &server->silence_timer, on_silence_timer, SILENCE_LOOK_MS * LWS_US_PER_MS);
}

static void on_quiet_timer(lws_sorted_usec_list_t *timer);

static void on_look_timer(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, look_timer);
    const struct net_handlers *handlers = &server->options.handlers;
    handlers->poll(handlers->user);
    post_reply_drop_gone(server);
    lws_sul_schedule(server->context, 0, &server->look_timer, on_look_timer, NET_POLL_MS * LWS_US_PER_MS);
}

// Reads no more, and asks the application again and again whether it has answered all, until it has or time is up.
static void begin_drain(struct net_server *server) {
    server->draining = true;
    server->quiet_until_us = lws_now_usecs() + NET_QUIET_MS * LWS_US_PER_MS;
    watch_hold_all(server);
    on_quiet_timer(&server->quiet_timer);
}

static bool is_quiet(struct net_server *server) {
    const struct net_handlers *handlers = &server->options.handlers;
    const bool settled = handlers->is_settled == NULL || handlers->is_settled(handlers->user);
    server->quiet_looks = settled ? server->quiet_looks + 1 : 0;
    return server->quiet_looks == QUIET_LOOKS || lws_now_usecs() >= server->quiet_until_us;
}

static void on_quiet_timer(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, quiet_timer);
    if (!is_quiet(server)) {
        lws_sul_schedule(server->context, 0, &server->quiet_timer, on_quiet_timer, QUIET_LOOK_MS * LWS_US_PER_MS);
        return;
    }
    server->parting = true;
    watch_close_all(server, LWS_CLOSE_STATUS_GOINGAWAY, "going away");
    post_reply_refuse_all(server, "the server is going away\n");
    lws_cancel_service(server->context);
}

void net_server_run(struct net_server *server, uint32_t drain_ms) {
    bool timed = false;
    int result = 0;
    start_stall_timer(server);
    on_silence_timer(&server->silence_timer);
    accept_sweep(server);
    if (server->options.handlers.poll != NULL) {
        on_look_timer(&server->look_timer);
    }
    while (result >= 0 && !server->drained && !(server->draining && server->sockets == 0)) {
        result = lws_service(server->context, 0);
        delivery_run(server);
        if (atomic_load(&server->stop_requested) && !server->draining) {
            begin_drain(server);
        }
        if (server->parting && !timed) {
            timed = true;
            lws_sul_schedule(server->context, 0, &server->drain_timer, on_drain_timeout,
                             (lws_usec_t)drain_ms * LWS_US_PER_MS);
        }
    }
    lws_sul_cancel(&server->drain_timer);
    lws_sul_cancel(&server->quiet_timer);
    lws_sul_cancel(&server->stall_timer);
    lws_sul_cancel(&server->silence_timer);
    lws_sul_cancel(&server->look_timer);
    accept_stop(server);
    watch_leave_all(server);
}

void net_server_stop(struct net_server *server) {
    atomic_store(&server->stop_requested, true);
    lws_cancel_service(server->context);
}

void net_server_destroy(struct net_server *server) {
    if (server == NULL) {
        return;
    }
    if (server->context != NULL) {
        lws_context_destroy(server->context);
    }
    free(server->address_counts);
    mailbox_free(&server->mailbox);
    free(server->web_root);
    free(server);
}

struct net_statistics net_server_statistics(const struct net_server *server) {
    uint64_t values[COUNTER_COUNT];
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        values[i] = atomic_load_explicit(&server->counters[i], memory_order_relaxed);
    }
    return (struct net_statistics){
        .websockets = values[COUNTER_WEBSOCKETS],
        .bytes_sent = values[COUNTER_BYTES_SENT],
        .bytes_received = values[COUNTER_BYTES_RECEIVED],
        .messages_received = values[COUNTER_MESSAGES_RECEIVED],
        .frames_sent = values[COUNTER_FRAMES_SENT],
        .frames_skipped = values[COUNTER_FRAMES_SKIPPED],
        .refused = values[COUNTER_REFUSED],
    };
}
