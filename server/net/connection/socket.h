// SPDX-License-Identifier: MIT
// Writing to a socket that libwebsockets has adopted, plain or by TLS.
#ifndef WEFT_NET_CONNECTION_SOCKET_H
#define WEFT_NET_CONNECTION_SOCKET_H

#include <libwebsockets.h>

// Returns the bytes that were taken, 0 when the socket is full, −1 when it is broken. What was not taken must be
// offered again, unchanged, before anything else is written.
ssize_t socket_write(struct lws *wsi, const void *bytes, size_t length);
// Sends the end of the stream. The socket can still be read.
void socket_end_writing(struct lws *wsi);

#endif
