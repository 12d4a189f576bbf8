// SPDX-License-Identifier: MIT
// Which world each peer is in, and its flow: a hash table with open addressing. The net thread's own.
#ifndef WEFT_HOST_PEERS_H
#define WEFT_HOST_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow;

struct peers_entry {
    uint64_t peer;
    uint32_t world;
    bool used;
    bool leaving;      // it is gone, and its world is still to be told
    struct flow *flow; // of its messages; not owned
};

struct peers { // zero is empty
    struct peers_entry *entries;
    size_t capacity, count; // capacity: a power of two, or 0
    size_t leaving;         // how many of them
};

bool peers_add(struct peers *peers, uint64_t peer, uint32_t world, struct flow *flow); // false when memory is out
// NULL when it is not there; else valid until the next addition or removal.
const struct peers_entry *peers_find(const struct peers *peers, uint64_t peer);
// Notes that one is gone, whose world could not be told yet; the number of one that was noted and not removed since.
void peers_note_leaving(struct peers *peers, uint64_t peer);
bool peers_find_leaving(const struct peers *peers, uint64_t *peer);
bool peers_remove(struct peers *peers, uint64_t peer, struct peers_entry *removed);
void peers_free(struct peers *peers);

#endif
