// SPDX-License-Identifier: MIT
// RFC 9112 lets a recipient accept or refuse bare line feeds (2.2), a space before a colon (5.1), folded lines (5.2),
// Transfer-Encoding and a second Content-Length (6.3). All of them are refused here, because requests are smuggled
// through the differences between two recipients. A second field is refused where only one is allowed.
#include "net/parse/head.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PLAIN ""

static bool refuse(struct refusal *refusal, int status, const char *headers, const char *text) {
    *refusal = (struct refusal){status, headers, text};
    return false;
}

size_t head_end(const char *text, size_t length, size_t looked_at) {
    size_t from = looked_at > 3 ? looked_at - 3 : 0;
    const char *end = length - from < 4 ? NULL : memmem(text + from, length - from, "\r\n\r\n", 4);
    return end == NULL ? 0 : (size_t)(end - text) + 4;
}

// ---- characters --------------------------------------------------------------------------------------------------

static bool is_token(char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
           (letter != '\0' && strchr("!#$%&'*+-.^_`|~", letter) != NULL);
}

static size_t token_length(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && is_token(text[at])) {
        at++;
    }
    return at;
}

// Checks that every line ends in CR LF, and that no control character stands anywhere else.
bool head_may_begin(const char *text, size_t length, struct refusal *refusal) {
    for (size_t at = 0; at < length; at++) {
        const unsigned char letter = (unsigned char)text[at];
        if (letter == '\n' && (at == 0 || text[at - 1] != '\r')) {
            return refuse(refusal, 400, PLAIN, "a line ends in CR LF\n");
        }
        if (letter == '\r' && at + 1 < length && text[at + 1] != '\n') {
            return refuse(refusal, 400, PLAIN, "a line ends in CR LF\n");
        }
        if ((letter < 0x20 && letter != '\r' && letter != '\n' && letter != '\t') || letter == 0x7f) {
            return refuse(refusal, 400, PLAIN, "a head has no control characters\n");
        }
    }
    return true;
}

