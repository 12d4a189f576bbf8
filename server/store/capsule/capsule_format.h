// SPDX-License-Identifier: MIT
// Capsules of formats 1 and 2, which are SQLite databases: a part of a world's history in one file that any machine
// replays bit for bit. They are only read; the present format is in host/history/capsule_file.h.
//
// A capsule holds a snapshot (or begins with an empty world), the commands since, and the hashes of every 60th tick.
// Its meta table names the server version, the physics versions, the tick rate and the world. Of clients it holds only
// their numbers. Needs no open store; thread-safe.
//
// The tables:
// meta      rows by name; the row `checksum` covers all the others
// snapshot  empty when the capsule begins with an empty world; columns and checksum as in a store, world 1, timeline 1
// entry     numbered from 1 without a gap; checksum as in a store
// hash      as in a store
#ifndef WEFT_STORE_CAPSULE_CAPSULE_FORMAT_H
#define WEFT_STORE_CAPSULE_CAPSULE_FORMAT_H

#include "store/types.h"

#define STORE_CAPSULE_FORMAT                                                                                           \
    2u // the newest that is a database; a capsule of format 1 is of physics version 1, and does not say so
#define STORE_CAPSULE_MAX (512u * 1024u * 1024u) // bytes of a capsule
#define STORE_CAPSULE_TEXT_MAX 256               // bytes of a text of the meta table

#define CAPSULE_APPLICATION_ID 0x57434150 // "WCAP"
#define CAPSULE_WORLD 1u
#define CAPSULE_TIMELINE 1u

struct store_capsule_meta {
    char version[STORE_CAPSULE_TEXT_MAX + 1]; // of the server that made it
    char world[STORE_CAPSULE_TEXT_MAX + 1];   // name of the world on that server
    double tick_hz;
    uint64_t made_ms;
    struct store_bytes settings; // any bytes; their meaning is the caller's
};

// All that the meta table holds.
struct store_capsule_head {
    struct store_capsule_meta meta;
    bool from_empty;
    uint64_t tick; // the last one
    uint64_t entries, hashes;
    uint64_t format;
    uint64_t physics, newest_physics; // as in struct store_history; from format 2 on
};

#define CAPSULE_TABLES_MAX 4u
extern const char *const store_capsule_tables[CAPSULE_TABLES_MAX]; // the statements that make them

uint64_t store_capsule_checksum(const struct store_capsule_head *head);

#endif
