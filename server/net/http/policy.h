// SPDX-License-Identifier: MIT
// The security headers of every answer.
#ifndef WEFT_NET_HTTP_POLICY_H
#define WEFT_NET_HTTP_POLICY_H

#include "net/options.h"

#define POLICY_MAX 3400

// Writes the header lines that say what a page of `host` may do. `page` is its text, whose inline scripts may run, or
// empty. `encrypted`: a proxy in front says that the browser speaks TLS to it. `shared`: pages of any origin may read
// it.
void policy_write(char out[POLICY_MAX], const struct net_options *options, const char *host, const char *page,
                  size_t length, bool encrypted, bool shared);

#endif
