// SPDX-License-Identifier: MIT
// The paths of moments, and which ones are given.
#include "host/connection/moment.h"

#include <stdio.h>
#include <string.h>

#define TICK_MAX UINT64_C(9007199254740991) // of the protocol

// Reads digits up to `end`, which follows them. NULL: they are missing, or too great.
static const char *read_number(const char *text, char end, uint64_t most, uint64_t *number) {
    const size_t digits = strspn(text, "0123456789");
    *number = 0;
    for (size_t i = 0; i < digits; i++) {
        *number = 10 * *number + (uint64_t)(text[i] - '0');
        if (*number > most) {
            return NULL;
        }
    }
    return digits > 0 && text[digits] == end ? text + digits + 1 : NULL;
}

bool moment_read_path(const char *path, char name[CONFIG_WORLD_NAME_MAX + 1], struct moment *moment) {
    static const char prefix[] = "/worlds/", middle[] = "/moments/";
    if (strncmp(path, prefix, sizeof prefix - 1) != 0) {
        return false;
    }
    const char *world = path + sizeof prefix - 1;
    const size_t length = strcspn(world, "/");
    if (length == 0 || length > CONFIG_WORLD_NAME_MAX || strncmp(world + length, middle, sizeof middle - 1) != 0) {
        return false;
    }
    uint64_t timeline = 0, from = 0, to = 0;
    const char *rest = read_number(world + length + sizeof middle - 1, '-', UINT32_MAX, &timeline);
    rest = rest != NULL ? read_number(rest, '-', TICK_MAX, &from) : NULL;
    rest = rest != NULL ? read_number(rest, '\0', TICK_MAX, &to) : NULL;
    if (rest == NULL || timeline == 0) {
        return false;
    }
    snprintf(name, CONFIG_WORLD_NAME_MAX + 1, "%.*s", (int)length, world);
    *moment = (struct moment){.timeline = (uint32_t)timeline, .from = from, .to = to};
    return true;
}

const char *moment_fault(const struct moment *moment, double tick_hz) {
    if (moment->to <= moment->from) {
        return "a moment is TIMELINE-FROM-TO, where TO is after FROM\n";
    }
    return (double)(moment->to - moment->from) > MOMENT_SECONDS_MAX * tick_hz ? "a moment lasts up to 60 s\n" : NULL;
}
