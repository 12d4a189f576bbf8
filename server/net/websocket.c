// SPDX-License-Identifier: MIT
// A WebSocket's life: the handshake, checked by us before libwebsockets sees it, because that one accepts foreign
// origins and drops what it does not like without a status; incoming fragments, put together up to `message_max`; and
// one message out per writeable callback. That frames are masked and sound otherwise is seen to in wire.c.
#include <assert.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/log.h"
#include "net/net_internal.h"

static_assert(MESSAGE_HEADROOM >= LWS_PRE, "libwebsockets writes its frame header in front of a message");

#define SUBPROTOCOLS_LENGTH_MAX 126 // libwebsockets copies the list into 127 bytes
#define KEY_LENGTH 24               // 16 bytes in base 64 (RFC 6455, 4.1)
#define OVERSIZE_FACTOR 16          // times message_max: who sends more is cut off instead of answered
#define ASSEMBLY_LEAST_BYTES 4096   // of a buffer, which is freed with its message
#ifndef LWS_CLOSE_STATUS_TRY_AGAIN_LATER
#define LWS_CLOSE_STATUS_TRY_AGAIN_LATER 1013
#endif
#define CAUTIOUS_WRITES 60 // after one that the socket did not take whole: they wait until it has room

// ---- handshake ---------------------------------------------------------------------------------------------------

// True when the client names no subprotocol, or ours among others.
static bool subprotocol_is_known(struct lws *wsi) {
    char list[SUBPROTOCOLS_LENGTH_MAX + 1];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) == 0)
        return true;
    if (lws_hdr_copy(wsi, list, sizeof list, WSI_TOKEN_PROTOCOL) <= 0)
        return false;
    char *rest = list;
    for (char *name = strtok_r(rest, ", \t", &rest); name != NULL; name = strtok_r(NULL, ", \t", &rest)) {
        if (strcmp(name, SUBPROTOCOL) == 0)
            return true;
    }
    return false;
}

// Sixteen bytes in base 64.
static bool key_is_sound(struct lws *wsi) {
    char key[KEY_LENGTH + 1];
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return lws_hdr_copy(wsi, key, sizeof key, WSI_TOKEN_KEY) == KEY_LENGTH && strspn(key, letters) == KEY_LENGTH - 2 &&
           strcmp(key + KEY_LENGTH - 2, "==") == 0;
}

// A handshake that libwebsockets will be able to complete: else it would hang up without a word.
static int check_form(struct lws *wsi) {
    char version[8];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0)
        return http_refuse(wsi, 405, "Allow: GET\r\n", "a WebSocket handshake is a GET request\n");
    if (lws_hdr_copy(wsi, version, sizeof version, WSI_TOKEN_VERSION) <= 0 || strcmp(version, "13") != 0)
        return http_refuse(wsi, 426, "Sec-WebSocket-Version: 13\r\n", "this server speaks WebSocket version 13\n");
    if (!key_is_sound(wsi) || lws_hdr_total_length(wsi, WSI_TOKEN_HOST) == 0)
        return http_refuse(wsi, 400, "", "a WebSocket handshake needs Host and a Sec-WebSocket-Key of 16 bytes\n");
    return 0;
}

// Whether who asks may come in, by its origin and by what the application says. 0, or −1 after a refusal.
static int check_visitor(struct net_server *server, struct lws *wsi, const struct line *line) {
    static struct visitor_store store; // too large for a stack, and the net thread is alone
    struct refusal refusal;
    const struct net_handlers *handlers = &server->options.handlers;
    if (!visitor_is_welcome(server, line, &refusal))
        return http_refuse(wsi, refusal.status, refusal.headers, refusal.text);
    const struct net_visitor visitor = visitor_of(wsi, line, &store);
    const int status = handlers->visit == NULL ? 0 : handlers->visit(handlers->user, &visitor);
    if (status != 0)
        return http_refuse(wsi, status, status == 401 ? "WWW-Authenticate: Bearer\r\n" : "", "no valid token\n");
    return 0;
}

// A peer counts until the application has done with it, which may be later than its socket is closed.
bool websocket_has_room(const struct net_server *server) {
    const struct net_handlers *handlers = &server->options.handlers;
    const size_t most = server->options.peers_max;
    return server->sockets < most && (handlers->kept == NULL || handlers->kept(handlers->user) < most);
}

int websocket_confirm(struct net_server *server, struct lws *wsi) {
    char path[PATH_LENGTH_MAX];
    const struct line *line = line_of(wsi);
    if (line == NULL || !line->fed || !line->head.upgrade || line->refusal.status != 0)
        return http_refuse(wsi, 500, "", "this build of libwebsockets reads sockets in a way that is not known here\n");
    if (check_form(wsi) != 0 || check_visitor(server, wsi, line) != 0)
        return -1;
    if (!subprotocol_is_known(wsi))
        return http_refuse(wsi, 400, "", "the only subprotocol is " SUBPROTOCOL "\n");
    if (server->draining || !websocket_has_room(server))
        return http_refuse(wsi, 503, "Retry-After: 5\r\n",
                           server->draining ? "the server is going away\n" : "the server is full\n");
    const struct net_handlers *handlers = &server->options.handlers;
    server->admission = -1;
    if (lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) > 0)
        server->admission = handlers->admit(handlers->user, path);
    if (server->admission < 0)
        return http_refuse(wsi, 404, "", "no such world\n");
    return 0;
}

