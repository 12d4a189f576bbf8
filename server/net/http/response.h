// SPDX-License-Identifier: MIT
// Responses of HTTP. A connection whose response cannot be made is killed.
#ifndef WEFT_NET_HTTP_RESPONSE_H
#define WEFT_NET_HTTP_RESPONSE_H

#include "net/connection/state.h"

struct response_head {
    int status;
    const char *headers;      // whole lines, or ""
    const char *content_type; // NULL: none
    const char *page;         // the text of a page, for the content policy, or ""
    size_t page_length;
    bool shared; // pages of any origin may read it
};

// Sends a response. Takes the message; NULL: no body.
void response_send(struct connection *connection, const struct response_head *head, struct message *take);
// Sends `length` bytes of a file, which it closes.
void response_send_file(struct connection *connection, const struct response_head *head, int file, uint64_t length);
// Sends a short text, and ends the connection after it.
void response_refuse(struct connection *connection, const struct refusal *refusal);
// Goes on when the socket has room. Returns true once all of it is out.
bool response_write(struct connection *connection);
void response_free(struct connection *connection);

#endif
