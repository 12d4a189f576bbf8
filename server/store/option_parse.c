// SPDX-License-Identifier: MIT
#include "store/option_parse.h"

#include <stdlib.h>
#include <string.h>

enum result store_durability_parse(const char *text, enum store_durability *durability, struct fault *fault) {
    static const char *const names[STORE_DURABILITY_COUNT] = {
        [STORE_FULL] = "full", [STORE_NORMAL] = "normal", [STORE_OFF] = "off"};
    for (uint32_t i = 0; i < STORE_DURABILITY_COUNT; i++) {
        if (strcmp(text, names[i]) == 0) {
            *durability = (enum store_durability)i;
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_INVALID, "/durability", "durability must be full, normal or off, got \"%.40s\"",
                     text);
}

static const struct unit {
    const char *name;
    bool bytes;
    uint64_t factor; // milliseconds or bytes
} units[] = {
    {"s", false, 1000},         {"m", false, 60000},
    {"h", false, 3600000},      {"d", false, 86400000},
    {"kB", true, 1000},         {"MB", true, 1000000},
    {"GB", true, 1000000000},   {"KiB", true, 1024},
    {"MiB", true, 1024 * 1024}, {"GiB", true, 1024 * 1024 * 1024},
};

static enum result refuse(const char *text, struct fault *fault) {
    return fault_set(fault, RESULT_INVALID, "/history",
                     "history must be a time (30s, 90m, 1h, 7d), a size (500MB, 1GB), both with a comma between, or "
                     "unlimited, got \"%.40s\"",
                     text);
}

// Parses one amount, which is `length` bytes long.
static bool parse_amount(const char *text, size_t length, struct store_budget *budget) {
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9) {
        return false;
    }
    const uint64_t number = strtoull(text, NULL, 10);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t name = strlen(units[i].name);
        uint64_t *amount = units[i].bytes ? &budget->bytes : &budget->age_ms;
        if (digits + name == length && memcmp(text + digits, units[i].name, name) == 0 && number > 0 && *amount == 0) {
            *amount = number * units[i].factor;
            return true;
        }
    }
    return false;
}

enum result store_budget_parse(const char *text, struct store_budget *budget, struct fault *fault) {
    struct store_budget parsed = {0};
    if (strcmp(text, "unlimited") == 0) {
        *budget = parsed;
        return RESULT_OK;
    }
    for (const char *amount = text;;) {
        const size_t length = strcspn(amount, ",");
        if (!parse_amount(amount, length, &parsed)) {
            return refuse(text, fault);
        }
        amount += length;
        if (*amount == '\0') {
            break;
        }
        amount++;
    }
    *budget = parsed;
    return RESULT_OK;
}