int websocket_opened(struct net_server *server, struct lws *wsi, struct session *session) {
    char address[LISTEN_ADDRESS_MAX] = "";
    int bytes = SEND_BUFFER_BYTES;
    if (setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes) != 0)
        log_debug("net", "the send buffer keeps its default size");
    lws_get_peer_simple(wsi, address, sizeof address);
    line_seat(line_of(wsi));
    session->peer = peer_create(server, wsi);
    if (session->peer == NULL)
        return -1;
    server->sockets++;
    // The handshake is answered in one go, from the confirmation to here, so the admission is still this one's.
    const struct net_handlers *handlers = &server->options.handlers;
    handlers->opened(handlers->user, session->peer->id, server->admission, address);
    return 0;
}

// ---- in ----------------------------------------------------------------------------------------------------------

// Unfinished messages share one allowance, so that no client takes the memory of the server by beginning many. A client
// that has begun a message and does not go on with it gives way.
static bool may_grow(struct peer *peer, size_t growth) {
    struct net_server *server = peer->server;
    while (server->unfinished_bytes + growth > server->options.unfinished_max) {
        struct peer *idle = peer_find_idle_assembly(server);
        if (idle == NULL || idle == peer || lws_now_usecs() - idle->assembled_us < UNFINISHED_PATIENCE_US)
            return false;
        websocket_forget_assembly(idle);
        peer_close(idle, LWS_CLOSE_STATUS_TRY_AGAIN_LATER, "the rest of a long message did not come in time");
    }
    return true;
}

enum appended { APPENDED, APPEND_NO_MEMORY, APPEND_NO_ROOM };

static enum appended append(struct peer *peer, const char *bytes, size_t length) {
    const size_t needed = peer->assembly_length + length;
    if (needed > peer->assembly_capacity || peer->assembly == NULL) {
        const size_t capacity = needed < ASSEMBLY_LEAST_BYTES ? ASSEMBLY_LEAST_BYTES : needed + needed / 2;
        if (!may_grow(peer, capacity - peer->assembly_capacity))
            return APPEND_NO_ROOM;
        uint8_t *assembly = realloc(peer->assembly, capacity);
        if (assembly == NULL)
            return APPEND_NO_MEMORY;
        peer->server->unfinished_bytes += capacity - peer->assembly_capacity;
        peer->assembly = assembly;
        peer->assembly_capacity = capacity;
    }
    memcpy(peer->assembly + peer->assembly_length, bytes, length);
    peer->assembled_us = lws_now_usecs();
    return APPENDED;
}

// Hands the buffer over to the caller, who passes it on or frees it.
static uint8_t *release_assembly(struct peer *peer) {
    uint8_t *assembly = peer->assembly;
    peer->server->unfinished_bytes -= peer->assembly_capacity;
    peer->assembly = NULL;
    peer->assembly_capacity = 0;
    return assembly;
}

void websocket_forget_assembly(struct peer *peer) {
    free(release_assembly(peer));
    peer->assembly_length = 0;
}

static void deliver_text(struct peer *peer, const char *text, size_t length) {
    const struct net_handlers *handlers = &peer->server->options.handlers;
    handlers->message(handlers->user, peer->id, text, length);
}

// What has been put together goes on without being copied once more.
static void hand_over_text(struct peer *peer) {
    const struct net_handlers *handlers = &peer->server->options.handlers;
    char *text = (char *)release_assembly(peer);
    handlers->long_message(handlers->user, peer->id, text, peer->assembly_length);
}

// The last piece of a message of more than one piece, or of one that is not delivered at all, has come.
static void end_message(struct peer *peer, bool binary) {
    const struct net_handlers *handlers = &peer->server->options.handlers;
    if (binary)
        handlers->binary(handlers->user, peer->id, peer->assembly_length);
    else if (peer->assembly_length > peer->message_max)
        handlers->oversized(handlers->user, peer->id, peer->message_max);
    else if (handlers->long_message != NULL && peer->assembly != NULL)
        hand_over_text(peer);
    else
        deliver_text(peer, (const char *)peer->assembly, peer->assembly_length);
    websocket_forget_assembly(peer);
}

static size_t message_limit(const struct peer *peer) {
    const struct net_options *options = &peer->server->options;
    if (options->handlers.message_limit == NULL)
        return options->message_max;
    const size_t limit = options->handlers.message_limit(options->handlers.user, peer->id);
    return limit < options->message_max ? limit : options->message_max;
}

