// SPDX-License-Identifier: MIT
#include "tools/client/probe.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int probe_server(const struct settings *settings) {
    char port[8];
    snprintf(port, sizeof port, "%u", settings->port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(settings->host, port, &hints, &found) != 0) {
        return -1;
    }
    int cause = ECONNREFUSED;
    for (const struct addrinfo *at = found; at != NULL && cause != 0; at = at->ai_next) {
        int handle = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (handle < 0) {
            continue;
        }
        cause = connect(handle, at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
        if (cause == EINPROGRESS) {
            struct pollfd waited = {.fd = handle, .events = POLLOUT};
            socklen_t size = sizeof cause;
            cause = ETIMEDOUT;
            if (poll(&waited, 1, 2000) > 0) {
                (void)getsockopt(handle, SOL_SOCKET, SO_ERROR, &cause, &size);
            }
        }
        (void)close(handle);
    }
    freeaddrinfo(found);
    return cause;
}
