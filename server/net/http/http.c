// SPDX-License-Identifier: MIT
#include "net/http/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/connection/connection.h"
#include "net/http/file.h"
#include "net/http/origin.h"
#include "net/http/post_reply.h"
#include "net/http/redirect.h"
#include "net/http/request.h"
#include "net/http/response.h"
#include "net/parse/path.h"

#define DOCUMENT_TIMEOUT_S 60 // to make a document that takes time
#define TEXT "text/plain; charset=utf-8"

// A request whose document is being made by another thread.
struct document_wait {
    struct document_wait *next;
    uint64_t request;
    struct connection *connection;
    bool answered;
    int status;
    char file[FILE_NAME_MAX];
    struct message *message;
};

static struct request_text request_text; // of the request at hand: too large for a stack, and the net thread is alone

bool http_has_room(const struct net_server *server) {
    const struct net_handlers *handlers = &server->options.handlers;
    const size_t most = server->options.clients_max;
    return server->sockets < most &&
           (handlers->count_clients == NULL || handlers->count_clients(handlers->user) < most);
}

static void refuse(struct connection *connection, int status, const char *headers, const char *text) {
    response_refuse(connection, &(struct refusal){status, headers, text});
}

static void send_text(struct connection *connection, int status, const char *headers, const char *content_type,
                      struct message *take) {
    const bool body = take != NULL && message_length(take) > 0;
    response_send(connection,
                  &(struct response_head){
                      .status = status, .headers = headers, .content_type = body ? content_type : NULL, .page = ""},
                  take);
}

// ---- documents that take time ------------------------------------------------------------------------------------

static void free_wait(struct connection *connection) {
    struct document_wait *wait = connection->wait, **place = &connection->server->waits;
    if (wait == NULL) {
        return;
    }
    while (*place != wait) {
        place = &(*place)->next;
    }
    *place = wait->next;
    connection->wait = NULL;
    message_release(wait->message);
    free(wait);
}

static void wait_for_document(struct connection *connection, uint64_t request) {
    struct document_wait *wait = calloc(1, sizeof *wait);
    if (wait == NULL) {
        connection_kill(connection);
        return;
    }
    *wait = (struct document_wait){.next = connection->server->waits, .request = request, .connection = connection};
    connection->server->waits = wait;
    connection->wait = wait;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, DOCUMENT_TIMEOUT_S);
}

void http_take_document(struct net_server *server, uint64_t request, int status, const char *file,
                        struct message *take) {
    struct document_wait *wait = server->waits;
    while (wait != NULL && (wait->request != request || wait->answered)) {
        wait = wait->next;
    }
    if (wait == NULL) { // its client has gone
        message_release(take);
        return;
    }
    wait->answered = true;
    wait->status = status;
    wait->message = take;
    snprintf(wait->file, sizeof wait->file, "%s", file);
    connection_ask_to_write(wait->connection);
}

// Sends the document, if it has come.
static void send_document(struct connection *connection) {
    struct document_wait *wait = connection->wait;
    char headers[FILE_NAME_MAX + 96];
    if (!wait->answered) {
        return;
    }
    const int status = wait->status;
    const bool kept = wait->file[0] != '\0';
    struct message *message = wait->message;
    wait->message = NULL;
    snprintf(headers, sizeof headers, "Cache-Control: no-store\r\n%s%s%s",
             kept ? "Content-Disposition: attachment; filename=\"" : "", wait->file, kept ? "\"\r\n" : "");
    free_wait(connection);
    response_send(
        connection,
        &(struct response_head){
            .status = status, .headers = headers, .content_type = kept ? "application/octet-stream" : TEXT, .page = ""},
        message);
}

// ---- requests ----------------------------------------------------------------------------------------------------

static void answer_post(struct connection *connection, const char *path) {
    struct net_server *server = connection->server;
    struct request *request = &connection->request;
    const struct net_handlers *handlers = &server->options.handlers;
    const struct net_request description = origin_describe(connection, &request_text);
    struct net_answer answer = {.status = 204, .content_type = TEXT};
    if (!server->draining && http_has_room(server)) {
        answer.connection = server->last_connection_id + 1;
    }
    if (handlers->post == NULL ||
        !handlers->post(handlers->user, &description, path, request->bytes + request->head.length,
                        (size_t)request->head.body_length, &answer)) {
        refuse(connection, 405, "Allow: GET, HEAD\r\n", "only GET and HEAD are served here\n");
        return;
    }
    request_drop_body(connection);
    if (answer.later) {
        server->last_connection_id++;
        post_reply_begin(connection, answer.connection);
        return;
    }
    char headers[NET_ANSWER_HEADERS_MAX + 64];
    snprintf(headers, sizeof headers, "%sCache-Control: no-store\r\nConnection: close\r\n", answer.headers);
    send_text(connection, answer.status, headers, answer.content_type, answer.message);
}

