// SPDX-License-Identifier: MIT
// Reading the options of config_access.h.
#include "host/config/config_access.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/result.h"

#define PER_ADDRESS_DEFAULT 64u
#define PER_ADDRESS_MAX 60000u

static enum result set_path(char out[CONFIG_PATH_MAX], const char *source, const char *value, struct fault *fault) {
    if (value[0] == '\0' || strlen(value) >= CONFIG_PATH_MAX) {
        return fault_set(fault, RESULT_INVALID, "", "%s must name a file, in 1 to %d characters", source,
                         CONFIG_PATH_MAX - 1);
    }
    snprintf(out, CONFIG_PATH_MAX, "%s", value);
    return RESULT_OK;
}

enum result config_set_tokens(struct config *config, const char *source, const char *value, struct fault *fault) {
    return set_path(config->tokens, source, value, fault);
}

enum result config_set_tls_cert(struct config *config, const char *source, const char *value, struct fault *fault) {
    return set_path(config->tls_cert, source, value, fault);
}

enum result config_set_tls_key(struct config *config, const char *source, const char *value, struct fault *fault) {
    return set_path(config->tls_key, source, value, fault);
}

enum result config_set_guests(struct config *config, const char *source, const char *value, struct fault *fault) {
    for (int role = 0; role < PROTO_ROLE_COUNT; role++) {
        if (strcmp(proto_role_names[role], value) == 0) {
            config->guests = (enum proto_role)role;
            config->guests_given = true;
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_INVALID, "", "%s must be none, viewer, editor or admin, got \"%.80s\"", source,
                     value);
}

static enum result set_flag(bool *flag, const char *source, const char *value, struct fault *fault) {
    const bool yes = strcmp(value, "1") == 0;
    if (!yes && strcmp(value, "0") != 0) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be 0 or 1, got \"%.80s\"", source, value);
    }
    *flag = yes;
    return RESULT_OK;
}

enum result config_set_insecure(struct config *config, const char *source, const char *value, struct fault *fault) {
    return set_flag(&config->insecure_public, source, value, fault);
}

enum result config_set_editors_import(struct config *config, const char *source, const char *value,
                                      struct fault *fault) {
    return set_flag(&config->editors_import, source, value, fault);
}

enum result config_set_per_address(struct config *config, const char *source, const char *value, struct fault *fault) {
    char *end = NULL;
    const unsigned long most = isdigit((unsigned char)value[0]) ? strtoul(value, &end, 10) : 0;
    if (end == NULL || *end != '\0' || most > PER_ADDRESS_MAX) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be a whole number from 0 to %u, got \"%.80s\"", source,
                         PER_ADDRESS_MAX, value);
    }
    config->per_address = (uint32_t)most;
    config->per_address_given = true;
    return RESULT_OK;
}

#define HTTPS_PORT 443u
#define HTTP_PORT 80u

static size_t scheme_length(const char *text) {
    return strncmp(text, "https://", 8) == 0 ? 8 : strncmp(text, "http://", 7) == 0 ? 7 : 0;
}

// The name or address after the scheme, without the brackets of IPv6; `rest` is what follows it.
static size_t find_host(const char *text, const char **host, const char **rest) {
    const char *start = text + scheme_length(text);
    const bool bracketed = *start == '[';
    *host = bracketed ? start + 1 : start;
    const size_t length = strspn(*host, bracketed ? "abcdef0123456789:." : "abcdefghijklmnopqrstuvwxyz0123456789.-_");
    *rest = *host + length + (bracketed && (*host)[length] == ']');
    return bracketed && (*host)[length] != ']' ? 0 : length;
}

// scheme://host or scheme://host:port in small letters, and nothing more. `port` is 0 when it names none.
static bool is_origin(const char *text, size_t length, uint32_t *port) {
    const char *host, *rest;
    if (scheme_length(text) == 0 || length >= CONFIG_ORIGIN_MAX || find_host(text, &host, &rest) == 0) {
        return false;
    }
    *port = 0;
    if (*rest == ':' && rest < text + length) {
        const size_t digits = strspn(rest + 1, "0123456789");
        *port = digits <= 5 && rest[1] != '0' ? (uint32_t)strtoul(rest + 1, NULL, 10) : 0;
        rest += 1 + digits;
        return rest == text + length && *port >= 1 && *port <= UINT16_MAX;
    }
    return rest == text + length;
}

// An origin, and perhaps a path below which a proxy leads to this node; without a slash at its end.
static bool is_node_url(const char *text) {
    static const char of_path[] = "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    uint32_t port = 0;
    const size_t scheme = scheme_length(text), origin = scheme + strcspn(text + scheme, "/"), length = strlen(text);
    return length <= STORE_URL_MAX && is_origin(text, origin, &port) &&
           strspn(text + origin, of_path) == length - origin && (length == origin || text[length - 1] != '/');
}

enum result config_set_node_url(struct config *config, const char *source, const char *value, struct fault *fault) {
    if (!is_node_url(value)) {
        return fault_set(fault, RESULT_INVALID, "",
                         "%s must be http://HOST:PORT or https://HOST:PORT in small letters, perhaps with a path "
                         "without a slash at its end, in at most %u characters, got \"%.80s\"",
                         source, STORE_URL_MAX, value);
    }
    snprintf(config->node_url, sizeof config->node_url, "%s", value);
    return RESULT_OK;
}

// Browsers leave out the port that a scheme has by itself.
static bool is_origin_of_browsers(const char *text, size_t length) {
    uint32_t port = 0;
    return is_origin(text, length, &port) && port != (scheme_length(text) == 8 ? HTTPS_PORT : HTTP_PORT);
}

static bool is_host(const char *text, size_t length) {
    return length > 0 && length < CONFIG_ORIGIN_MAX &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:") >= length;
}

