// SPDX-License-Identifier: MIT
// Bundles: the replies to an array of requests, held until all of them have come, then sent as one array. Replies are
// made on several threads and come in any order; each has its place.
//
// A request by POST (RFC 9110) has a bundle as well, of one reply without brackets where it was a single request; the
// reply of a POST that is answered later goes out when the bundle is whole.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/net_internal.h"

#define COLLECT_TIMEOUT_S 600 // for the application to make all replies to one POST

enum bundle_state { BUNDLE_OPEN, BUNDLE_WHOLE, BUNDLE_TOO_LONG };

struct bundle {
    struct bundle *next; // of the same peer
    uint64_t number;
    bool array;
    uint32_t expected, count;
    size_t bytes;
    struct message *messages[]; // by their places
};

// A POST whose reply the application makes. The application treats it as a peer.
struct http_collect {
    struct http_collect *next;
    struct net_server *server;
    uint64_t peer;
    struct lws *wsi;
    struct bundle *bundle; // NULL: it is not known yet how many replies will come
    bool answered;
    int status;
    struct message *reply; // NULL: no body
};

// ---- bundles -----------------------------------------------------------------------------------------------------

static struct bundle *bundle_create(uint64_t number, uint32_t expected, bool array) {
    struct bundle *bundle = calloc(1, sizeof *bundle + expected * sizeof(struct message *));
    if (bundle != NULL) {
        bundle->number = number;
        bundle->expected = expected;
        bundle->array = array;
    }
    return bundle;
}

static void bundle_free(struct bundle *bundle) {
    for (uint32_t at = 0; bundle != NULL && at < bundle->expected; at++)
        message_release(bundle->messages[at]);
    free(bundle);
}

// Takes the message. It is dropped if the bundle has no such place, or if the place has a message already.
static enum bundle_state bundle_add(struct bundle *bundle, struct message *take) {
    const uint32_t place = NET_BUNDLE_PLACE(message_bundle(take));
    if (place >= bundle->expected || bundle->messages[place] != NULL) {
        message_release(take);
        return BUNDLE_OPEN;
    }
    bundle->messages[place] = take;
    bundle->count++;
    bundle->bytes += message_length(take) + 1;
    if (bundle->bytes > BUNDLE_BYTES_MAX && bundle->count > 1)
        return BUNDLE_TOO_LONG;
    return bundle->count == bundle->expected ? BUNDLE_WHOLE : BUNDLE_OPEN;
}

// All of it as one message; NULL when memory is out.
static struct message *bundle_join(const struct bundle *bundle) {
    if (!bundle->array)
        return message_retain(bundle->messages[0]);
    struct message *joined = message_create(MESSAGE_TEXT, bundle->bytes + 2);
    if (joined == NULL)
        return NULL;
    uint8_t *out = message_data(joined);
    size_t length = 0;
    for (uint32_t at = 0; at < bundle->expected; at++) {
        out[length++] = at == 0 ? '[' : ',';
        memcpy(out + length, message_data(bundle->messages[at]), message_length(bundle->messages[at]));
        length += message_length(bundle->messages[at]);
    }
    out[length++] = ']';
    message_set_length(joined, length);
    return joined;
}

// ---- of a WebSocket ----------------------------------------------------------------------------------------------

void bundle_free_all(struct peer *peer) {
    while (peer->bundles != NULL) {
        struct bundle *bundle = peer->bundles;
        peer->bundles = bundle->next;
        bundle_free(bundle);
    }
}

static struct bundle **find_bundle(struct peer *peer, uint64_t number) {
    struct bundle **place = &peer->bundles;
    while (*place != NULL && (*place)->number != number)
        place = &(*place)->next;
    return place;
}

