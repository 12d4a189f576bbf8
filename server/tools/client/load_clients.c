// SPDX-License-Identifier: MIT
#include "tools/client/load_clients.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/frame/frame.h"
#include "tools/client/frame_header.h"
#include "tools/client/monotonic.h"
#include "tools/client/server_address.h"
#include "tools/text/json_slice.h"

#define LOAD_UNDER_WAY_MAX 64u // handshakes at once: the accept queue of a server holds a few hundred
#define LOAD_EVENTS 512
#define LOAD_READ_BYTES 16384u   // per read: several small frames
#define LOAD_HEAD_BYTES 1024u    // per read when frames are larger: a header and little more
#define LOAD_DISCARD_BYTES 4096u // as much of a frame or more is discarded in the kernel
#define LOAD_TEXT_MAX 65536u     // of a message that is read whole: handshake, hello, answer
#define LOAD_FOLLOWED_MAX 4u     // nodes in a row that say that the world is on another one
#define LOAD_RETRY_MAX_S 5.0     // between attempts while no node has the world ready, whatever Retry-After says
#define WS_CONTROL_MAX 125u
#define WS_HEADER_MAX 10u // a server does not mask its frames

enum viewer_stage {
    VIEWER_IDLE,
    VIEWER_WAITING, // until `again_s`, to connect again
    VIEWER_CONNECTING,
    VIEWER_HANDSHAKE,
    VIEWER_OPEN,
    VIEWER_SUBSCRIBED,
    VIEWER_CLOSED
};
enum ws_opcode { WS_CONTINUATION = 0, WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10 };

struct viewer {
    int handle;
    enum viewer_stage stage;
    uint8_t opcode;     // of the current message: that of its first fragment
    uint8_t head_bytes; // filled in `head`
    uint8_t peek_bytes; // filled in `peek`
    uint8_t fragment;   // opcode of the current fragment, with its final bit (0x80)
    uint8_t head[WS_HEADER_MAX];
    uint8_t peek[PROTO_HEADER_BYTES]; // the beginning of the message
    uint8_t control[WS_CONTROL_MAX];  // body of the current control frame
    uint8_t control_bytes;
    uint64_t left;  // bytes of the fragment that are still to come
    uint64_t bytes; // of the message so far
    char *text;     // text messages; NULL while a subscribed viewer gets none
    uint32_t text_length;
    bool greeted;
    uint8_t followed;        // nodes in a row that have sent the viewer on
    double again_s, since_s; // time of the next attempt; time since which it has no subscription, 0: it has one
};

struct load_clients {
    struct load_plan plan;
    struct viewer *viewers;
    uint32_t started, greeted, asked, subscribed, under_way, waiting, lost, dropped, moved;
    int epoll;
    struct settings there; // of the server that has the world: that of the plan, or the node that it names
    struct address address;
    double tick_hz;
    bool ready;  // all viewers were subscribed: from now on only single viewers fail
    bool failed; // load_clients_create failed; `fault` says why
    struct fault fault;
};

static void fail(struct load_clients *clients, enum result cause, const char *format, ...) WEFT_PRINTF(3, 4);

