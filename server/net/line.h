// SPDX-License-Identifier: MIT
// A line: one connection from its accept to the end of its socket, and the only way by which its bytes reach
// libwebsockets.
//
// Why: libwebsockets takes frames that are not masked, and neither its callbacks nor its accessors tell (4.1 to 4.3
// keep the bit in a private structure); its parser of HTTP takes bare line feeds and two lengths of one body; a head
// that dribbles holds a table of its for as long. So what it reads is read by us first. It reads sockets in two places
// only, by `recv` and by `SSL_read`; wire.c defines both, the program's definitions come before those of the shared
// libraries, and there a line decides what to pass on: a head when it is whole and sound, frames up to the first that
// breaks RFC 6455. Where a build of libwebsockets should read in another way, its lines are never fed by us; then no
// WebSocket is opened (`fed` is looked at), so that nothing is ever served unseen.
//
// All of it belongs to the net thread.
#ifndef WEFT_NET_LINE_H
#define WEFT_NET_LINE_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "net/net.h"

#define HEAD_BYTES_MAX 8000  // of a request's head; SERVICE_BUFFER_BYTES must hold one
#define HEAD_FIELDS_MAX 64u  // of a head
#define BODY_BYTES_MAX 4096u // of a request, unless the application takes more
#define FRAGMENTS_MAX 4096u  // of a message
#define CONTROL_BYTES_MAX 125u

// ---- a request's head (head.c; RFC 9112) ----------------------------------------------------------------------------

// Why a request is answered without being looked at further.
struct refusal {
    int status;          // 0: none
    const char *headers; // whole lines, or ""
    const char *text;
};

struct head {
    const char *text;
    size_t length;
    bool upgrade;         // to a WebSocket
    bool post;            // else GET or HEAD
    bool old;             // HTTP/1.0
    bool expects;         // 100 (Continue) before it sends the body
    bool persists;        // the connection may be kept after the answer (RFC 9112, 9.3)
    uint64_t body_length; // at most ten digits; whether so much is taken is for wire.c
};

// Where the head at the start of these bytes ends; 0: not yet. `looked_at` of them were seen in an earlier call.
size_t head_end(const char *text, size_t length, size_t looked_at);
// Whether this beginning of a head can still become one; refuses it otherwise.
bool head_may_begin(const char *text, size_t length, struct refusal *refusal);
// Reads a whole head strictly: every deviation is refused, so that nothing in front of this server can have read it in
// another way.
void head_read(const char *text, size_t length, struct head *head, struct refusal *refusal);
// The value of the first field of that name (small letters), without the spaces around it; NULL: there is none.
const char *head_field(const struct head *head, const char *name, size_t *length);

// ---- frames (frame.c; RFC 6455, 5)
// -----------------------------------------------------------------------------------

#define CLOSE_FRAME_MAX (14u + CONTROL_BYTES_MAX)

struct frame_walk {
    uint8_t head[14]; // of the frame that is coming in
    uint8_t head_length;
    uint8_t head_needed;
    uint64_t payload_left;
    uint32_t fragments; // of the message that is under way, 0: none
    bool closing;       // a close frame came; `close` holds it, whole once `closed`
    bool closed;
    uint8_t *close; // CLOSE_FRAME_MAX bytes from then on, which whoever keeps the walk frees
    size_t close_length;
    bool pinging; // a ping frame is coming in; so much of its payload is here
    uint8_t ping_length;
    uint8_t ping[CONTROL_BYTES_MAX];
    bool pong_due; // the most recent whole ping is still to be answered with this payload
    uint8_t pong_length;
    uint8_t pong[CONTROL_BYTES_MAX];
    uint16_t wrong; // code to close with, 0: all was well so far
    const char *why;
};

// Looks at the next bytes, takes those of ping frames out, and returns how many are left to be passed on. A close frame
// is kept back until it is whole: with `closed` set it may follow.
size_t frame_walk(struct frame_walk *walk, uint8_t *bytes, size_t length);

// ---- lines (line.c, wire.c)
// ------------------------------------------------------------------------------------------

enum line_phase {
    LINE_HEAD,   // a request's head is awaited or coming in
    LINE_BODY,   // its body is
    LINE_FRAMES, // it became a WebSocket, or is about to
    LINE_DEAF    // nothing it sends matters any more
};

struct address_count;

struct line {
    struct net_server *server;
    struct lws *wsi; // NULL until it is adopted
    int descriptor;
    enum line_phase phase;
    bool awaited;               // a request is due, or coming in
    bool fed;                   // libwebsockets has read through us
    bool answering;             // a request is; none is taken meanwhile
    bool killed;                // its end is under way
    lws_usec_t since_us;        // when it came, when its request began, or when that had come
    bool guest;                 // no WebSocket: in the server's list of those, by `since_us`
    struct line *older, *newer; // of the guests
    struct line *wrong_next;    // of those to be closed
    struct address_count *origin;
    char *bytes; // of the request: the head, then the body
    size_t length;
    size_t capacity;
    size_t unfinished; // bytes of it that count among the server's unfinished messages
    size_t renewed;    // its length when it was made the newest guest for going on with a long body
    struct head head;
    struct refusal refusal; // of that request
    struct frame_walk walk;
};

// The newest guest. NULL when memory is out.
struct line *line_create(struct net_server *server, int descriptor, struct address_count *origin);
void line_destroy(struct line *line);  // NULL is allowed
struct line *line_of(struct lws *wsi); // NULL for the listening socket and the like
// It became a WebSocket: no guest any more.
void line_seat(struct line *line);
void line_answered(struct line *line);  // the next request may come
void line_drop_body(struct line *line); // it has been handed over; the head stays
void line_renew(struct line *line);     // makes it the newest guest
void line_kill(struct line *line);      // closes it soon, from wherever
// A field of the request that is being answered, terminated; false when there is none or it is longer.
bool line_field(const struct line *line, const char *name, char *value, size_t size);

// The reads of this thread go through the lines of `server`; NULL: of nobody.
void wire_attach(struct net_server *server);
// Closes the WebSockets that broke the protocol since the last call.
void wire_close_wrong(struct net_server *server);
void wire_forget(struct line *line);

// ---- accepting (accept.c)
// --------------------------------------------------------------------------------------------

// How many connections the descriptors allow, which it raises first; before the library counts them.
uint32_t accept_find_room(const struct net_options *options);
enum result accept_start(struct net_server *server, int listener, struct fault *fault) WEFT_MUST_USE;
void accept_ready(struct net_server *server); // somebody waits at the door
void accept_sweep(struct net_server *server); // every ACCEPT_SWEEP_MS: those who took too long, and the door again
void accept_forget(struct address_count *origin);
void accept_stop(struct net_server *server);
// Whether an address, numeric, is this machine's own to itself.
bool accept_is_loopback(const char *address);

#endif
