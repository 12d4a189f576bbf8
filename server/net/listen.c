// SPDX-License-Identifier: MIT
// Where to listen. libwebsockets reports every failure to bind in the same way, and retries some of them for ever; so
// the address is resolved and bound once here, only to learn what is wrong with it and to say so.
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/net_internal.h"

// Names may have several addresses: the first of IPv4 is taken, or else the first.
static const struct addrinfo *preferred(const struct addrinfo *list) {
    for (const struct addrinfo *entry = list; entry != NULL; entry = entry->ai_next) {
        if (entry->ai_family == AF_INET)
            return entry;
    }
    return list;
}

static enum result describe_failure(const struct net_options *options, int error, struct fault *fault) {
    if (error == EADDRINUSE)
        return fault_set(fault, RESULT_IO, "/port",
                         "port %u is taken on %s: choose another with --port, or 0 for a free one", options->port,
                         options->host);
    if (error == EACCES)
        return fault_set(fault, RESULT_IO, "/port",
                         "port %u needs privileges this process does not have: choose one above 1023", options->port);
    if (error == EADDRNOTAVAIL)
        return fault_set(fault, RESULT_INVALID, "/host", "%s is no address of this machine", options->host);
    return fault_set(fault, RESULT_IO, "/host", "cannot listen on %s, port %u: %s", options->host, options->port,
                     strerror(error));
}

// Binds and lets go again. Returns 0 or an errno.
static int try_bind(const struct addrinfo *address) {
    int one = 1;
    int error = 0;
    int descriptor = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return errno;
    // As libwebsockets does: old connections of an earlier run may linger, but on Linux no second listener gets in.
    if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(descriptor, address->ai_addr, address->ai_addrlen) != 0 || listen(descriptor, 1) != 0)
        error = errno;
    close(descriptor);
    return error;
}

enum result listen_resolve(const struct net_options *options, char address[LISTEN_ADDRESS_MAX], bool *ipv6,
                           struct fault *fault) {
    char service[8];
    char numeric[LISTEN_ADDRESS_MAX];
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *list = NULL;
    snprintf(service, sizeof service, "%u", options->port);
    int lookup = getaddrinfo(options->host, service, &hints, &list);
    if (lookup != 0)
        return fault_set(fault, RESULT_INVALID, "/host", "no such host: \"%s\" (%s)", options->host,
                         gai_strerror(lookup));
    const struct addrinfo *chosen = preferred(list);
    enum result result = RESULT_OK;
    lookup = getnameinfo(chosen->ai_addr, chosen->ai_addrlen, numeric, sizeof numeric, NULL, 0, NI_NUMERICHOST);
    int error = lookup == 0 ? try_bind(chosen) : EADDRNOTAVAIL;
    if (error != 0) {
        result = describe_failure(options, error, fault);
    } else {
        snprintf(address, LISTEN_ADDRESS_MAX, "%s", numeric);
        *ipv6 = chosen->ai_family == AF_INET6;
    }
    freeaddrinfo(list);
    return result;
}
