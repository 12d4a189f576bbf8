// SPDX-License-Identifier: MIT
// Checks the host and the origin of a request, and describes it to the application.
#ifndef WEFT_NET_HTTP_ORIGIN_H
#define WEFT_NET_HTTP_ORIGIN_H

#include "net/connection/state.h"

#define HOST_MAX 262 // bytes of a Host field, and the end
#define ORIGIN_MAX 300
#define CONTENT_TYPE_MAX 128
#define COOKIE_MAX HEAD_BYTES_MAX // pages of other servers on this host may have left many

struct request_text {
    char address[ADDRESS_TEXT_MAX];
    char cookie[COOKIE_MAX];
    char bearer[ORIGIN_MAX];
    char content_type[CONTENT_TYPE_MAX];
};

// Whether the request names this server, and comes from a page that may ask or from no page; else `refusal` is set.
// `shared`: pages of any origin may ask.
bool origin_is_allowed(const struct connection *connection, bool shared, struct refusal *refusal);
// The text of the description is in `text`.
struct net_request origin_describe(const struct connection *connection, struct request_text *text);

#endif
