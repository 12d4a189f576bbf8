// SPDX-License-Identifier: MIT
// The requests of a connection: those that wait to be sent, and those that were sent and are not answered yet, which a
// connection to another node sends again.
#ifndef WEFT_TOOLS_CLIENT_REQUESTS_H
#define WEFT_TOOLS_CLIENT_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/text/json_slice.h"

// The text of a request begins `request_room` bytes after `room`: libwebsockets writes the frame header in front of it.
struct request {
    struct request *next;
    uint64_t id;
    size_t length;
    unsigned char room[];
};

struct request_list {
    struct request *first, *last;
};

struct requests {
    struct request_list unsent, unanswered;
    uint64_t last_id;
};

extern const size_t request_room;

// Queues a request and returns its id, 1, 2, 3 …; returns 0 when memory runs out. `method` is a JSON string; `params`
// is a JSON object, or empty.
uint64_t requests_add(struct requests *requests, struct json_slice method, struct json_slice params);
// Queues a message that is sent before all others; false when memory runs out.
bool requests_add_first(struct requests *requests, const char *text);
// Takes out the first unsent request; the caller sends it, which changes its bytes, and frees it. With `kept`, a copy
// waits for the answer. Returns NULL when memory runs out.
struct request *requests_take(struct requests *requests, bool kept);
void requests_answered(struct requests *requests, uint64_t id);
void requests_send_again(struct requests *requests); // those without an answer, before those that were not sent
void requests_free(struct requests *requests);

#endif
