// SPDX-License-Identifier: MIT
#include "net/http/request.h"

#include <stdlib.h>
#include <string.h>

#include "net/connection/connection.h"
#include "net/connection/socket.h"
#include "net/http/origin.h"
#include "net/http/redirect.h"

#define BODY_BYTES_MAX 4096u       // of a request, unless the application takes more
#define RENEWING_BYTES (64u << 10) // of a long body that must come in the time for a request

static bool reserve_bytes(struct request *request, size_t more) {
    const size_t needed = request->length + more;
    if (needed <= request->capacity) {
        return true;
    }
    char *bytes = realloc(request->bytes, needed);
    if (bytes == NULL) {
        return false;
    }
    request->bytes = bytes;
    request->capacity = needed;
    return true;
}

static void refuse(struct request *request, int status, const char *text) {
    if (request->refusal.status == 0) {
        request->refusal = (struct refusal){status, "", text};
    }
}

static void forget_unfinished(struct connection *connection) {
    connection->server->unfinished_bytes -= connection->request.unfinished;
    connection->request.unfinished = 0;
}

void request_free(struct connection *connection) {
    forget_unfinished(connection);
    free(connection->request.bytes);
    connection->request = (struct request){0};
}

void request_drop_body(struct connection *connection) {
    struct request *request = &connection->request;
    char *head = realloc(request->bytes, request->head.length);
    if (head != NULL) {
        request->bytes = head;
        request->capacity = request->head.length;
        request->head.text = head;
    }
    forget_unfinished(connection);
}

// ---- the head ----------------------------------------------------------------------------------------------------

// Refuses a body that is too long for this client, before any of it is read.
static void check_body(struct connection *connection) {
    static struct request_text text; // too large for a stack, and the net thread is alone
    struct request *request = &connection->request;
    const struct net_handlers *handlers = &connection->server->options.handlers;
    char path[PATH_LENGTH_MAX];
    size_t most = BODY_BYTES_MAX;
    size_t length = 0;
    const char *target = head_path(&request->head, &length);
    if (length >= sizeof path) {
        refuse(request, 414, "the path is too long\n");
        return;
    }
    if (handlers->may_post != NULL) {
        if (!origin_is_allowed(connection, false, &request->refusal)) {
            return;
        }
        memcpy(path, target, length);
        path[length] = '\0';
        if (redirect_find(connection, path, &request->refusal)) {
            return;
        }
        const struct net_request description = origin_describe(connection, &text);
        const int status = handlers->may_post(handlers->user, &description, path, &most);
        if (status == 401) {
            request->refusal = (struct refusal){401, "WWW-Authenticate: Bearer\r\n",
                                                "this takes a valid token: send it as Authorization: Bearer TOKEN\n"};
        } else if (status != 0) {
            refuse(request, status, "this takes another role\n");
        }
    }
    if (request->head.body_length > most) {
        refuse(request, 413, "the body is too long\n");
    }
}

// The body may come (RFC 9110, 10.1.1). The answer before this one, if any, has gone out whole.
static void send_continue(struct connection *connection) {
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    const size_t length = sizeof text - 1;
    if (socket_write(connection->wsi, text, length) != (ssize_t)length) {
        connection_kill(connection);
    }
}

// The head has `end` bytes. Returns whether the request is whole, or to be refused.
static bool read_head(struct connection *connection, size_t end) {
    struct request *request = &connection->request;
    head_read(request->bytes, end, &request->head, &request->refusal);
    if (request->refusal.status == 0 && request->head.post) {
        check_body(connection);
    }
    if (request->refusal.status != 0 || request->head.body_length == 0) {
        return true;
    }
    connection->phase = CONNECTION_BODY;
    if (request->head.expects) {
        send_continue(connection);
    }
    return false;
}

static size_t take_head(struct connection *connection, const uint8_t *bytes, size_t length, bool *whole) {
    struct request *request = &connection->request;
    const size_t before = request->length;
    const size_t room = HEAD_BYTES_MAX + 1 - before;
    size_t count = length < room ? length : room;
    if (before == 0) {
        request_free(connection);
        connection->request_due = true;
        connection_renew(connection);
        lws_set_timeout(connection->wsi, NO_PENDING_TIMEOUT, 0); // accept.c limits the time of a request
    }
    if (!reserve_bytes(request, count)) {
        refuse(request, 503, "the server is out of memory\n");
        *whole = true;
        return length;
    }
    memcpy(request->bytes + before, bytes, count);
    const size_t end = head_end(request->bytes, before + count, before);
    if (end > 0) {
        count = end - before;
    }
    request->length = before + count;
    if (request->length > HEAD_BYTES_MAX) {
        refuse(request, 431, "the head is too long\n");
    } else if (end > 0) {
        *whole = read_head(connection, end);
        return count;
    } else {
        (void)head_may_begin(request->bytes, request->length, &request->refusal);
    }
    *whole = request->refusal.status != 0;
    return count;
}

// ---- the body ----------------------------------------------------------------------------------------------------

// Reserves memory for the whole body. The bytes of a long one count among those of unfinished messages.
static bool reserve_body(struct connection *connection, size_t total) {
    struct net_server *server = connection->server;
    struct request *request = &connection->request;
    const bool counts = request->head.body_length > BODY_BYTES_MAX && request->unfinished == 0;
    if (counts && server->unfinished_bytes + total > server->options.unfinished_max) {
        refuse(request, 503, "too many long messages are coming in: try again later\n");
        return false;
    }
    if (!reserve_bytes(request, total - request->length)) {
        refuse(request, 503, "the server is out of memory\n");
        return false;
    }
    if (counts) {
        request->unfinished = total;
        request->renewed = request->length;
        server->unfinished_bytes += total;
    }
    return true;
}

static size_t take_body(struct connection *connection, const uint8_t *bytes, size_t length, bool *whole) {
    struct request *request = &connection->request;
    const size_t total = request->head.length + (size_t)request->head.body_length;
    if (!reserve_body(connection, total)) {
        *whole = true;
        return length;
    }
    request->head.text = request->bytes;
    if (request->length - request->renewed > RENEWING_BYTES && request->unfinished > 0) {
        request->renewed = request->length;
        connection_renew(connection); // its time limit begins anew as long as it goes on
    }
    const size_t count = length < total - request->length ? length : total - request->length;
    memcpy(request->bytes + request->length, bytes, count);
    request->length += count;
    *whole = request->length == total;
    return count;
}

size_t request_receive(struct connection *connection, const uint8_t *bytes, size_t length, bool *whole) {
    *whole = false;
    const size_t count = connection->phase == CONNECTION_BODY ? take_body(connection, bytes, length, whole)
                                                              : take_head(connection, bytes, length, whole);
    if (*whole) {
        connection->phase = CONNECTION_ANSWERING;
        connection->request_due = false;
        connection->request.length = 0; // the bytes stay until the next request comes
        connection_renew(connection);
    }
    return count;
}
