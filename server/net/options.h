// SPDX-License-Identifier: MIT
// The data by which the network and the application know each other (net.h).
#ifndef WEFT_NET_OPTIONS_H
#define WEFT_NET_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/message.h"
#include "base/result.h"

struct net_server;

// A bundle: messages to one client that it gets as one, a JSON array. Each names the bundle and its place in it.
#define NET_BUNDLE_PLACES 256u
#define NET_BUNDLE(number, place) ((uint64_t)(number)*NET_BUNDLE_PLACES + (place))
#define NET_BUNDLE_NUMBER(bundle) ((bundle) / NET_BUNDLE_PLACES)
#define NET_BUNDLE_PLACE(bundle) ((uint32_t)((bundle) % NET_BUNDLE_PLACES))

// A request and its client, as the head describes them. The text lives as long as the call.
struct net_request {
    const char *address;      // numeric
    bool loopback;            // it comes from this machine, and not through a proxy
    bool has_origin;          // a page of an allowed origin asks; else a script, or a page of this server by GET
    bool same_origin;         // the browser says that a page of this server asks, or its user by the address bar
    bool secure;              // it came by TLS, to this server or to a proxy: its page's origin is https
    const char *cookie;       // the header's value, or ""
    const char *bearer;       // the token of an Authorization header, or ""
    const char *content_type; // of a POST's body, or ""
};

#define NET_ANSWER_HEADERS_MAX 512

// The answer to a POST: whole header lines, and a message to release, or NULL for no body. Instead of that the
// application may answer `later`: then it calls net_post_expect and sends that many messages to `connection`.
struct net_answer {
    uint64_t connection; // set by the network: the id for a later answer; 0: there is no room for one
    bool later;
    int status;
    char headers[NET_ANSWER_HEADERS_MAX];
    const char *content_type;
    struct message *message;
};

// The results of `admit` when there is no key.
#define NET_ADMIT_NONE (-1)
#define NET_ADMIT_LATER (-2) // refused with 503: there will be something at that path

#define NET_POLL_MS 200
#define NET_QUIET_MS 2000

// How a document is answered; the network sets what most have: 200, plain text, "no-store", not shared.
struct net_document {
    int status;
    const char *content_type;
    const char *cache_control;
    bool shared; // pages of any origin may read it
};

// What the net thread calls. No handler may block. `connection` is the id of a WebSocket, or of a POST that is answered
// later; ids are never used again.
struct net_handlers {
    void *user;

    // Whether a client may have a WebSocket: 0, or the HTTP status that refuses it. After 0 `admit` and `opened` follow
    // at once. May be NULL.
    int (*may_connect)(void *user, const struct net_request *request);
    // Whether a client may post to `path`, of which only the head has come: 0, or the HTTP status that refuses it. May
    // raise `body_max`, the bytes that the body may have. May be NULL.
    int (*may_post)(void *user, const struct net_request *request, const char *path, size_t *body_max);
    // Whether a client may get a document: 0, or the HTTP status that refuses it, 405 where only POST is served. May be
    // NULL.
    int (*may_get)(void *user, const struct net_request *request, const char *path);

    // Answers a POST. Returns false when nothing can be posted to that path. After a later answer `closed` tells that
    // it is out or that its client has gone.
    bool (*post)(void *user, const struct net_request *request, const char *path, const char *body, size_t length,
                 struct net_answer *answer);
    // Whether net_post_document will answer this GET, because its document takes time. May be NULL.
    bool (*fetch)(void *user, uint64_t request, const char *path);
    // Makes the document for a GET at once, and says how it is answered. Returns NULL when there is none, else a
    // message to release.
    struct message *(*document)(void *user, const char *path, struct net_document *document);
    // Whether pages of any origin may get the document at that path. NULL: none.
    bool (*is_shared)(void *user, const char *path);

    // Whether another server, at `url`, answers requests of that path. They get 307, unless they are handshakes. NULL:
    // none.
    bool (*redirect)(void *user, const char *path, char *url, size_t size);

    // Servers that the pages of this one may connect to, and whose pages may connect here. `peers` writes sources of
    // the content policy, each with a space before it, as many as fit. NULL: there are none.
    void (*peers)(void *user, char *out, size_t size);
    bool (*is_peer)(void *user, const char *origin);

