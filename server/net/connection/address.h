// SPDX-License-Identifier: MIT
// Network addresses: which are this machine's own, and how many connections come from each.
#ifndef WEFT_NET_CONNECTION_ADDRESS_H
#define WEFT_NET_CONNECTION_ADDRESS_H

#include <sys/socket.h>

#include "net/connection/state.h"

struct address_count;

// Whether a numeric address is this machine's own to itself.
bool address_is_loopback(const char *text);

bool address_table_create(struct net_server *server); // false when memory runs out
// Counts one more connection from the address. NULL when memory runs out.
struct address_count *address_count_connection(struct net_server *server, const struct sockaddr_storage *address);
void address_forget_connection(struct address_count *count); // NULL is allowed
// Whether there are more connections from it than `address_max` allows.
bool address_is_crowded(const struct address_count *count);

#endif
