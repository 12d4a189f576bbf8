// SPDX-License-Identifier: MIT
// A capsule: a piece of a world's history in one file that any machine replays bit for bit, itself an SQLite database.
//
// It holds a snapshot (or begins with an empty world), the commands since, and the hashes that were marked: every 60th
// tick; a meta table says by which server and which versions of its physics, at which rate, of which world. Of clients
// it names only their numbers. Packed and unpacked in memory; a file or an upload is those bytes. Thread-safe, and
// needs no store.
//
// What is unpacked comes from anybody: only the tables a capsule has are allowed in it, each row is checked like those
// of a store, and sizes are limited. Whether the records and the state make sense is for those to say who read them.
#ifndef WEFT_STORE_CAPSULE_H
#define WEFT_STORE_CAPSULE_H

#include "store/store.h"

#define STORE_CAPSULE_FORMAT 2u                  // one of format 1 is of physics version 1, and does not say so
#define STORE_CAPSULE_MAX (512u * 1024u * 1024u) // bytes of a capsule
#define STORE_CAPSULE_TEXT_MAX 256               // bytes of a text of the meta table

struct store_capsule_meta {
    char version[STORE_CAPSULE_TEXT_MAX + 1]; // of the server that made it
    char world[STORE_CAPSULE_TEXT_MAX + 1];   // its name there
    double tick_hz;
    uint64_t made_ms;
    struct store_bytes settings; // the app's own
};

struct store_capsule {
    struct store_capsule_meta meta;
    struct store_history *history; // all of one timeline, number 1; with its physics versions
};

// `history` as store_read gave it; its timelines become one. Free the bytes with free(). Errors: RESULT_LIMIT
// (STORE_CAPSULE_MAX), RESULT_MEMORY.
enum result store_capsule_pack(const struct store_capsule_meta *meta, const struct store_history *history,
                               unsigned char **bytes, size_t *size, struct fault *fault) WEFT_MUST_USE;
// Errors: RESULT_INVALID (no capsule, or of a newer format), RESULT_DAMAGED (a row is missing or changed),
// RESULT_LIMIT, RESULT_MEMORY. Free with store_capsule_free.
enum result store_capsule_unpack(const void *bytes, size_t size, struct store_capsule **capsule,
                                 struct fault *fault) WEFT_MUST_USE;
void store_capsule_free(struct store_capsule *capsule);

#endif
