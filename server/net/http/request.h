// SPDX-License-Identifier: MIT
// Reads requests: a head, and for a POST its body. A request is handed on when it is whole, or as soon as it must be
// refused.
#ifndef WEFT_NET_HTTP_REQUEST_H
#define WEFT_NET_HTTP_REQUEST_H

#include "net/connection/state.h"

// Takes bytes of the request that is coming in, and returns how many. `whole`: it is to be answered, or refused.
size_t request_receive(struct connection *connection, const uint8_t *bytes, size_t length, bool *whole);
// The memory of the body; the head stays.
void request_drop_body(struct connection *connection);
void request_free(struct connection *connection);

#endif
