// SPDX-License-Identifier: MIT
// Roles and where they come from: the tokens of the file, under a mutex, and the rules of access.h.
#include "host/connection/access.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/message.h"
#include "base/result.h"
#include "host/connection/moment.h"
#include "host/connection/throttle.h"
#include "host/connection/token.h"
#include "host/run/scheduler.h"

#define COOKIE_AGE_S 31536000u

struct access {
    const struct config *config;
    bool has_tokens;
    pthread_mutex_t mutex; // guards the list
    struct token_list tokens;
    struct stat seen;       // of the file when it was read last; the net thread's, as the next
    struct stat asked;      // and when it was looked at last
    struct throttle logins; // the net thread's
};

// ---- the file ----------------------------------------------------------------------------------------------------

static bool is_changed(const struct stat *then, const struct stat *now) {
    return then->st_ino != now->st_ino || then->st_dev != now->st_dev || then->st_size != now->st_size ||
           then->st_mtim.tv_sec != now->st_mtim.tv_sec || then->st_mtim.tv_nsec != now->st_mtim.tv_nsec;
}

// A file that cannot be read now leaves those tokens valid that were: who replaces it may be half way. One that is gone
// revokes them all.
static enum result read_tokens(struct access *access, struct fault *fault) {
    struct token_list list = {0};
    const enum result result = token_file_read(access->config->tokens, &list, fault);
    if (result != RESULT_OK && result != RESULT_NOT_FOUND) {
        return result;
    }
    pthread_mutex_lock(&access->mutex);
    struct token_list old = access->tokens;
    access->tokens = list;
    pthread_mutex_unlock(&access->mutex);
    token_list_free(&old);
    return result;
}

bool access_look(struct access *access) {
    struct fault fault;
    struct stat now = {0};
    if (!access->has_tokens) {
        return false;
    }
    if (stat(access->config->tokens, &now) != 0) {
        now = (struct stat){0};
    }
    const bool still = !is_changed(&access->asked, &now); // else somebody may be writing it just now
    access->asked = now;
    if (!still || !is_changed(&access->seen, &now)) {
        return false;
    }
    access->seen = now;
    const enum result result = read_tokens(access, &fault);
    if (result == RESULT_OK) {
        log_info("access", "the tokens were read again: %u", access->tokens.count);
    } else {
        log_error("access", "%s: %s", fault.message,
                  result == RESULT_NOT_FOUND ? "no token is valid now" : "those read before stay valid");
    }
    return true;
}

// ---- life --------------------------------------------------------------------------------------------------------

// What would let strangers in is done only when it is said explicitly.
static enum result check_public(const struct config *config, struct fault *fault) {
    bool loopback = true;
    const enum result result = net_host_is_loopback(config->host, &loopback, fault);
    if (result != RESULT_OK || loopback || config->insecure_public) {
        return result;
    }
    if (config->tokens[0] == '\0') {
        return fault_set(fault, RESULT_INVALID, "",
                         "%.80s can be reached by others, and without tokens anyone there could do anything: make some "
                         "(weftctl token make) and give --tokens FILE, or say --insecure-public",
                         config->host);
    }
    if (config->tls_cert[0] == '\0') {
        return fault_set(fault, RESULT_INVALID, "",
                         "%.80s can be reached by others, and without TLS tokens can be overheard: give --tls-cert and "
                         "--tls-key, listen on 127.0.0.1 behind a proxy that has them, or say --insecure-public",
                         config->host);
    }
    return RESULT_OK;
}

