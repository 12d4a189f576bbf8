// SPDX-License-Identifier: MIT
#include "net/connection/connection.h"

#include <stdlib.h>

#include "base/log.h"
#include "net/connection/address.h"
#include "net/connection/socket.h"

// ---- guests ------------------------------------------------------------------------------------------------------

static void unlink_guest(struct connection *connection) {
    struct net_server *server = connection->server;
    if (!connection->guest) {
        return;
    }
    if (connection->older != NULL) {
        connection->older->newer = connection->newer;
    } else {
        server->oldest_guest = connection->newer;
    }
    if (connection->newer != NULL) {
        connection->newer->older = connection->older;
    } else {
        server->newest_guest = connection->older;
    }
    connection->older = connection->newer = NULL;
    connection->guest = false;
    server->guest_count--;
}

static void link_guest(struct connection *connection) {
    struct net_server *server = connection->server;
    connection->since_us = lws_now_usecs();
    connection->older = server->newest_guest;
    if (connection->older != NULL) {
        connection->older->newer = connection;
    } else {
        server->oldest_guest = connection;
    }
    server->newest_guest = connection;
    connection->guest = true;
    server->guest_count++;
}

void connection_renew(struct connection *connection) {
    if (connection->guest) {
        unlink_guest(connection);
        link_guest(connection);
    }
}

void connection_end_guest(struct connection *connection) {
    unlink_guest(connection);
}

// ---- life --------------------------------------------------------------------------------------------------------

struct connection *connection_create(struct net_server *server, struct address_count *address) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        return NULL;
    }
    connection->server = server;
    connection->address = address;
    connection->request_due = true;
    connection->heard_us = lws_now_usecs();
    connection->response.file = -1;
    link_guest(connection);
    server->connection_count++;
    return connection;
}

void connection_destroy(struct connection *connection) {
    struct net_server *server = connection->server;
    unlink_guest(connection);
    address_forget_connection(connection->address);
    if (server->adopting == connection) {
        server->adopting = NULL;
    }
    server->connection_count--;
    lws_sul_cancel(&connection->hold_timer);
    message_release(connection->sending);
    free(connection->input);
    free(connection);
}

struct connection *connection_of(struct lws *wsi) {
    return lws_get_opaque_user_data(wsi);
}

void connection_kill(struct connection *connection) {
    connection->phase = CONNECTION_CLOSING;
    connection->killed = true;
    if (connection->wsi != NULL) {
        lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    }
}

void connection_close(struct connection *connection) {
    if (connection->killed) {
        return;
    }
    connection->phase = CONNECTION_CLOSING;
    connection->request_due = false;
    connection_resume(connection, connection->holds);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, CLOSE_TIMEOUT_S);
    socket_end_writing(connection->wsi);
}

// ---- reading and writing -----------------------------------------------------------------------------------------

void connection_hold(struct connection *connection, enum hold_reason reason) {
    if (connection->holds == 0 && lws_rx_flow_control(connection->wsi, 0) < 0) {
        log_debug("net", "a connection cannot be held");
    }
    connection->holds |= reason;
}

void connection_resume(struct connection *connection, unsigned reasons) {
    if ((connection->holds & reasons) == 0) {
        return;
    }
    connection->holds &= ~reasons;
    if (connection->holds != 0) {
        return;
    }
    if (lws_rx_flow_control(connection->wsi, 1) < 0) {
        log_debug("net", "a connection cannot be read on");
    }
    connection->heard_us = lws_now_usecs(); // it could not answer a ping meanwhile
    if (connection->input_length > 0) {
        connection_ask_to_write(connection);
    }
}

static void on_hold_timer(lws_sorted_usec_list_t *timer) {
    connection_resume(lws_container_of(timer, struct connection, hold_timer), HOLD_TIMED);
}

void connection_hold_for(struct connection *connection, uint32_t hold_ms) {
    connection_hold(connection, HOLD_TIMED);
    lws_sul_schedule(connection->server->context, 0, &connection->hold_timer, on_hold_timer,
                     (lws_usec_t)hold_ms * LWS_US_PER_MS);
}

void connection_ask_to_write(struct connection *connection) {
    if (!connection->write_asked) {
        connection->write_asked = true;
        lws_callback_on_writable(connection->wsi);
    }
}
