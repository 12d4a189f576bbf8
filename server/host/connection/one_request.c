// SPDX-License-Identifier: MIT
// Paths, checks, and a small table of budgets, of which the one used longest ago gives way to a new one.
#include "host/connection/one_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "base/result.h"
#include "host/connection/access.h"
#include "host/connection/rate_limit.h"

#define PURSES_MAX 256u

struct posted {
    struct {
        uint64_t owner; // 0: none
        uint64_t used_ns;
        struct shared_limit *shared_limit;
    } entries[PURSES_MAX];
};

struct posted *posted_create(void) {
    return calloc(1, sizeof(struct posted));
}

void posted_destroy(struct posted *posted) {
    for (uint32_t at = 0; posted != NULL && at < PURSES_MAX; at++) {
        shared_limit_release(posted->entries[at].shared_limit);
    }
    free(posted);
}

bool posted_read_path(const char *path, char name[CONFIG_WORLD_NAME_MAX + 1]) {
    static const char prefix[] = "/worlds/", suffix[] = "/rpc";
    const size_t length = strlen(path), around = sizeof prefix - 1 + sizeof suffix - 1;
    if (strncmp(path, prefix, sizeof prefix - 1) != 0 || length <= around || length - around > CONFIG_WORLD_NAME_MAX ||
        strcmp(path + length - (sizeof suffix - 1), suffix) != 0) {
        return false;
    }
    snprintf(name, CONFIG_WORLD_NAME_MAX + 1, "%.*s", (int)(length - around), path + sizeof prefix - 1);
    return true;
}

int posted_greet(struct access *access, const struct net_request *request, struct grant *grant) {
    const int status = access_greet(access, request, grant);
    return status == 0 && grant->role == PROTO_ROLE_NONE ? 401 : status;
}

void posted_refuse(struct net_answer *answer, int status, const char *sentence) {
    answer->status = status;
    answer->message = message_from_text(sentence, strlen(sentence));
    snprintf(answer->headers, sizeof answer->headers, "%s",
             status == 401   ? "WWW-Authenticate: Bearer\r\n"
             : status == 503 ? "Retry-After: 1\r\n"
                             : "");
}

bool posted_is_json(const char *content_type) {
    static const char *const types[] = {"application/json", "application/json-rpc", "application/jsonrequest"};
    const size_t length = strcspn(content_type, "; \t");
    for (size_t at = 0; at < sizeof types / sizeof types[0]; at++) {
        if (strlen(types[at]) == length && strncasecmp(content_type, types[at], length) == 0) {
            return true;
        }
    }
    return false;
}

enum result posted_check(enum proto_method method, struct fault *fault) {
    if (proto_methods[method].connection) {
        return fault_set(fault, RESULT_STATE, "",
                         "%s needs a WebSocket: a client that comes by POST ends with its reply",
                         proto_methods[method].name);
    }
    return RESULT_OK;
}

struct shared_limit *posted_find_shared_limit(struct posted *posted, uint64_t owner, double rate, uint64_t now_ns) {
    uint32_t oldest = 0;
    for (uint32_t at = 0; at < PURSES_MAX; at++) {
        if (posted->entries[at].owner == owner &&
            shared_limit_rate_limit(posted->entries[at].shared_limit)->rate == rate) {
            posted->entries[at].used_ns = now_ns;
            return shared_limit_retain(posted->entries[at].shared_limit);
        }
        oldest = posted->entries[at].used_ns < posted->entries[oldest].used_ns ? at : oldest;
    }
    struct shared_limit *shared_limit = shared_limit_create(rate, now_ns);
    if (shared_limit != NULL) {
        shared_limit_release(posted->entries[oldest].shared_limit);
        posted->entries[oldest].owner = owner;
        posted->entries[oldest].used_ns = now_ns;
        posted->entries[oldest].shared_limit = shared_limit;
        (void)shared_limit_retain(shared_limit);
    }
    return shared_limit;
}
