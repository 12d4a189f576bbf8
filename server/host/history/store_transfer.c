// SPDX-License-Identifier: MIT
#include "host/history/store_transfer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void settled(void *user, uint64_t world, uint64_t ticket, enum result result, const struct fault *fault) {
    (void)user; // nothing is queued
    (void)world;
    (void)ticket;
    (void)result;
    (void)fault;
}

static struct store_options options_of(const char *place) {
    const bool database = strncmp(place, "postgres://", 11) == 0 || strncmp(place, "postgresql://", 13) == 0;
    return (struct store_options){.directory = database ? NULL : place,
                                  .address = database ? place : NULL,
                                  .durability = STORE_FULL,
                                  .listener = {.settled = settled}};
}

enum result store_transfer(const char *from, const char *to,
                           void (*report)(void *user, const struct store_copy_progress *progress), void *user,
                           struct fault *fault) {
    const struct store_options source = options_of(from), target = options_of(to);
    char path[1100];
    if (source.address == NULL &&
        ((size_t)snprintf(path, sizeof path, "%s/weft.db", from) >= sizeof path || access(path, F_OK) != 0)) {
        return fault_set(fault, RESULT_NOT_FOUND, "", "there is no store in the folder %.200s", from);
    }
    return store_copy(&source, &target, report, user, fault);
}
