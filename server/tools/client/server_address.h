// SPDX-License-Identifier: MIT
// Where a server is, for bare sockets, and whether there may be enough of those.
#ifndef WEFT_TOOLS_CLIENT_SERVER_ADDRESS_H
#define WEFT_TOOLS_CLIENT_SERVER_ADDRESS_H

#include <stdint.h>
#include <sys/socket.h>

#include "base/result.h"
#include "tools/client/settings.h"

struct address {
    struct sockaddr_storage at;
    socklen_t length;
};

// Errors: RESULT_IO, no machine has that name.
enum result address_find(const struct settings *settings, struct address *address, struct fault *fault) WEFT_MUST_USE;
// Lets this process open so many sockets at once. Errors: RESULT_LIMIT.
enum result address_allow_sockets(uint32_t sockets, struct fault *fault) WEFT_MUST_USE;

#endif
