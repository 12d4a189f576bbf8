// SPDX-License-Identifier: MIT
// The mark: a small file beside the database, weft.mark, that says how many commits were acknowledged.
//
// If SQLite cannot verify the end of its write-ahead log, it assumes a write that was interrupted, and leaves that end
// out without an error. So the database counts its commits in a row of its own. After each commit the count goes into
// this file as well, before the commit is acknowledged. A database that opens with a lower count has lost commits.
//
// Two slots of 512 bytes, written in turn, so that a write that is interrupted spoils one at most. A slot: magic u64,
// sequence u64 (the higher one counts), commits u64, durability u32, 0 u32, boot 40 bytes, XXH64 u64 over all of that.
// `boot` identifies the run of the machine since it was started (Linux's boot_id): with a durability below full,
// commits that are lost by a power cut are no damage. The file is written through SQLite's file system, like the
// database.
#include <assert.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/store_internal.h"

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

// ---- reading -------------------------------------------------------------------------------------------------------

struct store_mark store_mark_read(const char *path) {
    struct store_mark mark = {.state = STORE_MARK_ABSENT};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return mark;
    }
    mark.state = STORE_MARK_UNREADABLE;
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot slot;
        if (pread(file, &slot, sizeof slot, (off_t)i * SLOT_BYTES) == (ssize_t)sizeof slot && slot.magic == MAGIC &&
            slot.checksum == slot_checksum(&slot) && (mark.state != STORE_MARK_READ || slot.sequence > mark.sequence)) {
            mark = (struct store_mark){.state = STORE_MARK_READ,
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

// ---- writing -------------------------------------------------------------------------------------------------------

static int write_slot(struct store *store) {
    const struct store_mark *mark = &store->mark;
    unsigned char bytes[SLOT_BYTES] = {0};
    struct slot slot = {.magic = MAGIC,
                        .sequence = mark->sequence + 1,
                        .commits = store->commits,
                        .durability = (uint32_t)store->durability};
    memcpy(slot.boot, store->boot, sizeof slot.boot);
    slot.checksum = slot_checksum(&slot);
    memcpy(bytes, &slot, sizeof slot);
    const sqlite3_int64 at = (sqlite3_int64)(slot.sequence % SLOTS) * SLOT_BYTES;
    return store->mark_file->pMethods->xWrite(store->mark_file, bytes, SLOT_BYTES, at);
}

// A mark that cannot be written stays behind, and so says too little; the next commit tries again.
void store_mark_note(struct store *store) {
    if (store->mark_file == NULL || (store->mark.state == STORE_MARK_READ && store->mark.commits == store->commits)) {
        return;
    }
    if (write_slot(store) == SQLITE_OK) {
        store->mark.state = STORE_MARK_READ;
        store->mark.sequence++;
        store->mark.commits = store->commits;
        store->mark_synced = false;
    }
}

void store_mark_sync(struct store *store) {
    if (store->mark_file != NULL && !store->mark_synced && store->durability != STORE_OFF) {
        store->mark_synced = store->mark_file->pMethods->xSync(store->mark_file, SQLITE_SYNC_NORMAL) == SQLITE_OK;
    }
}

void store_mark_close(struct store *store) {
    if (store->mark_file != NULL) {
        store_mark_sync(store);
        (void)store->mark_file->pMethods->xClose(store->mark_file);
        free(store->mark_file);
        store->mark_file = NULL;
    }
}

// Its rights are those of the database; SQLite's file system would take others.
static int make_file(const char *path) {
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return file >= 0 && close(file) == 0 ? SQLITE_OK : SQLITE_CANTOPEN;
}

enum result store_mark_open(struct store *store, struct fault *fault) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_SUPER_JOURNAL;
    sqlite3_file *file = calloc(1, (size_t)vfs->szOsFile);
    if (file == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while opening the store");
    }
    int code = make_file(store->mark_path);
    if (code == SQLITE_OK) {
        code = vfs->xOpen(vfs, store->mark_path, file, flags, NULL);
    }
    if (code == SQLITE_OK) {
        store->mark_file = file;
        store->mark.commits = UINT64_MAX; // whatever was there: it is written now
        store_mark_note(store);
        store_mark_sync(store);
        if (store->mark.commits == store->commits && (store->mark_synced || store->durability == STORE_OFF)) {
            return RESULT_OK;
        }
        code = SQLITE_IOERR_WRITE;
        store->mark_file = NULL;
    }
    if (file->pMethods != NULL) {
        (void)file->pMethods->xClose(file);
    }
    free(file);
    return store_sql_fault(fault, NULL, code, "writing " STORE_MARK_FILE);
}