// Takes one piece of a message: `announced` more bytes belong to its frame, `last` says that it ends the message. Of
// binary messages, and of those that are too long, only the length is kept.
static void receive_piece(struct peer *peer, const char *bytes, size_t length, size_t announced, bool last) {
    if (peer->assembly_length == 0)
        peer->message_max = message_limit(peer);
    const size_t message_max = peer->message_max;
    bool binary = lws_frame_is_binary(peer->wsi) != 0;
    size_t patience = message_max * OVERSIZE_FACTOR - peer->assembly_length;
    if (length > patience || announced > patience - length) {
        peer_close(peer, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "the message is far longer than the limit");
        return;
    }
    bool fits = length <= message_max && peer->assembly_length <= message_max - length;
    if (!binary && fits && last && peer->assembly_length == 0) { // the usual case: no copy
        deliver_text(peer, bytes, length);
        return;
    }
    const enum appended appended = !binary && fits ? append(peer, bytes, length) : APPENDED;
    if (appended == APPEND_NO_MEMORY)
        peer_close(peer, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
    if (appended == APPEND_NO_ROOM)
        peer_close(peer, LWS_CLOSE_STATUS_TRY_AGAIN_LATER, "too many long messages are coming in: try again later");
    if (appended != APPENDED)
        return;
    peer->assembly_length += length;
    if (last)
        end_message(peer, binary);
}

void websocket_receive(struct peer *peer, const char *bytes, size_t length) {
    if (peer->leaving)
        return;
    bool last = lws_is_final_fragment(peer->wsi) != 0;
    if (lws_is_first_fragment(peer->wsi) != 0)
        websocket_forget_assembly(peer);
    count_up(peer->server, COUNTER_BYTES_RECEIVED, length);
    if (last)
        count_up(peer->server, COUNTER_MESSAGES_RECEIVED, 1);
    receive_piece(peer, bytes, length, lws_remaining_packet_payload(peer->wsi), last);
}

// ---- out ---------------------------------------------------------------------------------------------------------

static int write_message(struct peer *peer, struct message *message, bool is_state) {
    size_t length = message_length(message);
    enum lws_write_protocol kind = message_kind(message) == MESSAGE_TEXT ? LWS_WRITE_TEXT : LWS_WRITE_BINARY;
    // What the socket does not take at once is kept by libwebsockets, which then calls again only when all has gone.
    int written = lws_write(peer->wsi, message_data(message), length, kind);
    if (written < 0)
        return -1;
    if (lws_partial_buffered(peer->wsi))
        peer->caution = CAUTIOUS_WRITES;
    else if (peer->caution > 0)
        peer->caution--;
    count_up(peer->server, COUNTER_BYTES_SENT, length);
    if (peer->server->options.handlers.sent != NULL)
        peer->server->options.handlers.sent(peer->server->options.handlers.user, peer->id, length);
    if (is_state)
        count_up(peer->server, COUNTER_FRAMES_SENT, 1);
    return 0;
}

// The close frame is out and libwebsockets asks once more. To end the socket now would cut off a peer that is still
// sending, and might take the frame from it as well, since a socket that is closed over unread bytes is reset. So we
// read on until it has closed its side (RFC 6455, 7.1.1), or libwebsockets' time for that is over.
static int end_writing(struct peer *peer) {
    SSL *tls = lws_get_ssl(peer->wsi);
    if (tls != NULL)
        (void)SSL_shutdown(tls);
    if (shutdown(lws_get_socket_fd(peer->wsi), SHUT_WR) != 0)
        log_debug("net", "peer %llu has gone already", (unsigned long long)peer->id);
    return 0;
}

// The answer to the most recent ping (frame.c), ahead of the other messages that wait.
static int write_pong(struct peer *peer) {
    unsigned char bytes[LWS_PRE + CONTROL_BYTES_MAX];
    struct line *line = line_of(peer->wsi);
    if (line == NULL || !line->walk.pong_due)
        return 0;
    line->walk.pong_due = false;
    memcpy(bytes + LWS_PRE, line->walk.pong, line->walk.pong_length);
    return lws_write(peer->wsi, bytes + LWS_PRE, line->walk.pong_length, LWS_WRITE_PONG) < 0 ? -1 : 0;
}

static int write_next(struct peer *peer) {
    bool is_state;
    if (peer->parting)
        return end_writing(peer);
    if (write_pong(peer) != 0)
        return -1;
    if (!peer->leaving)
        stream_tell_starving(peer);
    struct message *message = peer_next_message(peer, &is_state);
    if (message == NULL && !peer->leaving)
        return 0;
    if (message == NULL) {
        char *reason = peer->close_reason; // NULL when memory was out
        lws_close_reason(peer->wsi, (enum lws_close_status)peer->close_code, (unsigned char *)reason,
                         reason == NULL ? 0 : strlen(reason));
        peer->parting = true;
        return -1;
    }
    int result = write_message(peer, message, is_state);
    message_release(message);
    if (result == 0 && (peer->leaving || peer_has_message(peer)))
        peer_ask_to_write(peer);
    return result;
}

int websocket_write(struct peer *peer) {
    peer->asked = false;
    return write_next(peer);
}

// A broadcast goes to who has room without a round through the loop, which would ask the kernel of every socket twice.
void websocket_write_now(struct peer *peer) {
    if (write_next(peer) != 0)
        lws_set_timeout(peer->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC); // not in the midst of a broadcast
}
