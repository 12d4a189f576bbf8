// SPDX-License-Identifier: MIT
// What the files of this folder share; nobody else includes it.
//
// Lifetimes, longest first: the server; a channel (while it has members); a peer (one WebSocket, from its handshake to
// the end of its socket); a membership (a peer in a channel, with one slot for the newest state); a message (shared,
// counted). All but messages and the post queue belong to the net thread, so that nothing here needs a lock beside the
// post queue's.
//
// Files: server.c (start, loop, stop), listen.c (which address), tls.c (certificates), accept.c (the door), line.c and
// wire.c (what comes in, before libwebsockets reads it), head.c and frame.c (whether that is sound), visitor.c (who
// asks), post.c (the way in from other threads), channel.c (who gets what), stream.c (which form of a frame), peer.c
// (one peer's queue, slots and end), websocket.c (handshake, messages), http.c (files and documents), policy.c (what a
// page may load).
#ifndef WEFT_NET_NET_INTERNAL_H
#define WEFT_NET_NET_INTERNAL_H

#include <libwebsockets.h>
#include <pthread.h>
#include <stdatomic.h>

#include "net/line.h"
#include "net/net.h"

#define SUBPROTOCOL "weft.v1"
#define LISTEN_ADDRESS_MAX 64
#define PATH_LENGTH_MAX 512
#define CLOSE_REASON_MAX 123          // bytes of a reason in a close frame (RFC 6455, 5.5)
#define CLOSE_TIMEOUT_S 3             // how long a peer may take to let go before its socket is cut
#define SEND_BUFFER_BYTES (128 << 10) // of the kernel, per peer: a slow one holds few stale frames
#define STALL_LOOKS 4u                // in the time that a peer may stall
#define SILENCE_DEFAULT_MS 60000u
#define SILENCE_PINGS 3u // in that time
#define HANDSHAKE_DEFAULT_MS 10000u
#define SERVICE_BUFFER_BYTES 8192 // of the whole server
#define HOST_MAX 262              // bytes of a Host field, and the end
#define ORIGIN_MAX 300
#define CONTENT_TYPE_MAX 128
#define COOKIE_MAX HEAD_BYTES_MAX           // pages of other servers on this host may have left many
#define STATE_BYTES_WAITING_MAX (64u << 20) // state posts not yet taken up by the net thread
#define POSTS_WAITING_MAX 65536u            // posts of any kind
// States of one channel that are sent one after the other when this thread is late: half a second of them.
#define CATCH_UP_PASSES_MAX 30u
#define LONG_BROADCAST_DEFAULT_US 4000u
// Replies waiting for a peer that does not read them: beyond this nothing more is read from it, until half has gone.
#define OUTBOX_HOLD_BYTES (16u << 20)
#define UNFINISHED_DEFAULT_BYTES ((size_t)64 << 20)  // of messages of which more is to come
#define UNFINISHED_PATIENCE_US ((lws_usec_t)1000000) // after so long without a piece a message gives way to others
#define BUNDLE_BYTES_MAX ((size_t)64 << 20)          // of the replies to one array of requests
#define PEER_BUCKETS 1024u                           // powers of two
#define CHANNEL_BUCKETS 256u

// ---- one peer ----------------------------------------------------------------------------------------------------

struct channel;

struct membership {
    struct peer *peer;
    struct channel *channel;
    uint32_t every_ticks;
    uint32_t tags;
    struct message *state; // the newest one not yet sent, or NULL
    uint64_t number;       // of the newest frame of the stream it was handed, or 0
    uint8_t before;        // how many before that it was handed without a gap
    bool starving;         // it cannot use what comes
    uint8_t told;          // the application was, that many frames ago; 0: not yet
    struct membership *peer_next;
    struct membership *channel_next;
    struct membership *channel_previous;
};

// Messages that must arrive, in a ring.
struct outbox {
    struct message **slots;
    size_t capacity; // a power of two, or 0
    size_t head;
    size_t count;
    size_t bytes;
};

enum peer_hold { PEER_HOLD_APPLICATION = 1, PEER_HOLD_OUTBOX = 2, PEER_HOLD_TIMED = 4, PEER_HOLD_DRAIN = 8 };

