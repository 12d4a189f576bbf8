// SPDX-License-Identifier: MIT
// The head of an HTTP request (RFC 9112). Every deviation is refused, so that no proxy in front of this server can have
// read it in another way.
#ifndef WEFT_NET_PARSE_HEAD_H
#define WEFT_NET_PARSE_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEAD_BYTES_MAX 8000 // of a head
#define HEAD_FIELDS_MAX 64u // of a head

// The answer to a request that is refused.
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
    bool head_only;       // HEAD: the answer has no body
    bool old;             // HTTP/1.0
    bool expects;         // 100 (Continue) before it sends the body
    bool persists;        // the connection may be kept after the answer (RFC 9112, 9.3)
    uint64_t body_length; // at most ten digits
};

// Where the head at the start of these bytes ends; 0: not yet. `looked_at` of them were seen in an earlier call.
size_t head_end(const char *text, size_t length, size_t looked_at);
// Whether this beginning of a head can still become one; refuses it otherwise.
bool head_may_begin(const char *text, size_t length, struct refusal *refusal);
// Reads a whole head.
void head_read(const char *text, size_t length, struct head *head, struct refusal *refusal);
// The target of the request line, without its query.
const char *head_path(const struct head *head, size_t *length);
// The value of the first field of that name (small letters), without the spaces around it; NULL: there is none.
const char *head_field(const struct head *head, const char *name, size_t *length);
// The same, terminated; false when there is none or it does not fit.
bool head_copy_field(const struct head *head, const char *name, char *value, size_t size);

#endif
