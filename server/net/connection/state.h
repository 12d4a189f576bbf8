// SPDX-License-Identifier: MIT
// The data that the files of this folder share. It declares no functions, and only this folder includes it.
//
// Lifetimes, longest first: the server; a channel (while it has members); a connection (one socket, from its accept to
// its end); a WebSocket (a connection after its handshake); a membership (a WebSocket in a channel, with one slot for
// the newest state); a message (shared, counted). All but messages and the mailbox belong to the net thread, so that
// only the mailbox has a lock.
#ifndef WEFT_NET_CONNECTION_STATE_H
#define WEFT_NET_CONNECTION_STATE_H

#include <libwebsockets.h>
#include <pthread.h>
#include <stdatomic.h>

#include "net/options.h"
#include "net/parse/frame.h"
#include "net/parse/head.h"

#define SUBPROTOCOL "weft.v1"
#define ADDRESS_TEXT_MAX 64
#define PATH_LENGTH_MAX 512
#define FILE_NAME_MAX 80
#define CLOSE_REASON_MAX 123    // bytes of a reason in a close frame (RFC 6455, 5.5)
#define CLOSE_TIMEOUT_S 3       // after the last byte was sent, for the client to close its side
#define WEBSOCKET_BUCKETS 1024u // powers of two
#define CHANNEL_BUCKETS 256u

// ---- channels ----------------------------------------------------------------------------------------------------

struct channel {
    uint32_t number;
    struct channel *bucket_next;
    struct membership *members;
    uint64_t published_pass; // `pass` of the server when a state was last published
    uint64_t broadcast_us;   // processor time for the last state that was sent at once
    lws_usec_t posted_us;    // when the last state was posted
    bool holds;              // that state is held back until a newer one comes or `held_timer` ends
    lws_sorted_usec_list_t held_timer;
};

struct membership {
    struct websocket *websocket;
    struct channel *channel;
    uint32_t every_ticks;
    uint32_t tags;
    struct message *state; // the newest one not yet sent, or NULL
    uint64_t number;       // of the newest frame of the stream that was handed to it, or 0
    uint8_t before;        // frames before that one that were handed to it without a gap
    bool starving;         // no form of the frames that come is of use to it
    uint8_t told;          // frames since the application was told that it starves; 0: not told yet
    struct membership *websocket_next;
    struct membership *channel_next;
    struct membership *channel_previous;
};

// ---- one connection ----------------------------------------------------------------------------------------------

// Messages that must arrive, in a ring.
struct outbox {
    struct message **slots;
    size_t capacity; // a power of two, or 0
    size_t head;
    size_t count;
    size_t bytes;
};

struct websocket {
    uint64_t id;
    struct net_server *server;
    struct connection *connection;
    struct websocket *bucket_next; // in the server's table
    struct outbox outbox;
    struct bundle *bundles;         // incomplete arrays of replies
    struct membership *memberships; // the one whose state was sent longest ago first
    struct frame_reader reader;
    uint8_t *assembly;      // a text message of which more is to come
    size_t assembly_length; // bytes received of the current message, also when it is binary
    size_t assembly_capacity;
    size_t message_max;      // bytes that the current message may have
    lws_usec_t assembled_us; // when the last piece of it came
    lws_usec_t pinged_us;    // when a ping was last sent
    bool ping_due;
    bool pong_due;          // the most recent ping is still to be answered with the reader's `pong`
    bool leaving;           // it is in no table any more, and the application has been told
    bool closed_by_client;  // its close frame came and is still to be answered
    bool close_sent;        // the server's close frame has been handed to the socket
    uint8_t caution;        // writes that still wait until the socket says that it has room, because it was full lately
    uint16_t close_code;    // of the server's close frame; 0: the server does not close it
    char *close_reason;     // NULL: none
    uint64_t acknowledged;  // bytes that the client's system had acknowledged at the last look
    lws_usec_t progress_us; // when `acknowledged` last grew while something waited; 0: nothing waits
};

enum connection_phase {
    CONNECTION_HEAD,      // a request's head is awaited or coming in
    CONNECTION_BODY,      // a request's body is coming in
    CONNECTION_ANSWERING, // a request is being answered; nothing is read
    CONNECTION_FRAMES,    // it is a WebSocket
    CONNECTION_CLOSING    // the last byte was sent; input is dropped until the client closes its side
};

// Reasons not to read from a connection, as bits of a mask.
enum hold_reason {
    HOLD_APPLICATION = 1, // net_hold_reading
    HOLD_OUTBOX = 2,      // the client does not read its replies
    HOLD_TIMED = 4,       // net_post_hold_reading
    HOLD_DRAIN = 8,       // the server is about to stop
    HOLD_ANSWER = 16      // the request before is being answered
};

struct request {
    char *bytes; // the head, then the body
    size_t length;
    size_t capacity;
    size_t unfinished; // bytes of it that count among the server's unfinished messages
    size_t renewed;    // `length` when a long body last renewed the connection's time
    struct head head;
    struct refusal refusal;
};

// The body of a response that is still to be sent: of a file or of a message.
struct response {
    bool active;
    int file; // −1: none
    struct message *message;
    uint64_t offset;
    uint64_t length;
};

