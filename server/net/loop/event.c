// SPDX-License-Identifier: MIT
// Connections have libwebsockets' role for raw sockets: the library runs the event loop, does TLS and hands over the
// bytes that it read, and this folder speaks HTTP and WebSockets. Why: the parsers of the library accept what no server
// should (frames that are not masked, bare line feeds, two lengths of one body), and it offers no way to see that.
//
// This relies on behaviour of libwebsockets that is the same in 4.1 and 4.3: the default poll loop; a callback with
// received bytes has to take all of them; a socket that is held by flow control is not read; SIGPIPE is ignored.
#include "net/loop/event.h"

#include <stdlib.h>
#include <string.h>

#include "net/connection/connection.h"
#include "net/connection/state.h"
#include "net/http/http.h"
#include "net/http/request.h"
#include "net/http/response.h"
#include "net/loop/accept.h"
#include "net/websocket/handshake.h"
#include "net/websocket/receive.h"
#include "net/websocket/websocket.h"

#define HTTP_IDLE_S 30 // between two requests on one connection

// ---- input -------------------------------------------------------------------------------------------------------

static void answer(struct connection *connection) {
    const struct request *request = &connection->request;
    if (request->refusal.status == 0 && request->head.upgrade) {
        handshake_answer(connection);
    } else {
        http_answer(connection);
    }
    if (connection->phase == CONNECTION_ANSWERING) {
        connection_hold(connection, HOLD_ANSWER);
    }
}

// Takes bytes for what the connection waits for. Returns how many.
static size_t take(struct connection *connection, uint8_t *bytes, size_t length) {
    bool whole = false;
    size_t count = length;
    switch (connection->phase) {
    case CONNECTION_HEAD:
    case CONNECTION_BODY:
        count = request_receive(connection, bytes, length, &whole);
        if (whole) {
            answer(connection);
        }
        return count;
    case CONNECTION_FRAMES:
        return websocket_receive(connection->websocket, bytes, length);
    case CONNECTION_ANSWERING: // reading is held meanwhile
    case CONNECTION_CLOSING:
        break;
    }
    return count;
}

// Takes bytes until reading is held, and keeps the rest.
static void take_all(struct connection *connection, uint8_t *bytes, size_t length) {
    size_t at = 0;
    while (at < length && connection->holds == 0 && !connection->killed) {
        at += take(connection, bytes + at, length - at);
    }
    if (at == length || connection->phase == CONNECTION_CLOSING) {
        return;
    }
    connection->input = malloc(length - at);
    if (connection->input == NULL) {
        connection_kill(connection);
        return;
    }
    memcpy(connection->input, bytes + at, length - at);
    connection->input_length = length - at;
}

static void take_kept(struct connection *connection) {
    uint8_t *input = connection->input;
    const size_t length = connection->input_length;
    connection->input = NULL;
    connection->input_length = 0;
    take_all(connection, input, length);
    free(input);
}

static void receive(struct connection *connection, uint8_t *bytes, size_t length) {
    connection->heard_us = lws_now_usecs();
    if (connection->input_length == 0) {
        take_all(connection, bytes, length);
        return;
    }
    uint8_t *input = realloc(connection->input, connection->input_length + length);
    if (input == NULL) {
        connection_kill(connection);
        return;
    }
    memcpy(input + connection->input_length, bytes, length);
    connection->input = input;
    connection->input_length += length;
    take_kept(connection);
}

// ---- output ------------------------------------------------------------------------------------------------------

// The whole answer is out: lets the next request come, or ends the connection.
static void end_answer(struct connection *connection) {
    if (!connection->request.head.persists || connection->request.refusal.status != 0) {
        connection_close(connection);
        return;
    }
    connection->phase = CONNECTION_HEAD;
    connection_renew(connection);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_KEEPALIVE_IDLE, HTTP_IDLE_S);
    connection_resume(connection, HOLD_ANSWER);
}

static void write_ready(struct connection *connection) {
    connection->write_asked = false;
    if (connection->websocket != NULL) {
        websocket_write(connection->websocket);
    } else if (connection->phase == CONNECTION_ANSWERING && http_write(connection)) {
        end_answer(connection);
    }
    if (connection->input_length > 0 && connection->holds == 0 && !connection->killed) {
        take_kept(connection);
    }
}

// ---- the callback ------------------------------------------------------------------------------------------------

static void end(struct lws *wsi, struct connection *connection) {
    struct net_server *server = connection->server;
    lws_set_opaque_user_data(wsi, NULL);
    http_end(connection);
    websocket_end(connection);
    server->sockets -= connection->counted;
    if (connection->counted && server->draining && server->sockets == 0) {
        lws_cancel_service(
            server->context); // when a timer closes the last one, libwebsockets would wait for sockets next
    }
    connection_destroy(connection);
}

// Returns 0 to go on, −1 to close the connection.
static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    (void)user;
    if (reason == LWS_CALLBACK_RAW_RX_FILE) { // only the listening socket is one
        accept_ready(lws_context_user(lws_get_context(wsi)));
        return 0;
    }
    struct connection *connection = wsi == NULL ? NULL : connection_of(wsi);
    if (connection == NULL) {
        return 0;
    }
    connection->wsi = wsi;
    switch ((int)reason) {
    case LWS_CALLBACK_RAW_RX:
        receive(connection, in, length);
        break;
    case LWS_CALLBACK_RAW_WRITEABLE:
        write_ready(connection);
        break;
    case LWS_CALLBACK_RAW_CLOSE:
    case LWS_CALLBACK_WSI_DESTROY:
        end(wsi, connection);
        return 0;
    default:
        return 0;
    }
    return connection->killed ? -1 : 0;
}

const struct lws_protocols event_protocols[] = {
    {.name = SUBPROTOCOL, .callback = on_event},
    {.name = NULL},
};
