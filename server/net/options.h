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

// The client that sent a request, as the request's head describes it. The text lives as long as the call.
struct net_visitor {
    const char *address;      // numeric
    bool loopback;            // it is this machine's own, and no proxy speaks for another
    bool has_origin;          // a page asks, of an origin that is allowed; else a script, or a page of ours by GET
    bool same_origin;         // the browser says that a page of this server asks, or a person by the address bar
    bool secure;              // it came by TLS, to here or to a proxy: its page's origin is https
    const char *cookie;       // the header's value, or ""
    const char *bearer;       // the token of an Authorization header, or ""
    const char *content_type; // of a POST's body, or ""
};

#define NET_ANSWER_HEADERS_MAX 512

// The answer to a POST: whole header lines, and a message to release, or NULL for no body. Instead of that the
// application may answer `later`: then it calls net_post_expect and sends as many messages to `peer`.
struct net_answer {
    uint64_t peer; // given: the number by which the client can be treated as a peer; 0: there is no room
    bool later;
    int status;
    char headers[NET_ANSWER_HEADERS_MAX];
    const char *content_type;
    struct message *message;
};

// What the net thread tells the application. None of these may block.
struct net_handlers {
    void *user;
    // A client asks for a WebSocket; `admit` and `opened` follow at once if this returns 0, an HTTP status refuses.
    // May be NULL, as the next two.
    int (*visit)(void *user, const struct net_visitor *visitor);
    // The head of a POST has come, from a page of an allowed origin or from a script: 0, or the HTTP status that
    // refuses. `body_max` may be raised, bytes that its body may have. May be NULL.
    int (*expect)(void *user, const struct net_visitor *visitor, const char *path, size_t *body_max);
    // A POST; a page that does it is of an allowed origin. False: there is nothing to post to at that path. Of a peer
    // that is answered later `closed` tells that its reply is out or that it has gone.
    bool (*submit)(void *user, const struct net_visitor *visitor, const char *path, const char *body, size_t length,
                   struct net_answer *answer);
    // A client asks for a document: 0, or the HTTP status that refuses, 405 where only POST is served. May be NULL, as
    // the next one.
    int (*ask)(void *user, const struct net_visitor *visitor, const char *path);
    void (*look)(void *user); // every NET_LOOK_MS
    // How many peers the application still keeps. Peers whose sockets are closed count too: `peers_max` limits all of
    // them. May be NULL.
    size_t (*kept)(void *user);
    // The server is asked to stop, and reads from no client any more: whether all requests that it read are answered.
    // Asked every few ms for at most NET_QUIET_MS; then the good-byes follow. May be NULL: it has.
    bool (*settled)(void *user);
    // A WebSocket handshake for `path` (without query). Returns the admission key (≥ 0) that is handed on to `opened`,
    // or −1: the handshake is refused with 404.
    int (*admit)(void *user, const char *path);
    void (*opened)(void *user, uint64_t peer, int admission, const char *address);
    // One whole text message, not terminated. It may be kept only by copying. Whether it is UTF-8 is not checked here:
    // the protocol answers bad bytes instead of closing the connection.
    void (*message)(void *user, uint64_t peer, const char *text, size_t length);
    // The same for a message that came in pieces, which is handed over with the memory it lies in, the callee's to
    // free. NULL: `message` gets these too.
    void (*long_message)(void *user, uint64_t peer, char *take, size_t length);
    // A binary message came, which no client may send; the peer stays connected.
    void (*binary)(void *user, uint64_t peer, size_t length);
    // The size in bytes of the largest text message that is taken from this peer at the moment, at most
    // `options.message_max`; asked once for each message of more than one piece, when its first piece comes. NULL:
    // `options.message_max` for every peer.
    size_t (*message_limit)(void *user, uint64_t peer);
    // A text message longer than the peer's limit, which is handed over, came and was thrown away as it came; the peer
    // stays connected. One that is far longer (16 times) closes it with 1009.
    void (*oversized)(void *user, uint64_t peer, size_t message_max);
    // A peer has gone; `vanished`: its connection ended without a close frame, from either side.
    void (*closed)(void *user, uint64_t peer, bool vanished);
    // So many bytes of messages were written for it. May be NULL.
    void (*sent)(void *user, uint64_t peer, size_t bytes);
    // A member of a channel with a stream missed a frame, so that it can use none of the forms that come; its socket
    // has room again. It wants form 0 of some frame. May be NULL.
    void (*starved)(void *user, uint64_t peer, uint32_t channel);
    // GET of a path whose document takes time: true when net_post_document will answer this request. May be NULL.
    bool (*fetch)(void *user, uint64_t request, const char *path);
    // GET of a path that is no file: a document built on the spot. Returns NULL for 404, else a message to release.
    struct message *(*document)(void *user, const char *path, const char **content_type, int *status);
};

#define NET_LOOK_MS 200
#define NET_QUIET_MS 1000

struct net_options {
    const char *host;      // address or name to listen on, "127.0.0.1", "0.0.0.0", "::1" …
    uint16_t port;         // 0: a free one
    const char *web_root;  // folder served at /, index.html for /; never NULL
    size_t message_max;    // bytes of the largest text message taken, from anybody
    size_t unfinished_max; // bytes of messages of which more is to come, of all peers together; 0: 64 MiB
    size_t outbox_max;     // bytes queued in order per peer before it is closed with 1008
    uint32_t peers_max;    // WebSockets in all
    uint32_t stall_ms;     // a peer that takes nothing for so long, while something waits for it, is closed; 0: never
    uint32_t handshake_ms; // for a request to arrive, TLS included; 0: 10 s
    uint32_t silence_ms;   // a peer from which nothing came for so long, though it was pinged, is closed; 0: 60 s
    uint32_t long_broadcast_us;   // of processor: a state that takes longer to send is not made up for; 0: 4 ms
    uint32_t address_max;         // connections from one address (of IPv6: one network of 64 bits); 0: any number
    bool address_max_on_loopback; // for this machine's own addresses as well
    // Names by which this server may be asked for (the Host header, without its port), beside numeric addresses if
    // `any_address` is set: a name that a stranger made to lead here is refused. NULL: any.
    const char *const *hosts;
    uint32_t host_count;
    bool any_address;
    // Origins whose pages may connect, exact: "https://weft.example". None: those of the Host that was asked for.
    const char *const *origins;
    uint32_t origin_count;
    const char *frame_ancestors; // whose pages may show one of here in a frame, as the policy writes it; NULL: nobody's
    const char *tls_cert, *tls_key; // files in PEM; NULL: no TLS
    struct net_handlers handlers;
};

struct net_statistics {
    uint64_t peers, bytes_sent, bytes_received, messages_received, frames_sent, frames_skipped;
    uint64_t refused; // connections: no room, too late, or they broke the protocol
};

#endif
