// SPDX-License-Identifier: MIT
// Which of our functions each event of libwebsockets belongs to. Connections have its role for raw sockets: it runs the
// loop, does TLS and hands over what was read; HTTP and WebSockets are spoken here. Why: its own parsers take what no
// server should, as frames that are not masked, bare line feeds and two lengths of one body, and tell nobody.
//
// Behaviour of libwebsockets that is relied on, in 4.1 and 4.3 alike: the default poll loop; that the callback for a
// raw socket has taken all that it was given; that a held socket is not read; SIGPIPE ignored.
#include "net/event.h"

#include <stdlib.h>
#include <string.h>

#include "net/accept.h"
#include "net/connection.h"
#include "net/handshake.h"
#include "net/http.h"
#include "net/request.h"
#include "net/response.h"
#include "net/state.h"
#include "net/websocket.h"
#include "net/websocket_read.h"

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

// Takes some of the bytes, and returns how many.
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
    case CONNECTION_ANSWERING: // held, so that this does not come
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

// The answer has gone out: the next request may come, unless the connection ends.
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
        lws_cancel_service(server->context); // in a timer's turn the library would go on to wait
    }
    connection_destroy(connection);
}

// Results: 0 to go on, −1 to close.
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
