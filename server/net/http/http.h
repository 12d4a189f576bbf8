// SPDX-License-Identifier: MIT
// HTTP: serves documents that the application makes and files below the web root, and hands posts to the application.
#ifndef WEFT_NET_HTTP_HTTP_H
#define WEFT_NET_HTTP_HTTP_H

#include "net/connection/state.h"

// Whether there is room for one more client of the application, a WebSocket or a POST that is answered later. A client
// counts until the application has done with it, which may be later than the end of its socket.
bool http_has_room(const struct net_server *server);
// Answers the request that has come whole, or refuses it.
void http_answer(struct connection *connection);
// Goes on with the answer when the socket has room. Returns true once all of it is out.
bool http_write(struct connection *connection);
// The document of a waiting request has come, if it still waits. Takes the message.
void http_take_document(struct net_server *server, uint64_t request, int status, const char *file,
                        struct message *take);
// Forgets the request that is being answered.
void http_end(struct connection *connection);

#endif
