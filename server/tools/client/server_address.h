// SPDX-License-Identifier: MIT
// Address of the server for plain sockets, and the limit on their number.
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

// Errors: RESULT_IO (the name is unknown).
enum result address_find(const struct settings *settings, struct address *address, struct fault *fault) WEFT_MUST_USE;
// Raises the limit so that this process can open so many sockets at once. Errors: RESULT_LIMIT.
enum result address_allow_sockets(uint32_t sockets, struct fault *fault) WEFT_MUST_USE;

#endif
