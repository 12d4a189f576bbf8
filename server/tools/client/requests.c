// SPDX-License-Identifier: MIT
#include "tools/client/requests.h"

#include <inttypes.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const size_t request_room = LWS_PRE;

static struct request *make(uint64_t id, size_t capacity) {
    struct request *request = malloc(sizeof *request + LWS_PRE + capacity);
    if (request != NULL) {
        *request = (struct request){.id = id};
    }
    return request;
}

static void append(struct request_list *list, struct request *request) {
    request->next = NULL;
    if (list->last == NULL) {
        list->first = request;
    } else {
        list->last->next = request;
    }
    list->last = request;
}

static struct request *take_first(struct request_list *list) {
    struct request *request = list->first;
    list->first = request->next;
    list->last = list->first == NULL ? NULL : list->last;
    return request;
}

uint64_t requests_add(struct requests *requests, struct json_slice method, struct json_slice params) {
    static const char shape[] = "{\"jsonrpc\":\"2.0\",\"id\":%" PRIu64 ",\"method\":";
    struct request *request = make(requests->last_id + 1, sizeof shape + 32 + method.length + params.length);
    if (request == NULL) {
        return 0;
    }
    char *start = (char *)request->room + LWS_PRE, *at = start;
    at += snprintf(at, sizeof shape + 24, shape, ++requests->last_id);
    memcpy(at, method.text, method.length);
    at += method.length;
    if (params.length > 0) {
        memcpy(at, ",\"params\":", 10);
        memcpy(at + 10, params.text, params.length);
        at += 10 + params.length;
    }
    *at++ = '}';
    request->length = (size_t)(at - start);
    append(&requests->unsent, request);
    return request->id;
}

bool requests_add_first(struct requests *requests, const char *text) {
    const size_t length = strlen(text);
    struct request *request = make(0, length);
    if (request == NULL) {
        return false;
    }
    memcpy(request->room + LWS_PRE, text, length);
    request->length = length;
    request->next = requests->unsent.first;
    requests->unsent.first = request;
    requests->unsent.last = requests->unsent.last == NULL ? request : requests->unsent.last;
    return true;
}

struct request *requests_take(struct requests *requests, bool kept) {
    struct request *request = take_first(&requests->unsent);
    if (kept && request->id != 0) {
        struct request *copy = make(request->id, request->length);
        if (copy == NULL) {
            free(request);
            return NULL;
        }
        memcpy(copy->room, request->room, LWS_PRE + request->length);
        copy->length = request->length;
        append(&requests->unanswered, copy);
    }
    return request;
}

void requests_answered(struct requests *requests, uint64_t id) {
    struct request_list left = {NULL, NULL};
    while (requests->unanswered.first != NULL) {
        struct request *request = take_first(&requests->unanswered);
        if (request->id == id) {
            free(request);
        } else {
            append(&left, request);
        }
    }
    requests->unanswered = left;
}

void requests_send_again(struct requests *requests) {
    struct request_list *unsent = &requests->unsent, *unanswered = &requests->unanswered;
    if (unanswered->last != NULL) {
        unanswered->last->next = unsent->first;
        unsent->first = unanswered->first;
        unsent->last = unsent->last == NULL ? unanswered->last : unsent->last;
        *unanswered = (struct request_list){NULL, NULL};
    }
}

void requests_free(struct requests *requests) {
    requests_send_again(requests);
    while (requests->unsent.first != NULL) {
        free(take_first(&requests->unsent));
    }
}