struct peer {
    uint64_t id;
    struct net_server *server;
    struct lws *wsi;
    struct peer *bucket_next; // in the server's table
    struct outbox outbox;
    struct bundle *bundles;         // of replies that are not all there yet
    struct membership *memberships; // the one sent longest ago first
    uint8_t *assembly;              // a text message of which more is to come
    size_t assembly_length;         // bytes received of the current message, also when it is binary
    size_t assembly_capacity;
    size_t message_max;                // bytes that the current message may have
    lws_usec_t assembled_us;           // when the last piece of it came
    unsigned holds;                    // reasons not to read from it: a mask of enum peer_hold
    lws_sorted_usec_list_t hold_timer; // ends PEER_HOLD_TIMED
    bool leaving;                      // no longer in the table; the application has been told
    bool parting;                      // its close frame is with libwebsockets, which waits for the answer
    bool asked;                        // libwebsockets will say when there is room to write
    uint8_t caution;                   // writes that wait for that, because the socket was full lately
    uint16_t close_code;
    char *close_reason;     // NULL: none
    uint64_t acknowledged;  // bytes, by its system, when last looked at
    lws_usec_t progress_us; // when that last grew while something waited; 0: nothing waits
};

// What libwebsockets keeps for us with every connection.
struct http_wait;

struct http_collect;

struct session {
    struct peer *peer;            // once it is a WebSocket
    bool counted;                 // a POST among the server's `sockets`
    struct http_collect *collect; // of a POST, while the application makes its reply
    struct http_reply *reply;     // while an HTTP reply is under way
    struct http_wait *wait;       // while one is being made
};

// ---- posts -------------------------------------------------------------------------------------------------------

#define FILE_NAME_MAX 80

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
    bool clear_state;
    uint16_t close_code;
    uint32_t channel;
    uint32_t every_ticks;
    uint32_t tags;
    uint64_t peer;
    uint64_t tick;                               // or the number of a frame, or ms of a hold
    lws_usec_t posted_us;                        // of a state to publish
    struct message *message;                     // owned; form 0 of a frame
    struct message *built_on[MESSAGE_FORMS - 1]; // owned; its other forms
    char file[FILE_NAME_MAX];                    // of a document; "" for none
};

struct post_list {
    struct post *posts;
    size_t count;
    size_t capacity;
};

struct post_queue {
    pthread_mutex_t mutex;
    struct post_list waiting;   // guarded by the mutex, like all down to `overrun`
    size_t state_bytes_waiting; // of state posts
    bool signalled;             // the net thread has been woken for what waits
    bool overrun;               // an ordered post was lost
    struct post_list taken;     // the net thread's, like all below
    size_t applied;             // of `taken`
    uint32_t credit;            // passes over `taken` that may still be added for states that wait
    bool crowded;               // several states of one channel were among `taken`
};

// ---- the server --------------------------------------------------------------------------------------------------

enum counter {
    COUNTER_PEERS,
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
    char address[LISTEN_ADDRESS_MAX];
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_retry_bo_t silence;
    lws_sorted_usec_list_t drain_timer, stall_timer, accept_timer, look_timer;

    struct lws *listener; // libwebsockets only says when somebody knocks
    int listener_socket;
    uint16_t port;
    bool door_shut;
    lws_usec_t complained_us;
    lws_usec_t refused_us;   // when a refusal of a name or an origin was logged last; 0: never
    uint32_t refused_untold; // how many refusals there were since
    struct line **lines;     // by descriptor
    size_t lines_capacity;
    uint32_t line_count, lines_max;
    uint32_t guests;
    struct line *oldest_guest, *newest_guest;
    struct line *wrong; // WebSockets that broke the protocol
    struct address_count **address_counts;
    atomic_bool stop_requested;
    bool draining; // net thread: it takes no new client and reads nothing
    bool parting;  // net thread: its peers have been told good-bye
    lws_usec_t quiet_until_us;
    uint32_t quiet_looks; // in a row in which all had been answered
    lws_sorted_usec_list_t quiet_timer;
    bool drained;  // net thread: the time for it is over
    int admission; // of the handshake that is being answered right now
    uint64_t last_peer_id, last_request;
    struct http_wait *waits;       // requests whose documents are being made
    struct http_collect *collects; // POSTs whose replies are being made
    uint64_t pass;                 // counts the calls of post_queue_apply
    bool hasty;                    // too late: no state is sent before all posts are applied, so that the newest wins
    size_t sockets;                // WebSockets not yet ended, leaving ones included
    size_t unfinished_bytes;       // the capacities of all assemblies
    struct peer *peers[PEER_BUCKETS];
    struct channel *channels[CHANNEL_BUCKETS];
    struct post_queue posts;
    _Atomic uint64_t counters[COUNTER_COUNT];
};

