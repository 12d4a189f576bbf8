// SPDX-License-Identifier: MIT
// Copies all worlds of one store into another, of the same engine or the other one: histories, snapshots, hashes,
// settings and replies. Each world is one transaction. All checksums are verified on reading; before the commit the
// copy is read again, and the hash of all its rows must be that of the original, or nothing of the world stays.
#ifndef WEFT_STORE_COPY_STORE_COPY_H
#define WEFT_STORE_COPY_STORE_COPY_H

#include "store/types.h"

// The progress of the copy of a world. `hash` is that of its rows, 0 until the copy was verified.
struct store_copy_progress {
    const char *name;
    uint64_t rows, rows_total;
    uint64_t bytes; // of records, snapshots and replies
    uint64_t hash;
};

// Both stores are opened, so no server may use them. Worlds of `to` stay; a world of the same name is RESULT_STATE,
// before anything is copied. `report` is called after each few thousand rows and at the end of each world. Errors:
// those of store_open; RESULT_DAMAGED (a row of `from` does not have its checksum, or the copy differs).
enum result store_copy(const struct store_options *from, const struct store_options *to,
                       void (*report)(void *user, const struct store_copy_progress *progress), void *user,
                       struct fault *fault) WEFT_MUST_USE;

#endif
