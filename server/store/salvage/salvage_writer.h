// SPDX-License-Identifier: MIT
// Makes a new store from the intact part of a damaged one, which is only read. A copy is made of its database and of
// the intact part of its write-ahead log. The copy is read row by row, and the rows whose checksum is right go into the
// new store, written by the functions with which a server writes.
//
// The newest moment of each world is found that can be reached from an intact snapshot over the commands after it, none
// missing. The new world begins with the earliest snapshot from which no command up to that moment is missing. Commands
// before that snapshot and commands behind a gap are left out, and counted in the report.
#ifndef WEFT_STORE_SALVAGE_SALVAGE_WRITER_H
#define WEFT_STORE_SALVAGE_SALVAGE_WRITER_H

#include "store/types.h"

#define STORE_SALVAGE_SETTINGS_MAX 256u

// The outcome for one world.
struct store_salvaged {
    const char *name;
    bool found;                     // false: nothing of it could be reached, and it is not in the new store
    bool whole;                     // nothing is missing up to its last moment
    uint64_t first_tick, last_tick; // of the history in the new store
    uint64_t commands, snapshots;   // in the new store
    uint64_t lost_commands;         // a lower bound
    uint64_t damaged_rows;          // rows with a wrong checksum that were read
};

struct store_salvage_listener {
    void *user;
    // Reads the settings of a world and its physics version out of a snapshot, for a world whose own row is damaged.
    // Returns false when the snapshot cannot be read.
    bool (*read_settings)(void *user, const struct store_snapshot *snapshot,
                          unsigned char settings[STORE_SALVAGE_SETTINGS_MAX], size_t *settings_size, uint32_t *physics);
    void (*report)(void *user, const struct store_salvaged *world);
};

// `from` is the directory of a store that no server uses; `to` is made, and must be new or empty. Errors:
// RESULT_STATE (a server uses `from`; `to` is not empty), RESULT_NOT_FOUND (there is no store in `from`),
// RESULT_DAMAGED (nothing can be read), RESULT_IO, RESULT_MEMORY.
// `missing` becomes the number of acknowledged commits that the database and its log lack, by the watermark.
enum result store_salvage(const char *from, const char *to, const struct store_salvage_listener *listener,
                          uint64_t *missing, struct fault *fault) WEFT_MUST_USE;

#endif
