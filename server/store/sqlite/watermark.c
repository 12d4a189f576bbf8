// SPDX-License-Identifier: MIT
// If SQLite cannot verify the end of its write-ahead log, it takes that end for an interrupted write and leaves it out
// without an error. So the database counts its commits in a row of its own, and after each commit the count goes into
// this file as well, before the commit is acknowledged. A database that opens with a lower count has lost commits.
//
// The file, weft.mark, has two slots of 512 bytes. They are written in turn, so that an interrupted write spoils one at
// most; the slot with the higher sequence counts. A slot, in the byte order of the machine:
//
//    0  u64  magic "WEFTMARK"
//    8  u64  sequence
//   16  u64  commits
//   24  u32  durability
//   28  u32  0
//   32  40   boot: names the run of the machine since it was started (Linux's boot_id)
//   72  u64  XXH64 of the bytes before
//
// With a durability below full, commits that a power cut took are no damage; another `boot` tells a power cut. The file
// is written through SQLite's file system, like the database.
#include "store/sqlite/watermark.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "store/database/sql.h"
#include "store/sqlite/file_copy.h"
#include "store/sqlite/statement.h"
#include "store/store_state.h"

#define MAGIC 0x4B52414D54464557u // "WEFTMARK"
#define SLOT_BYTES 512
#define SLOTS 2u
#define BOOT_FILE "/proc/sys/kernel/random/boot_id"

struct slot {
    uint64_t magic, sequence, commits;
    uint32_t durability, unused;
    char boot[STORE_BOOT_MAX];
    uint64_t checksum;
};
_Static_assert(sizeof(struct slot) == 80 && sizeof(struct slot) <= SLOT_BYTES, "nothing lies between");

static uint64_t slot_checksum(const struct slot *slot) {
    return hash64_of(slot, offsetof(struct slot, checksum), 7);
}

void store_boot_name(char boot[STORE_BOOT_MAX]) {
    memset(boot, 0, STORE_BOOT_MAX);
    FILE *file = fopen(BOOT_FILE, "re");
    if (file != NULL) {
        const size_t size = fread(boot, 1, STORE_BOOT_MAX - 1, file);
        boot[strcspn(boot, "\n")] = '\0';
        memset(boot + strlen(boot), 0, STORE_BOOT_MAX - strlen(boot));
        (void)size;
        (void)fclose(file);
    }
}

// ---- reading --------------------------------------------------------------------------------------------------------

struct store_watermark store_watermark_read(const char *path) {
    struct store_watermark mark = {.state = STORE_WATERMARK_ABSENT};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return mark;
    }
    mark.state = STORE_WATERMARK_UNREADABLE;
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot slot;
        if (pread(file, &slot, sizeof slot, (off_t)i * SLOT_BYTES) == (ssize_t)sizeof slot && slot.magic == MAGIC &&
            slot.checksum == slot_checksum(&slot) &&
            (mark.state != STORE_WATERMARK_READ || slot.sequence > mark.sequence)) {
            mark = (struct store_watermark){.state = STORE_WATERMARK_READ,
                                            .sequence = slot.sequence,
                                            .commits = slot.commits,
                                            .durability = slot.durability};
            memcpy(mark.boot, slot.boot, sizeof mark.boot);
            mark.boot[sizeof mark.boot - 1] = '\0';
        }
    }
    (void)close(file);
    return mark;
}

// ---- writing --------------------------------------------------------------------------------------------------------

static int write_slot(struct store *store) {
    const struct store_watermark *mark = &store->watermark;
    unsigned char bytes[SLOT_BYTES] = {0};
    struct slot slot = {.magic = MAGIC,
                        .sequence = mark->sequence + 1,
                        .commits = store->commits,
                        .durability = (uint32_t)store->durability};
    memcpy(slot.boot, store->boot, sizeof slot.boot);
    slot.checksum = slot_checksum(&slot);
    memcpy(bytes, &slot, sizeof slot);
    const sqlite3_int64 at = (sqlite3_int64)(slot.sequence % SLOTS) * SLOT_BYTES;
    return store->watermark_file->pMethods->xWrite(store->watermark_file, bytes, SLOT_BYTES, at);
}

// A watermark that cannot be written stays too low; the next commit tries again.
void store_watermark_raise(struct store *store) {
    if (store->watermark_file == NULL ||
        (store->watermark.state == STORE_WATERMARK_READ && store->watermark.commits == store->commits)) {
        return;
    }
    if (write_slot(store) == SQLITE_OK) {
        store->watermark.state = STORE_WATERMARK_READ;
        store->watermark.sequence++;
        store->watermark.commits = store->commits;
        store->watermark_synced = false;
    }
}

void store_watermark_sync(struct store *store) {
    if (store->watermark_file != NULL && !store->watermark_synced && store->durability != STORE_OFF) {
        store->watermark_synced =
            store->watermark_file->pMethods->xSync(store->watermark_file, SQLITE_SYNC_NORMAL) == SQLITE_OK;
    }
}

void store_watermark_close(struct store *store) {
    if (store->watermark_file != NULL) {
        store_watermark_sync(store);
        (void)store->watermark_file->pMethods->xClose(store->watermark_file);
        free(store->watermark_file);
        store->watermark_file = NULL;
    }
}

enum result store_watermark_open(struct store *store, struct fault *fault) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_SUPER_JOURNAL;
    sqlite3_file *file = calloc(1, (size_t)vfs->szOsFile);
    if (file == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while opening the store");
    }
    // SQLite's file system would give a new file other access rights than the database has.
    int code = store_make_file(store->watermark_path) ? SQLITE_OK : SQLITE_CANTOPEN;
    if (code == SQLITE_OK) {
        code = vfs->xOpen(vfs, store->watermark_path, file, flags, NULL);
    }
    if (code == SQLITE_OK) {
        store->watermark_file = file;
        store->watermark.commits = UINT64_MAX; // so that it is written whatever it was
        store_watermark_raise(store);
        store_watermark_sync(store);
        if (store->watermark.commits == store->commits && (store->watermark_synced || store->durability == STORE_OFF)) {
            return RESULT_OK;
        }
        code = SQLITE_IOERR_WRITE;
        store->watermark_file = NULL;
    }
    if (file->pMethods != NULL) {
        (void)file->pMethods->xClose(file);
    }
    free(file);
    return store_sqlite_fault(fault, NULL, code, "writing " STORE_WATERMARK_FILE);
}