struct connection {
    struct net_server *server;
    struct lws *wsi; // NULL until libwebsockets has adopted the socket
    enum connection_phase phase;
    bool request_due;                  // a request is awaited or coming in, for which there is a time limit
    bool killed;                       // libwebsockets will close it in the next round of its loop
    bool write_asked;                  // libwebsockets will say when there is room to write
    bool counted;                      // it counts among the server's `sockets` without a WebSocket
    bool guest;                        // no WebSocket: in the server's list of guests, by `since_us`
    unsigned holds;                    // a mask of enum hold_reason
    lws_sorted_usec_list_t hold_timer; // ends HOLD_TIMED
    lws_usec_t since_us;               // when it was accepted, when its request began, or when that was complete
    lws_usec_t heard_us;               // when bytes last came from it
    struct connection *older, *newer;  // among the guests
    struct address_count *address;     // connections from the same address
    uint8_t *input;                    // bytes that were read and wait until reading is no longer held
    size_t input_length;
    struct request request;
    struct message *sending; // the message that the socket has not taken whole yet
    bool sending_framed;     // with the header of a WebSocket frame
    size_t sent;             // bytes of it that the socket has taken
    struct response response;
    struct document_wait *wait;    // of a request whose document is being made
    struct post_reply *post_reply; // of a POST whose reply is being made
    struct websocket *websocket;   // NULL: still HTTP
};

// ---- the mailbox -------------------------------------------------------------------------------------------------

enum post_kind {
    POST_SEND,
    POST_EXPECT,
    POST_STATE,
    POST_JOIN,
    POST_LEAVE,
    POST_HOLD_READING,
    POST_RESUME_READING,
    POST_PUBLISH_ORDERED,
    POST_PUBLISH_STATE,
    POST_FRAME,
    POST_PUBLISH_FRAME,
    POST_CLOSE,
    POST_DOCUMENT,
    POST_KIND_COUNT
};

struct post {
    enum post_kind kind;
    uint32_t channel;
    uint64_t connection;     // the id of a WebSocket or a POST, or of the request that asked for a document
    struct message *message; // owned; of a close its reason; NULL: none
    union {
        struct {
            uint64_t bundle;
            uint32_t messages;
            bool array;
        } expect;
        struct {
            uint32_t every_ticks, tags;
        } join;
        struct {
            uint32_t tag;
            bool clear_state;
        } ordered;
        struct {
            uint64_t tick;
            lws_usec_t posted_us;
        } state;
        struct {
            uint64_t number;
            struct message *built_on[MESSAGE_FORMS - 1]; // owned; the forms above 0, of a broadcast
        } frame;
        struct {
            int status;
            char file[FILE_NAME_MAX]; // "": the browser shows it
        } document;
        uint32_t hold_ms;
        uint16_t close_code;
    };
};

struct post_list {
    struct post *posts;
    size_t count;
    size_t capacity;
};

struct mailbox {
    pthread_mutex_t mutex;
    struct post_list waiting;   // guarded by the mutex, like all down to `overrun`
    size_t state_bytes_waiting; // of state posts
    bool signalled;             // the net thread has been woken for what waits
    bool overrun;               // an ordered post found no room
    struct post_list taken;     // the net thread's, like all below
    size_t applied;             // of `taken`
    uint32_t credit;            // passes over `taken` that may still be added for states that wait
    bool crowded;               // several states of one channel were among `taken`
};

// ---- the server --------------------------------------------------------------------------------------------------

enum counter {
    COUNTER_WEBSOCKETS,
    COUNTER_BYTES_SENT,
    COUNTER_BYTES_RECEIVED,
    COUNTER_MESSAGES_RECEIVED,
    COUNTER_FRAMES_SENT,
    COUNTER_FRAMES_SKIPPED,
    COUNTER_REFUSED,
    COUNTER_COUNT
};

struct net_server {
    struct net_options options;
    char *web_root;
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_sorted_usec_list_t drain_timer, stall_timer, silence_timer, accept_timer, look_timer, quiet_timer;

    struct lws *listener; // libwebsockets says that a connection waits; accept.c accepts it
    int listener_socket;
    uint16_t port;
    bool accepting_paused;
    lws_usec_t complained_us;
    lws_usec_t refused_us;       // when the refusal of a name or an origin was last logged; 0: never
    uint32_t refused_untold;     // refusals since then
    struct connection *adopting; // while libwebsockets takes its socket over
    uint32_t connection_count, connections_max;
    uint32_t guest_count;
    struct connection *oldest_guest, *newest_guest;
    struct address_count **address_counts;
    size_t sockets; // WebSockets and waiting POSTs that have not ended, leaving ones included
    struct websocket *websockets[WEBSOCKET_BUCKETS];
    uint64_t last_connection_id, last_request;
    struct document_wait *waits;     // requests whose documents are being made
    struct post_reply *post_replies; // POSTs whose replies are being made
    size_t unfinished_bytes;         // the capacities of all unfinished messages and bodies

    atomic_bool stop_requested;
    bool draining; // it accepts no client and reads nothing
    bool parting;  // its WebSockets are being closed
    bool drained;  // the time limit for that is over
    lws_usec_t quiet_until_us;
    uint32_t quiet_looks; // looks in a row at which every request had been answered

    uint64_t pass; // counts the calls of delivery_run
    bool hasty;    // late: no state is sent before all posts are applied, so that only the newest is sent
    struct channel *channels[CHANNEL_BUCKETS];
    struct mailbox mailbox;
    _Atomic uint64_t counters[COUNTER_COUNT];
};

static inline void count_up(struct net_server *server, enum counter counter, uint64_t by) {
    atomic_fetch_add_explicit(&server->counters[counter], by, memory_order_relaxed);
}

#endif
