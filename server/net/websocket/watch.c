// SPDX-License-Identifier: MIT
#include "net/websocket/watch.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

#include "base/log.h"
#include "net/connection/connection.h"
#include "net/websocket/websocket.h"

#define SILENCE_PINGS 3u // in `silence_ms`

// Calls `act` for each, which may end it.
static void for_all(struct net_server *server, void (*act)(struct websocket *, uint16_t, const char *), uint16_t code,
                    const char *reason) {
    for (size_t i = 0; i < WEBSOCKET_BUCKETS; i++) {
        struct websocket *websocket = server->websockets[i];
        while (websocket != NULL) {
            struct websocket *next = websocket->bucket_next;
            act(websocket, code, reason);
            websocket = next;
        }
    }
}

// The bytes that the client's system has acknowledged on this connection, also of messages that are not out whole.
static uint64_t acknowledged_bytes(const struct connection *connection) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(lws_get_socket_fd(connection->wsi), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
        return 0;
    }
    return info.tcpi_bytes_acked;
}

// Lets the kernel drop what it still holds for the client, when the socket is closed.
static void forget_unsent(const struct connection *connection) {
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (setsockopt(lws_get_socket_fd(connection->wsi), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) != 0) {
        log_debug("net", "a socket lingers");
    }
}

static void drop_if_stalled(struct websocket *websocket, uint16_t code, const char *reason) {
    const struct connection *connection = websocket->connection;
    if (!connection->write_asked && connection->sending == NULL) { // the client has taken all that there was
        websocket->progress_us = 0;
        return;
    }
    const lws_usec_t now_us = lws_now_usecs();
    const uint64_t acknowledged = acknowledged_bytes(connection);
    if (websocket->progress_us == 0 || acknowledged != websocket->acknowledged) {
        websocket->acknowledged = acknowledged;
        websocket->progress_us = now_us;
    } else if (now_us - websocket->progress_us >= (lws_usec_t)websocket->server->options.stall_ms * LWS_US_PER_MS) {
        forget_unsent(connection);
        websocket_close(websocket, code, reason);
    }
}

void watch_drop_stalled(struct net_server *server) {
    char reason[CLOSE_REASON_MAX + 1];
    snprintf(reason, sizeof reason, "stalled: nothing was taken for %u ms", server->options.stall_ms);
    for_all(server, drop_if_stalled, LWS_CLOSE_STATUS_POLICY_VIOLATION, reason);
}

static void ping_if_silent(struct websocket *websocket, uint16_t code, const char *reason) {
    (void)code;
    (void)reason;
    struct connection *connection = websocket->connection;
    const lws_usec_t now_us = lws_now_usecs();
    const lws_usec_t silence_us = (lws_usec_t)websocket->server->options.silence_ms * LWS_US_PER_MS;
    const lws_usec_t since_us =
        connection->heard_us > websocket->pinged_us ? connection->heard_us : websocket->pinged_us;
    if (now_us - connection->heard_us >= silence_us) {
        connection_kill(connection);
    } else if (now_us - since_us >= silence_us / SILENCE_PINGS) {
        websocket->pinged_us = now_us;
        websocket->ping_due = true;
        connection_ask_to_write(connection);
    }
}

void watch_ping_silent(struct net_server *server) {
    for_all(server, ping_if_silent, 0, "");
}

static void hold_for_drain(struct websocket *websocket, uint16_t code, const char *reason) {
    (void)code;
    (void)reason;
    connection_hold(websocket->connection, HOLD_DRAIN);
}

void watch_hold_all(struct net_server *server) {
    for_all(server, hold_for_drain, 0, "");
}

void watch_close_all(struct net_server *server, uint16_t code, const char *reason) {
    for_all(server, websocket_close, code, reason);
}

static void leave_quietly(struct websocket *websocket, uint16_t code, const char *reason) {
    (void)code;
    (void)reason;
    websocket_leave(websocket);
}

void watch_leave_all(struct net_server *server) {
    for_all(server, leave_quietly, 0, "");
}
