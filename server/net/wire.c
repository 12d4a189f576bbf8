// SPDX-License-Identifier: MIT
// What libwebsockets reads, read by us first (line.h tells why). This file defines `recv` and `SSL_read` for the whole
// program: reads of the net thread from one of its lines go through the line, all others straight to the kernel and to
// OpenSSL, by calls that mean the same.
//
// A request is passed on when it is whole, and by itself. What libwebsockets gets instead of one that is refused, or
// that has a body, is a short GET without fields: who answers (http.c) looks at the line, not at the library's copy.
#include <errno.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "net/net_internal.h"

#define GROWTH_BYTES 1024u
#define DISCARD_PASSES_MAX 64u
#define RENEWING_BYTES (64u << 10) // of a long body that come in the time for a request
#define STAND_IN_BYTES 512u        // the longest path of a POST, with the text around it

static _Thread_local struct net_server *attached;

// Where a line's bytes come from: a socket, or TLS on it.
struct source {
    int descriptor;
    SSL *tls; // NULL: none
};

// As the calls they stand for: bytes, 0 at the end, −1 with errno or the state of `tls`.
static ssize_t source_read(const struct source *source, void *buffer, size_t size, bool peek) {
    size_t count = 0;
    if (source->tls == NULL)
        return recvfrom(source->descriptor, buffer, size, peek ? MSG_PEEK : 0, NULL, NULL);
    const int result =
        peek ? SSL_peek_ex(source->tls, buffer, size, &count) : SSL_read_ex(source->tls, buffer, size, &count);
    if (result == 1)
        return (ssize_t)count;
    return SSL_get_error(source->tls, result) == SSL_ERROR_ZERO_RETURN ? 0 : -1;
}

// Nothing of what has come is for libwebsockets: throws it away, by a share at a time. TLS has to say itself that there
// is no more when its reader is told so; where that takes too long, the line ends, whatever it was still to be told.
static ssize_t read_nothing(struct line *line, const struct source *source) {
    char dropped[4096];
    for (unsigned pass = 0; pass < DISCARD_PASSES_MAX; pass++) {
        const ssize_t count = source_read(source, dropped, sizeof dropped, false);
        if (count <= 0)
            return count;
    }
    if (source->tls != NULL)
        line_kill(line); // it sends faster than we can throw away
    errno = EAGAIN;
    return -1;
}

// ---- requests
// --------------------------------------------------------------------------------------------------------

static bool reserve_bytes(struct line *line, size_t more) {
    const size_t needed = line->length + more;
    if (needed <= line->capacity)
        return true;
    char *bytes = realloc(line->bytes, needed);
    if (bytes == NULL)
        return false;
    line->bytes = bytes;
    line->capacity = needed;
    return true;
}

static void refuse(struct line *line, int status, const char *text) {
    if (line->refusal.status == 0)
        line->refusal = (struct refusal){status, "", text};
}

static void begin_request(struct line *line) {
    line->awaited = true;
    line->head = (struct head){0};
    line->refusal = (struct refusal){0, "", ""};
    line_renew(line);
}

// What has come of the request is all that matters of it: whole, or to be refused.
static ssize_t pass_request(struct line *line, char *buffer, size_t size) {
    char stand_in[STAND_IN_BYTES] = "GET / HTTP/1.1\r\nHost: refused\r\nConnection: close\r\n\r\n";
    const char *text = line->bytes;
    size_t length = line->head.length;
    if (line->refusal.status == 0 && line->head.post) {
        const char *path = memchr(text, ' ', length);
        const int written =
            snprintf(stand_in, sizeof stand_in, "GET %.*s HTTP/1.1\r\nHost: posted\r\nConnection: close\r\n\r\n",
                     (int)strcspn(path + 1, " ?"), path + 1);
        if (written < 0 || (size_t)written >= sizeof stand_in)
            refuse(line, 414, "the path is too long\n");
    }
    if (line->refusal.status != 0 || line->head.post) {
        text = stand_in;
        length = strlen(stand_in);
    }
    line->awaited = false;
    line->answering = true;
    line_renew(line);
    line->phase = line->refusal.status != 0 ? LINE_DEAF : line->head.upgrade ? LINE_FRAMES : LINE_HEAD;
    line->length = 0; // the bytes stay until the next request comes
    if (length > size) {
        line_kill(line);
        errno = EAGAIN;
        return -1;
    }
    memcpy(buffer, text, length);
    return (ssize_t)length;
}

