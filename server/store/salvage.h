// SPDX-License-Identifier: MIT
// Getting out of a damaged store what is intact. The store is only read: a copy of its database, with what is intact of
// its write-ahead log, is looked through row by row, and a new store is made of what has its checksum.
//
// Of each world the newest moment is looked for that can be reached: an intact snapshot and the commands after it, none
// missing. The new world begins with the earliest snapshot from which all commands up to that moment are there; what
// lies before that, and what lies behind a gap, is left out, and told.
#ifndef WEFT_STORE_SALVAGE_H
#define WEFT_STORE_SALVAGE_H

#include "store/store.h"

#define STORE_SALVAGE_SETTINGS_MAX 64u

// What became of one world.
struct store_salvaged {
    const char *name;
    bool found;                     // it is in the new store; else nothing of it could be reached
    bool whole;                     // nothing is missing up to its last moment
    uint64_t first_tick, last_tick; // that can be gone to
    uint64_t commands, snapshots;   // in the new store
    uint64_t lost_commands;         // at least
    uint64_t damaged_rows;          // that were seen on the way
};

struct store_salvage_listener {
    void *user;
    // What the app keeps of a world, from its snapshot, for a world whose own row is damaged: its settings, and the
    // physics version. False: this is no snapshot.
    bool (*look)(void *user, const struct store_snapshot *snapshot, unsigned char settings[STORE_SALVAGE_SETTINGS_MAX],
                 size_t *settings_size, uint32_t *physics);
    void (*told)(void *user, const struct store_salvaged *world);
};

// `from` is the directory of a store that no server uses; `to` is made, and has to be new or empty. Errors:
// RESULT_STATE (a server uses `from`; `to` is not empty), RESULT_NOT_FOUND (there is no store in `from`),
// RESULT_DAMAGED (nothing can be read), RESULT_IO, RESULT_MEMORY.
// `missing`: commits that were acknowledged, as weft.mark says, and of which there is nothing in the copy.
enum result store_salvage(const char *from, const char *to, const struct store_salvage_listener *listener,
                          uint64_t *missing, struct fault *fault) WEFT_MUST_USE;

#endif
