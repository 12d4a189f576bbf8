// SPDX-License-Identifier: MIT
// The host must be a name of this server. Otherwise a page of a foreign name that is made to lead here (DNS rebinding)
// would pass for a page of this server. The origin says which page sends the request, if a page does.
#include "net/http/origin.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "net/connection/address.h"

#define TELL_PAUSE_US (10 * LWS_US_PER_SEC) // between two warnings about refusals

// Sets the refusal and returns false. Logs it at most once in TELL_PAUSE_US. `name` is the refused host or origin.
static bool refuse(const struct connection *connection, struct refusal *refusal, const char *what, const char *name,
                   const char *option, const char *text) {
    struct net_server *server = connection->server;
    const lws_usec_t now_us = lws_now_usecs();
    char address[ADDRESS_TEXT_MAX] = "";
    *refusal = (struct refusal){403, "", text};
    if (server->refused_us != 0 && now_us - server->refused_us < TELL_PAUSE_US) {
        server->refused_untold++;
        return false;
    }
    lws_get_peer_simple(connection->wsi, address, sizeof address);
    log_warn("net", "refused %s \"%.200s\" from %s; %s allows it (%u more were refused since the last such line)", what,
             name, address, option, server->refused_untold);
    server->refused_us = now_us;
    server->refused_untold = 0;
    return false;
}

// NAME, NAME:PORT, [IPv6] or [IPv6]:PORT; takes the port off and the brackets.
static bool split_host(const char *field, char name[HOST_MAX]) {
    const bool bracketed = field[0] == '[';
    const char *start = bracketed ? field + 1 : field;
    const size_t length = strcspn(start, bracketed ? "]" : ":");
    const char *rest = start + length + (bracketed && start[length] == ']');
    if (length == 0 || length >= HOST_MAX || (bracketed && start[length] != ']')) {
        return false;
    }
    if (*rest != '\0' && (*rest != ':' || strspn(rest + 1, "0123456789") != strlen(rest + 1))) {
        return false;
    }
    if (strspn(start, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_:") < length) {
        return false;
    }
    memcpy(name, start, length);
    name[length] = '\0';
    return true;
}

static bool is_address(const char *name) {
    struct in6_addr address;
    return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1;
}

static bool host_is_ours(const struct net_options *options, const char *name) {
    if (options->hosts == NULL || (options->any_address && is_address(name))) {
        return true;
    }
    for (uint32_t at = 0; at < options->host_count; at++) {
        if (strcasecmp(options->hosts[at], name) == 0) {
            return true;
        }
    }
    return false;
}

// Without a list, the allowed origins are those of the host that was asked for, with the scheme of this server; where
// it has no TLS also with https, because a proxy in front may speak it.
static bool allows_origin(const struct net_options *options, const char *origin, const char *host) {
    for (uint32_t at = 0; at < options->origin_count; at++) {
        if (strcmp(options->origins[at], origin) == 0) {
            return true;
        }
    }
    if (options->handlers.is_peer != NULL && options->handlers.is_peer(options->handlers.user, origin)) {
        return true;
    }
    if (options->origin_count > 0) {
        return false;
    }
    const char *authority = strncmp(origin, "https://", 8) == 0                               ? origin + 8
                            : strncmp(origin, "http://", 7) == 0 && options->tls_cert == NULL ? origin + 7
                                                                                              : NULL;
    return authority != NULL && strcasecmp(authority, host) == 0;
}

bool origin_is_allowed(const struct connection *connection, bool shared, struct refusal *refusal) {
    char host[HOST_MAX] = "";
    char name[HOST_MAX];
    char origin[ORIGIN_MAX];
    size_t length = 0;
    const struct net_options *options = &connection->server->options;
    const bool named = head_copy_field(&connection->request.head, "host", host, sizeof host) && split_host(host, name);
    if (options->hosts != NULL && (!named || !host_is_ours(options, name))) {
        return refuse(connection, refusal, "the name", host, "--allow-host",
                      "this server has another name: ask for it by its address, or start it with --host NAME "
                      "or --origin\n");
    }
    if (shared || head_field(&connection->request.head, "origin", &length) == NULL) {
        return true;
    }
    if (!head_copy_field(&connection->request.head, "origin", origin, sizeof origin) ||
        !allows_origin(options, origin, host)) {
        return refuse(connection, refusal, "a page of the origin", origin, "--origin",
                      "a page of another origin may not connect\n");
    }
    return true;
}

static void read_bearer(const struct connection *connection, char *bearer, size_t size) {
    static const char scheme[] = "Bearer ";
    char value[ORIGIN_MAX];
    bearer[0] = '\0';
    if (head_copy_field(&connection->request.head, "authorization", value, sizeof value) &&
        strncasecmp(value, scheme, sizeof scheme - 1) == 0) {
        snprintf(bearer, size, "%s", value + sizeof scheme - 1);
    }
}

// Reads Sec-Fetch-Site (W3C Fetch Metadata), which browsers set and no page can. A page that gets documents of its own
// server sends no Origin.
static bool is_same_origin(const struct connection *connection) {
    char site[16];
    return head_copy_field(&connection->request.head, "sec-fetch-site", site, sizeof site) &&
           (strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0);
}

struct net_request origin_describe(const struct connection *connection, struct request_text *text) {
    char origin[ORIGIN_MAX] = "";
    size_t length = 0;
    const struct head *head = &connection->request.head;
    text->address[0] = '\0';
    if (!head_copy_field(&connection->request.head, "content-type", text->content_type, sizeof text->content_type)) {
        text->content_type[0] = '\0';
    }
    lws_get_peer_simple(connection->wsi, text->address, sizeof text->address);
    if (!head_copy_field(&connection->request.head, "cookie", text->cookie, sizeof text->cookie)) {
        text->cookie[0] = '\0';
    }
    read_bearer(connection, text->bearer, sizeof text->bearer);
    const bool has_origin = head_copy_field(&connection->request.head, "origin", origin, sizeof origin);
    const bool proxied =
        head_field(head, "forwarded", &length) != NULL || head_field(head, "x-forwarded-for", &length) != NULL;
    return (struct net_request){.address = text->address,
                                .loopback = !proxied && address_is_loopback(text->address),
                                .has_origin = has_origin,
                                .same_origin = is_same_origin(connection),
                                .secure =
                                    connection->server->options.tls_cert != NULL || strncmp(origin, "https://", 8) == 0,
                                .cookie = text->cookie,
                                .bearer = text->bearer,
                                .content_type = text->content_type};
}