static struct visitor_store visitor_text; // of this request: too large for a stack, and the net thread is alone

// Refuses a body that is too long for this client, before any of it is read.
static void check_body(struct line *line) {
    const struct net_handlers *handlers = &line->server->options.handlers;
    char path[STAND_IN_BYTES];
    size_t most = BODY_BYTES_MAX;
    const char *target = (const char *)memchr(line->head.text, ' ', line->head.length) + 1;
    const size_t length = strcspn(target, " ?");
    if (handlers->expect != NULL && line->wsi != NULL && length < sizeof path) {
        if (!visitor_is_welcome(line->server, line, &line->refusal))
            return;
        memcpy(path, target, length);
        path[length] = '\0';
        const struct net_visitor visitor = visitor_of(line->wsi, line, &visitor_text);
        const int status = handlers->expect(handlers->user, &visitor, path, &most);
        if (status == 401)
            line->refusal = (struct refusal){401, "WWW-Authenticate: Bearer\r\n",
                                             "this takes a valid token: send it as Authorization: Bearer TOKEN\n"};
        else if (status != 0)
            refuse(line, status, "this takes another role\n");
    }
    if (line->head.body_length > most)
        refuse(line, 413, "the body is too long\n");
}

// The body may come (RFC 9110, 10.1.1). The answer before this one, if any, has gone out whole.
static void send_continue(struct line *line, const struct source *source) {
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    const int length = (int)sizeof text - 1;
    const ssize_t sent = source->tls != NULL ? SSL_write(source->tls, text, length)
                                             : send(source->descriptor, text, (size_t)length, MSG_NOSIGNAL);
    if (sent != length)
        line_kill(line);
}

// The head ends at `end`: is there a body to wait for?
static void read_head(struct line *line, const struct source *source, size_t end) {
    head_read(line->bytes, end, &line->head, &line->refusal);
    if (line->refusal.status == 0 && line->head.post)
        check_body(line);
    const bool more = line->refusal.status == 0 && line->head.body_length > 0;
    line->phase = more ? LINE_BODY : LINE_HEAD;
    if (more && line->head.expects)
        send_continue(line, source);
}

static ssize_t take_head(struct line *line, const struct source *source, bool *whole) {
    if (!reserve_bytes(line, GROWTH_BYTES))
        refuse(line, 503, "the server is out of memory\n");
    const size_t before = line->length;
    ssize_t count = source_read(source, line->bytes + before, line->capacity - before, true);
    if (count <= 0)
        return count;
    if (before == 0)
        begin_request(line);
    const size_t end = head_end(line->bytes, before + (size_t)count, before);
    const size_t wanted = end > 0 ? end - before : (size_t)count;
    count = source_read(source, line->bytes + before, wanted, false);
    if (count <= 0)
        return count;
    line->length += (size_t)count;
    if (line->length > HEAD_BYTES_MAX)
        refuse(line, 431, "the head is too long\n");
    else if (end > 0)
        read_head(line, source, end);
    else
        (void)head_may_begin(line->bytes, line->length, &line->refusal);
    *whole = line->refusal.status != 0 || (end > 0 && line->phase == LINE_HEAD);
    return count;
}

// Reserves memory for a long body. Its bytes count among those of unfinished messages.
static bool reserve_body(struct line *line, size_t total) {
    struct net_server *server = line->server;
    const bool counts = line->head.body_length > BODY_BYTES_MAX && line->unfinished == 0;
    if (counts && server->unfinished_bytes + total > server->options.unfinished_max) {
        refuse(line, 503, "too many long messages are coming in: try again later\n");
        return false;
    }
    if (!reserve_bytes(line, total - line->length)) {
        refuse(line, 503, "the server is out of memory\n");
        return false;
    }
    if (counts) {
        line->unfinished = total;
        line->renewed = line->length;
        server->unfinished_bytes += total;
    }
    return true;
}

