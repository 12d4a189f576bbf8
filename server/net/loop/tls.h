// SPDX-License-Identifier: MIT
// The certificate and its key.
#ifndef WEFT_NET_LOOP_TLS_H
#define WEFT_NET_LOOP_TLS_H

#include "net/options.h"

// Checks the certificate and its key. An error says what is wrong with them.
enum result tls_check(const struct net_options *options, struct fault *fault) WEFT_MUST_USE;

#endif
