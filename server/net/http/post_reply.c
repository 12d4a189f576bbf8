// SPDX-License-Identifier: MIT
#include "net/http/post_reply.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/connection/bundle.h"
#include "net/connection/connection.h"
#include "net/http/response.h"

#define REPLY_TIMEOUT_S 600 // for the application to make all replies to one POST

struct post_reply {
    struct post_reply *next;
    uint64_t id;
    struct connection *connection;
    struct bundle *bundle; // NULL: the number of messages is not known yet
    bool complete;
    int status;
    struct message *message; // NULL: no body
};

static struct post_reply *find(struct net_server *server, uint64_t id) {
    struct post_reply *reply = server->post_replies;
    while (reply != NULL && reply->id != id) {
        reply = reply->next;
    }
    return reply;
}

// Takes the message.
static void complete(struct post_reply *reply, int status, struct message *take) {
    if (reply->complete) {
        message_release(take);
        return;
    }
    reply->complete = true;
    reply->status = status;
    reply->message = take;
    connection_ask_to_write(reply->connection);
}

static void refuse(struct post_reply *reply, int status, const char *sentence) {
    complete(reply, status, message_from_text(sentence, strlen(sentence)));
}

void post_reply_begin(struct connection *connection, uint64_t id) {
    struct net_server *server = connection->server;
    struct post_reply *reply = calloc(1, sizeof *reply);
    if (reply == NULL) {
        server->options.handlers.closed(server->options.handlers.user, id, false);
        connection_kill(connection);
        return;
    }
    *reply = (struct post_reply){.next = server->post_replies, .id = id, .connection = connection};
    server->post_replies = reply;
    connection->post_reply = reply;
    connection->counted = true;
    server->sockets++;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, REPLY_TIMEOUT_S);
}

void post_reply_free(struct connection *connection) {
    struct net_server *server = connection->server;
    struct post_reply *reply = connection->post_reply, **place = &server->post_replies;
    if (reply == NULL) {
        return;
    }
    while (*place != reply) {
        place = &(*place)->next;
    }
    *place = reply->next;
    connection->post_reply = NULL;
    server->options.handlers.closed(server->options.handlers.user, reply->id, false);
    message_release(reply->message);
    bundle_free(reply->bundle);
    free(reply);
}

void post_reply_expect(struct net_server *server, uint64_t id, uint32_t messages, bool array) {
    struct post_reply *reply = find(server, id);
    if (reply == NULL || reply->bundle != NULL) {
        return;
    }
    reply->bundle = bundle_create(0, messages, array);
    if (reply->bundle == NULL) {
        refuse(reply, 503, "the server is out of memory\n");
    } else if (messages == 0) {
        complete(reply, 204, NULL);
    }
}

void post_reply_add(struct net_server *server, uint64_t id, struct message *take) {
    struct post_reply *reply = find(server, id);
    if (reply == NULL || reply->bundle == NULL || reply->complete) { // it has gone, or will be refused
        message_release(take);
        return;
    }
    const enum bundle_state state = bundle_add(reply->bundle, take);
    if (state == BUNDLE_TOO_LONG) {
        refuse(reply, 500, "the replies to an array of requests are too long together\n");
    }
    if (state != BUNDLE_WHOLE) {
        return;
    }
    struct message *joined = bundle_join(reply->bundle);
    if (joined != NULL) {
        complete(reply, 200, joined);
    } else {
        refuse(reply, 503, "the server is out of memory\n");
    }
}

void post_reply_refuse(struct net_server *server, uint64_t id, const char *reason) {
    char sentence[CLOSE_REASON_MAX + 2];
    struct post_reply *reply = find(server, id);
    snprintf(sentence, sizeof sentence, "%s\n", reason);
    if (reply != NULL) {
        refuse(reply, 503, sentence);
    }
}

void post_reply_refuse_all(struct net_server *server, const char *sentence) {
    for (struct post_reply *reply = server->post_replies; reply != NULL; reply = reply->next) {
        refuse(reply, 503, sentence);
    }
}

// While a request is being answered nothing is read, which would show that the client has gone. Like other servers,
// this one takes a connection as closed when its client has closed the sending side.
void post_reply_drop_gone(struct net_server *server) {
    for (struct post_reply *reply = server->post_replies; reply != NULL; reply = reply->next) {
        struct connection *connection = reply->connection;
        struct pollfd state = {.fd = lws_get_socket_fd(connection->wsi), .events = POLLRDHUP};
        if (!reply->complete && !connection->killed && poll(&state, 1, 0) > 0) {
            connection_kill(connection);
        }
    }
}

void post_reply_send(struct connection *connection) {
    struct post_reply *reply = connection->post_reply;
    if (!reply->complete) {
        return;
    }
    const int status = reply->status;
    struct message *message = reply->message;
    reply->message = NULL;
    post_reply_free(connection);
    const bool body = message != NULL && message_length(message) > 0;
    const struct response_head head = {.status = status,
                                       .headers = status == 503 ? "Cache-Control: no-store\r\nRetry-After: 1\r\n"
                                                                : "Cache-Control: no-store\r\n",
                                       .content_type = !body           ? NULL
                                                       : status == 200 ? "application/json"
                                                                       : "text/plain; charset=utf-8",
                                       .page = ""};
    response_send(connection, &head, message);
}