static ssize_t take_body(struct line *line, const struct source *source, bool *whole) {
    const size_t total = line->head.length + (size_t)line->head.body_length;
    if (!reserve_body(line, total)) {
        *whole = true;
        return 1;
    }
    line->head.text = line->bytes;
    if (line->length - line->renewed > RENEWING_BYTES && line->unfinished > 0) {
        line->renewed = line->length;
        line_renew(line); // it goes on, and gets its time anew
    }
    const ssize_t count = source_read(source, line->bytes + line->length, total - line->length, false);
    if (count > 0)
        line->length += (size_t)count;
    *whole = line->length == total;
    return count;
}

static ssize_t read_request(struct line *line, const struct source *source, char *buffer, size_t size) {
    bool whole = false;
    if (line->answering) { // a request before its turn: after this answer the connection ends, and it may ask again
        line->phase = LINE_DEAF;
        return read_nothing(line, source);
    }
    while (!whole) {
        const ssize_t count =
            line->phase == LINE_BODY ? take_body(line, source, &whole) : take_head(line, source, &whole);
        if (count <= 0)
            return count;
    }
    return pass_request(line, buffer, size);
}

// ---- frames
// ----------------------------------------------------------------------------------------------------------

static void note_wrong(struct line *line) {
    line->wrong_next = line->server->wrong;
    line->server->wrong = line;
    line->phase = LINE_DEAF;
}

static ssize_t read_frames(struct line *line, const struct source *source, uint8_t *buffer, size_t size) {
    for (;;) {
        const ssize_t count = source_read(source, buffer, size, false);
        if (count <= 0)
            return count;
        size_t passed = frame_walk(&line->walk, buffer, (size_t)count);
        const struct session *session = line->guest ? NULL : lws_wsi_user(line->wsi);
        if (line->walk.pong_due && session != NULL && session->peer != NULL)
            peer_ask_to_write(session->peer);
        if (line->walk.wrong != 0) {
            note_wrong(line);
        } else if (line->walk.closed && size - passed >= line->walk.close_length) {
            memcpy(buffer + passed, line->walk.close, line->walk.close_length);
            passed += line->walk.close_length;
            line->phase = LINE_DEAF;
        } else if (line->walk.closed) {
            line_kill(line);
        }
        if (passed > 0)
            return (ssize_t)passed;
        if (line->phase == LINE_DEAF)
            return read_nothing(line, source);
    }
}

void wire_forget(struct line *line) {
    struct line **link = &line->server->wrong;
    while (*link != NULL && *link != line)
        link = &(*link)->wrong_next;
    if (*link != NULL)
        *link = line->wrong_next;
}

void wire_close_wrong(struct net_server *server) {
    while (server->wrong != NULL) {
        struct line *line = server->wrong;
        struct session *session = lws_wsi_user(line->wsi);
        server->wrong = line->wrong_next;
        line->wrong_next = NULL;
        count_up(server, COUNTER_REFUSED, 1);
        if (!line->guest && session != NULL && session->peer != NULL)
            peer_close(session->peer, line->walk.wrong, line->walk.why);
        else
            line_kill(line);
    }
}

// ---- the two calls
// ---------------------------------------------------------------------------------------------------

void wire_attach(struct net_server *server) {
    attached = server;
}

static struct line *find_line(int descriptor) {
    const bool known = attached != NULL && descriptor >= 0 && (size_t)descriptor < attached->lines_capacity;
    return known ? attached->lines[descriptor] : NULL;
}

static ssize_t read_line(struct line *line, const struct source *source, void *buffer, size_t size) {
    line->fed = true;
    switch (line->phase) {
    case LINE_HEAD:
    case LINE_BODY:
        return read_request(line, source, buffer, size);
    case LINE_FRAMES:
        return read_frames(line, source, buffer, size);
    case LINE_DEAF:
        break;
    }
    return read_nothing(line, source);
}

ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
    struct line *line = flags == 0 ? find_line(descriptor) : NULL;
    if (line == NULL)
        return recvfrom(descriptor, buffer, size, flags, NULL, NULL);
    return read_line(line, &(struct source){descriptor, NULL}, buffer, size);
}

int SSL_read(SSL *tls, void *buffer, int size) {
    const int descriptor = SSL_get_fd(tls);
    const struct source source = {descriptor, tls};
    struct line *line = find_line(descriptor);
    if (line == NULL)
        return (int)source_read(&source, buffer, (size_t)size, false);
    return (int)read_line(line, &source, buffer, (size_t)size);
}