// Makes load_clients_create fail. The first reason counts.
static void fail(struct load_clients *clients, enum result cause, const char *format, ...) {
    if (clients->failed || clients->ready) {
        return;
    }
    char reason[FAULT_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    clients->failed = true;
    (void)fault_set(&clients->fault, cause, "", "%s", reason);
}

static bool is_stalled(const struct load_clients *clients, const struct viewer *viewer) {
    return (uint32_t)(viewer - clients->viewers) >= clients->plan.clients - clients->plan.stalled;
}

static void close_viewer(struct load_clients *clients, struct viewer *viewer) {
    if (viewer->stage == VIEWER_CLOSED) {
        return;
    }
    if (viewer->stage == VIEWER_SUBSCRIBED || clients->ready) {
        *(is_stalled(clients, viewer) ? &clients->dropped : &clients->lost) += 1;
    } else {
        fail(clients, RESULT_IO, "the server hung up on a viewer before it was subscribed");
    }
    if (viewer->handle >= 0) {
        (void)close(viewer->handle);
    }
    free(viewer->text);
    viewer->text = NULL;
    viewer->handle = -1;
    viewer->stage = VIEWER_CLOSED;
}

static void refuse(struct load_clients *clients, struct viewer *viewer, enum result cause, const char *format, ...)
    WEFT_PRINTF(4, 5);

// Gives a viewer up.
static void refuse(struct load_clients *clients, struct viewer *viewer, enum result cause, const char *format, ...) {
    char reason[FAULT_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    fail(clients, cause, "%s", reason);
    close_viewer(clients, viewer);
}

// ---- to another node ------------------------------------------------------------------------------------------------

// Ends the viewer's connection; after so many seconds it connects again, to where the world is then.
static void connect_again(struct load_clients *clients, struct viewer *viewer, double delay_s) {
    const double patience = clients->plan.settings->timeout_s, now = monotonic_s();
    const double since_s = viewer->since_s > 0 ? viewer->since_s : now;
    if (patience > 0 && now - since_s > patience) {
        refuse(clients, viewer, RESULT_IO, "no node has had the world ready for %g s (--timeout)", patience);
        return;
    }
    if (viewer->greeted) { // from here on the viewer is under way again
        clients->greeted--;
        clients->under_way += viewer->stage == VIEWER_SUBSCRIBED || viewer - clients->viewers >= clients->asked;
    }
    clients->subscribed -= viewer->stage == VIEWER_SUBSCRIBED;
    clients->waiting++;
    (void)close(viewer->handle);
    *viewer = (struct viewer){.handle = -1,
                              .stage = VIEWER_WAITING,
                              .text = viewer->text,
                              .followed = viewer->followed,
                              .again_s = now + delay_s,
                              .since_s = since_s};
}

// Connects the viewer to the world's new address.
static void follow(struct load_clients *clients, struct viewer *viewer, const char *url) {
    struct settings *there = &clients->there, found = *there;
    struct fault fault;
    if (url == NULL || settings_set_url(&found, url, &fault) != RESULT_OK) {
        refuse(clients, viewer, RESULT_IO, "the server sends a viewer to an address that is none: %.200s",
               url == NULL ? "" : url);
    } else if (found.tls) {
        refuse(clients, viewer, RESULT_IO, "the world is at %.200s, and load does not support TLS", url);
    } else if (++viewer->followed > LOAD_FOLLOWED_MAX) {
        refuse(clients, viewer, RESULT_IO, "each node says that the world is on another one");
    } else if ((strcmp(found.host, there->host) != 0 || found.port != there->port) &&
               address_find(&found, &clients->address, &fault) != RESULT_OK) {
        refuse(clients, viewer, RESULT_IO, "%s", fault.message);
    } else {
        *there = found;
        clients->moved += clients->ready ? 1 : 0;
        connect_again(clients, viewer, 0);
    }
}

// ---- out ------------------------------------------------------------------------------------------------------------

// A client's frames must be masked; any mask will do. Pongs and the only request are small, so an idle socket takes
// them whole.
static void send_message(struct load_clients *clients, struct viewer *viewer, enum ws_opcode opcode, const void *body,
                         size_t length) {
    static const uint8_t mask[4] = {0x5a, 0x17, 0xc3, 0x8e};
    uint8_t message[6 + WS_CONTROL_MAX];
    const uint8_t *bytes = body;
    if (length > WS_CONTROL_MAX) {
        return;
    }
    message[0] = (uint8_t)(0x80u | opcode);
    message[1] = (uint8_t)(0x80u | length);
    memcpy(message + 2, mask, sizeof mask);
    for (size_t i = 0; i < length; i++) {
        message[6 + i] = bytes[i] ^ mask[i % 4];
    }
    if (send(viewer->handle, message, 6 + length, MSG_NOSIGNAL) != (ssize_t)(6 + length)) {
        close_viewer(clients, viewer);
    }
}

static void subscribe(struct load_clients *clients, struct viewer *viewer) {
    static const char ticks[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"frames.subscribe\",\"params\":{"
                                "\"encoding\":\"ticks\"}}"; // which have no other parameters
    char request[WS_CONTROL_MAX], encoding[SETTINGS_ENCODING_MAX + 16] = "", step[40] = "";
    const struct settings *settings = clients->plan.settings;
    if (strcmp(settings->encoding, "ticks") == 0) {
        send_message(clients, viewer, WS_TEXT, ticks, sizeof ticks - 1);
        return;
    }
    if (settings->encoding[0] != '\0') {
        (void)snprintf(encoding, sizeof encoding, ",\"encoding\":\"%s\"", settings->encoding);
    }
    if (settings->step_m > 0) {
        (void)snprintf(step, sizeof step, ",\"step\":%.17g", settings->step_m);
    }
    const int length = snprintf(request, sizeof request,
                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"frames.subscribe\",\"params\":{"
                                "\"everyTicks\":%u%s%s}}",
                                settings->every_ticks, encoding, step);
    send_message(clients, viewer, WS_TEXT, request, (size_t)length);
}

static void send_handshake(struct load_clients *clients, struct viewer *viewer) {
    char request[SETTINGS_HOST_MAX + SETTINGS_PREFIX_MAX + SETTINGS_WORLD_MAX + SETTINGS_TOKEN_MAX + 320];
    const struct settings *settings = &clients->there;
    int length = snprintf(request, sizeof request,
                          "GET %s/worlds/%s HTTP/1.1\r\nHost: %s:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: d2VmdGN0bCBsb2FkIDEyMw==\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Protocol: weft.v1\r\n%s%s%s\r\n",
                          settings->prefix, settings->world, settings->host, settings->port,
                          settings->token[0] != '\0' ? "Authorization: Bearer " : "", settings->token,
                          settings->token[0] != '\0' ? "\r\n" : "");
    if (send(viewer->handle, request, (size_t)length, MSG_NOSIGNAL) == length) {
        viewer->stage = VIEWER_HANDSHAKE;
    } else {
        close_viewer(clients, viewer);
    }
}

// ---- in -------------------------------------------------------------------------------------------------------------

static void become_subscribed(struct load_clients *clients, struct viewer *viewer) {
    free(viewer->text);
    viewer->text = NULL;
    viewer->stage = VIEWER_SUBSCRIBED;
    viewer->followed = 0;
    viewer->since_s = 0;
    clients->subscribed++;
    clients->under_way--;
    if (is_stalled(clients, viewer)) { // from here on only the end of the connection is noticed
        struct epoll_event event = {.events = EPOLLRDHUP, .data.ptr = viewer};
        (void)epoll_ctl(clients->epoll, EPOLL_CTL_MOD, viewer->handle, &event);
    }
}

static void take_text(struct load_clients *clients, struct viewer *viewer) {
    struct json_slice message, method, params, hz, error, id;
    if (viewer->text == NULL || json_check(viewer->text, viewer->text_length, &message, NULL) != JSON_VALID) {
        return;
    }
    if (json_member(message, "method", &method) && json_is(method, "\"world.moved\"") &&
        json_member(message, "params", &params)) {
        char *url = json_member(params, "url", &id) ? json_string(id) : NULL;
        follow(clients, viewer, url);
        free(url);
    } else if (viewer->stage != VIEWER_OPEN) {
        return;
    } else if (json_member(message, "params", &params) && json_member(params, "tickHz", &hz)) {
        clients->tick_hz = strtod(hz.text, NULL);
        viewer->greeted = true;
        clients->greeted++;
        if (viewer - clients->viewers < clients->asked) { // it had been asked before it was sent on
            subscribe(clients, viewer);
        } else {
            clients->under_way--;
        }
    } else if (json_member(message, "id", &id) && json_member(message, "error", &error)) {
        char *said = json_member(error, "message", &params) ? json_string(params) : NULL;
        refuse(clients, viewer, RESULT_IO, "the server refuses a viewer: %.200s",
               said == NULL ? "it does not say why" : said);
        free(said);
    } else if (json_member(message, "id", &id)) {
        become_subscribed(clients, viewer);
    }
}

// Describes what the message shows. Returns false when it is neither a frame nor ticks.
static bool describe(const struct load_clients *clients, const struct viewer *viewer, struct load_frame *frame) {
    const uint64_t every = clients->plan.settings->every_ticks;
    struct ticks_header ticks;
    struct frame_header header;
    if (ticks_header_read(viewer->peek, viewer->peek_bytes, &ticks)) {
        frame->epoch = ticks.generation;
        frame->before = ticks.tick;
        frame->tick = ticks.tick + ticks.steps;
        frame->count = ticks.steps;
        return true;
    }
    if (!frame_header_read(viewer->peek, viewer->peek_bytes, &header) || !frame_header_is_frame(&header)) {
        return false;
    }
    frame->epoch = header.epoch;
    frame->before = header.tick > every ? header.tick - every : 0;
    frame->tick = header.tick;
    frame->count = 1;
    return true;
}

static void end_fragment(struct load_clients *clients, struct viewer *viewer) {
    const enum ws_opcode fragment = viewer->fragment & 15u;
    viewer->head_bytes = 0;
    if (fragment == WS_CLOSE) {
        close_viewer(clients, viewer);
        return;
    }
    if (fragment >= WS_CLOSE) {
        if (fragment == WS_PING) {
            send_message(clients, viewer, WS_PONG, viewer->control, viewer->control_bytes);
        }
        return;
    }
    if ((viewer->fragment & 0x80u) == 0) {
        return;
    }
    if (viewer->opcode == WS_TEXT) {
        take_text(clients, viewer);
        viewer->text_length = 0;
        if (viewer->stage == VIEWER_SUBSCRIBED) {
            free(viewer->text);
            viewer->text = NULL;
        }
        return;
    }
    struct load_frame frame = {
        .viewer = (uint32_t)(viewer - clients->viewers), .bytes = viewer->bytes, .arrival_s = monotonic_s()};
    if (viewer->stage == VIEWER_SUBSCRIBED && describe(clients, viewer, &frame)) {
        clients->plan.frame(clients->plan.user, &frame);
    }
}

// Reads the complete header of a fragment.
static void begin_fragment(struct viewer *viewer) {
    const uint8_t *head = viewer->head;
    viewer->left = head[1] & 127u;
    if (viewer->left >= 126) {
        const unsigned bytes = viewer->left == 126 ? 2 : 8;
        viewer->left = 0;
        for (unsigned i = 0; i < bytes; i++) {
            viewer->left = viewer->left << 8 | head[2 + i];
        }
    }
    viewer->fragment = head[0];
    viewer->control_bytes = 0;
    if ((head[0] & 15u) == WS_TEXT || (head[0] & 15u) == WS_BINARY) {
        viewer->opcode = head[0] & 15u;
        viewer->bytes = 0;
        viewer->peek_bytes = 0;
    }
    if ((head[0] & 15u) < WS_CLOSE) {
        viewer->bytes += viewer->left;
    }
}

static bool head_is_complete(const struct viewer *viewer) {
    static const uint8_t wanted[2] = {4, 10};
    const uint8_t length = viewer->head_bytes < 2 ? 0 : viewer->head[1] & 127u;
    return viewer->head_bytes >= 2 && (length < 126 || viewer->head_bytes == wanted[length - 126]);
}

static void keep_text(struct load_clients *clients, struct viewer *viewer, const uint8_t *bytes, size_t count) {
    if (viewer->text == NULL) {
        viewer->text = malloc(LOAD_TEXT_MAX);
        viewer->text_length = 0;
    }
    if (viewer->text == NULL || viewer->text_length + count > LOAD_TEXT_MAX) {
        if (viewer->stage != VIEWER_SUBSCRIBED) { // later messages may be of any length, and do not matter
            refuse(clients, viewer, RESULT_IO, "the server's first messages are longer than a viewer takes");
        }
        return;
    }
    memcpy(viewer->text + viewer->text_length, bytes, count);
    viewer->text_length += (uint32_t)count;
}

// Takes bytes of WebSocket frames, in pieces of any size.
static void take_bytes(struct load_clients *clients, struct viewer *viewer, const uint8_t *bytes, size_t count) {
    while (count > 0 && viewer->handle >= 0) { // the viewer may be closed, or sent to another node
        if (!head_is_complete(viewer)) {
            viewer->head[viewer->head_bytes++] = *bytes++;
            count--;
            if (!head_is_complete(viewer)) {
                continue;
            }
            begin_fragment(viewer);
        }
        const size_t now = count < viewer->left ? count : (size_t)viewer->left;
        const bool is_control = (viewer->fragment & 15u) >= WS_CLOSE;
        for (size_t i = 0; i < now && !is_control && viewer->peek_bytes < PROTO_HEADER_BYTES; i++) {
            viewer->peek[viewer->peek_bytes++] = bytes[i];
        }
        for (size_t i = 0; i < now && is_control && viewer->control_bytes < WS_CONTROL_MAX; i++) {
            viewer->control[viewer->control_bytes++] = bytes[i];
        }
        if (viewer->opcode == WS_TEXT && !is_control) {
            keep_text(clients, viewer, bytes, now);
        }
        bytes += now;
        count -= now;
        viewer->left -= now;
        if (viewer->left == 0) {
            end_fragment(clients, viewer);
        }
    }
}

// The value of a header of the answer to a handshake, in `room`; NULL: it has none.
static const char *header_of(const char *answer, const char *name, char *room, size_t size) {
    const char *line = strcasestr(answer, name); // with the line break before it and the colon after it
    if (line == NULL) {
        return NULL;
    }
    line += strlen(name);
    line += strspn(line, " ");
    (void)snprintf(room, size, "%.*s", (int)strcspn(line, "\r"), line);
    return room;
}

// Handles a refused handshake: follows 307, and waits after 503 for a node that has the world ready. If other viewers
// are in and this one was not, 503 is the answer of a full server.
static void take_refusal(struct load_clients *clients, struct viewer *viewer) {
    char room[SETTINGS_URL_MAX];
    const char *url = header_of(viewer->text, "\r\nLocation:", room, sizeof room);
    if (strncmp(viewer->text, "HTTP/1.1 307", 12) == 0 && url != NULL) {
        follow(clients, viewer, url);
        return;
    }
    const char *delay = header_of(viewer->text, "\r\nRetry-After:", room, sizeof room);
    if (strncmp(viewer->text, "HTTP/1.1 503", 12) == 0 && (clients->greeted == 0 || viewer->since_s > 0)) {
        const double wanted_s = delay == NULL ? 1.0 : strtod(delay, NULL);
        connect_again(clients, viewer, wanted_s > LOAD_RETRY_MAX_S ? LOAD_RETRY_MAX_S : wanted_s);
        return;
    }
    viewer->text[strcspn(viewer->text, "\r")] = '\0';
    refuse(clients, viewer, RESULT_IO, "the server refuses a viewer: %.100s", viewer->text);
}

// Takes the answer to the handshake, and the frames that follow it in the same read.
static void take_handshake(struct load_clients *clients, struct viewer *viewer, const uint8_t *bytes, size_t count) {
    keep_text(clients, viewer, bytes, count);
    char *end = viewer->text == NULL ? NULL : memmem(viewer->text, viewer->text_length, "\r\n\r\n", 4);
    if (end == NULL || clients->failed) {
        return;
    }
    if (strncmp(viewer->text, "HTTP/1.1 101", 12) != 0) {
        *end = '\0';
        take_refusal(clients, viewer);
        return;
    }
    viewer->stage = VIEWER_OPEN;
    const size_t after = viewer->text_length - (size_t)(end + 4 - viewer->text);
    uint8_t rest[LOAD_READ_BYTES];
    memcpy(rest, end + 4, after); // no more than was in this read
    viewer->text_length = 0;
    take_bytes(clients, viewer, rest, after);
}

static void take_readable(struct load_clients *clients, struct viewer *viewer) {
    uint8_t bytes[LOAD_READ_BYTES];
    const bool discards = viewer->left >= LOAD_DISCARD_BYTES && viewer->opcode == WS_BINARY &&
                          viewer->peek_bytes == PROTO_HEADER_BYTES && head_is_complete(viewer);
    const size_t most = viewer->bytes > LOAD_READ_BYTES ? LOAD_HEAD_BYTES : LOAD_READ_BYTES; // judged by the last frame
    // With MSG_TRUNC a TCP socket discards the bytes in place of copying them.
    const ssize_t got =
        discards ? recv(viewer->handle, NULL, (size_t)viewer->left, MSG_TRUNC) : recv(viewer->handle, bytes, most, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        close_viewer(clients, viewer);
    } else if (got > 0 && discards) {
        viewer->left -= (uint64_t)got;
        if (viewer->left == 0) {
            end_fragment(clients, viewer);
        }
    } else if (got > 0 && viewer->stage == VIEWER_HANDSHAKE) {
        take_handshake(clients, viewer, bytes, (size_t)got);
    } else if (got > 0) {
        take_bytes(clients, viewer, bytes, (size_t)got);
        // The rest of a large frame has mostly arrived already: reading it now saves a round of epoll.
        if (viewer->stage == VIEWER_SUBSCRIBED && viewer->left >= LOAD_DISCARD_BYTES && head_is_complete(viewer)) {
            take_readable(clients, viewer);
        }
    }
}

// ---- coming and going -----------------------------------------------------------------------------------------------

static void start_connection(struct load_clients *clients, struct viewer *viewer) {
    const int on = 1;
    viewer->text = viewer->text == NULL ? malloc(LOAD_TEXT_MAX) : viewer->text;
    viewer->handle = socket(clients->address.at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (viewer->text == NULL || viewer->handle < 0) {
        refuse(clients, viewer, viewer->text == NULL ? RESULT_MEMORY : RESULT_LIMIT, "cannot open one more socket: %s",
               strerror(errno));
        return;
    }
    (void)setsockopt(viewer->handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    viewer->stage = VIEWER_CONNECTING;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = viewer};
    if (connect(viewer->handle, (struct sockaddr *)&clients->address.at, clients->address.length) != 0 &&
        errno != EINPROGRESS) {
        refuse(clients, viewer, RESULT_IO, "cannot reach the server: %s", strerror(errno));
    } else if (epoll_ctl(clients->epoll, EPOLL_CTL_ADD, viewer->handle, &event) != 0) {
        refuse(clients, viewer, RESULT_LIMIT, "cannot wait for one more socket: %s", strerror(errno));
    }
}

// Starts the viewers that are to connect again, and whose time has come.
static void start_waiting(struct load_clients *clients) {
    const double now = monotonic_s();
    for (uint32_t at = 0; at < clients->started && clients->waiting > 0; at++) {
        struct viewer *viewer = &clients->viewers[at];
        if (viewer->stage == VIEWER_WAITING && viewer->again_s <= now) {
            clients->waiting--;
            start_connection(clients, viewer);
        }
    }
}

static void end_connecting(struct load_clients *clients, struct viewer *viewer) {
    int cause = 0;
    socklen_t size = sizeof cause;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = viewer};
    if (getsockopt(viewer->handle, SOL_SOCKET, SO_ERROR, &cause, &size) != 0 || cause != 0) {
        refuse(clients, viewer, RESULT_IO, "cannot reach the server: %s", strerror(cause));
        return;
    }
    if (epoll_ctl(clients->epoll, EPOLL_CTL_MOD, viewer->handle, &event) == 0) {
        send_handshake(clients, viewer);
    }
}

void load_clients_service(struct load_clients *clients, int wait_ms) {
    struct epoll_event events[LOAD_EVENTS];
    start_waiting(clients);
    const int count = epoll_wait(clients->epoll, events, LOAD_EVENTS, wait_ms);
    for (int at = 0; at < count; at++) {
        struct viewer *viewer = events[at].data.ptr;
        if (viewer->stage == VIEWER_CONNECTING) {
            end_connecting(clients, viewer);
        } else if ((events[at].events & EPOLLIN) != 0) {
            take_readable(clients, viewer);
        } else {
            close_viewer(clients, viewer);
        }
    }
}

// Starts the next step of as many viewers as may be under way at once. Viewers are subscribed once all are connected:
// frames that flow to a thousand already would make the others wait.
static void start_steps(struct load_clients *clients) {
    const uint32_t wanted = clients->plan.clients;
    while (clients->under_way < LOAD_UNDER_WAY_MAX && !clients->failed) {
        if (clients->started < wanted) {
            clients->under_way++;
            start_connection(clients, &clients->viewers[clients->started++]);
        } else if (clients->greeted == wanted && clients->asked < wanted) {
            clients->under_way++;
            subscribe(clients, &clients->viewers[clients->asked++]);
        } else {
            return;
        }
    }
}

static enum result subscribe_all(struct load_clients *clients, struct fault *fault) {
    const double patience = clients->plan.settings->timeout_s;
    const double end = monotonic_s() + patience;
    while (clients->subscribed < clients->plan.clients && !clients->failed) {
        start_steps(clients);
        load_clients_service(clients, 100);
        if (patience > 0 && monotonic_s() > end) {
            return fault_set(fault, RESULT_IO, "", "only %u of %u viewers were subscribed within %g s (--timeout)",
                             clients->subscribed, clients->plan.clients, patience);
        }
    }
    if (clients->failed) {
        *fault = clients->fault;
        return fault->cause;
    }
    return RESULT_OK;
}

enum result load_clients_create(const struct load_plan *plan, struct load_clients **clients, struct fault *fault) {
    struct load_clients *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    made->plan = *plan;
    made->there = *plan->settings;
    made->tick_hz = 60;
    made->epoll = epoll_create1(EPOLL_CLOEXEC);
    made->viewers = calloc(plan->clients, sizeof *made->viewers);
    if (made->viewers == NULL || made->epoll < 0) {
        load_clients_destroy(made);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    enum result result = address_allow_sockets(plan->clients, fault);
    result = result == RESULT_OK ? address_find(plan->settings, &made->address, fault) : result;
    result = result == RESULT_OK ? subscribe_all(made, fault) : result;
    if (result != RESULT_OK) {
        load_clients_destroy(made);
        return result;
    }
    made->ready = true;
    *clients = made;
    return RESULT_OK;
}

void load_clients_destroy(struct load_clients *clients) {
    if (clients == NULL) {
        return;
    }
    for (uint32_t i = 0; clients->viewers != NULL && i < clients->started; i++) {
        if (clients->viewers[i].handle >= 0) {
            (void)close(clients->viewers[i].handle);
        }
        free(clients->viewers[i].text);
    }
    if (clients->epoll >= 0) {
        (void)close(clients->epoll);
    }
    free(clients->viewers);
    free(clients);
}

double load_clients_tick_hz(const struct load_clients *clients) {
    return clients->tick_hz;
}

uint32_t load_clients_lost(const struct load_clients *clients) {
    return clients->lost;
}

uint32_t load_clients_dropped(const struct load_clients *clients) {
    return clients->dropped;
}

uint32_t load_clients_moved(const struct load_clients *clients) {
    return clients->moved;
}