static void add_host(struct config *config, const char *host, size_t length) {
    snprintf(config->host_texts[config->host_count++], CONFIG_ORIGIN_MAX, "%.*s", (int)length, host);
}

static enum result add_origin(struct config *config, const char *source, const char *text, size_t length,
                              struct fault *fault) {
    if (!is_origin_of_browsers(text, length)) {
        return fault_set(fault, RESULT_INVALID, "",
                         "%s must be an origin as browsers write it, https://weft.example or http://10.0.0.5:8080, in "
                         "small letters, without a path and without port 443 of https or 80 of http, got \"%.*s\"",
                         source, (int)(length < 80 ? length : 80), text);
    }
    if (config->origin_count == CONFIG_ORIGINS_MAX) {
        return fault_set(fault, RESULT_INVALID, "", "%s: at most %d origins are taken", source, CONFIG_ORIGINS_MAX);
    }
    snprintf(config->origin_texts[config->origin_count++], CONFIG_ORIGIN_MAX, "%.*s", (int)length, text);
    return RESULT_OK;
}

// Both take a list separated by commas as well.
enum result config_set_origin(struct config *config, const char *source, const char *value, struct fault *fault) {
    for (const char *start = value;; start++) {
        const size_t length = strcspn(start, ",");
        const enum result result = add_origin(config, source, start, length, fault);
        if (result != RESULT_OK || start[length] == '\0') {
            return result;
        }
        start += length;
    }
}

// `self`, `none` or an origin; the policy wants the first two in quotes, a command line need not.
static enum result add_frame_ancestor(struct config *config, const char *source, const char *text, size_t length,
                                      struct fault *fault) {
    static const struct {
        const char *given, *written;
    } words[] = {{"self", "'self'"}, {"'self'", "'self'"}, {"none", "'none'"}, {"'none'", "'none'"}};
    char *out = config->frame_ancestors;
    const size_t used = strlen(out);
    uint32_t port = 0;
    bool known = is_origin(text, length, &port);
    for (size_t at = 0; at < sizeof words / sizeof *words; at++) {
        if (strlen(words[at].given) == length && memcmp(words[at].given, text, length) == 0) {
            text = words[at].written;
            length = strlen(text);
            known = true;
            break;
        }
    }
    if (!known) {
        return fault_set(fault, RESULT_INVALID, "",
                         "%s must be self, none or an origin as browsers write it, https://school.example, got "
                         "\"%.*s\"",
                         source, (int)(length < 80 ? length : 80), text);
    }
    if (used + length + 2 > sizeof config->frame_ancestors) {
        return fault_set(fault, RESULT_INVALID, "", "%s: more than %zu characters in all are not taken", source,
                         sizeof config->frame_ancestors - 1);
    }
    snprintf(out + used, sizeof config->frame_ancestors - used, "%s%.*s", used > 0 ? " " : "", (int)length, text);
    return RESULT_OK;
}

enum result config_set_frame_ancestors(struct config *config, const char *source, const char *value,
                                       struct fault *fault) {
    for (const char *start = value;; start++) {
        const size_t length = strcspn(start, ", ");
        const enum result result = add_frame_ancestor(config, source, start, length, fault);
        if (result != RESULT_OK || start[length] == '\0') {
            return result;
        }
        start += length;
    }
}

enum result config_set_allow_host(struct config *config, const char *source, const char *value, struct fault *fault) {
    for (const char *start = value;; start++) {
        const size_t length = strcspn(start, ",");
        if (!is_host(start, length) || config->host_count == CONFIG_HOSTS_MAX) {
            return fault_set(fault, RESULT_INVALID, "",
                             "%s takes up to %d names or addresses without a port, got \"%.80s\"", source,
                             CONFIG_HOSTS_MAX, start);
        }
        add_host(config, start, length);
        if (start[length] == '\0') {
            return RESULT_OK;
        }
        start += length;
    }
}

enum result config_finish_access(struct config *config, struct fault *fault) {
    if ((config->tls_cert[0] == '\0') != (config->tls_key[0] == '\0')) {
        return fault_set(fault, RESULT_INVALID, "", "--tls-cert and --tls-key go together: one of them is missing");
    }
    if (config->frame_ancestors[0] == '\0') {
        snprintf(config->frame_ancestors, sizeof config->frame_ancestors, "'none'");
    } else if (strstr(config->frame_ancestors, "'none'") != NULL && strcmp(config->frame_ancestors, "'none'") != 0) {
        return fault_set(fault, RESULT_INVALID, "", "--frame-ancestors none goes with no other, got \"%s\"",
                         config->frame_ancestors);
    }
    if (!config->guests_given) {
        config->guests = config->tokens[0] != '\0' ? PROTO_ROLE_NONE : PROTO_ROLE_EDITOR;
    }
    if (!config->per_address_given) {
        config->per_address = PER_ADDRESS_DEFAULT;
    }
    static const char *const own[] = {"localhost", "127.0.0.1", "::1"};
    for (size_t at = 0; at < sizeof own / sizeof *own; at++) {
        add_host(config, own[at], strlen(own[at]));
    }
    add_host(config, config->host, strlen(config->host));
    for (uint32_t at = 0; at < config->origin_count; at++) {
        const char *host, *rest;
        config->origins[at] = config->origin_texts[at];
        const size_t length = find_host(config->origin_texts[at], &host, &rest);
        add_host(config, host, length);
    }
    if (config->node_url[0] != '\0') {
        const char *host, *rest;
        const size_t length = find_host(config->node_url, &host, &rest);
        add_host(config, host, length);
    }
    for (uint32_t at = 0; at < config->host_count; at++) {
        config->hosts[at] = config->host_texts[at];
    }
    return RESULT_OK;
}