void bundle_expect(struct peer *peer, uint64_t number, uint32_t expected) {
    struct bundle *bundle = bundle_create(number, expected, true);
    if (bundle == NULL) {
        peer_close(peer, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
        return;
    }
    bundle->next = peer->bundles;
    peer->bundles = bundle;
}

void bundle_send(struct peer *peer, struct message *take) {
    const uint64_t number = NET_BUNDLE_NUMBER(message_bundle(take));
    struct bundle **place = find_bundle(peer, number), *bundle = *place;
    if (number == 0 || bundle == NULL) {
        peer_enqueue(peer, take);
        return;
    }
    const enum bundle_state state = bundle_add(bundle, take);
    if (state == BUNDLE_OPEN)
        return;
    struct message *joined = state == BUNDLE_WHOLE ? bundle_join(bundle) : NULL;
    *place = bundle->next;
    bundle_free(bundle);
    if (joined != NULL)
        peer_enqueue(peer, joined);
    else if (state == BUNDLE_TOO_LONG)
        peer_close(peer, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
                   "the replies to an array of requests are too long together");
    else
        peer_close(peer, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
}

// ---- of a POST ---------------------------------------------------------------------------------------------------

static struct http_collect *find_collect(struct net_server *server, uint64_t peer) {
    struct http_collect *collect = server->collects;
    while (collect != NULL && collect->peer != peer)
        collect = collect->next;
    return collect;
}

// Takes the reply.
static void end_collecting(struct http_collect *collect, int status, struct message *take) {
    if (collect->answered) {
        message_release(take);
        return;
    }
    collect->answered = true;
    collect->status = status;
    collect->reply = take;
    lws_callback_on_writable(collect->wsi);
}

static void refuse_collect(struct http_collect *collect, int status, const char *sentence) {
    end_collecting(collect, status, message_from_text(sentence, strlen(sentence)));
}

int collect_begin(struct net_server *server, struct lws *wsi, struct session *session, uint64_t peer) {
    struct http_collect *collect = calloc(1, sizeof *collect);
    if (collect == NULL) {
        server->options.handlers.closed(server->options.handlers.user, peer, false);
        return -1;
    }
    *collect = (struct http_collect){.next = server->collects, .server = server, .peer = peer, .wsi = wsi};
    server->collects = collect;
    session->collect = collect;
    session->counted = true;
    server->sockets++;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, COLLECT_TIMEOUT_S);
    return 0;
}

void collect_free(struct net_server *server, struct session *session) {
    struct http_collect *collect = session->collect, **place = &server->collects;
    if (collect == NULL)
        return;
    while (*place != collect)
        place = &(*place)->next;
    *place = collect->next;
    session->collect = NULL;
    server->options.handlers.closed(server->options.handlers.user, collect->peer, false);
    message_release(collect->reply);
    bundle_free(collect->bundle);
    free(collect);
}

void collect_expect(struct net_server *server, uint64_t peer, uint32_t expected, bool array) {
    struct http_collect *collect = find_collect(server, peer);
    if (collect == NULL || collect->bundle != NULL)
        return;
    collect->bundle = bundle_create(0, expected, array);
    if (collect->bundle == NULL)
        refuse_collect(collect, 503, "the server is out of memory\n");
    else if (expected == 0)
        end_collecting(collect, 204, NULL);
}

void collect_add(struct net_server *server, uint64_t peer, struct message *take) {
    struct http_collect *collect = find_collect(server, peer);
    if (collect == NULL || collect->bundle == NULL || collect->answered) { // it has gone, or will be refused
        message_release(take);
        return;
    }
    const enum bundle_state state = bundle_add(collect->bundle, take);
    if (state == BUNDLE_TOO_LONG)
        refuse_collect(collect, 500, "the replies to an array of requests are too long together\n");
    if (state != BUNDLE_WHOLE)
        return;
    struct message *joined = bundle_join(collect->bundle);
    if (joined != NULL)
        end_collecting(collect, 200, joined);
    else
        refuse_collect(collect, 503, "the server is out of memory\n");
}

void collect_refuse(struct net_server *server, uint64_t peer, const char *reason) {
    char sentence[CLOSE_REASON_MAX + 2];
    struct http_collect *collect = find_collect(server, peer);
    snprintf(sentence, sizeof sentence, "%s\n", reason);
    if (collect != NULL)
        refuse_collect(collect, 503, sentence);
}

void collect_refuse_all(struct net_server *server, const char *sentence) {
    for (struct http_collect *collect = server->collects; collect != NULL; collect = collect->next)
        refuse_collect(collect, 503, sentence);
}

// Ends the POSTs of clients that have gone; libwebsockets does not look while a request is being answered. Like other
// servers, this one takes a connection as closed when its client has closed the sending side.
void collect_look(struct net_server *server) {
    for (struct http_collect *collect = server->collects; collect != NULL; collect = collect->next) {
        struct pollfd state = {.fd = lws_get_socket_fd(collect->wsi), .events = POLLRDHUP};
        struct line *line = line_of(collect->wsi);
        if (!collect->answered && line != NULL && !line->killed && poll(&state, 1, 0) > 0)
            line_kill(line);
    }
}

int collect_write(struct net_server *server, struct lws *wsi, struct session *session) {
    struct http_collect *collect = session->collect;
    if (!collect->answered)
        return 0;
    const int status = collect->status;
    struct message *reply = collect->reply;
    collect->reply = NULL;
    collect_free(server, session);
    return http_reply_with(wsi, session, status,
                           status == 503 ? "Cache-Control: no-store\r\nRetry-After: 1\r\n"
                                         : "Cache-Control: no-store\r\n",
                           status == 200 ? "application/json" : "text/plain; charset=utf-8", reply);
}
