// SPDX-License-Identifier: MIT
#include "net/websocket/handshake.h"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "net/connection/connection.h"
#include "net/connection/output.h"
#include "net/http/http.h"
#include "net/http/origin.h"
#include "net/http/request.h"
#include "net/http/response.h"
#include "net/websocket/websocket.h"

#define SUBPROTOCOLS_LENGTH_MAX 126
#define KEY_LENGTH 24        // 16 bytes in base 64 (RFC 6455, 4.1)
#define ACCEPT_LENGTH_MAX 32 // 20 bytes in base 64
#define SEND_BUFFER_BYTES                                                                                              \
    (128 << 10) // of the kernel, for each client: small, so that few stale frames wait for a slow one
#define RESPONSE_MAX 512

static bool refuse(struct connection *connection, int status, const char *headers, const char *text) {
    response_refuse(connection, &(struct refusal){status, headers, text});
    return false;
}

// Whether the client names no subprotocol, or SUBPROTOCOL among others; then `named` is set.
static bool subprotocol_is_known(const struct head *head, bool *named) {
    char list[SUBPROTOCOLS_LENGTH_MAX + 1];
    size_t length = 0;
    *named = false;
    if (head_field(head, "sec-websocket-protocol", &length) == NULL || length == 0) {
        return true;
    }
    if (!head_copy_field(head, "sec-websocket-protocol", list, sizeof list)) {
        return false;
    }
    char *rest = list;
    for (char *name = strtok_r(rest, ", \t", &rest); name != NULL; name = strtok_r(NULL, ", \t", &rest)) {
        *named = *named || strcmp(name, SUBPROTOCOL) == 0;
    }
    return *named;
}

// Copies the key, which is 16 bytes in base 64. False when it is not.
static bool read_key(const struct head *head, char key[KEY_LENGTH + 1]) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return head_copy_field(head, "sec-websocket-key", key, KEY_LENGTH + 1) && strlen(key) == KEY_LENGTH &&
           strspn(key, letters) == KEY_LENGTH - 2 && strcmp(key + KEY_LENGTH - 2, "==") == 0;
}

static bool check_form(struct connection *connection, char key[KEY_LENGTH + 1]) {
    char version[8];
    const struct head *head = &connection->request.head;
    size_t length = 0;
    if (head->post || head->head_only) {
        return refuse(connection, 405, "Allow: GET\r\n", "a WebSocket handshake is a GET request\n");
    }
    if (!head_copy_field(head, "sec-websocket-version", version, sizeof version) || strcmp(version, "13") != 0) {
        return refuse(connection, 426, "Sec-WebSocket-Version: 13\r\n", "this server speaks WebSocket version 13\n");
    }
    if (!read_key(head, key) || head_field(head, "host", &length) == NULL || length == 0) {
        return refuse(connection, 400, "", "a WebSocket handshake needs Host and a Sec-WebSocket-Key of 16 bytes\n");
    }
    return true;
}

// Whether the client may connect, by its origin and by the application's answer. Refuses it otherwise.
static bool check_client(struct connection *connection) {
    static struct request_text text; // too large for a stack, and the net thread is alone
    struct refusal refusal;
    const struct net_handlers *handlers = &connection->server->options.handlers;
    if (!origin_is_allowed(connection, false, &refusal)) {
        return refuse(connection, refusal.status, refusal.headers, refusal.text);
    }
    const struct net_request description = origin_describe(connection, &text);
    const int status = handlers->may_connect == NULL ? 0 : handlers->may_connect(handlers->user, &description);
    return status == 0 ||
           refuse(connection, status, status == 401 ? "WWW-Authenticate: Bearer\r\n" : "", "no valid token\n");
}

// The application's key for the path (≥ 0), or −1 after a refusal.
static int admit(struct connection *connection) {
    char path[PATH_LENGTH_MAX];
    size_t length = 0;
    const struct net_server *server = connection->server;
    const char *target = head_path(&connection->request.head, &length);
    int admission = NET_ADMIT_NONE;
    if (server->draining || !http_has_room(server)) {
        refuse(connection, 503, "Retry-After: 5\r\n",
               server->draining ? "the server is going away\n" : "the server is full\n");
        return -1;
    }
    if (length < sizeof path) {
        memcpy(path, target, length);
        path[length] = '\0';
        admission = server->options.handlers.admit(server->options.handlers.user, path);
    }
    if (admission == NET_ADMIT_LATER) {
        refuse(connection, 503, "Retry-After: 1\r\n", "this world is coming to another node\n");
    } else if (admission < 0) {
        refuse(connection, 404, "", "no such world\n");
    }
    return admission;
}

// The response that completes the handshake; NULL when memory runs out.
static struct message *make_response(const char *key, bool named) {
    char text[KEY_LENGTH + 40];
    unsigned char digest[SHA_DIGEST_LENGTH];
    unsigned char accept[ACCEPT_LENGTH_MAX];
    snprintf(text, sizeof text, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key); // RFC 6455, 4.2.2
    if (EVP_Digest(text, strlen(text), digest, NULL, EVP_sha1(), NULL) != 1) {
        return NULL;
    }
    EVP_EncodeBlock(accept, digest, sizeof digest);
    char response[RESPONSE_MAX];
    const int length = snprintf(response, sizeof response,
                                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                "Sec-WebSocket-Accept: %s\r\n%s\r\n",
                                (const char *)accept, named ? "Sec-WebSocket-Protocol: " SUBPROTOCOL "\r\n" : "");
    return message_from_text(response, (size_t)length);
}

static void open_websocket(struct connection *connection, const char *key, bool named, int admission) {
    char address[ADDRESS_TEXT_MAX] = "";
    const int bytes = SEND_BUFFER_BYTES;
    const struct net_handlers *handlers = &connection->server->options.handlers;
    if (setsockopt(lws_get_socket_fd(connection->wsi), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes) != 0) {
        log_debug("net", "the send buffer keeps its default size");
    }
    lws_get_peer_simple(connection->wsi, address, sizeof address);
    struct message *response = make_response(key, named);
    struct websocket *websocket = response == NULL ? NULL : websocket_create(connection);
    if (websocket == NULL) {
        message_release(response);
        connection_kill(connection);
        return;
    }
    connection_end_guest(connection);
    request_free(connection);
    connection->phase = CONNECTION_FRAMES;
    output_begin(connection, response, false);
    connection_ask_to_write(connection);
    handlers->opened(handlers->user, websocket->id, admission, address);
}

void handshake_answer(struct connection *connection) {
    char key[KEY_LENGTH + 1];
    bool named = false;
    if (!check_form(connection, key) || !check_client(connection)) {
        return;
    }
    if (!subprotocol_is_known(&connection->request.head, &named)) {
        refuse(connection, 400, "", "the only subprotocol is " SUBPROTOCOL "\n");
        return;
    }
    const int admission = admit(connection);
    if (admission >= 0) {
        open_websocket(connection, key, named, admission);
    }
}