static inline void count_up(struct net_server *server, enum counter counter, uint64_t by) {
    atomic_fetch_add_explicit(&server->counters[counter], by, memory_order_relaxed);
}

// listen.c: turns `options->host` into a numeric address and listens there; the port is the one really bound.
enum result listen_open(const struct net_options *options, char address[LISTEN_ADDRESS_MAX], uint16_t *port,
                        int *listener, struct fault *fault) WEFT_MUST_USE;

// tls.c: says what is wrong with a certificate and its key before libwebsockets only says that something is.
enum result tls_check(const struct net_options *options, struct fault *fault) WEFT_MUST_USE;

// visitor.c: who asks. The text is in `store`.
struct visitor_store {
    char address[LISTEN_ADDRESS_MAX];
    char cookie[COOKIE_MAX];
    char bearer[ORIGIN_MAX];
    char content_type[CONTENT_TYPE_MAX];
};
// Whether the request names this server, and comes from a page that may or from none; refuses it otherwise.
bool visitor_is_welcome(struct net_server *server, const struct line *line, struct refusal *refusal);
struct net_visitor visitor_of(struct lws *wsi, const struct line *line, struct visitor_store *store);

// policy.c: the header lines that say what a page of `host` may do; `page` is its text, whose inline scripts may run,
// or empty. `encrypted`: a proxy in front says that the browser speaks TLS to it.
#define POLICY_MAX 2500
void policy_write(char out[POLICY_MAX], const struct net_server *server, const char *host, const char *page,
                  size_t length, bool encrypted);

// post.c
enum result post_queue_init(struct post_queue *queue) WEFT_MUST_USE;
void post_queue_free(struct post_queue *queue);
// Net thread: what waits. When several states of one channel do, each call goes as far as the first of them, so that
// the loop can send it before the next one takes its place.
void post_queue_apply(struct net_server *server);

// channel.c
void channel_join(struct peer *peer, uint32_t number, uint32_t every_ticks, uint32_t tags);
void channel_leave(struct peer *peer, uint32_t number);
void channel_leave_all(struct peer *peer);
void channel_state(struct peer *peer, uint32_t number, struct message *take);
void channel_publish_ordered(struct net_server *server, uint32_t number, uint32_t tag, bool clear_state,
                             struct message *message);
// Whether a state was published in this pass.
bool channel_is_published(struct net_server *server, uint32_t number);
// Whether sending a state to all members took long when that was last done at once.
bool channel_is_slow(struct net_server *server, uint32_t number);
// Whether that is so, and a state that was posted then has its turn so late that it would delay those after it as well,
// though without it they could be in time.
bool channel_is_late(struct net_server *server, uint32_t number, lws_usec_t posted_us);
void channel_publish_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                           struct message *message);
// Instead of publishing: for a state that a newer one follows in this pass, or that is held back until the next one
// comes or would be due. Members with `every_ticks` over 1 get it all the same.
void channel_pass_over_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                             struct message *message);
void channel_hold_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                        struct message *message);

// Frames of a stream: as states, but each member gets the form it can use.
void channel_frame(struct peer *peer, uint32_t number, uint64_t frame, struct message *take);
void channel_publish_frame(struct net_server *server, uint32_t number, const struct message_forms *frame);
uint32_t channel_number(const struct channel *channel);

// stream.c
void stream_begin(struct membership *member, uint64_t number, struct message *take);
void stream_hand(struct membership *member, const struct message_forms *frame);
// Whether it can use nothing that comes, and the application is to be told when its socket has room.
bool stream_is_hungry(const struct membership *member);
// It has: tells the application.
void stream_tell_starving(struct peer *peer);

