// SPDX-License-Identifier: MIT
// The reply to a POST that the application answers later: an array of messages or a single one, which goes out when all
// of it has come. The application knows the POST by a connection id of its own; it is not in the table of WebSockets. A
// message for a POST that has gone is released.
#ifndef WEFT_NET_HTTP_POST_REPLY_H
#define WEFT_NET_HTTP_POST_REPLY_H

#include "net/connection/state.h"

void post_reply_begin(struct connection *connection, uint64_t id);
void post_reply_expect(struct net_server *server, uint64_t id, uint32_t messages, bool array);
void post_reply_add(struct net_server *server, uint64_t id, struct message *take);
void post_reply_refuse(struct net_server *server, uint64_t id, const char *reason);
void post_reply_refuse_all(struct net_server *server, const char *sentence);
void post_reply_drop_gone(
    struct net_server *server); // kills the connections whose clients have gone; called now and then
void post_reply_send(struct connection *connection); // if it is complete
void post_reply_free(struct connection *connection); // also without one

#endif