// Whether the application lets this client have the document; refuses it otherwise.
static bool may_ask(struct connection *connection, const char *path) {
    const struct net_handlers *handlers = &connection->server->options.handlers;
    if (handlers->may_get == NULL) {
        return true;
    }
    const struct net_request description = origin_describe(connection, &request_text);
    const int status = handlers->may_get(handlers->user, &description, path);
    if (status == 405) {
        refuse(connection, 405, "Allow: POST\r\n", "only POST is served here\n");
    } else if (status == 401) {
        refuse(connection, 401, "WWW-Authenticate: Bearer\r\n", "no valid token\n");
    } else if (status != 0) {
        refuse(connection, status, "", "this takes another role\n");
    }
    return status == 0;
}

static void answer_with_document(struct connection *connection, const struct net_document *document,
                                 struct message *take) {
    char headers[256];
    snprintf(headers, sizeof headers, "Cache-Control: %s\r\n%s", document->cache_control,
             document->shared ? "Access-Control-Allow-Origin: *\r\n" : "");
    response_send(connection,
                  &(struct response_head){.status = document->status,
                                          .headers = headers,
                                          .content_type = document->content_type,
                                          .page = "",
                                          .shared = document->shared},
                  take);
}

static void answer_get(struct connection *connection, const char *path) {
    struct net_server *server = connection->server;
    const struct net_handlers *handlers = &server->options.handlers;
    if (redirect_answer(connection, path)) {
        return;
    }
    if (strcmp(path, "/") != 0 && handlers->admit(handlers->user, path) >= 0) {
        refuse(connection, 426, "Connection: Upgrade, close\r\nUpgrade: websocket\r\n",
               "This is a world's address for WebSockets (subprotocol " SUBPROTOCOL
               "). Send single requests by POST to the same address followed by /rpc.\n");
        return;
    }
    if (!may_ask(connection, path)) {
        return;
    }
    if (handlers->fetch != NULL && handlers->fetch(handlers->user, ++server->last_request, path)) {
        wait_for_document(connection, server->last_request);
        return;
    }
    struct net_document document = {.status = 200, .content_type = TEXT, .cache_control = "no-store"};
    struct message *message = handlers->document(handlers->user, path, &document);
    if (message != NULL) {
        answer_with_document(connection, &document, message);
    } else if (!file_send(connection, strcmp(path, "/") == 0 ? "/index.html" : path)) {
        static const char text[] = "not found\n";
        send_text(connection, 404, "Cache-Control: no-store\r\n", TEXT, message_from_text(text, sizeof text - 1));
    }
}

static bool is_shared(const struct connection *connection, const char *path) {
    const struct net_handlers *handlers = &connection->server->options.handlers;
    return !connection->request.head.post && handlers->is_shared != NULL && handlers->is_shared(handlers->user, path);
}

void http_answer(struct connection *connection) {
    char path[PATH_LENGTH_MAX] = "";
    struct request *request = &connection->request;
    if (request->refusal.status == 0) {
        size_t length = 0;
        const char *target = head_path(&request->head, &length);
        if (!path_decode(target, length, path, sizeof path)) {
            request->refusal = (struct refusal){404, "", "not found\n"};
        } else {
            (void)origin_is_allowed(connection, is_shared(connection, path), &request->refusal);
        }
    }
    if (request->refusal.status != 0) {
        response_refuse(connection, &request->refusal);
    } else if (request->head.post) {
        answer_post(connection, path);
    } else {
        answer_get(connection, path);
    }
}

bool http_write(struct connection *connection) {
    if (connection->post_reply != NULL) {
        post_reply_send(connection);
    } else if (connection->wait != NULL) {
        send_document(connection);
    }
    return connection->response.active && response_write(connection);
}

void http_end(struct connection *connection) {
    response_free(connection);
    free_wait(connection);
    post_reply_free(connection);
    request_free(connection);
}