    // The key (≥ 0) of the path of a WebSocket, for `opened`; NET_ADMIT_NONE: there is nothing at that path, and the
    // handshake is refused with 404.
    int (*admit)(void *user, const char *path);
    void (*opened)(void *user, uint64_t connection, int admission, const char *address);
    // A WebSocket has closed, or a later answer ended. `vanished`: neither side sent a close frame.
    void (*closed)(void *user, uint64_t connection, bool vanished);

    // A whole text message, not terminated, which lives as long as the call. Whether it is UTF-8 is not checked,
    // because the protocol answers bad bytes instead of closing the connection.
    void (*message)(void *user, uint64_t connection, const char *text, size_t length);
    // A text message that came in pieces. The callee frees its memory. NULL: `message` gets these too.
    void (*long_message)(void *user, uint64_t connection, char *take, size_t length);
    // The bytes of the largest text message that is taken from this client at the moment, at most
    // `options.message_max`. Called at the first piece of a message in several pieces. NULL: `options.message_max`.
    size_t (*message_limit)(void *user, uint64_t connection);
    // A text message longer than that limit came and was dropped. The client stays connected; one whose message is more
    // than 16 times as long is closed with 1009.
    void (*oversized)(void *user, uint64_t connection, size_t message_max);
    // A binary message came, which clients do not send, and was dropped. The client stays connected.
    void (*binary)(void *user, uint64_t connection, size_t length);

    // So many bytes of messages were handed to the client's socket. May be NULL.
    void (*sent)(void *user, uint64_t connection, size_t bytes);
    // A member of a channel missed a frame of its stream, so that no later form is of use to it, and its socket has
    // room again: it needs form 0 of some frame. May be NULL.
    void (*starved)(void *user, uint64_t connection, uint32_t channel);

    // Called every NET_POLL_MS. May be NULL.
    void (*poll)(void *user);
    // The clients that the application still keeps, also those whose sockets are closed: `clients_max` limits all of
    // them. May be NULL.
    size_t (*count_clients)(void *user);
    // Whether all requests that were read are answered. Asked for at most NET_QUIET_MS when the server is stopping and
    // reads no more; then the clients are closed. NULL: they are.
    bool (*is_settled)(void *user);
};

struct net_options {
    const char *host;               // address or name to listen on: "127.0.0.1", "0.0.0.0", "::1" …
    uint16_t port;                  // 0: a free one
    const char *web_root;           // folder served at /, with index.html for /; never NULL
    const char *tls_cert, *tls_key; // files in PEM; NULL: no TLS

    size_t message_max;           // bytes of the largest text message taken
    size_t unfinished_max;        // bytes of unfinished messages of all clients together; 0: 64 MiB
    size_t outbox_max;            // bytes queued in order for one client before it is closed with 1008
    uint32_t clients_max;         // WebSockets and POSTs that are answered later
    uint32_t address_max;         // connections from one address (of IPv6: one network of 64 bits); 0: any number
    bool address_max_on_loopback; // for this machine's own addresses as well
    uint32_t handshake_ms;        // for a request to arrive, TLS included; 0: 10 s
    uint32_t stall_ms;   // a client that takes nothing for so long, while something waits for it, is closed; 0: never
    uint32_t silence_ms; // a client from which nothing came for so long, though it was pinged, is closed; 0: 60 s
    uint32_t long_broadcast_us; // processor time to send a state, beyond which late states are skipped; 0: 4 ms

    // Names by which this server may be asked for (the Host header, without its port), beside numeric addresses if
    // `any_address` is set: a foreign name that leads here is refused. NULL: any.
    const char *const *hosts;
    uint32_t host_count;
    bool any_address;
    // Origins whose pages may connect, exact: "https://weft.example". None: those of the Host that was asked for.
    const char *const *origins;
    uint32_t origin_count;
    // The pages that may show a page of this server in a frame, as frame-ancestors of the content policy; NULL: none.
    const char *frame_ancestors;

    struct net_handlers handlers;
};

struct net_statistics {
    uint64_t websockets, bytes_sent, bytes_received, messages_received, frames_sent, frames_skipped;
    uint64_t refused; // connections: no room, too late, or they broke the protocol
};

#endif