enum result access_create(const struct config *config, struct access **out, struct fault *fault) {
    enum result result = check_public(config, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct access *access = calloc(1, sizeof *access);
    if (access == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    access->config = config;
    access->has_tokens = config->tokens[0] != '\0';
    pthread_mutex_init(&access->mutex, NULL);
    if (access->has_tokens) {
        if (stat(config->tokens, &access->seen) != 0) {
            access->seen = (struct stat){0};
        }
        result = read_tokens(access, fault);
    }
    if (result != RESULT_OK) {
        access_destroy(access);
        return result;
    }
    *out = access;
    return RESULT_OK;
}

void access_destroy(struct access *access) {
    if (access != NULL) {
        token_list_free(&access->tokens);
        pthread_mutex_destroy(&access->mutex);
        free(access);
    }
}

bool access_has_tokens(const struct access *access) {
    return access->has_tokens;
}

// ---- grants ------------------------------------------------------------------------------------------------------

static bool find_grant(struct access *access, const char *text, struct grant *grant) {
    pthread_mutex_lock(&access->mutex);
    const struct token *token = token_find(&access->tokens, text);
    if (token != NULL) {
        *grant = (struct grant){.role = token->role};
        memcpy(grant->token, token->id, sizeof grant->token);
        memcpy(grant->name, token->name, sizeof grant->name);
    }
    pthread_mutex_unlock(&access->mutex);
    return token != NULL;
}

bool access_holds(struct access *access, const struct grant *grant) {
    bool holds = grant->token[0] == '\0';
    pthread_mutex_lock(&access->mutex);
    for (uint32_t at = 0; !holds && at < access->tokens.count; at++) {
        const struct token *token = &access->tokens.items[at];
        holds = strcmp(token->id, grant->token) == 0 && token->role == grant->role;
    }
    pthread_mutex_unlock(&access->mutex);
    return holds;
}

enum result access_authenticate(struct access *access, const char *token, struct grant *grant, struct fault *fault) {
    if (!access->has_tokens) {
        return fault_set(fault, RESULT_DENIED, "/token", "this server has no tokens, so none is needed");
    }
    if (!find_grant(access, token, grant)) {
        return fault_set(fault, RESULT_DENIED, "/token", "no valid token: weftctl token make makes one");
    }
    return RESULT_OK;
}

// Copies the value of the first cookie of that name (RFC 6265, 4.2) into `token`. Returns the rest of the header after
// it, or NULL if there is no such cookie.
static const char *read_cookie(const char *cookies, const char *name, char token[TOKEN_TEXT_MAX]) {
    const size_t length = strlen(name);
    for (const char *at = cookies; *at != '\0';) {
        at += strspn(at, "; \t");
        const size_t pair = strcspn(at, ";");
        if (pair > length && strncmp(at, name, length) == 0 && at[length] == '=' &&
            pair - length - 1 < TOKEN_TEXT_MAX) {
            memcpy(token, at + length + 1, pair - length - 1);
            token[pair - length - 1] = '\0';
            return at + pair;
        }
        at += pair;
    }
    return NULL;
}

// Any site may make a browser send the cookie of TLS with a request, so it counts only with proof that a page of ours
// asks. Browsers that keep cookies by the site of the outermost page may send several of that name: one without such a
// site, of an older version of this server, beside the present one.
static bool find_cookie_grant(struct access *access, const struct net_request *request, struct grant *grant) {
    char token[TOKEN_TEXT_MAX];
    const bool asked_by_page = request->has_origin || request->same_origin;
    for (const char *rest = request->cookie;
         asked_by_page && (rest = read_cookie(rest, ACCESS_COOKIE_TLS, token)) != NULL;) {
        if (find_grant(access, token, grant)) {
            return true;
        }
    }
    return read_cookie(request->cookie, ACCESS_COOKIE, token) != NULL && find_grant(access, token, grant);
}

// A cookie that is no longer valid is no reason to refuse: the page has yet to ask for another token.
int access_greet(struct access *access, const struct net_request *request, struct grant *grant) {
    *grant = (struct grant){.role = PROTO_ROLE_NONE};
    if (!access->has_tokens) {
        grant->role = request->loopback ? PROTO_ROLE_ADMIN : access->config->guests;
        return 0;
    }
    if (request->bearer[0] != '\0') {
        return find_grant(access, request->bearer, grant) ? 0 : 401;
    }
    if (find_cookie_grant(access, request, grant)) {
        return 0;
    }
    if (request->has_origin || request->same_origin) { // a page of ours asks for documents without an Origin
        grant->role = access->config->guests;
    }
    return 0;
}

// ---- methods -----------------------------------------------------------------------------------------------------

// ---- over HTTP ---------------------------------------------------------------------------------------------------

// Over TLS the cookie also works where a page of another site shows ours in a frame (--frame-ancestors), and is
// partitioned: kept apart for each such site, so that it is sent from within no other (CHIPS, RFC 6265bis). Without TLS
// browsers keep no such cookie.
static const char *cookie_attributes(const struct net_request *request) {
    return request->secure ? "SameSite=None; Secure; Partitioned" : "SameSite=Strict";
}

static void set_cookie(struct net_answer *answer, const struct net_request *request, const char *token) {
    snprintf(answer->headers, sizeof answer->headers, "Set-Cookie: %s=%s; Path=/; Max-Age=%u; HttpOnly; %s\r\n",
             request->secure ? ACCESS_COOKIE_TLS : ACCESS_COOKIE, token, COOKIE_AGE_S, cookie_attributes(request));
}

// Also the one that is not partitioned, which older versions of this server set.
static void take_cookies(struct net_answer *answer, const struct net_request *request) {
    const char *name = request->secure ? ACCESS_COOKIE_TLS : ACCESS_COOKIE;
    int length = snprintf(answer->headers, sizeof answer->headers,
                          "Set-Cookie: %s=; Path=/; Max-Age=0; HttpOnly; %s\r\n", name, cookie_attributes(request));
    if (request->secure) {
        snprintf(answer->headers + length, sizeof answer->headers - (size_t)length,
                 "Set-Cookie: %s=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure\r\n", name);
    }
}

static void refuse(struct net_answer *answer, int status, const char *sentence) {
    answer->status = status;
    answer->message = message_from_text(sentence, strlen(sentence));
}

static void log_in(struct access *access, const struct net_request *request, const char *body, size_t length,
                   struct net_answer *answer) {
    char token[TOKEN_TEXT_MAX] = "";
    struct grant grant;
    while (length > 0 && strchr(" \t\r\n", body[length - 1]) != NULL) {
        length--;
    }
    const uint64_t now_ns = scheduler_now_ns();
    const uint32_t wait_s = throttle_wait_s(&access->logins, request->address, now_ns);
    if (wait_s > 0) {
        snprintf(answer->headers, sizeof answer->headers, "Retry-After: %u\r\n", wait_s);
        refuse(answer, 429, "Too many wrong tokens came from your address: wait a little, then try again.\n");
        return;
    }
    if (length < sizeof token) {
        memcpy(token, body, length);
        token[length] = '\0';
    }
    if (!find_grant(access, token, &grant)) {
        throttle_note_failure(&access->logins, request->address, now_ns);
        log_info("access", "a login from %s failed", request->address);
        refuse(answer, 403, "This is no valid token.\n");
        return;
    }
    log_info("access", "%s \"%s\" logged in from %s", proto_role_names[grant.role], grant.name, request->address);
    set_cookie(answer, request, token);
}

// Only a page of ours may: else a foreign one could log its reader in as somebody else.
bool access_submit(struct access *access, const struct net_request *request, const char *path, const char *body,
                   size_t length, struct net_answer *answer) {
    const bool login = strcmp(path, "/login") == 0;
    if (!login && strcmp(path, "/logout") != 0) {
        return false;
    }
    if (!request->has_origin) {
        refuse(answer, 403, "Only this server's page may do that.\n");
    } else if (!access->has_tokens) {
        refuse(answer, 404, "This server has no tokens.\n");
    } else if (login) {
        log_in(access, request, body, length, answer);
    } else {
        take_cookies(answer, request);
    }
    return true;
}

bool access_is_stranger(struct access *access, const struct net_request *request) {
    struct grant grant;
    return access_greet(access, request, &grant) != 0 || grant.role < PROTO_ROLE_VIEWER;
}

// What the server is made of, and whether it is well, everyone may know; what is in it, viewers; a world's past, who
// may call world.export.
int access_document(struct access *access, const struct net_request *request, const char *path) {
    struct grant grant;
    char name[CONFIG_WORLD_NAME_MAX + 1];
    struct moment moment;
    const bool capsule = strncmp(path, "/worlds/", 8) == 0;
    if (strcmp(path, "/metrics") != 0 && strcmp(path, "/addresses.json") != 0 && !capsule) {
        return 0;
    }
    // Who sees the world has seen its moments, or may list what was done in them (world.log).
    const bool whole = capsule && !moment_read_path(path, name, &moment);
    const enum proto_role least = whole ? proto_methods[PROTO_METHOD_WORLD_EXPORT].role : PROTO_ROLE_VIEWER;
    const int status = access_greet(access, request, &grant);
    if (status != 0 || grant.role >= least) {
        return status;
    }
    return grant.role == PROTO_ROLE_NONE ? 401 : 403;
}