// peer.c
struct peer *peer_create(struct net_server *server, struct lws *wsi); // NULL when memory is out
void peer_destroy(struct peer *peer);
struct peer *peer_find(struct net_server *server, uint64_t id); // NULL once it leaves
void peer_enqueue(struct peer *peer, struct message *take);
void peer_set_state(struct membership *membership, struct message *take);
void peer_keep_state(struct membership *membership, struct message *take); // the same, and does not send it
// The next message to write, the caller's to release; NULL when there is none.
struct message *peer_next_message(struct peer *peer, bool *is_state);
// Stops reading from the peer, or reads on when this was the last reason not to.
void peer_hold(struct peer *peer, enum peer_hold reason);
void peer_resume(struct peer *peer, enum peer_hold reason);
void peer_hold_for(struct peer *peer, uint32_t hold_ms); // PEER_HOLD_TIMED
bool peer_has_message(const struct peer *peer);
// Takes the peer out of the table and the channels and tells the application; its socket may live on for a while.
void peer_leave(struct peer *peer);
void peer_ask_to_write(struct peer *peer);
// Ends the connection once what is queued in order has been sent.
void peer_close(struct peer *peer, uint16_t code, const char *reason);
void peer_hold_all(struct net_server *server); // PEER_HOLD_DRAIN
// Whichever peer has waited longest to go on with an unfinished message; NULL: there is no unfinished message.
struct peer *peer_find_idle_assembly(struct net_server *server);
void peer_close_all(struct net_server *server, uint16_t code, const char *reason);
void peer_leave_all(struct net_server *server);
// Closes with 1008 whoever something waits for and whose system has acknowledged nothing for `stall_ms`.
void peer_drop_stalled(struct net_server *server);

bool websocket_has_room(const struct net_server *server); // for one more client, a POST included
// websocket.c: results are libwebsockets', 0 to go on and −1 to close.
int websocket_confirm(struct net_server *server, struct lws *wsi);
int websocket_opened(struct net_server *server, struct lws *wsi, struct session *session);
void websocket_forget_assembly(struct peer *peer); // of a message of which more was to come
void websocket_receive(struct peer *peer, const char *bytes, size_t length);
int websocket_write(struct peer *peer);      // when libwebsockets says that there is room
void websocket_write_now(struct peer *peer); // not asked for: there was room a moment ago

// http.c: results as above.
int http_request(struct net_server *server, struct lws *wsi, struct session *session, const char *path);
int http_write(struct lws *wsi, struct session *session);
// The document of a waiting request has come, if it still waits; takes the message.
void http_answer(struct net_server *server, uint64_t request, int status, const char *file, struct message *take);
void http_wait_free(struct net_server *server, struct session *session);
void http_reply_free(struct session *session);
// A short reply that ends the connection: always −1. `headers` is "" or whole lines.
int http_refuse(struct lws *wsi, int status, const char *headers, const char *text);

// Sends a whole reply, of which it takes the message (NULL: no body).
int http_reply_with(struct lws *wsi, struct session *session, int status, const char *headers, const char *content_type,
                    struct message *take);

// bundle.c: for a WebSocket
void bundle_expect(struct peer *peer, uint64_t number, uint32_t expected);
void bundle_send(struct peer *peer, struct message *take); // at once, or when its bundle is whole
void bundle_free_all(struct peer *peer);
// bundle.c: for a POST. Its peer is not in the table of peers. A message for a POST that has gone is released. The
// results of the first and the last function are those of libwebsockets' callback.
int collect_begin(struct net_server *server, struct lws *wsi, struct session *session, uint64_t peer);
void collect_expect(struct net_server *server, uint64_t peer, uint32_t expected, bool array);
void collect_add(struct net_server *server, uint64_t peer, struct message *take);
void collect_refuse(struct net_server *server, uint64_t peer, const char *reason);
void collect_refuse_all(struct net_server *server, const char *sentence);
void collect_free(struct net_server *server, struct session *session);
void collect_look(struct net_server *server); // now and then: drops those that have gone
int collect_write(struct net_server *server, struct lws *wsi, struct session *session);

#endif
