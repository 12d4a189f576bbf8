// SPDX-License-Identifier: MIT
// Where the server listens.
#ifndef WEFT_NET_LOOP_LISTEN_H
#define WEFT_NET_LOOP_LISTEN_H

#include "net/options.h"

// Whether only this machine itself can reach a server that listens on that host. Errors: RESULT_INVALID (no such host).
enum result net_host_is_loopback(const char *host, bool *loopback, struct fault *fault) WEFT_MUST_USE;

// Listens at `options->host`. `port` is the one really bound.
enum result listen_open(const struct net_options *options, uint16_t *port, int *listener,
                        struct fault *fault) WEFT_MUST_USE;

#endif
