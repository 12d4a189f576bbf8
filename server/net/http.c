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

#define HEAD_LENGTH_MAX 4096
#define PAGE_BYTES_MAX (256 << 10) // of a page whose inline scripts are named
#define PIECE_BYTES (16 << 10)
#define PIECE_TIMEOUT_S 20 // a client that takes nothing for that long is dropped
#define ETAG_MAX 48
#define DOCUMENT_TIMEOUT_S 60 // to make a document that takes time

// What of a reply is still to be sent: one of a file and a message.
struct http_reply {
    int file; // −1 when it is a message
    struct message *message;
    uint64_t offset;
    uint64_t length;
};

// A request whose document is being made elsewhere.
struct http_wait {
    struct http_wait *next;
    uint64_t request;
    struct lws *wsi;
    bool answered;
    int status;
    char file[FILE_NAME_MAX];
    struct message *message;
};

// ---- tables ------------------------------------------------------------------------------------------------------

struct status_text {
    int status;
    const char *text;
};

static const struct status_text status_texts[] = {
    {200, "OK"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
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

// Pages are sent as they are: their heads name the scripts that they contain.
static bool is_page(const char *content_type) {
    return strncmp(content_type, "text/html", 9) == 0;
}

// ---- heads -------------------------------------------------------------------------------------------------------

struct page {
    const char *text;
    size_t length;
};

// The Connection header: `close` if the connection ends although the client may expect otherwise, `keep-alive` if it
// is kept and the client speaks HTTP/1.0, else none.
static const char *connection_field(const struct line *line, const char *headers) {
    if (strstr(headers, "Connection: ") != NULL)
        return "";
    if (line == NULL || line->refusal.status != 0 || !line->head.persists)
        return "Connection: close\r\n";
    return line->head.old ? "Connection: keep-alive\r\n" : "";
}

// Writes a whole head; `headers` is "" or whole lines, `content_type` may be NULL. Returns 0 or −1.
static int write_head(struct lws *wsi, int status, const char *headers, const char *content_type, uint64_t length,
                      const struct page *page) {
    unsigned char buffer[LWS_PRE + HEAD_LENGTH_MAX];
    char policy[POLICY_MAX];
    char host[HOST_MAX];
    char scheme[8];
    char *head = (char *)buffer + LWS_PRE;
    const struct line *line = line_of(wsi);
    const bool named =
        line != NULL && line_field(line, "host", host, sizeof host) &&
        strspn(host, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_:[]") == strlen(host);
    const bool encrypted = line != NULL && line_field(line, "x-forwarded-proto", scheme, sizeof scheme) &&
                           strcasecmp(scheme, "https") == 0;
    policy_write(policy, lws_context_user(lws_get_context(wsi)), named ? host : "", page->text, page->length,
                 encrypted);
    int written = snprintf(head, HEAD_LENGTH_MAX, "HTTP/1.1 %d %s\r\n%s%s%s%s%s%sContent-Length: %llu\r\n\r\n", status,
                           status_text(status), policy, headers, connection_field(line, headers),
                           content_type != NULL ? "Content-Type: " : "", content_type != NULL ? content_type : "",
                           content_type != NULL ? "\r\n" : "", (unsigned long long)length);
    if (written < 0 || written >= HEAD_LENGTH_MAX)
        return -1;
    return lws_write(wsi, (unsigned char *)head, (size_t)written, LWS_WRITE_HTTP_HEADERS) < 0 ? -1 : 0;
}

static const struct page no_page = {"", 0};

int http_refuse(struct lws *wsi, int status, const char *headers, const char *text) {
    unsigned char body[LWS_PRE + 256];
    char lines[256];
    size_t length = strlen(text);
    const bool told = strstr(headers, "Connection: ") != NULL;
    snprintf(lines, sizeof lines, "%s%sCache-Control: no-store\r\n", headers, told ? "" : "Connection: close\r\n");
    if (write_head(wsi, status, lines, "text/plain; charset=utf-8", length, &no_page) != 0)
        return -1;
    bool head_only = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    if (!head_only && length <= sizeof body - LWS_PRE) {
        memcpy(body + LWS_PRE, text, length);
        (void)lws_write(wsi, body + LWS_PRE, length, LWS_WRITE_HTTP_FINAL);
    }
    return -1;
}

// ---- replies -----------------------------------------------------------------------------------------------------

static void wait_free(struct net_server *server, struct session *session) {
    struct http_wait **place = &server->waits;
    while (*place != NULL && *place != session->wait)
        place = &(*place)->next;
    if (*place != NULL)
        *place = session->wait->next;
    message_release(session->wait->message);
    free(session->wait);
    session->wait = NULL;
}

void http_wait_free(struct net_server *server, struct session *session) {
    if (session->wait != NULL)
        wait_free(server, session);
}

void http_reply_free(struct session *session) {
    struct http_reply *reply = session->reply;
    if (reply == NULL)
        return;
    if (reply->file >= 0)
        close(reply->file);
    message_release(reply->message);
    free(reply);
    session->reply = NULL;
}

// Sends the head and arranges for the body, of which it becomes the owner.
static int start_reply(struct lws *wsi, struct session *session, int status, const char *headers,
                       const char *content_type, uint64_t length, int file, struct message *message,
                       const struct page *page) {
    bool head_only = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    struct http_reply *reply = malloc(sizeof *reply);
    if (reply == NULL) {
        if (file >= 0)
            close(file);
        message_release(message);
        return -1;
    }
    *reply = (struct http_reply){.file = file, .message = message, .length = head_only ? 0 : length};
    http_reply_free(session);
    session->reply = reply;
    if (write_head(wsi, status, headers, content_type, length, page) != 0)
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
        memcpy(piece, message_data(reply->message) + reply->offset, wanted);
        return (ssize_t)wanted;
    }
    ssize_t count = pread(reply->file, piece, wanted, (off_t)reply->offset);
    return count > 0 ? count : -1;
}

static int wait_for_document(struct net_server *server, struct lws *wsi, struct session *session, uint64_t request) {
    struct http_wait *wait = calloc(1, sizeof *wait);
    if (wait == NULL)
        return -1;
    http_wait_free(server, session);
    *wait = (struct http_wait){.next = server->waits, .request = request, .wsi = wsi};
    server->waits = wait;
    session->wait = wait;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, DOCUMENT_TIMEOUT_S);
    return 0;
}

void http_answer(struct net_server *server, uint64_t request, int status, const char *file, struct message *take) {
    struct http_wait *wait = server->waits;
    while (wait != NULL && (wait->request != request || wait->answered))
        wait = wait->next;
    if (wait == NULL) { // it has gone
        message_release(take);
        return;
    }
    wait->answered = true;
    wait->status = status;
    wait->message = take;
    snprintf(wait->file, sizeof wait->file, "%s", file);
    lws_callback_on_writable(wait->wsi);
}

// Sends what came, when it has.
static int reply_with_document(struct net_server *server, struct lws *wsi, struct session *session) {
    struct http_wait *wait = session->wait;
    char headers[FILE_NAME_MAX + 96];
    if (!wait->answered)
        return 0;
    const int status = wait->status;
    const bool kept = wait->file[0] != '\0';
    struct message *message = wait->message;
    wait->message = NULL;
    snprintf(headers, sizeof headers, "Cache-Control: no-store\r\n%s%s%s",
             kept ? "Content-Disposition: attachment; filename=\"" : "", wait->file, kept ? "\"\r\n" : "");
    http_wait_free(server, session);
    return start_reply(wsi, session, status, headers, kept ? "application/octet-stream" : "text/plain; charset=utf-8",
                       message != NULL ? message_length(message) : 0, -1, message, &no_page);
}

int http_reply_with(struct lws *wsi, struct session *session, int status, const char *headers, const char *content_type,
                    struct message *take) {
    const size_t length = take == NULL ? 0 : message_length(take);
    return start_reply(wsi, session, status, headers, length > 0 ? content_type : NULL, length, -1, take, &no_page);
}

int http_write(struct lws *wsi, struct session *session) {
    if (session->collect != NULL)
        return collect_write(lws_context_user(lws_get_context(wsi)), wsi, session);
    if (session->wait != NULL)
        return reply_with_document(lws_context_user(lws_get_context(wsi)), wsi, session);
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
    struct line *line = line_of(wsi);
    if (line == NULL || line->phase == LINE_DEAF)
        return -1;
    line_answered(line);
    return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

// ---- requests ----------------------------------------------------------------------------------------------------

static bool path_is_plain(const char *path) {
    if (path[0] != '/' || strlen(path) >= PATH_LENGTH_MAX)
        return false;
    for (const char *at = path; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f || *at == '\\')
            return false;
        if (*at == '%' || (*at == '/' && (at[1] == '/' || at[1] == '.' || at[1] == '\0'))) // '%': encoded twice
            return false;
    }
    return true;
}

// Whether the file is part of the page. Files that a package manager leaves in the web root are not: they list the
// installed packages.
static bool is_of_the_page(const char *path) {
    static const char *const kept_back[] = {
        "node_modules", "package.json",   "package-lock.json", "npm-shrinkwrap.json",
        "yarn.lock",    "pnpm-lock.yaml", "bun.lockb"};
    for (const char *segment = path; segment != NULL; segment = strchr(segment, '/')) {
        segment += *segment == '/' ? 1 : 0;
        const size_t length = strcspn(segment, "/");
        for (size_t i = 0; i < sizeof kept_back / sizeof kept_back[0]; i++) {
            if (strlen(kept_back[i]) == length && strncasecmp(segment, kept_back[i], length) == 0)
                return false;
        }
    }
    return true;
}

// Opens a regular file below the web root; −1 when there is none. `suffix` is appended to the path.
static int open_file(const struct net_server *server, const char *path, const char *suffix, struct stat *status) {
    char name[4096];
    const int length = snprintf(name, sizeof name, "%s%s%s", server->web_root, path, suffix);
    if (length < 0 || (size_t)length >= sizeof name) {
        return -1;
    }
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return -1;
    }
    if (fstat(file, status) != 0 || !S_ISREG(status->st_mode)) {
        close(file);
        return -1;
    }
    return file;
}

