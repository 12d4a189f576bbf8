// SPDX-License-Identifier: MIT
#include "engine/weft_members.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "proto/json/json_check.h"

struct weft_member {
    struct weft_member *next;
    enum engine_place place;
    size_t length;     // of the JSON value
    char *name, *json; // the name, terminated, and the compact value behind it, in one block with the member
};

static struct weft_member *create(enum engine_place place, const char *name, const char *json, size_t length) {
    const size_t named = strlen(name) + 1;
    struct weft_member *member = malloc(sizeof *member + named + length);
    if (member == NULL) {
        return NULL;
    }
    *member = (struct weft_member){.place = place, .length = length, .name = (char *)(member + 1)};
    member->json = member->name + named;
    memcpy(member->name, name, named);
    memcpy(member->json, json, length);
    return member;
}

static enum result make(enum engine_place place, const char *name, const char *json, struct weft_member **made,
                        struct fault *fault) {
    struct arena arena;
    const char *compact = NULL;
    size_t length = 0;
    arena_init(&arena);
    enum result result = json_check_compact(json, strlen(json), &arena, &compact, &length, fault);
    if (result == RESULT_PARSE) {
        const struct fault why = *fault;
        result = fault_set(fault, RESULT_INVALID, "/json", "json must be one JSON value: %s", why.message);
    }
    if (result == RESULT_OK) {
        *made = create(place, name, compact, length);
        result = *made != NULL ? RESULT_OK : fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    arena_free(&arena);
    return result;
}

enum result weft_members_set(struct weft_member **list, enum engine_place place, const char *name, const char *json,
                             struct fault *fault) {
    struct weft_member *made = NULL;
    const enum result result = json != NULL ? make(place, name, json, &made, fault) : RESULT_OK;
    if (result != RESULT_OK) {
        return result;
    }
    struct weft_member **link = list;
    while (*link != NULL && ((*link)->place != place || strcmp((*link)->name, name) != 0)) {
        link = &(*link)->next;
    }
    struct weft_member *before = *link;
    struct weft_member *after = before != NULL ? before->next : NULL;
    if (made != NULL) {
        made->next = after;
    }
    *link = made != NULL ? made : after;
    free(before);
    return RESULT_OK;
}

void weft_members_write(const struct weft_member *list, enum engine_place place, struct json_writer *out) {
    for (const struct weft_member *member = list; member != NULL; member = member->next) {
        if (member->place == place) {
            json_writer_key(out, member->name);
            json_writer_raw(out, member->json, member->length);
        }
    }
}

void weft_members_free(struct weft_member *list) {
    while (list != NULL) {
        struct weft_member *next = list->next;
        free(list);
        list = next;
    }
}
