// SPDX-License-Identifier: MIT
// A file system for SQLite that fails on purpose, and one whose power can be cut. It wraps the default one and is
// itself the default as long as it is installed.
//
// Failing: each call of a kind counts; the n-th, or every one from the n-th on, gives an error.
// Power: it remembers what was written since the last sync of each file, and which files were made or deleted since
// their folder was synced. `fault_vfs_cut` writes what a disk could hold after a power cut to another folder: all that
// was synced, and of the rest, sector by sector, what chance lets through.
#ifndef WEFT_TESTS_FAULT_VFS_H
#define WEFT_TESTS_FAULT_VFS_H

#include <stdbool.h>
#include <stdint.h>

enum fault_kind {
    FAULT_READ,
    FAULT_WRITE,    // SQLITE_IOERR_WRITE
    FAULT_FULL,     // a write gives SQLITE_FULL
    FAULT_SYNC,     // SQLITE_IOERR_FSYNC, and what was to be synced is lost to the disk
    FAULT_TRUNCATE, // SQLITE_IOERR_TRUNCATE
    FAULT_OPEN,     // SQLITE_CANTOPEN
    FAULT_KIND_COUNT
};

void fault_vfs_install(bool remember); // `remember`: what a power cut needs
void fault_vfs_remove(void);           // when no file is open

// The calls of `kind` from the n-th (1: the next) on fail, `count` of them (0: all).
void fault_vfs_fail(enum fault_kind kind, uint64_t n, uint64_t count);
void fault_vfs_heal(void);                      // no call fails any more
uint64_t fault_vfs_calls(enum fault_kind kind); // since it was installed; of FULL those of WRITE
uint64_t fault_vfs_failures(void);              // calls that failed since it was installed

// Power: before the n-th call of any kind from now on `cut` is called, once, on whichever thread makes that call.
void fault_vfs_before(uint64_t n, void (*cut)(void *user), void *user);
// In `cut`: writes what the disk may hold to files of the same names in `folder`.
void fault_vfs_cut(const char *folder, uint64_t seed);

#endif
