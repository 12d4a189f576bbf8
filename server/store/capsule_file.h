// SPDX-License-Identifier: MIT
// What packing and unpacking capsules share: the tables of the file, the names of its meta rows.
//
// meta      by name, as below; `checksum` is over all the others
// snapshot  none when it begins with an empty world; columns and checksum as in a store, of world 1, timeline 1
// entry     numbered from 1 without a gap; checksum as in a store
// hash      as in a store
#ifndef WEFT_STORE_CAPSULE_FILE_H
#define WEFT_STORE_CAPSULE_FILE_H

#include "store/capsule.h"
#include "store/store_internal.h"

#define CAPSULE_APPLICATION_ID 0x57434150 // "WCAP"
#define CAPSULE_WORLD 1u
#define CAPSULE_TIMELINE 1u

#define CAPSULE_TABLES_MAX 4u
extern const char *const store_capsule_tables[CAPSULE_TABLES_MAX];

// All that the meta table says.
struct store_capsule_head {
    struct store_capsule_meta meta;
    bool from_empty;
    uint64_t tick; // the last
    uint64_t entries, hashes;
    uint64_t format;
    uint64_t physics, newest_physics; // as in struct store_history; from format 2 on
};
uint64_t store_capsule_checksum(const struct store_capsule_head *head);

#endif
