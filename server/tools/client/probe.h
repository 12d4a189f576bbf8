// SPDX-License-Identifier: MIT
#ifndef WEFT_TOOLS_CLIENT_PROBE_H
#define WEFT_TOOLS_CLIENT_PROBE_H

#include "tools/client/settings.h"

// Tries a plain TCP connection to find out why there is no connection; libwebsockets reports that differently in each
// version. Returns 0 when it succeeds, an errno, or −1 when the host name is unknown.
int probe_server(const struct settings *settings);

#endif
