// SPDX-License-Identifier: MIT
// The server and its event loop.
#ifndef WEFT_NET_LOOP_SERVER_H
#define WEFT_NET_LOOP_SERVER_H

#include "net/options.h"

// Binds and listens. Errors: RESULT_INVALID (no such host, certificate or key), RESULT_IO (port taken, folder missing),
// RESULT_MEMORY.
enum result net_server_create(const struct net_options *options, struct net_server **server,
                              struct fault *fault) WEFT_MUST_USE;
uint16_t net_server_port(const struct net_server *server); // the one really bound
// Serves until `net_server_stop`. Then it accepts no client and reads no more, waits until what was read is answered,
// closes every WebSocket with 1001, waits at most `drain_ms` for them to end, and returns.
void net_server_run(struct net_server *server, uint32_t drain_ms);
void net_server_stop(struct net_server *server); // from any thread, or from a signal handler
void net_server_destroy(struct net_server *server);

// From a handler only: nothing more is read from this client until `net_post_resume_reading`; what it sends waits in
// its socket. (The network does the same by itself to a client that sends but does not read its replies.)
void net_hold_reading(struct net_server *server, uint64_t connection);

struct net_statistics net_server_statistics(const struct net_server *server); // from any thread

#endif
