// SPDX-License-Identifier: MIT
#include "host/worlds/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAX 99u // two digits: there are at most 63 copies

struct search {
    const struct copying *copying;
    char found[CONFIG_WORLD_NAME_MAX + 1];
    uint32_t count;
    bool taken[NUMBERS_MAX + 1]; // numbers behind the original's name
};

static void look(void *context, const struct world *world) {
    struct search *search = context;
    const char *original = search->copying->original;
    const size_t length = strlen(original);
    if (strcmp(world->copying.original, original) == 0) {
        search->count++;
        if (strcmp(world->copying.key, search->copying->key) == 0) {
            snprintf(search->found, sizeof search->found, "%s", world->name);
        }
    }
    if (strncmp(world->name, original, length) == 0 && world->name[length] == '-') {
        const unsigned long number = strtoul(world->name + length + 1, NULL, 10);
        if (number <= NUMBERS_MAX) {
            search->taken[number] = true;
        }
    }
}

enum result copies_choose(struct worlds *worlds, const struct copying *copying, uint32_t allowed,
                          char name[CONFIG_WORLD_NAME_MAX + 1], bool *made, struct fault *fault) {
    struct search search = {.copying = copying};
    worlds_for_each(worlds, look, &search);
    *made = search.found[0] == '\0';
    if (!*made) {
        memcpy(name, search.found, sizeof search.found);
        return RESULT_OK;
    }
    if (search.count >= allowed) {
        return fault_set(fault, RESULT_LIMIT, "", "all %u copies of \"%s\" are taken", allowed, copying->original);
    }
    uint32_t number = 1;
    while (number < NUMBERS_MAX && search.taken[number]) {
        number++;
    }
    snprintf(name, CONFIG_WORLD_NAME_MAX + 1, "%.*s-%u", (int)COPY_NAME_MAX, copying->original, number);
    return RESULT_OK;
}
