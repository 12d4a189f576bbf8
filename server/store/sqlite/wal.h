// SPDX-License-Identifier: MIT
// Reads a write-ahead log of SQLite without SQLite, which ignores frames behind one that it cannot verify.
#ifndef WEFT_STORE_SQLITE_WAL_H
#define WEFT_STORE_SQLITE_WAL_H

#include <stdint.h>

#include "base/result.h"

struct store_wal {
    uint64_t bytes;          // size of the log, 0: there is none
    uint64_t frames;         // complete frames, of any salt
    uint64_t first_bad;      // number of the first frame that cannot be verified, from 1; 0: none
    uint64_t commits_behind; // intact commits of the same salt behind that frame
};
// `usual_page_size` is that of the database, for a log whose header is damaged. Errors: RESULT_IO, RESULT_MEMORY.
enum result store_wal_look(const char *path, uint32_t usual_page_size, struct store_wal *found,
                           struct fault *fault) WEFT_MUST_USE;
// Writes the pages of all intact frames, up to the last intact commit, into a copy of the database; also of frames
// behind one that cannot be verified. The copy may therefore contradict itself, and each row has to be checked. Errors:
// RESULT_IO, RESULT_MEMORY.
enum result store_wal_apply(const char *path, const char *database, uint32_t usual_page_size,
                            struct fault *fault) WEFT_MUST_USE;

#endif
