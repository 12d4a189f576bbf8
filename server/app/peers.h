// SPDX-License-Identifier: MIT
// Which world each peer is in: a hash table with open addressing. The net thread's own.
#ifndef WEFT_APP_PEERS_H
#define WEFT_APP_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct peers_entry {
    uint64_t peer;
    uint32_t world;
    bool used;
};

struct peers { // zero is empty
    struct peers_entry *entries;
    size_t capacity, count; // capacity: a power of two, or 0
};

bool peers_add(struct peers *peers, uint64_t peer, uint32_t world); // false when memory is out
bool peers_find(const struct peers *peers, uint64_t peer, uint32_t *world);
bool peers_remove(struct peers *peers, uint64_t peer, uint32_t *world);
void peers_free(struct peers *peers);

#endif
