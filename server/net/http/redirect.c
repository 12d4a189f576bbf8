// SPDX-License-Identifier: MIT
#include "net/http/redirect.h"

#include <stdio.h>
#include <string.h>

#include "net/connection/connection.h"
#include "net/http/response.h"

#define URL_MAX 1024

bool redirect_find(const struct connection *connection, const char *path, struct refusal *refusal) {
    static char url[URL_MAX], header[URL_MAX + 16]; // for the net thread, of which there is one
    static const char unreserved[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/:[]";
    const struct net_handlers *handlers = &connection->server->options.handlers;
    if (handlers->redirect == NULL || !handlers->redirect(handlers->user, path, url, sizeof url) ||
        strspn(url, unreserved) != strlen(url)) {
        return false;
    }
    snprintf(header, sizeof header, "Location: %s\r\n", url);
    *refusal = (struct refusal){307, header, "another node has this world\n"};
    return true;
}

bool redirect_answer(struct connection *connection, const char *path) {
    struct refusal refusal;
    const bool found = redirect_find(connection, path, &refusal);
    if (found) {
        response_refuse(connection, &refusal);
    }
    return found;
}
