// SPDX-License-Identifier: MIT
#include "tools/client/server_address.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define SPARE_HANDLES 16u // for other files

enum result address_find(const struct settings *settings, struct address *address, struct fault *fault) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    char port[8];
    (void)snprintf(port, sizeof port, "%u", settings->port);
    if (getaddrinfo(settings->host, port, &hints, &found) != 0) {
        return fault_set(fault, RESULT_IO, "", "no machine is called \"%s\"; check --host or --url", settings->host);
    }
    memcpy(&address->at, found->ai_addr, found->ai_addrlen);
    address->length = found->ai_addrlen;
    freeaddrinfo(found);
    return RESULT_OK;
}

enum result address_allow_sockets(uint32_t sockets, struct fault *fault) {
    struct rlimit limit;
    const rlim_t wanted = sockets + SPARE_HANDLES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted) {
        return RESULT_OK;
    }
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted) {
        return fault_set(fault, RESULT_LIMIT, "",
                         "this process may open %lu files, too few for %u viewers (ulimit -Hn)",
                         (unsigned long)limit.rlim_max, sockets);
    }
    limit.rlim_cur = wanted;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0
               ? RESULT_OK
               : fault_set(fault, RESULT_LIMIT, "", "this process may not open %u sockets", sockets);
}
