// SPDX-License-Identifier: MIT
// Salvages the intact part of a damaged store. The store is only read. A copy is made of its database and of the intact
// part of its write-ahead log. The copy is read row by row, and a new store is made of the rows whose checksum is
// right.
//
// For each world the newest moment is found that can be reached from an intact snapshot by the commands after it, none
// missing. The new world begins with the earliest snapshot from which all commands up to that moment are there.
// Commands before that snapshot and commands behind a gap are left out, and counted in the report.
#ifndef WEFT_STORE_SALVAGE_SALVAGE_WRITER_H
#define WEFT_STORE_SALVAGE_SALVAGE_WRITER_H

#include "store/types.h"

#define STORE_SALVAGE_SETTINGS_MAX 64u

// The outcome for one world.
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
    // Reads from a snapshot the settings that the app keeps of a world, and the physics version. This serves a world
    // whose own row is damaged. False: this is no snapshot.
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