static bool equals(const char *text, size_t length, const char *word) {
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

// Whether a list (RFC 9110, 5.6.1) has the word.
static bool lists(const char *text, size_t length, const char *word) {
    for (size_t at = 0; at < length;) {
        while (at < length && (text[at] == ' ' || text[at] == '\t' || text[at] == ',')) {
            at++;
        }
        size_t word_length = token_length(text + at, length - at);
        if (equals(text + at, word_length, word)) {
            return true;
        }
        at += word_length;
        while (at < length && text[at] != ',') {
            at++;
        }
    }
    return false;
}

// ---- the request line --------------------------------------------------------------------------------------------

// Whether a target has only characters that RFC 3986 allows in a path and a query.
static bool path_is_plain(const char *target, size_t length) {
    for (size_t at = 0; at < length; at++) {
        const unsigned char letter = (unsigned char)target[at];
        if (letter <= 0x20 || letter >= 0x7f || strchr("\"#<>\\^`{|}", (int)letter) != NULL) {
            return false;
        }
        const bool hex = at + 2 < length && strspn(target + at + 1, "0123456789abcdefABCDEF") >= 2;
        if (letter == '%' && (!hex || strncmp(target + at, "%00", 3) == 0)) {
            return false;
        }
    }
    return true;
}

// Refuses a method and names those that the path accepts: POST for /worlds/NAME/rpc, else GET and HEAD.
static bool refuse_method(struct refusal *refusal, const char *target, size_t length) {
    static const char start[] = "/worlds/", end[] = "/rpc";
    const char *query = memchr(target, '?', length);
    const size_t path = query == NULL ? length : (size_t)(query - target);
    if (path > strlen(start) + strlen(end) && strncmp(target, start, strlen(start)) == 0 &&
        strncmp(target + path - strlen(end), end, strlen(end)) == 0) {
        return refuse(refusal, 405, "Allow: POST\r\n", "only POST is served here\n");
    }
    return refuse(refusal, 405, "Allow: GET, HEAD\r\n", "only GET and HEAD are served\n");
}

static bool read_request_line(const char *line, size_t length, struct head *head, struct refusal *refusal) {
    const size_t method = token_length(line, length);
    const char *target = line + method + 1;
    if (method == 0 || method >= length || line[method] != ' ') {
        return refuse(refusal, 400, PLAIN, "a request begins with METHOD SP TARGET SP HTTP/1.1\n");
    }
    const size_t rest = length - method - 1;
    const char *space = memchr(target, ' ', rest);
    const size_t target_length = space == NULL ? rest : (size_t)(space - target);
    const char *version = target + target_length + 1;
    const size_t version_length = space == NULL ? 0 : rest - target_length - 1;
    if (version_length != 8 || strncmp(version, "HTTP/", 5) != 0) {
        return refuse(refusal, 400, PLAIN, "a request begins with METHOD SP TARGET SP HTTP/1.1\n");
    }
    if (strncmp(version, "HTTP/1.1", 8) != 0 && strncmp(version, "HTTP/1.0", 8) != 0) {
        return refuse(refusal, 505, PLAIN, "this server speaks version 1.1 only\n");
    }
    head->old = version[7] == '0';
    head->post = method == 4 && strncmp(line, "POST", 4) == 0;
    head->head_only = method == 4 && strncmp(line, "HEAD", 4) == 0;
    if (!head->post && !head->head_only && !(method == 3 && strncmp(line, "GET", 3) == 0)) {
        return refuse_method(refusal, target, target_length);
    }
    if (target_length == 0 || target[0] != '/') {
        return refuse(refusal, 400, PLAIN, "the target must be a path of this server\n");
    }
    if (!path_is_plain(target, target_length)) {
        return refuse(refusal, 404, PLAIN, "not found\n");
    }
    return true;
}

// ---- fields ------------------------------------------------------------------------------------------------------

// Fields that are looked at and of which a head may have only one.
static const char *const single[] = {"host",
                                     "content-length",
                                     "content-type",
                                     "transfer-encoding",
                                     "upgrade",
                                     "origin",
                                     "sec-websocket-key",
                                     "sec-websocket-version",
                                     "cookie",
                                     "authorization",
                                     "expect"};
#define SINGLE_COUNT (sizeof single / sizeof single[0])

static bool read_field(const char *line, size_t length, uint32_t *seen, struct refusal *refusal) {
    const size_t name = token_length(line, length);
    if (name == 0 || name >= length || line[name] != ':') {
        return refuse(refusal, 400, PLAIN, "a field is NAME: VALUE on one line, without space before the colon\n");
    }
    for (uint32_t at = 0; at < SINGLE_COUNT; at++) {
        if (!equals(line, name, single[at])) {
            continue;
        }
        if ((*seen & 1u << at) != 0) {
            return refuse(refusal, 400, PLAIN, "a field stands twice that may stand once\n");
        }
        *seen |= 1u << at;
    }
    return true;
}

static bool read_fields(const char *text, size_t length, struct refusal *refusal) {
    uint32_t seen = 0;
    uint32_t count = 0;
    for (size_t at = 0; at < length; count++) {
        const char *end = memmem(text + at, length - at, "\r\n", 2);
        const size_t line = end == NULL ? length - at : (size_t)(end - text) - at;
        if (line == 0) {
            break;
        }
        if (count == HEAD_FIELDS_MAX) {
            return refuse(refusal, 431, PLAIN, "the head has too many fields\n");
        }
        if (!read_field(text + at, line, &seen, refusal)) {
            return false;
        }
        at += line + 2;
    }
    return true;
}

const char *head_field(const struct head *head, const char *name, size_t *length) {
    const char *line = memmem(head->text, head->length, "\r\n", 2);
    const char *end = head->text + head->length;
    while (line != NULL && (line += 2) < end) {
        const char *next = memmem(line, (size_t)(end - line), "\r\n", 2);
        const size_t name_length = token_length(line, (size_t)(end - line));
        if (next != NULL && name_length > 0 && equals(line, name_length, name)) {
            const char *value = line + name_length + 1;
            while (value < next && (*value == ' ' || *value == '\t')) {
                value++;
            }
            while (next > value && (next[-1] == ' ' || next[-1] == '\t')) {
                next--;
            }
            *length = (size_t)(next - value);
            return value;
        }
        line = next;
    }
    return NULL;
}

bool head_copy_field(const struct head *head, const char *name, char *value, size_t size) {
    size_t length = 0;
    const char *found = head->text == NULL ? NULL : head_field(head, name, &length);
    if (found == NULL || length >= size) {
        return false;
    }
    memcpy(value, found, length);
    value[length] = '\0';
    return true;
}

const char *head_path(const struct head *head, size_t *length) {
    const char *path = (const char *)memchr(head->text, ' ', head->length) + 1;
    *length = strcspn(path, " ?");
    return path;
}

// ---- what the fields ask for -------------------------------------------------------------------------------------

static bool read_body_length(struct head *head, struct refusal *refusal) {
    size_t length = 0;
    const char *value = head_field(head, "transfer-encoding", &length);
    if (value != NULL) {
        return refuse(refusal, 400, PLAIN, "a body comes with a Content-Length, not with a Transfer-Encoding\n");
    }
    value = head_field(head, "expect", &length);
    if (value != NULL && (!head->post || !equals(value, length, "100-continue"))) {
        return refuse(refusal, 417, PLAIN, "the only expectation that is met is 100-continue, of a POST\n");
    }
    head->expects = value != NULL && !head->old;
    value = head_field(head, "content-encoding", &length);
    if (value != NULL && !equals(value, length, "identity")) {
        return refuse(refusal, 415, "Accept-Encoding: identity\r\n",
                      "send the body as it is, without Content-Encoding\n");
    }
    value = head_field(head, "content-length", &length);
    if (value == NULL) {
        return true;
    }
    if (length == 0 || length > 10 || strspn(value, "0123456789") < length) {
        return refuse(refusal, 400, PLAIN, "Content-Length is one whole number\n");
    }
    head->body_length = strtoull(value, NULL, 10);
    if (head->body_length > 0 && !head->post) {
        return refuse(refusal, 400, PLAIN, "GET and HEAD have no body\n");
    }
    return true;
}

// Whether the path of a world is written without percent signs, dot segments and repeated slashes.
static bool is_straight(const struct head *head) {
    size_t length = 0;
    const char *path = head_path(head, &length);
    return memchr(path, '%', length) == NULL && memmem(path, length, "/.", 2) == NULL &&
           memmem(path, length, "//", 2) == NULL;
}

// HTTP/1.1 keeps a connection unless the client says "close", HTTP/1.0 only if the client says "keep-alive".
static void read_persistence(struct head *head) {
    size_t length = 0;
    const char *value = head_field(head, "connection", &length);
    head->persists = !head->post && !(value != NULL && lists(value, length, "close")) &&
                     (!head->old || (value != NULL && lists(value, length, "keep-alive")));
}

static bool read_upgrade(struct head *head, struct refusal *refusal) {
    size_t length = 0;
    const char *value = head_field(head, "upgrade", &length);
    if (value == NULL) {
        return true;
    }
    if (!equals(value, length, "websocket")) {
        return refuse(refusal, 400, PLAIN, "this server upgrades to websocket only\n");
    }
    value = head_field(head, "connection", &length);
    if (head->old || value == NULL || !lists(value, length, "upgrade")) {
        return refuse(refusal, 400, PLAIN, "an upgrade needs HTTP/1.1 and Connection: Upgrade\n");
    }
    if (head->body_length > 0) {
        return refuse(refusal, 400, PLAIN, "a WebSocket handshake has no body\n");
    }
    if (!is_straight(head)) {
        return refuse(refusal, 404, PLAIN, "no such world\n");
    }
    head->upgrade = true;
    return true;
}

void head_read(const char *text, size_t length, struct head *head, struct refusal *refusal) {
    *head = (struct head){.text = text, .length = length};
    *refusal = (struct refusal){0, PLAIN, PLAIN};
    const char *end = memmem(text, length, "\r\n", 2);
    const size_t line = (size_t)(end - text);
    size_t host = 0;
    if (!head_may_begin(text, length, refusal) || !read_request_line(text, line, head, refusal) ||
        !read_fields(text + line + 2, length - line - 2, refusal) || !read_body_length(head, refusal) ||
        !read_upgrade(head, refusal)) {
        return;
    }
    read_persistence(head);
    if (!head->old && head_field(head, "host", &host) == NULL) {
        (void)refuse(refusal, 400, PLAIN, "a request names its Host\n");
    }
}