// An element of Accept-Encoding: a name, then parameters, of which only a weight of nothing counts (RFC 9110, 12.5.3).
static bool element_takes_gzip(const char *element, size_t length) {
    while (length > 0 && (*element == ' ' || *element == '\t')) {
        element++;
        length--;
    }
    const size_t name = strcspn(element, " \t;,");
    if (!((name == 4 && strncasecmp(element, "gzip", 4) == 0) || (name == 1 && *element == '*')))
        return false;
    const char *weight = memmem(element, length, "q=", 2);
    if (weight == NULL)
        return true;
    const char *digits = weight + 2;
    const size_t nothing = strspn(digits, "0.");
    const size_t end = (size_t)(element + length - digits);
    return nothing < end && digits[nothing] >= '1' && digits[nothing] <= '9';
}

static bool accepts_gzip(const char *accept_encoding) {
    for (const char *at = accept_encoding; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        if (element_takes_gzip(at, length))
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

static int reply_not_found(struct lws *wsi, struct session *session) {
    static const char text[] = "not found\n";
    struct message *message = message_from_text(text, sizeof text - 1);
    return start_reply(wsi, session, 404, "Cache-Control: no-store\r\n", "text/plain; charset=utf-8",
                       message != NULL ? sizeof text - 1 : 0, -1, message, &no_page);
}

// A page is read whole, because its head names what it may run; also where the client has it already, for it takes the
// new head with the old page.
static int reply_with_page(struct lws *wsi, struct session *session, const char *headers, const char *type, size_t size,
                           int file, bool known) {
    struct message *message = message_create(MESSAGE_TEXT, size);
    const ssize_t count = message == NULL ? -1 : pread(file, message_data(message), size, 0);
    close(file);
    if (count < 0) {
        message_release(message);
        return -1;
    }
    message_set_length(message, (size_t)count);
    const struct page page = {(const char *)message_data(message), (size_t)count};
    if (!known)
        return start_reply(wsi, session, 200, headers, type, (uint64_t)count, -1, message, &page);
    const int result = start_reply(wsi, session, 304, headers, NULL, 0, -1, NULL, &page);
    message_release(message);
    return result;
}

// A file to be sent. Its compressed form is another representation, with an entity tag of its own (RFC 9110, 8.8.3.3).
struct file_reply {
    int file;             // of the form that is sent
    uint64_t length;      // of that form
    const char *type;     // of the original, like `original`
    bool compressed;      // that form is gzip
    struct stat original; // the tag is made of its time and size
};

static int reply_with_file(struct lws *wsi, struct session *session, const struct file_reply *reply) {
    char etag[ETAG_MAX];
    char known[4 * ETAG_MAX];
    char headers[ETAG_MAX + 128];
    const struct stat *original = &reply->original;
    snprintf(etag, sizeof etag, "\"%llx-%lx-%llx%s\"", (unsigned long long)original->st_mtim.tv_sec,
             (unsigned long)original->st_mtim.tv_nsec, (unsigned long long)original->st_size,
             reply->compressed ? "-gz" : "");
    const bool fresh =
        lws_hdr_copy(wsi, known, sizeof known, WSI_TOKEN_HTTP_IF_NONE_MATCH) > 0 && strstr(known, etag) != NULL;
    snprintf(headers, sizeof headers, "Cache-Control: no-cache\r\nVary: Accept-Encoding\r\n%sETag: %s\r\n",
             reply->compressed ? "Content-Encoding: gzip\r\n" : "", etag);
    if (is_page(reply->type) && original->st_size <= PAGE_BYTES_MAX) {
        return reply_with_page(wsi, session, headers, reply->type, (size_t)original->st_size, reply->file, fresh);
    }
    if (!fresh) {
        return start_reply(wsi, session, 200, headers, reply->type, reply->length, reply->file, NULL, &no_page);
    }
    close(reply->file);
    return start_reply(wsi, session, 304, headers, NULL, 0, -1, NULL, &no_page);
}

// Replaces the open file by its gzip form, which the build writes beside it as NAME.gz (web/compress.mjs), unless that
// is older than the file.
static void choose_compressed(const struct net_server *server, const char *path, struct file_reply *reply) {
    struct stat status;
    const int file = open_file(server, path, ".gz", &status);
    if (file < 0) {
        return;
    }
    const struct timespec made = status.st_mtim, changed = reply->original.st_mtim;
    if (made.tv_sec < changed.tv_sec || (made.tv_sec == changed.tv_sec && made.tv_nsec < changed.tv_nsec)) {
        close(file);
        return;
    }
    close(reply->file);
    reply->file = file;
    reply->length = (uint64_t)status.st_size;
    reply->compressed = true;
}

static int reply_with_path(struct net_server *server, struct lws *wsi, struct session *session, const char *path) {
    char accepted[256];
    const struct line *line = line_of(wsi);
    struct file_reply reply = {.file = -1, .type = content_type_of(path)};
    if (path_is_plain(path) && is_of_the_page(path)) {
        reply.file = open_file(server, path, "", &reply.original);
    }
    if (reply.file < 0) {
        return reply_not_found(wsi, session);
    }
    reply.length = (uint64_t)reply.original.st_size;
    if (!is_page(reply.type) && line != NULL && line_field(line, "accept-encoding", accepted, sizeof accepted) &&
        accepts_gzip(accepted)) {
        choose_compressed(server, path, &reply);
    }
    return reply_with_file(wsi, session, &reply);
}

static struct visitor_store visitor_text; // of this request: too large for a stack, and the net thread is alone

static int reply_to_post(struct net_server *server, struct lws *wsi, struct session *session, struct line *line,
                         const char *path) {
    const struct net_handlers *handlers = &server->options.handlers;
    const struct net_visitor visitor = visitor_of(wsi, line, &visitor_text);
    struct net_answer answer = {.status = 204, .content_type = "text/plain; charset=utf-8"};
    if (!server->draining && websocket_has_room(server))
        answer.peer = server->last_peer_id + 1;
    if (handlers->submit == NULL || !handlers->submit(handlers->user, &visitor, path, line->bytes + line->head.length,
                                                      (size_t)line->head.body_length, &answer))
        return http_refuse(wsi, 405, "Allow: GET, HEAD\r\n", "only GET and HEAD are served here\n");
    line_drop_body(line);
    if (answer.later) {
        server->last_peer_id++;
        return collect_begin(server, wsi, session, answer.peer);
    }
    char headers[NET_ANSWER_HEADERS_MAX + 64];
    snprintf(headers, sizeof headers, "%sCache-Control: no-store\r\nConnection: close\r\n", answer.headers);
    return http_reply_with(wsi, session, answer.status, headers, answer.content_type, answer.message);
}

int http_request(struct net_server *server, struct lws *wsi, struct session *session, const char *path) {
    struct line *line = line_of(wsi);
    struct refusal refusal;
    if (line == NULL || !line->fed)
        return http_refuse(wsi, 500, "", "this build of libwebsockets reads sockets in a way that is not known here\n");
    if (line->refusal.status != 0)
        return http_refuse(wsi, line->refusal.status, line->refusal.headers, line->refusal.text);
    if (!visitor_is_welcome(server, line, &refusal))
        return http_refuse(wsi, refusal.status, refusal.headers, refusal.text);
    if (line->head.post)
        return reply_to_post(server, wsi, session, line, path);
    const struct net_handlers *handlers = &server->options.handlers;
    if (strcmp(path, "/") != 0 && handlers->admit(handlers->user, path) >= 0)
        return http_refuse(wsi, 426, "Connection: Upgrade, close\r\nUpgrade: websocket\r\n",
                           "This is a world's address for WebSockets (subprotocol " SUBPROTOCOL
                           "). Send single requests by POST to the same address followed by /rpc.\n");
    if (handlers->ask != NULL) {
        const struct net_visitor visitor = visitor_of(wsi, line, &visitor_text);
        const int refused = handlers->ask(handlers->user, &visitor, path);
        if (refused == 405)
            return http_refuse(wsi, 405, "Allow: POST\r\n", "only POST is served here\n");
        if (refused != 0)
            return http_refuse(wsi, refused, refused == 401 ? "WWW-Authenticate: Bearer\r\n" : "",
                               refused == 401 ? "no valid token\n" : "this takes another role\n");
    }
    if (handlers->fetch != NULL && handlers->fetch(handlers->user, ++server->last_request, path))
        return wait_for_document(server, wsi, session, server->last_request);
    const char *content_type = "text/plain; charset=utf-8";
    int status = 200;
    struct message *document = handlers->document(handlers->user, path, &content_type, &status);
    if (document != NULL)
        return start_reply(wsi, session, status, "Cache-Control: no-store\r\n", content_type, message_length(document),
                           -1, document, &no_page);
    return reply_with_path(server, wsi, session, strcmp(path, "/") == 0 ? "/index.html" : path);
}
