// SPDX-License-Identifier: MIT
// A leaky bucket for each address: failures fill it, time empties it.
#include "host/connection/throttle.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>

static uint64_t key_of(const char *address) {
    struct in6_addr v6;
    uint64_t key = 0xcbf29ce484222325u; // FNV-1a, 64 bits
    const unsigned char *bytes = (const unsigned char *)address;
    size_t count = strlen(address);
    if (inet_pton(AF_INET6, address, &v6) == 1 && !IN6_IS_ADDR_V4MAPPED(&v6)) {
        bytes = v6.s6_addr;
        count = 8;
    }
    for (size_t at = 0; at < count; at++) {
        key = (key ^ bytes[at]) * 0x100000001b3u;
    }
    return key != 0 ? key : 1;
}

static double failures_now(const struct throttle_entry *entry, uint64_t now_ns) {
    const double forgotten = (double)(now_ns - entry->updated_ns) / (1e9 * THROTTLE_SECONDS);
    return entry->failures > forgotten ? entry->failures - forgotten : 0.0;
}

uint32_t throttle_wait_s(const struct throttle *throttle, const char *address, uint64_t now_ns) {
    const uint64_t key = key_of(address);
    for (size_t at = 0; at < THROTTLE_ADDRESSES; at++) {
        const struct throttle_entry *entry = &throttle->entries[at];
        if (entry->key == key) {
            const double over = failures_now(entry, now_ns) - (THROTTLE_FAILURES - 1.0);
            return over > 0.0 ? 1 + (uint32_t)(over * THROTTLE_SECONDS) : 0;
        }
    }
    return 0;
}

void throttle_note_failure(struct throttle *throttle, const char *address, uint64_t now_ns) {
    const uint64_t key = key_of(address);
    struct throttle_entry *chosen = &throttle->entries[0];
    for (size_t at = 0; at < THROTTLE_ADDRESSES; at++) {
        struct throttle_entry *entry = &throttle->entries[at];
        if (entry->key == key) {
            chosen = entry;
            break;
        }
        if (entry->updated_ns < chosen->updated_ns) {
            chosen = entry;
        }
    }
    const double before = chosen->key == key ? failures_now(chosen, now_ns) : 0.0;
    *chosen = (struct throttle_entry){.key = key, .failures = before + 1.0, .updated_ns = now_ns};
}
