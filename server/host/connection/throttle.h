// SPDX-License-Identifier: MIT
// Counts failed attempts by the address they came from. After too many of them an address has to wait before its next
// attempt is looked at. An IPv6 address counts by its network of 64 bits, the least that one customer has.
//
// The table has a fixed size. When it is full, the address that failed longest ago is forgotten. One thread at a time.
#ifndef WEFT_HOST_CONNECTION_THROTTLE_H
#define WEFT_HOST_CONNECTION_THROTTLE_H

#include <stdint.h>

#define THROTTLE_FAILURES 5u     // that an address may make at once
#define THROTTLE_SECONDS 10u     // after so long one of them is forgotten
#define THROTTLE_ADDRESSES 1024u // remembered at once

struct throttle_entry {
    uint64_t key; // of the address, 0: unused
    double failures;
    uint64_t updated_ns;
};

struct throttle {
    struct throttle_entry entries[THROTTLE_ADDRESSES];
};

// How many whole seconds an address has to wait before its next attempt; 0: none. `address` is numeric.
uint32_t throttle_wait_s(const struct throttle *throttle, const char *address, uint64_t now_ns);
// Counts a failed attempt.
void throttle_note_failure(struct throttle *throttle, const char *address, uint64_t now_ns);

#endif
