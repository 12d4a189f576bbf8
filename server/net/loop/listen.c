// SPDX-License-Identifier: MIT
// The socket is opened here and not by libwebsockets, which reports every failure to bind in the same way and retries
// some of them for ever.
#include "net/loop/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/connection/address.h"

#define BACKLOG 4096 // connections that wait to be accepted; the system may allow fewer

// Of several addresses of a name the first one of IPv4, or else the first.
static const struct addrinfo *preferred(const struct addrinfo *list) {
    for (const struct addrinfo *entry = list; entry != NULL; entry = entry->ai_next) {
        if (entry->ai_family == AF_INET) {
            return entry;
        }
    }
    return list;
}

static enum result describe_failure(const struct net_options *options, int error, struct fault *fault) {
    if (error == EADDRINUSE) {
        return fault_set(fault, RESULT_IO, "/port",
                         "port %u is taken on %s: choose another with --port, or 0 for a free one", options->port,
                         options->host);
    }
    if (error == EACCES) {
        return fault_set(fault, RESULT_IO, "/port",
                         "port %u needs privileges this process does not have: choose one above 1023", options->port);
    }
    if (error == EADDRNOTAVAIL) {
        return fault_set(fault, RESULT_INVALID, "/host", "%s is not an address of this machine", options->host);
    }
    return fault_set(fault, RESULT_IO, "/host", "cannot listen on %s, port %u: %s", options->host, options->port,
                     strerror(error));
}

// Opens the listening socket. Returns 0 or an errno.
static int try_listen(const struct addrinfo *address, int *listener) {
    const int one = 1;
    const int descriptor = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) {
        return errno;
    }
    // Connections of an earlier run may linger. On Linux the option does not let a second listener in.
    if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(descriptor, address->ai_addr, address->ai_addrlen) != 0 || listen(descriptor, BACKLOG) != 0) {
        const int error = errno;
        close(descriptor);
        return error;
    }
    *listener = descriptor;
    return 0;
}

static enum result resolve(const char *host, const char *service, struct addrinfo **list, struct fault *fault) {
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    const int lookup = getaddrinfo(host, service, &hints, list);
    if (lookup != 0) {
        return fault_set(fault, RESULT_INVALID, "/host", "no such host: \"%s\" (%s)", host, gai_strerror(lookup));
    }
    return RESULT_OK;
}

enum result net_host_is_loopback(const char *host, bool *loopback, struct fault *fault) {
    char numeric[ADDRESS_TEXT_MAX] = "";
    struct addrinfo *list = NULL;
    const enum result result = resolve(host, NULL, &list, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct addrinfo *chosen = preferred(list);
    *loopback =
        getnameinfo(chosen->ai_addr, chosen->ai_addrlen, numeric, sizeof numeric, NULL, 0, NI_NUMERICHOST) == 0 &&
        address_is_loopback(numeric);
    freeaddrinfo(list);
    return RESULT_OK;
}

static uint16_t bound_port(int listener) {
    struct sockaddr_storage address = {0};
    struct sockaddr_in6 ipv6; // the port is at the same place in both
    socklen_t size = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        return 0;
    }
    memcpy(&ipv6, &address, sizeof ipv6);
    return ntohs(ipv6.sin6_port);
}

enum result listen_open(const struct net_options *options, uint16_t *port, int *listener, struct fault *fault) {
    char service[8];
    struct addrinfo *list = NULL;
    snprintf(service, sizeof service, "%u", options->port);
    enum result result = resolve(options->host, service, &list, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const int error = try_listen(preferred(list), listener);
    if (error != 0) {
        result = describe_failure(options, error, fault);
    } else {
        *port = bound_port(*listener);
    }
    freeaddrinfo(list);
    return result;
}
