// SPDX-License-Identifier: MIT
// Every head carries the same security headers and says no more than needed. A body goes out as fast as the socket
// takes it, read from its file in pieces.
#include "net/http/response.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "net/connection/connection.h"
#include "net/connection/output.h"
#include "net/connection/socket.h"
#include "net/http/origin.h"
#include "net/http/policy.h"

#define HEAD_LENGTH_MAX 5120
#define REFUSAL_HEADERS_MAX 1280
#define PIECE_BYTES (16 << 10)
#define PIECES_A_TURN 16u
#define PIECE_TIMEOUT_S 20 // a client that takes nothing for that long is dropped

// ---- the head ----------------------------------------------------------------------------------------------------

struct status_text {
    int status;
    const char *text;
};

static const struct status_text status_texts[] = {
    {200, "OK"},
    {204, "No Content"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

static const char *status_text(int status) {
    for (size_t i = 0; i < sizeof status_texts / sizeof status_texts[0]; i++) {
        if (status_texts[i].status == status) {
            return status_texts[i].text;
        }
    }
    return "Status";
}

// The Connection header: `close` if the connection ends although the client may expect otherwise, `keep-alive` if it
// is kept and the client speaks HTTP/1.0, else none.
static const char *connection_field(const struct request *request, const char *headers) {
    if (strstr(headers, "Connection: ") != NULL) {
        return "";
    }
    if (request->refusal.status != 0 || !request->head.persists) {
        return "Connection: close\r\n";
    }
    return request->head.old ? "Connection: keep-alive\r\n" : "";
}

// A whole head; NULL when memory runs out or it is too long. `headers` is "" or whole lines, `content_type` may be
// NULL.
static struct message *make_head(const struct connection *connection, const struct response_head *response,
                                 uint64_t length) {
    char policy[POLICY_MAX];
    char host[HOST_MAX];
    char scheme[8];
    const struct head *head = &connection->request.head;
    const char *type = response->content_type;
    const bool named =
        head_copy_field(head, "host", host, sizeof host) &&
        strspn(host, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_:[]") == strlen(host);
    const bool encrypted =
        head_copy_field(head, "x-forwarded-proto", scheme, sizeof scheme) && strcasecmp(scheme, "https") == 0;
    policy_write(policy, &connection->server->options, named ? host : "", response->page, response->page_length,
                 encrypted, response->shared);
    struct message *message = message_create(MESSAGE_TEXT, HEAD_LENGTH_MAX);
    if (message == NULL) {
        return NULL;
    }
    const int written = snprintf(
        (char *)message_data(message), HEAD_LENGTH_MAX, "HTTP/1.1 %d %s\r\n%s%s%s%s%s%sContent-Length: %llu\r\n\r\n",
        response->status, status_text(response->status), policy, response->headers,
        connection_field(&connection->request, response->headers), type != NULL ? "Content-Type: " : "",
        type != NULL ? type : "", type != NULL ? "\r\n" : "", (unsigned long long)length);
    if (written < 0 || written >= HEAD_LENGTH_MAX) {
        message_release(message);
        return NULL;
    }
    message_set_length(message, (size_t)written);
    return message;
}

// ---- the body ----------------------------------------------------------------------------------------------------

void response_free(struct connection *connection) {
    struct response *response = &connection->response;
    if (response->file >= 0) {
        close(response->file);
    }
    message_release(response->message);
    *response = (struct response){.file = -1};
}

static void start(struct connection *connection, const struct response_head *head, struct response body) {
    struct message *message = make_head(connection, head, body.length);
    response_free(connection);
    connection->response = body;
    if (message == NULL) {
        connection_kill(connection);
        return;
    }
    connection->response.active = true;
    if (connection->request.head.head_only) {
        connection->response.length = 0;
    }
    output_begin(connection, message, false);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, PIECE_TIMEOUT_S);
    connection_ask_to_write(connection);
}

void response_send(struct connection *connection, const struct response_head *head, struct message *take) {
    const uint64_t length = take == NULL ? 0 : message_length(take);
    start(connection, head, (struct response){.file = -1, .message = take, .length = length});
}

void response_send_file(struct connection *connection, const struct response_head *head, int file, uint64_t length) {
    start(connection, head, (struct response){.file = file, .length = length});
}

void response_refuse(struct connection *connection, const struct refusal *refusal) {
    char headers[REFUSAL_HEADERS_MAX];
    const bool told = strstr(refusal->headers, "Connection: ") != NULL;
    snprintf(headers, sizeof headers, "%s%sCache-Control: no-store\r\n", refusal->headers,
             told ? "" : "Connection: close\r\n");
    connection->request.head.persists = false;
    response_send(
        connection,
        &(struct response_head){
            .status = refusal->status, .headers = headers, .content_type = "text/plain; charset=utf-8", .page = ""},
        message_from_text(refusal->text, strlen(refusal->text)));
}

// Offers the rest of the body to the socket, of a file at most one piece. Returns as socket_write.
static ssize_t write_piece(struct connection *connection) {
    static uint8_t piece[PIECE_BYTES]; // the net thread is alone
    const struct response *response = &connection->response;
    const uint64_t left = response->length - response->offset;
    if (response->message != NULL) {
        return socket_write(connection->wsi, message_data(response->message) + response->offset, (size_t)left);
    }
    const size_t wanted = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
    const ssize_t count = pread(response->file, piece, wanted, (off_t)response->offset);
    return count <= 0 ? -1 : socket_write(connection->wsi, piece, (size_t)count); // else the file became shorter
}

bool response_write(struct connection *connection) {
    struct response *response = &connection->response;
    const enum output_result head = output_flush(connection);
    if (head == OUTPUT_FAILED) {
        connection_kill(connection);
        return false;
    }
    for (unsigned turn = 0; head == OUTPUT_DONE && turn < PIECES_A_TURN && response->offset < response->length;
         turn++) {
        const ssize_t count = write_piece(connection);
        if (count < 0) {
            connection_kill(connection);
            return false;
        }
        if (count == 0) {
            break;
        }
        response->offset += (uint64_t)count;
        lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, PIECE_TIMEOUT_S);
    }
    if (head == OUTPUT_BLOCKED || response->offset < response->length) {
        connection_ask_to_write(connection);
        return false;
    }
    response_free(connection);
    return true;
}
