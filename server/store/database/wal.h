// SPDX-License-Identifier: MIT
// Reads a write-ahead log of SQLite without SQLite, which leaves out the frames that it cannot verify.
#ifndef WEFT_STORE_DATABASE_WAL_H
#define WEFT_STORE_DATABASE_WAL_H

#include <stdint.h>

#include "base/result.h"

struct store_wal {
    uint64_t bytes;          // of it, 0: there is none
    uint64_t frames;         // whole ones, of any age
    uint64_t first_bad;      // the first that cannot be verified, from 1; 0: none
    uint64_t commits_behind; // intact ones of the same log, behind a frame that cannot be verified
};
// `usual_page_size`: of the database, for a log whose header is damaged. Errors: RESULT_IO, RESULT_MEMORY.
enum result store_wal_look(const char *path, uint32_t usual_page_size, struct store_wal *found,
                           struct fault *fault) WEFT_MUST_USE;
// Writes the pages of all intact frames, up to the last intact commit, into a copy of the database, also those that lie
// behind frames that cannot be verified. The copy may therefore contradict itself, and each row has to be checked.
// Errors: RESULT_IO, RESULT_MEMORY.
enum result store_wal_apply(const char *path, const char *database, uint32_t usual_page_size,
                            struct fault *fault) WEFT_MUST_USE;

#endif
