// SPDX-License-Identifier: MIT
#include "store/capsule/capsule_format.h"

#include <string.h>

#include "base/hash.h"

const char *const store_capsule_tables[CAPSULE_TABLES_MAX] = {
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE snapshot(snapshot INTEGER PRIMARY KEY, world INTEGER NOT NULL, timeline INTEGER NOT NULL,"
    " tick INTEGER NOT NULL, sequence INTEGER NOT NULL, hash INTEGER NOT NULL, version INTEGER NOT NULL,"
    " saved_ms INTEGER NOT NULL, state_size INTEGER NOT NULL, extra_size INTEGER NOT NULL,"
    " checksum INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT",
    "CREATE TABLE entry(sequence INTEGER NOT NULL PRIMARY KEY, tick INTEGER NOT NULL, kind INTEGER NOT NULL,"
    " client INTEGER NOT NULL, saved_ms INTEGER NOT NULL, record BLOB NOT NULL, checksum INTEGER NOT NULL)"
    " STRICT, WITHOUT ROWID",
    ("CREATE TABLE hash(tick INTEGER NOT NULL, sequence INTEGER NOT NULL, hash INTEGER NOT NULL,"
     " checksum INTEGER NOT NULL, PRIMARY KEY(tick, sequence)) STRICT, WITHOUT ROWID"), // in brackets, or clang warns
                                                                                        // of a missing comma
};

uint64_t store_capsule_checksum(const struct store_capsule_head *head) {
    const struct store_capsule_meta *meta = &head->meta;
    uint64_t tick_hz_bits = 0;
    memcpy(&tick_hz_bits, &meta->tick_hz, sizeof tick_hz_bits);
    struct hash64 hash;
    hash64_init(&hash, 5);
    hash64_update(&hash, meta->version, strlen(meta->version) + 1);
    hash64_update(&hash, meta->world, strlen(meta->world) + 1);
    hash64_update_u64(&hash, tick_hz_bits);
    hash64_update_u64(&hash, meta->made_ms);
    hash64_update_u64(&hash, head->from_empty ? 1 : 0);
    hash64_update_u64(&hash, head->tick);
    hash64_update_u64(&hash, head->entries);
    hash64_update_u64(&hash, head->hashes);
    hash64_update_u64(&hash, meta->settings.size);
    hash64_update(&hash, meta->settings.data, meta->settings.size);
    if (head->format >= 2) {
        hash64_update_u64(&hash, head->physics);
        hash64_update_u64(&hash, head->newest_physics);
    }
    return hash64_digest(&hash);
}
