// SPDX-License-Identifier: MIT
// HTTP: documents the application builds on the spot, else files below the web root. GET and HEAD only. Heads are
// written here, not by libwebsockets, so that each carries the same security headers and none says more than needed;
// a body goes out in pieces, one per writeable callback, read from its file as it goes.
//
// A path has been decoded and its dot segments have been folded by libwebsockets; what arrives is checked once more,
// and a segment that is empty or begins with a dot is not found, whatever there may be on the disk.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/net_internal.h"

#define HEAD_LENGTH_MAX 1536
#define PIECE_BYTES (16 << 10)
#define PIECE_TIMEOUT_S 20 // a client that takes nothing for that long is dropped
#define ETAG_MAX 48

static const char security_headers[] =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' "
    "'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; worker-src 'self' blob:\r\n";

// What of a reply is still to be sent: one of a file and a message.
struct http_reply {
    int file; // −1 when it is a message
    struct net_message *message;
    uint64_t offset;
    uint64_t length;
};

// ---- tables ------------------------------------------------------------------------------------------------------

struct status_text {
    int status;
    const char *text;
};

static const struct status_text status_texts[] = {
    {200, "OK"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {426, "Upgrade Required"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
};

static const char *status_text(int status) {
    for (size_t i = 0; i < sizeof status_texts / sizeof status_texts[0]; i++) {
        if (status_texts[i].status == status)
            return status_texts[i].text;
    }
    return "Status";
}

struct content_type {
    const char *extension;
    const char *type;
};

static const struct content_type content_types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json; charset=utf-8"},
    {".map", "application/json; charset=utf-8"},
    {".md", "text/markdown; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".ico", "image/x-icon"},
    {".wasm", "application/wasm"},
    {".bin", "application/octet-stream"},
};

static const char *content_type_of(const char *path) {
    const char *extension = strrchr(path, '.');
    for (size_t i = 0; extension != NULL && i < sizeof content_types / sizeof content_types[0]; i++) {
        if (strcasecmp(extension, content_types[i].extension) == 0)
            return content_types[i].type;
    }
    return "application/octet-stream";
}

// ---- heads -------------------------------------------------------------------------------------------------------

// Writes a whole head; `headers` is "" or whole lines, `content_type` may be NULL. Returns 0 or −1.
static int write_head(struct lws *wsi, int status, const char *headers, const char *content_type, uint64_t length) {
    unsigned char buffer[LWS_PRE + HEAD_LENGTH_MAX];
    char *head = (char *)buffer + LWS_PRE;
    int written = snprintf(head, HEAD_LENGTH_MAX, "HTTP/1.1 %d %s\r\n%s%s%s%s%sContent-Length: %llu\r\n\r\n", status,
                           status_text(status), security_headers, headers, content_type != NULL ? "Content-Type: " : "",
                           content_type != NULL ? content_type : "", content_type != NULL ? "\r\n" : "",
                           (unsigned long long)length);
    if (written < 0 || written >= HEAD_LENGTH_MAX)
        return -1;
    return lws_write(wsi, (unsigned char *)head, (size_t)written, LWS_WRITE_HTTP_HEADERS) < 0 ? -1 : 0;
}

int http_refuse(struct lws *wsi, int status, const char *headers, const char *text) {
    unsigned char body[LWS_PRE + 256];
    char lines[256];
    size_t length = strlen(text);
    snprintf(lines, sizeof lines, "%sConnection: close\r\nCache-Control: no-store\r\n", headers);
    if (write_head(wsi, status, lines, "text/plain; charset=utf-8", length) != 0)
        return -1;
    bool head_only = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    if (!head_only && length <= sizeof body - LWS_PRE) {
        memcpy(body + LWS_PRE, text, length);
        (void)lws_write(wsi, body + LWS_PRE, length, LWS_WRITE_HTTP_FINAL);
    }
    return -1;
}

// ---- replies -----------------------------------------------------------------------------------------------------

void http_reply_free(struct session *session) {
    struct http_reply *reply = session->reply;
    if (reply == NULL)
        return;
    if (reply->file >= 0)
        close(reply->file);
    net_message_release(reply->message);
    free(reply);
    session->reply = NULL;
}

// Sends the head and arranges for the body, of which it becomes the owner.
static int start_reply(struct lws *wsi, struct session *session, int status, const char *headers,
                       const char *content_type, uint64_t length, int file, struct net_message *message) {
    bool head_only = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    struct http_reply *reply = malloc(sizeof *reply);
    if (reply == NULL) {
        if (file >= 0)
            close(file);
        net_message_release(message);
        return -1;
    }
    *reply = (struct http_reply){.file = file, .message = message, .length = head_only ? 0 : length};
    http_reply_free(session);
    session->reply = reply;
    if (write_head(wsi, status, headers, content_type, length) != 0)
        return -1;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, PIECE_TIMEOUT_S);
    lws_callback_on_writable(wsi);
    return 0;
}

// Bytes of the next piece, at most `size`; −1 when the file has become shorter or cannot be read.
static ssize_t next_piece(const struct http_reply *reply, unsigned char *piece, size_t size) {
    uint64_t left = reply->length - reply->offset;
    size_t wanted = left < size ? (size_t)left : size;
    if (reply->message != NULL) {
        memcpy(piece, net_message_data(reply->message) + reply->offset, wanted);
        return (ssize_t)wanted;
    }
    ssize_t count = pread(reply->file, piece, wanted, (off_t)reply->offset);
    return count > 0 ? count : -1;
}

int http_write(struct lws *wsi, struct session *session) {
    struct http_reply *reply = session->reply;
    if (reply == NULL)
        return 0;
    if (reply->offset < reply->length) {
        unsigned char buffer[LWS_PRE + PIECE_BYTES];
        ssize_t count = next_piece(reply, buffer + LWS_PRE, PIECE_BYTES);
        if (count < 0)
            return -1;
        reply->offset += (uint64_t)count;
        bool last = reply->offset == reply->length;
        if (lws_write(wsi, buffer + LWS_PRE, (size_t)count, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
            return -1;
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, PIECE_TIMEOUT_S);
    }
    if (reply->offset < reply->length) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    http_reply_free(session);
    return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

// ---- requests ----------------------------------------------------------------------------------------------------

static bool path_is_plain(const char *path) {
    if (path[0] != '/' || strlen(path) >= PATH_LENGTH_MAX)
        return false;
    for (const char *at = path; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f || *at == '\\')
            return false;
        if (*at == '/' && (at[1] == '/' || at[1] == '.' || at[1] == '\0'))
            return false;
    }
    return true;
}

// Opens the file a path stands for; −1 when there is none.
static int open_file(const struct net_server *server, const char *path, struct stat *status) {
    char name[4096];
    int length = snprintf(name, sizeof name, "%s%s", server->web_root, path);
    if (length < 0 || (size_t)length >= sizeof name)
        return -1;
    int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return -1;
    if (fstat(file, status) != 0 || !S_ISREG(status->st_mode)) {
        close(file);
        return -1;
    }
    return file;
}

static int reply_not_found(struct lws *wsi, struct session *session) {
    static const char text[] = "not found\n";
    struct net_message *message = net_message_from_text(text, sizeof text - 1);
    return start_reply(wsi, session, 404, "Cache-Control: no-store\r\n", "text/plain; charset=utf-8",
                       message != NULL ? sizeof text - 1 : 0, -1, message);
}

static int reply_with_file(struct net_server *server, struct lws *wsi, struct session *session, const char *path) {
    struct stat status;
    char etag[ETAG_MAX];
    char known[4 * ETAG_MAX];
    char headers[ETAG_MAX + 64];
    int file = path_is_plain(path) ? open_file(server, path, &status) : -1;
    if (file < 0)
        return reply_not_found(wsi, session);
    snprintf(etag, sizeof etag, "\"%llx-%lx-%llx\"", (unsigned long long)status.st_mtim.tv_sec,
             (unsigned long)status.st_mtim.tv_nsec, (unsigned long long)status.st_size);
    snprintf(headers, sizeof headers, "Cache-Control: no-cache\r\nETag: %s\r\n", etag);
    if (lws_hdr_copy(wsi, known, sizeof known, WSI_TOKEN_HTTP_IF_NONE_MATCH) > 0 && strstr(known, etag) != NULL) {
        close(file);
        return start_reply(wsi, session, 304, headers, NULL, 0, -1, NULL);
    }
    return start_reply(wsi, session, 200, headers, content_type_of(path), (uint64_t)status.st_size, file, NULL);
}

int http_request(struct net_server *server, struct lws *wsi, struct session *session, const char *path) {
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0 && lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) == 0)
        return http_refuse(wsi, 405, "Allow: GET, HEAD\r\n", "only GET and HEAD are served\n");
    const struct net_handlers *handlers = &server->options.handlers;
    const char *content_type = "text/plain; charset=utf-8";
    int status = 200;
    struct net_message *document = handlers->document(handlers->user, path, &content_type, &status);
    if (document != NULL)
        return start_reply(wsi, session, status, "Cache-Control: no-store\r\n", content_type,
                           net_message_length(document), -1, document);
    return reply_with_file(server, wsi, session, strcmp(path, "/") == 0 ? "/index.html" : path);
}
