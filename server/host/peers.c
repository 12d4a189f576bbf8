// SPDX-License-Identifier: MIT
// Linear probing, at most half full; a removal moves later entries back, so there are no tombstones.
#include "host/peers.h"

#include <stdlib.h>

static size_t home_of(const struct peers *peers, uint64_t peer) {
    return (size_t)(peer * 0x9e3779b97f4a7c15u >> 32) & (peers->capacity - 1);
}

static void place(struct peers *peers, struct peers_entry entry) {
    size_t at = home_of(peers, entry.peer);
    while (peers->entries[at].used) {
        at = (at + 1) & (peers->capacity - 1);
    }
    peers->entries[at] = entry;
    peers->count++;
}

static bool grow(struct peers *peers) {
    struct peers grown = {.capacity = peers->capacity == 0 ? 64 : peers->capacity * 2, .leaving = peers->leaving};
    grown.entries = calloc(grown.capacity, sizeof *grown.entries);
    if (grown.entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < peers->capacity; i++) {
        if (peers->entries[i].used) {
            place(&grown, peers->entries[i]);
        }
    }
    free(peers->entries);
    *peers = grown;
    return true;
}

bool peers_add(struct peers *peers, uint64_t peer, uint32_t world, struct flow *flow) {
    if (2 * (peers->count + 1) > peers->capacity && !grow(peers)) {
        return false;
    }
    place(peers, (struct peers_entry){.peer = peer, .world = world, .used = true, .flow = flow});
    return true;
}

static struct peers_entry *find(const struct peers *peers, uint64_t peer) {
    if (peers->capacity == 0) {
        return NULL;
    }
    size_t at = home_of(peers, peer);
    while (peers->entries[at].used) {
        if (peers->entries[at].peer == peer) {
            return &peers->entries[at];
        }
        at = (at + 1) & (peers->capacity - 1);
    }
    return NULL;
}

const struct peers_entry *peers_find(const struct peers *peers, uint64_t peer) {
    return find(peers, peer);
}

void peers_note_leaving(struct peers *peers, uint64_t peer) {
    struct peers_entry *entry = find(peers, peer);
    if (entry != NULL && !entry->leaving) {
        entry->leaving = true;
        peers->leaving++;
    }
}

bool peers_find_leaving(const struct peers *peers, uint64_t *peer) {
    for (size_t i = 0; peers->leaving > 0 && i < peers->capacity; i++) {
        if (peers->entries[i].used && peers->entries[i].leaving) {
            *peer = peers->entries[i].peer;
            return true;
        }
    }
    return false;
}

bool peers_remove(struct peers *peers, uint64_t peer, struct peers_entry *removed) {
    struct peers_entry *entry = find(peers, peer);
    if (entry == NULL) {
        return false;
    }
    *removed = *entry;
    peers->leaving -= entry->leaving ? 1 : 0;
    entry->used = false;
    peers->count--;
    size_t at = (size_t)(entry - peers->entries);
    for (at = (at + 1) & (peers->capacity - 1); peers->entries[at].used; at = (at + 1) & (peers->capacity - 1)) {
        struct peers_entry moved = peers->entries[at];
        peers->entries[at].used = false;
        peers->count--;
        place(peers, moved);
    }
    return true;
}

void peers_free(struct peers *peers) {
    free(peers->entries);
    *peers = (struct peers){0};
}
